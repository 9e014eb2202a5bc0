import ChangesetModel
import Changesets
import Foundation

/// A model realm in the form that the fixtures of merges have.
struct ModelDump {
  let realm: ModelRealm

  /// Text that is equal for equal classes, by class.
  var classes: [String: String] {
    realm.classes.mapValues { Self.text(json($0)) }
  }

  /// What the fixture says of a class, as text of the same form.
  static func text(ofRecorded value: Any) -> String { text(sorted(value)) }

  private static func text(_ value: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }

  /// Sets have no order.
  private static func sorted(_ value: Any) -> Any {
    switch value {
    case let dictionary as [String: Any]:
      if let elements = dictionary["$set"] as? [Any] { return ["$set": elements.map(sorted).sorted { text($0) < text($1) }] }
      return dictionary.mapValues(sorted)
    case let array as [Any]: return array.map(sorted)
    default: return value
    }
  }

  // MARK: Classes

  private func json(_ type: ModelClass) -> [String: Any] {
    var columns = type.columns.mapValues(json)
    var result: [String: Any] = ["kind": type.kind == .embedded ? "embedded" : type.kind == .topLevel ? "toplevel" : "asymmetric"]
    if let key = type.primaryKey {
      columns[key.name] = ["type": Self.name(key.type), "nullable": key.isNullable, "collection": "single"]
    }
    result["columns"] = columns
    if type.kind != .embedded {
      result["objects"] = Dictionary(uniqueKeysWithValues: type.objects.map { (Self.text(json($0.key)), json($0.value)) })
    }
    return result
  }

  private func json(_ column: ModelColumn) -> [String: Any] {
    var result: [String: Any] = ["type": Self.name(column.type), "nullable": column.isNullable]
    result["collection"] = column.collection == .dictionary ? "dict" : column.collection.name.lowercased()
    if let target = column.target { result["target"] = target }
    return result
  }

  private static func name(_ type: ValueType) -> String { type == .null ? "mixed" : type.name.lowercased() }

  // MARK: Values

  private func json(_ object: ModelObject) -> [String: Any] { object.properties.mapValues(json) }

  private func json(_ key: ModelKey) -> Any {
    switch key {
    case .null: NSNull()
    case .int(let value): value
    case .string(let value): value
    case .objectID(let value): ["$oid": Self.digits(value, byteCount: 12)]
    case .uuid(let value): ["$uuid": Self.digits(value, byteCount: 16)]
    case .globalKey(let high, let low): ["$global": [high, low]]
    }
  }

  /// Nil for a link to an object that is not there.
  private func link(_ address: ModelAddress) -> Any? {
    realm.classes[address.className]?.objects[address.key].map { _ in ["$link": [address.className, json(address.key)]] }
  }

  private func visible(_ value: ModelValue) -> Any? {
    if case .link(let address) = value { link(address) } else { json(value) }
  }

  private func json(_ value: ModelValue) -> Any {
    switch value {
    case .null: NSNull()
    case .int(let value): value
    case .bool(let value): value
    case .string(let value): value
    case .binary(let bytes): ["$bin": HexadecimalBytes.digits(bytes)]
    case .timestamp(let seconds, let nanoseconds): ["$ts": [seconds, nanoseconds]]
    case .float(let bits): ["$float": Double(Float(bitPattern: bits))]
    case .double(let bits): ["$double": Double(bitPattern: bits)]
    case .decimal(let value): ["$decimal": "\(value.isNegative ? "-" : "")\(value.coefficient)E\(value.exponent)"]
    case .objectID(let value): ["$oid": Self.digits(value, byteCount: 12)]
    case .uuid(let value): ["$uuid": Self.digits(value, byteCount: 16)]
    case .link(let address): link(address) ?? NSNull()
    case .object(let object): json(object)
    case .list(let elements): elements.compactMap(visible)
    case .set(let elements): ["$set": elements.compactMap(visible).sorted { Self.text($0) < Self.text($1) }]
    case .dictionary(let entries): ["$dict": entries.mapValues(json)]
    }
  }

  private static func digits(_ value: UInt128, byteCount: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, byteCount * 2 - digits.count)) + digits
  }
}
