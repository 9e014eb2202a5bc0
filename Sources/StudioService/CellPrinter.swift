import RealmInspection
import RealmQuery
import RealmStorage

/// Values as a table of the page shows them: short, with what is needed to go on from them.
///
/// | value | JSON |
/// | --- | --- |
/// | null, booleans | as they are |
/// | numbers, dates, ids, texts | a text |
/// | data | `{"b": bytes, "h": first ones in hexadecimal, "i": media type of a picture}` |
/// | a link | `{"l": object key, "c": class, "t": its name}`, with `e` in place of `l` for an embedded object |
/// | a collection | `{"n": count, "t": the first elements}` |
/// | a Mixed value | `{"m": type, "v": one of the above}` |
struct CellPrinter {
  let group: Group
  /// Longer texts are cut.
  var textLimit = 200
  private static let previewCount = 4

  init(_ group: Group, textLimit: Int = 200) { (self.group, self.textLimit) = (group, textLimit) }

  func cell(_ table: Table, _ row: Row, _ column: ColumnDescription) throws(StorageError) -> StudioJSON {
    if column.isCollection { return try collection(table.collection(row.key, column.key), column) }
    return try cell(row.value(column), column, table, row.key)
  }

  private func cell(_ value: Value, _ column: ColumnDescription, _ table: Table, _ key: ObjectKey) throws(StorageError) -> StudioJSON {
    switch value {
    case .link(let target): return try link(target, column.oppositeTable)
    case .list, .dictionary:
      return ["m": .text(Self.typeName(value)), "v": try collection(table.collection(key, column.key), column)]
    default: return try element(value, column)
    }
  }

  /// A value that may stand in a collection.
  func element(_ value: Value, _ column: ColumnDescription) throws(StorageError) -> StudioJSON {
    if case .link(let target) = value { return try link(target, column.oppositeTable) }
    if column.type == .link, case .typedLink(let target) = value { return try link(target.key, target.table) }
    guard column.type == .mixed, !Self.isNull(value) else { return try scalar(value) }
    return ["m": .text(Self.typeName(value)), "v": try scalar(value)]
  }

  private static func isNull(_ value: Value) -> Bool { if case .null = value { true } else { false } }

  private func scalar(_ value: Value) throws(StorageError) -> StudioJSON {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .binary(let bytes): return Self.data(bytes)
    case .link: return .null
    case .typedLink(let target): return try link(target.key, target.table)
    case .list, .dictionary: return .text("…")
    default: return .text(cut(Self.text(value)))
    }
  }

  /// The words of a value without parts.
  static func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .string(let bytes): SchemaNames.text(bytes)
    case .binary(let bytes): "\(bytes.count) bytes"
    case .timestamp(let date): DateText.text(of: date)
    case .float(let number): NumberText.text(of: number)
    case .double(let number): NumberText.text(of: number)
    case .decimal(let number): number.text
    case .objectID(let id): id.text
    case .uuid(let id): id.text
    case .link(let key): "#\(key.rawValue)"
    case .typedLink(let link): "#\(link.key.rawValue)"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }

  private func cut(_ text: String) -> String {
    if text.utf8.count <= textLimit { return text }
    return String(text.prefix(textLimit)) + "…"
  }

  static func typeName(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .binary: "data"
    case .timestamp: "date"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal"
    case .objectID: "objectId"
    case .uuid: "uuid"
    case .link, .typedLink: "link"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }

  // MARK: Data

  private static func data(_ bytes: [UInt8]) -> StudioJSON {
    var digits: [UInt8] = []
    CanonicalJSON.appendHex(bytes.prefix(16), to: &digits)
    return ["b": StudioJSON(bytes.count), "h": .text(String(decoding: digits, as: UTF8.self)), "i": StudioJSON(pictureType(bytes))]
  }

  /// The media type of data that begins as a picture does which browsers show; none that can hold programs.
  static func pictureType(_ bytes: [UInt8]) -> String? {
    func begins(_ start: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: start) }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if begins(Array("GIF8".utf8)) { return "image/gif" }
    if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
    if begins(Array("BM".utf8)), bytes.count > 26 { return "image/bmp" }
    return nil
  }

  // MARK: Links

  func link(_ key: ObjectKey, _ tableKey: TableKey) throws(StorageError) -> StudioJSON {
    // A key below 0 is none, or that of an object that does not exist any more.
    guard key.rawValue >= 0 else { return .null }
    let table = try group.table(tableKey)
    let isEmbedded = table.kind == .embedded
    return [
      isEmbedded ? "e" : "l": StudioJSON(key), "c": .text(SchemaText.className(table.state.name)),
      "t": .text(isEmbedded ? try preview(key, table) : try name(of: key, in: table)),
    ]
  }

  /// What people may know an object by: its primary key, else its first text, else its object key.
  func name(of key: ObjectKey, in table: Table) throws(StorageError) -> String {
    guard try table.contains(key) else { return "#\(key.rawValue)" }
    if let column = table.primaryKeyColumn { return String(Self.text(try table.value(key, column.key)).prefix(80)) }
    for column in table.publicColumns where column.type == .string && !column.isCollection {
      if case .string(let bytes) = try table.value(key, column.key), !bytes.isEmpty { return String(SchemaNames.text(bytes).prefix(80)) }
    }
    return "#\(key.rawValue)"
  }

  private func preview(_ key: ObjectKey, _ table: Table) throws(StorageError) -> String {
    guard try table.contains(key) else { return "#\(key.rawValue)" }
    var parts: [String] = []
    for column in table.publicColumns.prefix(Self.previewCount) where !column.isCollection {
      parts.append("\(SchemaNames.text(column.name)): \(String(Self.text(try table.value(key, column.key)).prefix(24)))")
    }
    return parts.joined(separator: ", ")
  }

  // MARK: Collections

  private func collection(_ collection: ObjectCollection, _ column: ColumnDescription) throws(StorageError) -> StudioJSON {
    let count = try collection.count()
    var parts: [String] = []
    let isDictionary = try collection.kind() == .dictionary
    for index in 0..<min(count, Self.previewCount) {
      let value = try collection.value(at: index)
      let text = String(try elementText(value, column).prefix(24))
      parts.append(isDictionary ? "\(SchemaNames.text(try collection.key(at: index))): \(text)" : text)
    }
    return ["n": StudioJSON(count), "t": .text(parts.joined(separator: ", ") + (count > Self.previewCount ? ", …" : ""))]
  }

  private func elementText(_ value: Value, _ column: ColumnDescription) throws(StorageError) -> String {
    switch value {
    case .link(let key) where key.rawValue >= 0:
      let table = try group.table(column.oppositeTable)
      return table.kind == .embedded ? "{\(try preview(key, table))}" : try name(of: key, in: table)
    case .typedLink(let link) where link.key.rawValue >= 0: return try name(of: link.key, in: group.table(link.table))
    default: return Self.text(value)
    }
  }

  /// Some elements, each with its place or key.
  func elements(
    _ collection: ObjectCollection, _ column: ColumnDescription, from start: Int, limit: Int
  ) throws(StorageError) -> [StudioJSON] {
    let count = try collection.count()
    let isDictionary = try collection.kind() == .dictionary
    var elements: [StudioJSON] = []
    for index in max(0, start)..<max(max(0, start), min(count, start + limit)) {
      let value = try element(collection.value(at: index), column)
      elements.append([
        "k": isDictionary ? .text(SchemaNames.text(try collection.key(at: index))) : StudioJSON(index), "v": value,
      ])
    }
    return elements
  }
}
