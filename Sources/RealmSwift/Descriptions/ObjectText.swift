import Foundation
import RealmStorage

/// What `description` shows of objects (S5.1).
enum ObjectText {
  static let maximumDepth = 5

  static func describe(_ object: ObjectBase, depth: Int = maximumDepth) throws(RealmFailure) -> String {
    if object.isInvalidated { return "[invalid object]" }
    guard depth > 0 else { return "<Maximum depth exceeded>" }
    let schema = try object.currentSchema()
    var text = "\(schema.className) {\n"
    for property in schema.properties {
      let value = try object.dynamicValue(property.name)
      text += "\t\(property.name) = \(indented(Self.text(value, depth: depth)));\n"
    }
    return text + "}"
  }

  private static func indented(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\n\t") }

  static func text(_ value: Any?, depth: Int) -> String {
    guard let value, !DynamicInput.isNull(value) else { return "(null)" }
    let plain = DynamicInput.unwrapped(value)
    switch plain {
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

/// A collection that describes itself with a limit on the depth.
protocol DescribedCollection {
  func describe(depth: Int) -> String
}

/// What `description` shows of collections (S5.2).
enum CollectionText {
  private static let limit = 100

  static func describe<C: RealmCollection>(_ collection: C, depth: Int = ObjectText.maximumDepth) -> String {
    if collection.isInvalidated { return "[invalid collection]" }
    guard depth > 0 else { return "<Maximum depth exceeded>" }
    let count = collection.count
    let lines = collection.prefix(limit).enumerated().map { (index, element) in
      "\t[\(index)] \(indented(ObjectText.text(element, depth: depth)))"
    }
    return head(C._kindName, "<\(elementName(C.Element._shape))>", address(of: collection)) + body(lines, count)
  }

  static func describe<Key, Value>(_ map: Map<Key, Value>, depth: Int = ObjectText.maximumDepth) -> String {
    if map.isInvalidated { return "[invalid collection]" }
    guard depth > 0 else { return "<Maximum depth exceeded>" }
    let lines = map.prefix(limit).map { "[\($0.key._text)]: \(indented(ObjectText.text($0.value, depth: depth)))" }
    return head("Map", "<string, \(elementName(Value._shape))>", address(of: map)) + body(lines, map.count)
  }

  private static func head(_ name: String, _ type: String, _ address: String) -> String { "\(name)\(type) <\(address)> (\n" }

  private static func body(_ lines: [String], _ count: Int) -> String {
    var text = lines.joined(separator: ",\n")
    if count > limit { text += "\n\t... \(count - limit) objects skipped." }
    return text + "\n)"
  }

  private static func elementName(_ shape: _Shape) -> String {
    shape.objectType.map { $0.className() } ?? shape.type.nameInErrors + (shape.isOptional && shape.type != .any ? "?" : "")
  }

  private static func address<C>(of collection: C) -> String {
    var object: AnyObject? = type(of: collection) is AnyClass ? collection as AnyObject : nil
    if object == nil, let collection = collection as? any RealmCollection { object = collection._resultsBox?.core }
    guard let object else { return "0x0" }
    return "0x" + String(UInt(bitPattern: ObjectIdentifier(object).hashValue), radix: 16)
  }

  private static func indented(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\n\t") }
}

extension Results: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension List: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension MutableSet: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension LinkingObjects: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension AnyRealmCollection: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension Map: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
