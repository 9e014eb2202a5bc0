import RealmQuery
package import RealmStorage

/// Rows of CSV on their way into a class of plain properties: no value is looked at twice, none is copied that need not be.
/// An object, since it is asked for each row, and a copy of a value would count each reference in it.
package final class TextRowWriter {
  /// Trivial to copy, as it is for every value.
  private struct Step {
    /// Position in the row.
    let field: Int
    let column: ColumnKey
    let type: ColumnType
    let isNullable: Bool
    /// Integers that the type does not hold are rounded.
    let rounds: Bool
  }
  private let cursor: ImportCursor
  private let table: Table
  private let slashes: DateForm.SlashOrder?
  private let steps: [Step]
  private let key: Step?

  /// Nil if a property takes more than a plain value, a column is no property, or two are one because a name that begins with `$` may have one more.
  init?(_ cursor: ImportCursor, _ table: Table, _ slashes: DateForm.SlashOrder?, rounded: Set<ExactName>) {
    guard cursor.options.format == .csv else { return nil }
    (self.cursor, self.table, self.slashes) = (cursor, table, slashes)
    var columns = ColumnFinder(table)
    var steps: [Step] = []
    for (field, name) in cursor.header.enumerated() {
      guard let name = name.map({ MemberName.meaning($0) ?? $0 }) else { continue }
      guard let column = columns.column(name), !column.isCollection, column.type != .link, column.type != .mixed
      else { return nil }
      if name.hasPrefix("$"), steps.contains(where: { $0.column == column.key }) { return nil }
      steps.append(
        Step(field: field, column: column.key, type: column.type, isNullable: column.isNullable, rounds: rounded.contains(ExactName(name))))
    }
    let primaryKey = table.primaryKeyColumn
    key = steps.first { $0.column == primaryKey?.key }
    if primaryKey != nil && key == nil { return nil }
    self.steps = steps.filter { $0.column != primaryKey?.key }
  }

  package func store() throws(StorageError) -> Importer.Outcome {
    guard let key else { return try fill(table.createObject()) }
    guard let value = value(key) else { return .refused(problem(key)) }
    if case .null = value, !key.isNullable { return .refused("has no primary key '\(name(key))'") }
    guard case .int(let number) = value else {
      let (object, isNew) = try table.findOrCreateObject(primaryKey: value)
      guard isNew else { return .refused(Importer.textOfExisting(value.queryText)) }
      return try fill(object)
    }
    return try store(primaryKey: number)
  }

  /// The fastest way there is: values go where the new row is.
  private func store(primaryKey: Int64) throws(StorageError) -> Importer.Outcome {
    var refusal: String?
    let object: ObjectKey
    do throws(StorageError) {
      object = try table.createObject(primaryKey: primaryKey) { (object) throws(StorageError) in
        // Once for the row: each look at a member of the cursor counts references.
        let (records, firstField, buffer) = (cursor.records, cursor.record.firstField, cursor.source.buffer)
        for step in steps {
          let field = records.fields[firstField + step.field]
          let fits: Bool
          if field.isUnescaped {
            let side = records.side
            fits = try set(step, field, side.span, &object)
          } else {
            fits = try set(step, field, buffer.span, &object)
          }
          if !fits {
            refusal = problem(step)
            return
          }
        }
      }
    } catch {
      if case .duplicatePrimaryKey = error { return .refused(Importer.textOfExisting(String(primaryKey))) }
      throw error
    }
    guard let refusal else { return .created(object) }
    try table.remove(object)
    return .refused(refusal)
  }

  /// - Returns: false if the field does not fit.
  private func set(
    _ step: Step, _ field: CSVRecords.Field, _ bytes: Span<UInt8>, _ object: inout NewObject
  ) throws(StorageError) -> Bool {
    let column = step.column
    if field.isNull {
      guard step.isNullable else { return false }
      // That is what it is already.
      return true
    }
    switch step.type {
    case .string:
      guard field.range.count <= StringLeaf.byteLimit else { return false }
      try unsafe object.set(column, string: bytes.bytes.extracting(field.range))
    case .int where !step.isNullable:
      guard let number = ImportText.integer(bytes, field.range) else { return false }
      try object.set(column, int: number)
    case .double where !step.isNullable && !step.rounds:
      guard case .double(let number)? = ImportConversion.text(bytes, field.range, .double, slashes) else { return false }
      try object.set(column, double: number)
    default:
      guard let value = value(step, bytes, field.range) else { return false }
      try object.set(column, value)
    }
    return true
  }

  private func fill(_ object: ObjectKey) throws(StorageError) -> Importer.Outcome {
    for step in steps {
      guard let value = value(step), step.isNullable || !value.isNothing else {
        try table.remove(object)
        return .refused(problem(step))
      }
      if !value.isNothing { try table.set(object, step.column, value) }
    }
    return .created(object)
  }

  /// Nil for what the type does not hold.
  private func value(_ step: Step) -> Value? {
    let field = cursor.field(step.field)
    if field.isNull { return .null }
    return cursor.withField(field) { (bytes, range) in value(step, bytes, range) }
  }

  private func value(_ step: Step, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Value? {
    if step.rounds { return ImportConversion.value(.text(ImportText.copy(bytes, range)), step.type, slashes, rounds: true) }
    let value = ImportConversion.text(bytes, range, step.type, slashes)
    return range.count > StringLeaf.byteLimit && value.flatMap { PreparedValue.excess(of: $0) } != nil ? nil : value
  }

  private func name(_ step: Step) -> String { cursor.header[step.field] ?? "" }

  private func problem(_ step: Step) -> String {
    if cursor.field(step.field).isNull { return "'\(name(step))' must not be null" }
    let field = cursor.field(step.field)
    if field.range.count > StringLeaf.byteLimit,
      let excess = cursor.withField(field, { ImportConversion.text($0, $1, step.type, slashes).flatMap { PreparedValue.excess(of: $0) } })
    {
      return "'\(name(step))' \(excess.reason)"
    }
    let bytes = cursor.copy(step.field)
    let text = String(decoding: bytes, as: UTF8.self).prefix(40)
    return "'\(name(step))' is no value of type \(TypeWords.word(step.type)): '\(text)'\(ImportConversion.hint(.text(bytes), step.type))"
  }
}

extension Value {
  fileprivate var isNothing: Bool { if case .null = self { true } else { false } }
}
