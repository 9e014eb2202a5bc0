package import RealmQuery
package import RealmStorage

/// Brings the rows of an input into a class of a database.
package struct Importer {
  package struct Options: Sendable {
    package var className: String
    package var primaryKey: String?
    /// Types that the caller knows better, by property.
    package var types: [ExactName: ChosenType] = [:]
    /// Objects whose primary key exists are changed instead of refused.
    package var updates = false
    package var slashes: DateForm.SlashOrder?
    package init(className: String) { self.className = className }

    /// Floating-point numbers that the caller asked for.
    fileprivate var rounded: Set<ExactName> {
      if types.isEmpty { return [] }
      return Set(types.filter { $0.value.type == .double || $0.value.type == .float }.keys)
    }
  }

  private let options: Options
  private let isText: Bool
  package private(set) var fields: [ImportField]
  /// What became of values of JSON in properties that were there before.
  package let conversions: ConversionNotes

  /// - Throws: `ImportProblem` for options that do not fit.
  package init(_ inference: ImportInference, options: Options) throws(ImportProblem) {
    (self.options, isText) = (options, inference.isText)
    // Of all others the inference has said it.
    conversions = ConversionNotes(about: inference.known.union(options.types.keys))
    fields = inference.fields
    for name in options.types.keys.map(\.text).sorted() where !fields.contains(where: { ExactName($0.name) == ExactName(name) }) {
      throw ImportProblem(reason: "--type names '\(name)', which no object has")
    }
    guard let primaryKey = options.primaryKey else { return }
    guard let index = fields.firstIndex(where: { ExactName($0.name) == ExactName(primaryKey) }) else {
      throw ImportProblem(reason: "the primary key '\(primaryKey)' is in no object")
    }
    fields[index].isOptional = false
    switch fields[index].type {
    case .value(.int), .value(.string), .value(.objectID), .value(.uuid), .unknown: break
    default: throw ImportProblem(reason: "'\(primaryKey)' of type \(fields[index].type.text) cannot be the primary key")
    }
  }

  /// Why an object is refused whose primary key another one has.
  static func textOfExisting(_ primaryKey: String) -> String { "an object with the primary key \(primaryKey) exists; --update changes it" }

  // MARK: Schema

  /// The class with all properties, made or completed.
  /// - Returns: also what has to be said about properties that the input does not have, and whether anything was made.
  package func prepare(_ group: Group) throws(StorageError) -> (table: Table, notes: [String], changesSchema: Bool) {
    let name = "class_" + options.className
    let existing = try group.table(named: name)
    if let existing, let primaryKey = options.primaryKey, existing.primaryKeyColumn?.name != Array(primaryKey.utf8) {
      throw .invalidArgument(reason: "'\(options.className)' exists and has another primary key than '\(primaryKey)'; leave --primary-key out")
    }
    if options.updates, let existing, !existing.hasPrimaryKey {
      throw .invalidArgument(reason: "'\(options.className)' has no primary key, so no object can be found to be changed")
    }
    if options.updates, existing == nil, options.primaryKey == nil {
      throw .invalidArgument(reason: "the class '\(options.className)' does not exist yet, and has no primary key to find objects by")
    }
    if let existing { try checkTypes(existing) }
    if let existing, existing.kind == .embedded {
      throw .invalidArgument(reason: "'\(options.className)' is embedded: its objects live inside of others")
    }
    let table: Table
    try group.beginSchema()
    if let existing { table = existing } else { table = try group.addTable(name) }
    var notes: [String] = []
    var changesSchema = existing == nil
    if existing != nil {
      notes = try self.notes(table)
      let known = Set(table.publicColumns.map { ExactName(SchemaNames.text($0.name)) })
      for field in fields where !known.contains(ExactName(field.name)) {
        changesSchema = true
        notes.append("\(field.name): is new in the class; objects that are there have no value for it")
      }
    }
    try addColumns(fields, table, options.className, isNew: existing == nil)
    if existing == nil, let primaryKey = options.primaryKey { try table.setPrimaryKey(table.column(named: primaryKey).key) }
    return (table, notes, changesSchema)
  }

  /// Properties that exist keep their types.
  private func checkTypes(_ table: Table) throws(StorageError) {
    var columns = ColumnFinder(table)
    for (name, chosen) in options.types.sorted(by: { $0.key.text < $1.key.text }) {
      guard let column = columns.column(name.text) else { continue }
      if column.type == chosen.type, column.isList == chosen.isList, !column.isSet, !column.isDictionary { continue }
      let kind = column.isCollection ? "a collection" : column.type == .link ? "a link" : TypeWords.word(column.type)
      throw .invalidArgument(
        reason: "--type gives '\(name.text)' another type than it has in '\(options.className)', where it is \(kind); leave it out")
    }
  }

  private func notes(_ table: Table) throws(StorageError) -> [String] {
    // A row of CSV has all properties of the header, and of those it refuses null.
    let given = Set(fields.lazy.filter { isText || !$0.isOptional }.map { ExactName($0.name) })
    return table.publicColumns.compactMap { column in
      let name = SchemaNames.text(column.name)
      if column.isNullable || column.isCollection || column.type == .mixed || column.type == .link { return nil }
      // Rows without a key are refused.
      if column.key == table.primaryKeyColumn?.key { return nil }
      if given.contains(ExactName(name)) { return nil }
      let value = column.type == .string ? "an empty string" : "the default value"
      return "\(name): new objects get \(value) where the input has no such member; null is refused"
    }
  }

  private func addColumns(_ fields: [ImportField], _ table: Table, _ className: String, isNew: Bool) throws(StorageError) {
    let known = Set(table.publicColumns.map { ExactName(SchemaNames.text($0.name)) })
    // Together, except where the class of a field's objects has to see that those before it have theirs.
    var definitions: [ColumnDefinition] = []
    func addLink(_ field: ImportField, _ inner: [ImportField], _ attributes: ColumnAttributes) throws(StorageError) {
      try table.addColumns(definitions)
      definitions = []
      let target = try embedded(inner, className, field.name, table.group)
      try table.addColumn(ColumnDefinition(field.name, .link, attributes, target: target.key))
    }
    for field in fields where !known.contains(ExactName(field.name)) {
      let isKey = isNew && table.kind == .topLevel && ExactName(field.name) == options.primaryKey.map(ExactName.init)
      // Objects that are there already have no value for it.
      let optional: ColumnAttributes = field.isOptional || !isNew ? .nullable : []
      switch field.type {
      case .unknown: definitions.append(ColumnDefinition(field.name, .string, isKey ? [] : .nullable))
      case .value(let type): definitions.append(ColumnDefinition(field.name, type, type == .mixed ? .nullable : optional))
      case .object(let inner): try addLink(field, inner, .nullable)
      case .array(.object(let inner), _): try addLink(field, inner, .list)
      case .array(.value(let type), let hasNulls):
        definitions.append(ColumnDefinition(field.name, type, hasNulls || type == .mixed ? [.list, .nullable] : .list))
      case .array: definitions.append(ColumnDefinition(field.name, .string, [.list, .nullable]))
      }
    }
    try table.addColumns(definitions)
  }

  /// The class of the objects in a property: `Dog_owner`, or `Dog_owner_2` where that is the class of others.
  private func embedded(_ fields: [ImportField], _ className: String, _ property: String, _ group: Group) throws(StorageError) -> Table {
    var name = "\(className)_\(property)"
    var existing = try group.table(named: "class_" + name)
    var number = 1
    while let known = existing, known.kind != .embedded || !known.backlinkColumns.isEmpty {
      number += 1
      name = "\(className)_\(property)_\(number)"
      existing = try group.table(named: "class_" + name)
    }
    let table: Table
    if let existing { table = existing } else { table = try group.addTable("class_" + name, kind: .embedded) }
    try addColumns(fields, table, name, isNew: existing == nil)
    return table
  }

  // MARK: Objects

  package enum Outcome {
    case created(ObjectKey), changed(ObjectKey)
    /// Nothing was stored.
    case refused(String)
  }

  /// The fast way for rows of CSV that only make objects of plain properties; nil if there is none. Valid for one transaction.
  package func textRows(_ cursor: ImportCursor, _ table: Table) -> TextRowWriter? {
    options.updates ? nil : TextRowWriter(cursor, table, options.slashes, rounded: options.rounded)
  }

  /// Stores the present row of an input.
  package func store(_ cursor: ImportCursor, in table: Table) throws(StorageError) -> Outcome {
    conversions.line = cursor.line
    // Fields of CSV are texts, whatever they mean.
    var announced: Set<ObjectKey> = []
    return try Importer.store(cursor.members, in: table, options, announced: &announced, notes: cursor.options.format == .csv ? nil : conversions)
  }

  /// Makes those of the objects that are not there yet, with nothing but their primary keys, so that they can link to each other and to themselves.
  /// - Returns: those that were made. What is wrong with the others is found when they are stored.
  package static func announce(_ objects: [[(name: String, value: ImportValue)]], in table: Table) throws(StorageError) -> Set<ObjectKey> {
    guard let column = table.primaryKeyColumn else { return [] }
    var made: Set<ObjectKey> = []
    for members in objects {
      guard let written = ImportValue.object(members)[MemberName.of(SchemaNames.text(column.name))] else { continue }
      guard case .value(let key)? = try? Preparation(table.group).prepare(written, column) else { continue }
      if case .null = key, !column.isNullable { continue }
      let (object, isNew) = try table.findOrCreateObject(primaryKey: key)
      if isNew { made.insert(object) }
    }
    return made
  }

  /// Stores one object in a class that has its properties.
  /// - Parameters:
  ///   - announced: objects that count as new; the one that is stored is taken out.
  ///   - notes: is told of values that become others.
  package static func store(
    _ members: [(name: String, value: ImportValue)], in table: Table, _ options: Options, announced: inout Set<ObjectKey>, notes: ConversionNotes?
  ) throws(StorageError) -> Outcome {
    let fields: [PreparedField]
    let mark = notes?.mark
    func refused(_ reason: String) -> Outcome {
      if let mark { notes?.mark = mark }
      return .refused(reason)
    }
    do throws(ImportProblem) {
      fields = try Preparation(table.group, slashes: options.slashes, rounded: options.rounded, notes: notes).fields(members, of: table)
    } catch {
      return refused(error.reason)
    }
    guard let column = table.primaryKeyColumn else {
      let object = try table.createObject()
      try table.store(object, fields, notes: notes)
      return .created(object)
    }
    guard case .value(let key)? = fields.first(where: { $0.column.key == column.key })?.value else {
      return refused("has no primary key '\(SchemaNames.text(column.name))'")
    }
    if case .null = key, !column.isNullable { return refused("has no primary key '\(SchemaNames.text(column.name))'") }
    let (object, wasMissing) = try table.findOrCreateObject(primaryKey: key)
    let isNew = announced.remove(object) != nil || wasMissing
    guard isNew || options.updates else { return refused(Self.textOfExisting(key.queryText)) }
    try table.store(object, fields, notes: notes)
    return isNew ? .created(object) : .changed(object)
  }
}
