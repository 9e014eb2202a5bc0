import Foundation
import RealmStorage
import TestSupport

/// One operation of the fixtures, carried out as an application would. Format: C9.
struct RecordedOperation {
  let fields: [String: Any]

  struct Failure: Error { let text: String }

  init(_ fields: [String: Any]) { self.fields = fields }

  static func run(_ operations: Any?, in group: Group) throws {
    for operation in operations as? [[String: Any]] ?? [] { try RecordedOperation(operation).run(in: group) }
  }

  private func text(_ name: String) throws -> String {
    guard let text = fields[name] as? String else { throw Failure(text: "no \(name) in \(fields)") }
    return text
  }

  private func number(_ name: String) throws -> Int {
    guard let number = fields[name] as? NSNumber else { throw Failure(text: "no \(name) in \(fields)") }
    return number.intValue
  }

  private func table(_ group: Group, _ name: String) throws -> Table {
    guard let table = try group.table(named: "class_" + name) else { throw Failure(text: "no class \(name)") }
    return table
  }

  func run(in group: Group) throws {
    switch try text("op") {
    case "addTable": try addTable(group)
    case "eraseTable": try group.removeTable(table(group, text("class")).key)
    case "addColumn": try addColumn(group)
    case "eraseColumn":
      let table = try table(group, text("class"))
      try table.removeColumn(column(table, text("name")).key)
    case "create":
      let table = try table(group, text("class"))
      if table.primaryKeyColumn == nil { try table.createObject() } else { _ = try table.findOrCreateObject(primaryKey: key(table)) }
    case "erase":
      let table = try table(group, text("class"))
      try table.remove(object(table))
    default: try change(group)
    }
  }

  // MARK: Schema

  private func addTable(_ group: Group) throws {
    let kind: TableKind = fields["embedded"] as? Bool == true ? .embedded : fields["asymmetric"] as? Bool == true ? .asymmetric : .topLevel
    let table = try group.addTable("class_" + text("class"), kind: kind)
    guard let key = fields["pk"] as? [String: Any] else { return }
    let isNullable = key["nullable"] as? Bool == true
    let column = try table.addColumn(
      ColumnDefinition(key["name"] as? String ?? "", Self.type(key["type"] as? String ?? ""), isNullable ? .nullable : []))
    try table.setPrimaryKey(column)
  }

  private func addColumn(_ group: Group) throws {
    var attributes: ColumnAttributes = fields["nullable"] as? Bool == true ? .nullable : []
    switch fields["collection"] as? String {
    case "list": attributes.insert(.list)
    case "set": attributes.insert(.set)
    case "dict": attributes.insert(.dictionary)
    default: break
    }
    let target = try (fields["target"] as? String).map { try table(group, $0).key }
    try table(group, text("class")).addColumn(ColumnDefinition(text("name"), Self.type(text("type")), attributes, target: target))
  }

  private static func type(_ name: String) -> ColumnType {
    switch name {
    case "int": .int
    case "bool": .bool
    case "string": .string
    case "binary": .binary
    case "date": .timestamp
    case "float": .float
    case "double": .double
    case "decimal": .decimal
    case "objectId": .objectID
    case "uuid": .uuid
    case "link": .link
    default: .mixed
    }
  }

  // MARK: Objects

  private func column(_ table: Table, _ name: String) throws -> ColumnDescription {
    guard let column = table.publicColumns.first(where: { $0.name == Array(name.utf8) }) else { throw Failure(text: "no property \(name)") }
    return column
  }

  private func key(_ table: Table) throws -> Value { try Self.value(fields["pk"] ?? NSNull(), table.primaryKeyColumn, table.group) }

  private func object(_ table: Table) throws -> ObjectKey {
    if table.primaryKeyColumn == nil {
      return try ObjectKey(Int64(number("pk")))
    }
    guard let object = try table.find(primaryKey: key(table)) else { throw Failure(text: "no object \(fields)") }
    return object
  }

  /// Where the last step of the path leads.
  private struct Place {
    var table: Table
    var object: ObjectKey
    var column: ColumnDescription
    /// The collection that the last step is in, and the step.
    var collection: ObjectCollection?
    var step: Any?
  }

  private func place(_ group: Group) throws -> Place {
    var steps = (fields["path"] as? [Any] ?? [])[...]
    let table = try table(group, text("class"))
    guard let field = steps.popFirst() as? String else { throw Failure(text: "no path in \(fields)") }
    var place = Place(table: table, object: try object(table), column: try column(table, field))
    while let step = steps.popFirst() {
      if let name = step as? String, let (table, object) = try embedded(place) {
        place = Place(table: table, object: object, column: try column(table, name))
      } else {
        place.collection = try inner(place)
        place.step = step
      }
    }
    return place
  }

  private func value(_ place: Place) throws -> Value {
    guard let collection = place.collection else { return try place.table.value(place.object, place.column.key) }
    if let key = place.step as? String { return try collection.value(for: Array(key.utf8)) ?? .null }
    return try collection.value(at: (place.step as? NSNumber)?.intValue ?? 0)
  }

  private func embedded(_ place: Place) throws -> (Table, ObjectKey)? {
    guard place.column.type == .link, place.collection != nil || !place.column.isCollection else { return nil }
    let table = try place.table.group.table(place.column.oppositeTable)
    guard table.kind == .embedded else { return nil }
    switch try value(place) {
    case .link(let key): return (table, key)
    case .typedLink(let link): return (table, link.key)
    default: throw Failure(text: "no embedded object at \(fields)")
    }
  }

  /// The collection that is there.
  private func inner(_ place: Place) throws -> ObjectCollection {
    guard let collection = place.collection else { return try place.table.collection(place.object, place.column.key) }
    if let key = place.step as? String { return collection.nested(.key(Array(key.utf8))) }
    return collection.nested(.index((place.step as? NSNumber)?.intValue ?? 0))
  }

  private func change(_ group: Group) throws {
    let place = try place(group)
    let given = fields["value"] ?? NSNull()
    let makesObject = (given as? [String: Any])?["$obj"] != nil
    let index = (place.step as? NSNumber)?.intValue ?? 0
    let key = Array((place.step as? String ?? "").utf8)
    switch try text("op") {
    case "set":
      group.recorder?.setsDefaults = fields["default"] as? Bool == true
      defer { group.recorder?.setsDefaults = false }
      guard let collection = place.collection else {
        if makesObject {
          _ = try place.table.setEmbedded(place.object, place.column.key)
        } else {
          try place.table.set(place.object, place.column.key, Self.value(given, place.column, group))
        }
        return
      }
      if place.step is String {
        if makesObject { _ = try collection.setEmbedded(key: key) } else { try collection.set(key: key, Self.value(given, place.column, group)) }
      } else if makesObject {
        _ = try collection.setEmbedded(at: index)
      } else {
        try collection.set(at: index, Self.value(given, place.column, group))
      }
    case "addInt": try place.table.addInteger(place.object, place.column.key, Int64(number("value")))
    case "listInsert":
      guard let collection = place.collection else { throw Failure(text: "no list at \(fields)") }
      if makesObject {
        _ = try collection.insertEmbedded(at: index)
      } else {
        try collection.insert(at: index, Self.value(given, place.column, group))
      }
    case "listErase": try place.collection?.remove(at: index)
    case "listMove": try place.collection?.move(from: index, to: number("to"))
    case "setInsert": _ = try inner(place).insert(Self.value(given, place.column, group))
    case "setErase": _ = try inner(place).remove(Self.value(given, place.column, group))
    case "dictErase": _ = try place.collection?.removeEntry(key: key)
    case "clear": try inner(place).removeAll()
    case let name: throw Failure(text: "unknown operation \(name)")
    }
  }

  // MARK: Values

  private static func value(_ given: Any, _ column: ColumnDescription?, _ group: Group) throws -> Value {
    switch given {
    case is NSNull: return .null
    case let text as String:
      return .string(Array(text.utf8))
    case let fields as [String: Any]: return try special(fields, column, group)
    case let number as NSNumber:
      if number.isBool { return .bool(number.boolValue) }
      return .int(number.int64Value)
    default: throw Failure(text: "unknown value \(given)")
    }
  }

  private static func special(_ fields: [String: Any], _ column: ColumnDescription?, _ group: Group) throws -> Value {
    guard let (name, content) = fields.first else { throw Failure(text: "an empty value") }
    switch (name, content) {
    case ("$double", let number as NSNumber): return .double(number.doubleValue)
    case ("$double", let text as String): return .double(Double(text) ?? .nan)
    case ("$float", let number as NSNumber): return .float(number.floatValue)
    case ("$float", let text as String): return .float(Float(text) ?? .nan)
    case ("$decimal", let text as String):
      guard let number = Decimal128(text: text) else { throw Failure(text: "decimal \(text)") }
      return .decimal(number)
    case ("$oid", let text as String):
      let bytes = hexadecimal(text)
      return .objectID(ObjectID(high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, low: bytes[8...].reduce(0) { $0 << 8 | UInt32($1) }))
    case ("$uuid", let text as String):
      let bytes = hexadecimal(text.filter { $0 != "-" })
      return .uuid(UUIDBytes(high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }))
    case ("$ts", let parts as [NSNumber]): return .timestamp(Timestamp(seconds: parts[0].int64Value, nanoseconds: parts[1].int32Value))
    case ("$bin", let text as String): return .binary(hexadecimal(text))
    case ("$list", _): return .list(.null)
    case ("$dict", _): return .dictionary(.null)
    case ("$link", let parts as [Any]):
      guard let name = parts[0] as? String, let table = try group.table(named: "class_" + name) else { throw Failure(text: "link \(parts)") }
      guard let key = try table.find(primaryKey: value(parts[1], table.primaryKeyColumn, group)) else { throw Failure(text: "link \(parts)") }
      return column?.type == .mixed ? .typedLink(ObjectLink(table: table.key, key: key)) : .link(key)
    default: throw Failure(text: "unknown value \(fields)")
    }
  }

  /// A document of the fixtures.
  static func document(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: Fixture.path(name)))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  static func hexadecimal(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16) ?? 0 }
  }
}

extension NSNumber {
  /// Foundation boxes `true` as a number, too.
  fileprivate var isBool: Bool { String(cString: objCType) == "c" }
}
