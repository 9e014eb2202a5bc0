import RealmStorage

/// Classes as JSON Schema, in the form that backends of Realm use: `bsonType`, `required`, embedded classes in place, links as the keys of their
/// targets with a list of relationships beside.
///
/// | property | schema |
/// | --- | --- |
/// | int, bool, string, data, date, float, double, decimal, objectId, uuid, mixed | `bsonType` `long bool string binData date float double decimal objectId uuid mixed` |
/// | not optional | its name in `required`; collections never |
/// | list, set | `array` with `items`; a set with `uniqueItems` |
/// | dictionary | `object` with `additionalProperties` |
/// | link | the `bsonType` of the target's primary key, and a relationship under the path of the property |
/// | embedded object | `object` with `title`, `properties`, `required` |
package struct JSONSchemaText {
  /// What the form has no word for, one line each.
  package private(set) var losses: [String] = []
  /// The document: `{"schemas": {…}, "relationships": {…}, "asymmetric_tables": […]}`.
  package private(set) var bytes: [UInt8] = []
  private let index: TableIndex
  private let reference: String
  /// Of the class that is being written.
  private var relationships: [[UInt8]] = []

  /// - Parameters:
  ///   - classNames: those to write; nil for all.
  ///   - service: the name of the data source in relationships.
  ///   - database: the name of the database there.
  package init(_ file: OpenFile, classNames: Set<ExactName>? = nil, service: String = "mongodb-atlas", database: String = "realm") {
    index = TableIndex(file.tables)
    reference = "#/relationship/\(service)/\(database)/"
    let tables = file.tables.filter { SchemaText.isClass($0.name) && classNames?.contains(ExactName(SchemaText.className($0.name))) ?? true }
    var (schemas, relations): ([[UInt8]], [[UInt8]]) = ([], [])
    for table in tables where table.kind != .embedded {
      let name = SchemaText.className(table.name)
      relationships = []
      schemas.append(Self.member(name, object(table, of: name, path: "", inside: [])))
      if !relationships.isEmpty { relations.append(Self.member(name, Self.braces(relationships))) }
    }
    let asymmetric = tables.filter { $0.kind == .asymmetric }.map { Self.text(SchemaText.className($0.name)) }
    bytes = Array("{\"schemas\":{\n".utf8) + schemas.joined(separator: Array(",\n".utf8)) + Array("\n},\n\"relationships\":{".utf8)
    if !relations.isEmpty { bytes += Array("\n".utf8) + relations.joined(separator: Array(",\n".utf8)) + Array("\n".utf8) }
    bytes += Array("},\n\"asymmetric_tables\":[".utf8) + asymmetric.joined(separator: Array(",".utf8)) + Array("]}\n".utf8)
  }

  // MARK: Text

  private static func text(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    CanonicalJSON.appendString(Array(text.utf8), to: &bytes)
    return bytes
  }
  private static func member(_ name: String, _ value: [UInt8]) -> [UInt8] { text(name) + [UInt8(ascii: ":")] + value }
  private static func braces(_ members: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
  }
  private static func type(_ word: String) -> [UInt8] { member("bsonType", text(word)) }

  // MARK: Classes

  /// - Parameters:
  ///   - root: the class that is written.
  ///   - path: of the embedded object in it, with a full stop at its end.
  ///   - inside: the embedded classes around this one.
  private mutating func object(_ table: TableDescription, of root: String, path: String, inside: [TableKey]) -> [UInt8] {
    let name = SchemaText.className(table.name)
    var (properties, required): ([[UInt8]], [[UInt8]]) = ([], [])
    for column in table.publicColumns {
      let title = SchemaNames.text(column.name)
      noteMarks(column, table, "\(name).\(title)")
      guard let schema = property(column, "\(name).\(title)", root, path + title, inside + [table.key]) else { continue }
      properties.append(Self.member(title, schema))
      if !column.isCollection && !column.isNullable { required.append(Self.text(title)) }
    }
    var members = [Self.member("title", Self.text(name)), Self.type("object")]
    if !required.isEmpty {
      members.append(Self.member("required", [UInt8(ascii: "[")] + required.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]))
    }
    return Self.braces(members + [Self.member("properties", Self.braces(properties))])
  }

  private mutating func note(_ loss: String) { if !losses.contains(loss) { losses.append(loss) } }

  private mutating func noteMarks(_ column: ColumnDescription, _ table: TableDescription, _ place: String) {
    let isKey = column.key == table.primaryKeyColumn?.key
    if isKey && column.name != Array("_id".utf8) { note("\(place): that it is the primary key; backends know it by the name _id") }
    if column.attributes.contains(.indexed) && !isKey { note("\(place): its index") }
    if column.specAttributes.contains(.fullTextIndexed) { note("\(place): its full-text index") }
    if column.isDictionary && column.hasIntegerKeys { note("\(place): that its keys are integers") }
    if column.isCollection && column.isNullable && column.type != .mixed && column.type != .link { note("\(place): that elements may be null") }
  }

  private mutating func property(_ column: ColumnDescription, _ place: String, _ root: String, _ path: String, _ inside: [TableKey]) -> [UInt8]? {
    let inner = column.isList || column.isSet ? path + ".[]" : path
    let count = relationships.count
    guard let element = element(column, place, root, path, inner, inside) else {
      relationships.removeLast(relationships.count - count)
      return nil
    }
    if column.isDictionary {
      return Self.braces([Self.type("object"), Self.member("properties", Self.braces([])), Self.member("additionalProperties", element)])
    }
    guard column.isList || column.isSet else { return element }
    let unique = column.isSet ? [Self.member("uniqueItems", Array("true".utf8))] : []
    return Self.braces([Self.type("array"), Self.member("items", element)] + unique)
  }

  /// A value, or what a collection holds.
  private mutating func element(
    _ column: ColumnDescription, _ place: String, _ root: String, _ path: String, _ inner: String, _ inside: [TableKey]
  ) -> [UInt8]? {
    guard column.type == .link, let target = index.table(column.oppositeTable) else {
      if let word = JSONSchemaText.word(column.type) { return Self.braces([Self.type(word)]) }
      note("\(place): it has a type that no property has")
      return nil
    }
    let name = SchemaText.className(target.name)
    if target.kind == .embedded {
      if inside.contains(target.key) {
        note("\(place): \(name) objects inside of \(name) objects")
        return nil
      }
      return object(target, of: root, path: inner + ".", inside: inside)
    }
    guard let key = target.primaryKeyColumn, let word = JSONSchemaText.word(key.type) else {
      note("\(place): the link, as \(name) has no primary key")
      return nil
    }
    let relation = [
      Self.member("ref", Self.text(reference + name)), Self.member("foreign_key", Self.text(SchemaNames.text(key.name))),
      Self.member("is_list", Array("\(column.isList || column.isSet)".utf8)),
    ]
    relationships.append(Self.member(path, Self.braces(relation)))
    return Self.braces([Self.type(word)])
  }

  private static let words: [(ColumnType, String)] = [
    (.int, "long"), (.bool, "bool"), (.string, "string"), (.binary, "binData"), (.timestamp, "date"), (.float, "float"), (.double, "double"),
    (.decimal, "decimal"), (.objectID, "objectId"), (.uuid, "uuid"), (.mixed, "mixed"),
  ]
  static func word(_ type: ColumnType) -> String? { words.first { $0.0 == type }?.1 }
  /// `int` is understood, too.
  static func type(_ word: String) -> ColumnType? { word == "int" ? .int : words.first { $0.1 == word }?.0 }
}
