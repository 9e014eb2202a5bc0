package import RealmQuery
package import RealmStorage

/// The type of a property of imported objects, as the whole input shows it.
package indirect enum ImportType: Equatable, Sendable {
  /// Nothing but nulls.
  case unknown
  case value(ColumnType)
  case object([ImportField])
  case array(ImportType, hasNulls: Bool)

  package var text: String {
    switch self {
    case .unknown: "string"
    case .value(let type): TypeWords.word(type)
    case .object(let fields): "{" + fields.map(\.text).joined(separator: ", ") + "}"
    case .array(let element, let hasNulls): "[\(element.text)\(hasNulls ? "?" : "")]"
    }
  }
}

package struct ImportField: Equatable, Sendable {
  package let name: String
  package var type: ImportType
  package var isOptional: Bool
  /// A list is never null.
  package var text: String {
    if case .array = type { return "\(name): \(type.text)" }
    return "\(name): \(type.text)\(isOptional ? "?" : "")"
  }
}

/// A type that the caller knows better than the input shows it.
package struct ChosenType: Equatable, Sendable {
  package let type: ColumnType
  package var isOptional = false
  package var isList = false
  /// Of a list.
  package var hasNulls = false

  /// `int`, `int?`, `[int]` or `[int?]`, as they are printed; nil for anything else.
  package init?(_ text: some StringProtocol) {
    var word = text[...]
    if word.first == "[", word.hasSuffix("]") || word.hasSuffix("]?") {
      isList = true
      word = word.dropFirst().dropLast(word.last == "?" ? 2 : 1)
    }
    let isNullable = word.last == "?"
    if isNullable { word.removeLast() }
    guard let type = TypeWords.type(word) else { return nil }
    self.type = type
    if isList { hasNulls = isNullable } else { isOptional = isNullable }
  }
}

/// The words for types that options take and that are printed.
package enum TypeWords {
  private static let words: [(String, ColumnType)] = [
    ("bool", .bool), ("int", .int), ("float", .float), ("double", .double), ("string", .string), ("date", .timestamp), ("data", .binary),
    ("decimal", .decimal), ("objectId", .objectID), ("uuid", .uuid), ("mixed", .mixed),
  ]
  package static let all = words.map(\.0).joined(separator: " ")

  package static func word(_ type: ColumnType) -> String { words.first { $0.1 == type }?.0 ?? SchemaNames.type(type) }

  /// Of a value in canonical JSON: `$timestamp`.
  static func canonicalType(_ name: String) -> ColumnType? {
    switch name {
    case "$binary": .binary
    case "$timestamp": .timestamp
    case "$float": .float
    case "$double": .double
    case "$decimal": .decimal
    case "$oid": .objectID
    case "$uuid": .uuid
    default: nil
    }
  }

  /// The words of exports are understood, too, and the names that schemas are printed with.
  package static func type(_ word: some StringProtocol) -> ColumnType? {
    let word = word.lowercased()
    return words.first { (name, type) in
      [name, SchemaNames.type(type), SwiftSource.valueType(type)].contains { $0?.lowercased() == word }
    }?.1
  }

  /// Whether it is one of the words that are printed, and nothing else that is understood.
  package static func isWord(_ word: String) -> Bool { words.contains { $0.0 == word } }
}

/// What is known of the values of one property, or of the elements of an array.
final class MemberFacts {
  private(set) var scalars = ValueFacts()
  private(set) var object: ObjectFacts?
  private(set) var element: MemberFacts?
  private(set) var hasNull = false
  private(set) var count = 0

  /// Takes in whether there is a value.
  func count(_ value: ImportValue) {
    count += 1
    if case .null = value { hasNull = true }
  }

  func add(_ value: ImportValue, _ name: String, line: Int, _ slashes: DateForm.SlashOrder?) throws(ImportProblem) {
    count += 1
    switch value {
    case .null: hasNull = true
    case .bool(let flag): scalars.add(.bool, line: line, Array("\(flag)".utf8))
    case .integer(let number): scalars.add(number.magnitude <= 1 << 53 ? .int : .largeInt, line: line, Array("\(number)".utf8))
    case .number(let text): scalars.add(ImportText.numberKind(text.span, text.indices) ?? .string, line: line, text)
    case .text(let text):
      let isDate = text.first.map { $0 >= 0x30 && $0 <= 0x39 } == true && text.count <= 40
      scalars.add(isDate ? ImportText.dateKind(text.span, text.indices, slashes) : .string, line: line, text)
    case .object(let members):
      let facts = object ?? ObjectFacts()
      object = facts
      try facts.add(members, line: line, slashes)
    case .array(let parts):
      let facts = element ?? MemberFacts()
      element = facts
      for part in parts {
        if case .array = part { throw ImportProblem(reason: "'\(name)' has an array in an array, which cannot be imported", line: line) }
        try facts.add(part, name, line: line, slashes)
      }
    }
    guard (object == nil ? 0 : 1) + (element == nil ? 0 : 1) + (scalars.kinds.isEmpty ? 0 : 1) < 2 else {
      throw ImportProblem(reason: "'\(name)' is an object or array in one place and something else in another", line: line)
    }
  }

  func type(_ name: String, _ notes: inout [String]) -> ImportType {
    if let object { return .object(object.fields(name + ".", &notes)) }
    if let element { return .array(element.type(name, &notes), hasNulls: element.hasNull) }
    if scalars.kinds.isEmpty { return .unknown }
    let type = scalars.kinds.type(isText: false)
    notes += scalars.notes(name, type, isText: false)
    return .value(type)
  }
}

/// What is known of the objects in one place.
final class ObjectFacts {
  private var names: [String] = []
  private var members: [ExactName: MemberFacts] = [:]
  /// Names of exports, which are no properties.
  private var leftOut: [String] = []
  private var count = 0
  /// Properties that exist: what their values are like does not matter.
  private let known: Set<ExactName>

  init(known: Set<ExactName> = []) { self.known = known }

  func add(_ object: [(name: String, value: ImportValue)], line: Int, _ slashes: DateForm.SlashOrder?) throws(ImportProblem) {
    count += 1
    for (member, value) in object {
      guard let name = MemberName.property(member, exists: { known.contains(ExactName($0)) }) else {
        if !leftOut.contains(member) { leftOut.append(member) }
        continue
      }
      let facts: MemberFacts
      if let known = members[ExactName(name)] {
        facts = known
      } else {
        facts = MemberFacts()
        if name.isEmpty { throw ImportProblem(reason: "an object has a member without a name, which no property can be without", line: line) }
        names.append(name)
        members[ExactName(name)] = facts
      }
      if !known.isEmpty && known.contains(ExactName(name)) {
        facts.count(value)
        continue
      }
      do throws(ImportProblem) { try facts.add(value, name, line: line, slashes) } catch {
        // Of the property of the row, whatever it is inside of that: the outermost one is the last to say it.
        var problem = error
        problem.hint = "--type \(name)=mixed takes it as it is"
        throw problem
      }
    }
  }

  func fields(_ prefix: String, _ notes: inout [String]) -> [ImportField] {
    notes += leftOut.map { ImportInference.leftOutNote(prefix + $0) }
    return names.compactMap { name in
      guard let facts = members[ExactName(name)] else { return nil }
      let isOptional = facts.hasNull || facts.count < count
      if facts.element != nil, facts.hasNull { notes.append("\(prefix)\(name): an empty list where it is null, as lists are never null") }
      return ImportField(name: name, type: facts.type(prefix + name, &notes), isOptional: isOptional)
    }
  }
}

/// The properties of the rows of an input, and what has to be said about them.
package struct ImportInference {
  package private(set) var fields: [ImportField]
  package private(set) var notes: [String] = []
  package let rowCount: Int
  /// Rows of the whole input, and where the last one begins.
  package let readCount: Int
  package private(set) var lastLine = 0
  /// Properties of the class that exist already.
  let known: Set<ExactName>
  /// Of CSV, whose rows all have the same properties.
  let isText: Bool
  /// What the properties of a class that exists hold; nil for a collection.
  package static func known(_ columns: [ColumnDescription]) -> [ExactName: ColumnType?] {
    Dictionary(columns.map { (ExactName(SchemaNames.text($0.name)), $0.isCollection ? nil : $0.type) }) { first, _ in first }
  }

  /// Rows that are none, with their lines.
  package let bad: [(line: Int, problem: ImportProblem)]

  /// Reads all rows.
  /// - Parameters:
  ///   - firstLine: rows before it are left out, and so are the first `skipped` ones.
  ///   - types: those that the caller knows.
  ///   - known: properties of the class that exist already, and keep their types; nil for a collection.
  ///   - keepsGoing: called now and then; what it throws ends the work.
  package init(
    _ cursor: ImportCursor, firstLine: Int, skipped: Int, types: [ExactName: ChosenType],
    known: [ExactName: ColumnType?] = [:], slashes: DateForm.SlashOrder?, keepsGoing: () throws(StorageError) -> Void
  ) throws(ImportError) {
    var bad: [(line: Int, problem: ImportProblem)] = []
    var count = 0
    self.known = Set(known.keys)
    isText = cursor.options.format == .csv
    // What is said to be Mixed may be anything, an array in one place and a number in another.
    let object = ObjectFacts(known: self.known.union(types.filter { $0.value.type == .mixed }.keys))
    // Of a string nothing is lost, and collections are JSON.
    let floats = Set(known.filter { $0.value == .float }.keys).union(types.filter { $0.value.type == .float }.keys)
    var columns = TextColumnFacts(
      cursor.header, known: Set(known.filter { [.string, .mixed, .link, nil].contains($0.value) }.keys), floats: floats)
    var number = 0
    while try cursor.next() {
      number += 1
      if cursor.isTimeToAsk() { do throws(StorageError) { try keepsGoing() } catch { throw .storage(error) } }
      lastLine = cursor.line
      if cursor.line < firstLine || number <= skipped { continue }
      if let problem = cursor.problem {
        bad.append((cursor.line, problem))
        continue
      }
      count += 1
      if case .object(let members) = cursor.value {
        do throws(ImportProblem) { try object.add(members, line: cursor.line, slashes) } catch { throw .input(error) }
      } else {
        columns.look(at: cursor, slashes)
      }
    }
    (self.bad, rowCount, readCount) = (bad, count, number)
    notes = cursor.headerNotes
    if cursor.listNames.count > 1 {
      let names = cursor.listNames.prefix(8).map { "'\($0)'" }.joined(separator: ", ") + (cursor.listNames.count > 8 ? ", …" : "")
      notes.append("the objects of \(names) all go to one class; take a list out of the input first, as jq '.items' does, if they are of several")
    }
    notes += cursor.repeatedNames.sorted().map { "an object has '\($0)' twice: \(cursor.options.duplicates.explanation)" }
    fields = object.fields("", &notes)
    take(zip(cursor.header, columns.columns), types, known: known)
  }

  /// Adds the columns of CSV, and puts the chosen types in place of those that the values have.
  private mutating func take(
    _ columns: some Sequence<(String?, TextColumnFacts.Column)>, _ types: [ExactName: ChosenType], known: [ExactName: ColumnType?]
  ) {
    // Of values whose types were given; nothing else is said of them.
    var losses: [String] = []
    for (member, column) in columns {
      guard let member else { continue }
      guard let name = MemberName.property(member, exists: { known[ExactName($0)] != nil }) else {
        notes.append(Self.leftOutNote(member))
        continue
      }
      let type = column.facts.kinds.type(isText: true)
      let chosen = types[ExactName(name)]
      if let type = known[ExactName(name)] {
        if let type { losses += column.facts.losses(name, type, rounds: chosen != nil) }
      } else if let chosen {
        if !chosen.isList { losses += column.facts.losses(name, chosen.type, rounds: true) }
      } else if !column.facts.kinds.isEmpty {
        notes += column.facts.notes(name, type, isText: true)
      }
      let isUnknown = column.facts.kinds.isEmpty
      let isOptional = isUnknown && known[ExactName(name)] == nil || column.hasNull
      fields.append(ImportField(name: name, type: isUnknown ? .unknown : .value(type), isOptional: isOptional))
    }
    for index in fields.indices {
      guard let known = types[ExactName(fields[index].name)] else { continue }
      let start = fields[index].name + ": "
      notes.removeAll { $0.hasPrefix(start) }
      fields[index].type = known.isList ? .array(.value(known.type), hasNulls: known.hasNulls) : .value(known.type)
      fields[index].isOptional = fields[index].isOptional || known.isOptional
    }
    notes += losses
  }

  static func leftOutNote(_ name: String) -> String { "\(name): is left out: names that begin with $ are those of exports, and no properties" }
}
