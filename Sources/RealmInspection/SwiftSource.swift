import RealmStorage

/// Model classes with `@Persisted` properties for every class of a file.
///
/// Whatever a class or property is called in the file, the source compiles: what is no identifier, is a word of the language, or means something
/// else in a model class gets another name in Swift, and the class says which one it has in the file.
package struct SwiftSource {
  private let file: OpenFile
  private let index: TableIndex
  /// What the classes are called in Swift.
  private var classNames: [TableKey: String] = [:]
  /// What the properties are called in Swift, by class.
  private var propertyNames: [TableKey: [ColumnKey: String]] = [:]

  package init(_ file: OpenFile) {
    self.file = file
    index = TableIndex(file.tables)
    let classes = file.tables.filter { SchemaText.isClass($0.name) }
    var taken = SwiftSource.typeNames
    let names = SwiftSource.identifiers(classes.map { SchemaText.className($0.name) }, "Class", &taken)
    for (table, name) in zip(classes, names) { classNames[table.key] = name }
    for table in file.tables {
      var taken = SwiftSource.memberNames
      let names = SwiftSource.identifiers(table.publicColumns.map { SchemaNames.text($0.name) }, "property", &taken, areWrapped: true)
      for (column, name) in zip(table.publicColumns, names) { propertyNames[table.key, default: [:]][column.key] = name }
    }
  }

  /// The whole source.
  package var text: String {
    var text = "import Foundation\nimport RealmSwift\n"
    for table in file.tables { if let name = classNames[table.key] { text += "\n" + source(table, name) } }
    return text
  }

  private func source(_ table: TableDescription, _ name: String) -> String {
    let base = table.kind == .embedded ? "EmbeddedObject" : table.kind == .asymmetric ? "AsymmetricObject" : "Object"
    var text = "class \(SwiftSource.escaped(name)): \(base) {\n"
    var mapping: [(String, String)] = []
    for (position, column) in table.publicColumns.enumerated() {
      let stored = SchemaNames.text(column.name)
      guard let type = type(column), let property = propertyNames[table.key]?[column.key] else {
        text += "  // \(SwiftSource.literal(stored)) has a type that Swift models do not have.\n"
        continue
      }
      if property != stored { mapping.append((property, stored)) }
      text += "  \(wrapper(column, isPrimaryKey: position == table.primaryKeyPosition)) var \(SwiftSource.escaped(property)): \(type)\n"
    }
    var taken = SwiftSource.memberNames.union(propertyNames[table.key].map { Array($0.values) } ?? [])
    for column in table.columns where !column.isPublic && table.kind == .topLevel { text += backlink(column, &taken) }
    if name != SchemaText.className(table.name) {
      text += "  override class func _realmObjectName() -> String? { \(SwiftSource.literal(SchemaText.className(table.name))) }\n"
    }
    if !mapping.isEmpty {
      let entries = mapping.map { "\(SwiftSource.literal($0.0)): \(SwiftSource.literal($0.1))" }.joined(separator: ", ")
      text += "  override class func propertiesMapping() -> [String: String] { [\(entries)] }\n"
    }
    return text + "}\n"
  }

  private func wrapper(_ column: ColumnDescription, isPrimaryKey: Bool) -> String {
    if isPrimaryKey { return "@Persisted(primaryKey: true)" }
    if column.specAttributes.contains(.fullTextIndexed) { return "@Persisted(fullTextIndexed: true)" }
    return column.attributes.contains(.indexed) ? "@Persisted(indexed: true)" : "@Persisted"
  }

  /// The objects that link here by a property of another class; nothing if that is in no model.
  private func backlink(_ column: ColumnDescription, _ taken: inout Set<String>) -> String {
    guard let origin = classNames[column.oppositeTable], let source = index.column(column.oppositeTable, column.oppositeColumn), source.type == .link,
      let property = propertyNames[column.oppositeTable]?[source.key]
    else { return "" }
    let name = SwiftSource.identifier("linkedFrom\(origin)_\(property)", "linkedFrom", &taken)
    return "  @Persisted(originProperty: \(SwiftSource.literal(property))) var \(name): LinkingObjects<\(SwiftSource.escaped(origin))>\n"
  }

  /// Nil for what no model has: links to tables that are no classes, dictionaries with other keys than strings, types of old files.
  private func type(_ column: ColumnDescription) -> String? {
    switch column.type {
    case .link: if classNames[column.oppositeTable] == nil { return nil }
    case .legacyLinkList, .backlink, .list, .set, .dictionary: return nil
    default: break
    }
    if column.isDictionary && column.hasIntegerKeys { return nil }
    return SwiftSource.type(column, index) { classNames[$0.key].map { SwiftSource.escaped($0) } ?? "Object" }
  }

  // MARK: Types

  /// The type of a property as Swift source writes it.
  static func type(
    _ column: ColumnDescription, _ index: TableIndex, className: (TableDescription) -> String = { SchemaText.className($0.name) }
  ) -> String {
    var base = baseType(column, index, className)
    let isLink = column.type == .link
    let isOptional = column.isNullable && column.type != .mixed && !(isLink && (column.isList || column.isSet))
    if isOptional { base += "?" }
    if column.isList { return "List<\(base)>" }
    if column.isSet { return "MutableSet<\(base)>" }
    if column.isDictionary { return "Map<\(column.hasIntegerKeys ? "Int" : "String"), \(base)>" }
    return base
  }

  private static func baseType(_ column: ColumnDescription, _ index: TableIndex, _ className: (TableDescription) -> String) -> String {
    if column.type == .link { return index.table(column.oppositeTable).map(className) ?? "Object" }
    return valueType(column.type) ?? "Never"
  }

  /// What values of a type are called; nil for what is no value.
  static func valueType(_ type: ColumnType) -> String? {
    switch type {
    case .int: "Int"
    case .bool: "Bool"
    case .string: "String"
    case .binary: "Data"
    case .mixed, .typedLink: "AnyRealmValue"
    case .timestamp: "Date"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal128"
    case .objectID: "ObjectId"
    case .uuid: "UUID"
    case .link, .legacyLinkList, .backlink, .list, .set, .dictionary: nil
    }
  }

  // MARK: Names

  /// Identifiers for names that differ. Those that are identifiers keep theirs, whatever the others become.
  /// - Parameter areWrapped: for each property `name` the compiler makes `_name` as well, which holds its wrapper.
  private static func identifiers(_ names: [String], _ standIn: String, _ taken: inout Set<String>, areWrapped: Bool = false) -> [String] {
    // Names that only look alike are one to Swift, and differ in the file.
    var result: [ExactName: String] = [:]
    var storage: Set<String> = []
    func isFree(_ name: String) -> Bool {
      !taken.contains(name) && !storage.contains(name) && !(areWrapped && (taken.contains("_" + name) || storage.contains("_" + name)))
    }
    func take(_ name: String) {
      taken.insert(name)
      if areWrapped { storage.insert("_" + name) }
    }
    for name in names where isFree(name) && spelled(name, standIn) == name {
      result[ExactName(name)] = name
      take(name)
    }
    return names.map { name in
      if let known = result[ExactName(name)] { return known }
      let free = identifier(name, standIn, isFree: isFree)
      take(free)
      return free
    }
  }

  private static func identifier(_ name: String, _ standIn: String, _ taken: inout Set<String>) -> String {
    let free = identifier(name, standIn) { !taken.contains($0) }
    taken.insert(free)
    return free
  }

  /// An identifier that nobody has yet.
  private static func identifier(_ name: String, _ standIn: String, isFree: (String) -> Bool) -> String {
    let text = spelled(name, standIn)
    var candidate = text
    var number = 1
    while !isFree(candidate) {
      number += 1
      candidate = number == 2 ? text + "_" : "\(text)_\(number)"
    }
    return candidate
  }

  /// The name with `_` for what identifiers do not hold.
  private static func spelled(_ name: String, _ standIn: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      let isPart = scalar.properties.isXIDContinue
      if text.isEmpty && isPart && !scalar.properties.isXIDStart && scalar != "_" { text += "_" }
      text.unicodeScalars.append(isPart ? scalar : "_")
    }
    return text.allSatisfy { $0 == "_" } ? standIn + text : text
  }

  private static func escaped(_ identifier: String) -> String { keywords.contains(identifier) ? "`\(identifier)`" : identifier }

  /// A string of Swift.
  private static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || (0x80...0xA0).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value):
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Types that the source names, or whoever uses the models does, modules, and words that no type can be called.
  private static let typeNames: Set<String> = [
    "Int", "Bool", "String", "Data", "AnyRealmValue", "Date", "Float", "Double", "Decimal128", "ObjectId", "UUID", "List", "MutableSet", "Map",
    "LinkingObjects", "Persisted", "Object", "EmbeddedObject", "AsymmetricObject", "Any", "Self", "self", "Type", "Protocol", "Never", "Optional",
    "Foundation", "RealmSwift", "Swift", "Realm", "Results", "ObjectBase", "RealmCollection", "AnyRealmCollection", "SectionedResults",
    "ThreadSafeReference", "NotificationToken", "Projection", "Array", "Set", "Dictionary",
  ]

  /// What every model has, here, with publishers or where objects are those of Foundation, and what no property can be called.
  private static let memberNames: Set<String> = [
    "realm", "objectSchema", "isInvalidated", "isFrozen", "description", "debugDescription", "hashValue", "hash", "superclass", "throwing",
    "objectWillChange", "self", "Self", "init", "Type", "Protocol", "deinit", "subscript",
  ]

  /// Also words that mean something only in front of a type: classes can be called so.
  private static let keywords: Set<String> = [
    "any", "each", "some",
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout", "internal", "let", "open",
    "operator", "private", "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch",
    "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "throws",
    "where", "while", "as", "Any", "false", "is", "nil", "self", "Self", "super", "true", "try", "precedencegroup", "actor",
  ]
}
