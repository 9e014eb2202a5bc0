import Foundation
import TestSupport

@testable import RealmStorage

/// A file of the original engine with its contents as canonical JSON.
struct IndexedFixture {
  let image: [UInt8]
  let tables: [JSONValue]

  init(_ name: String) throws {
    let fixture = Fixture(name: name + ".realm")
    image = try fixture.bytes
    tables = try JSONDecoder().decode(JSONValue.self, from: fixture.sideCar)["tables"]!.elements
  }

  /// The top ref that the header selects, or the footer of a file in streaming form.
  var top: Ref {
    var slot = image[23] & 1 == 0 ? 0 : 8
    if image[slot..<slot + 8].allSatisfy({ $0 == 0xFF }) { slot = image.count - 16 }
    return Ref(image[slot..<slot + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The values of a column that is no collection.
  func values(table name: String, column: String) -> [ObjectKey: Value] {
    let table = tables.first { $0["name"]!.text == name }!
    var result: [ObjectKey: Value] = [:]
    for object in table["objects"]!.elements {
      result[ObjectKey(object["key"]!.integer)] = Value(canonical: object["values"]![column]!)
    }
    return result
  }
}

enum JSONValue: Decodable {
  case null, bool(Bool), integer(Int64), text(String), array([JSONValue]), object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode([String: JSONValue].self) {
      self = .object(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .bool(try container.decode(Bool.self))
    }
  }

  subscript(_ name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var text: String { if case .text(let text) = self { text } else { "" } }
  var integer: Int64 { if case .integer(let value) = self { value } else { 0 } }
}

extension Value {
  /// For the types that an index can hold, links excepted.
  init(canonical json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .int(value)
    case .text(let text): self = .string(Array(text.utf8))
    case .array: self = .list(.null)
    case .object(let members):
      let (name, text) = (members.keys.first!, members.values.first!.text)
      switch name {
      case "$float": self = .float(Float(text)!)
      case "$double": self = .double(Double(text)!)
      case "$binary": self = .binary(Array(Data(base64Encoded: text)!))
      case "$timestamp":
        let parts = text.split(separator: ":").map { Int64($0)! }
        self = .timestamp(Timestamp(seconds: parts[0], nanoseconds: Int32(parts[1])))
      case "$oid": self = .objectID(ObjectID(high: UInt64(text.prefix(16), radix: 16)!, low: UInt32(text.dropFirst(16), radix: 16)!))
      case "$uuid":
        let hex = text.replacingOccurrences(of: "-", with: "")
        self = .uuid(UUIDBytes(high: UInt64(hex.prefix(16), radix: 16)!, low: UInt64(hex.dropFirst(16), radix: 16)!))
      case "$decimal":
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: "E")
        self = .decimal(Decimal128(isNegative: isNegative, coefficient: UInt128(parts[0])!, exponent: Int(parts[1])!))
      default: fatalError("unexpected canonical value \(name)")
      }
    }
  }
}
