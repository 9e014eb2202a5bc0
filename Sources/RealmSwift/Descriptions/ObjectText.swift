import Foundation
import RealmStorage

/// What `description` shows of objects (S5.1).
enum ObjectText {
  static let maximumDepth = 5

  static func describe(_ object: ObjectBase, depth: Int = maximumDepth) throws -> String {
    if object.isInvalidated { return "[invalid object]" }
    guard depth > 0 else { return "<Maximum depth exceeded>" }
    let schema = try object.currentSchema()
    var text = "\(schema.modelType.map { "\($0)" } ?? schema.className) {\n"
    for property in schema.properties {
      let value = try object.dynamicValue(property.name, converts: false)
      text += "\t\(property.name) = \(indented(Self.text(value, depth: depth)));\n"
    }
    return text + "}"
  }

  private static func indented(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\n\t") }

  static func text(_ value: Any?, depth: Int) -> String {
    guard let value, !DynamicInput.isNull(value) else { return "(null)" }
    let plain = DynamicInput.unwrapped(value)
    switch plain {
    case let stored as Value: return DynamicInput.text(stored)
    case let object as ObjectBase: return (try? describe(object, depth: depth - 1)) ?? "[invalid object]"
    case let collection as any DescribedCollection: return collection.describe(depth: depth - 1)
    case let custom as any _CustomPersistable: return text(DynamicInput.persisted(custom), depth: depth)
    case let flag as Bool: return flag ? "1" : "0"
    case let data as Data: return text(data)
    case let mixed as AnyRealmValue: return text(mixed, depth: depth)
    default:
      if let scalar = DynamicInput.engineValue(plain) { return DynamicInput.text(scalar) }
      return "\(plain)"
    }
  }

  private static func text(_ value: AnyRealmValue, depth: Int) -> String {
    switch value {
    case .object(let object): text(object as Any, depth: depth)
    case .list(let list): text(list as Any, depth: depth)
    case .dictionary(let map): text(map as Any, depth: depth)
    default: DynamicInput.text(value.scalar ?? .null)
    }
  }

  /// Long data is cut.
  static func text(_ data: Data) -> String {
    let shown = data.prefix(24).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    if data.count <= 24 { return "<\(shown.joined())>" }
    return "<\(shown.joined()) — \(data.count) total bytes>"
  }
}
