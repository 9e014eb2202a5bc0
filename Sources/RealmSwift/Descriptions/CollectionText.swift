import Foundation
import RealmStorage

/// What `description` shows of collections (S5.2).
enum CollectionText {
  private static let limit = 100

  static func describe<C: RealmCollection>(_ collection: C, depth: Int = ObjectText.maximumDepth) -> String {
    if collection.isInvalidated { return "[invalid collection]" }
    guard depth > 0 else { return "<Maximum depth exceeded>" }
    let count = collection.count
    let lines = elements(of: collection).prefix(limit).enumerated().map { (index, element) in
      "\t[\(index)] \(indented(ObjectText.text(element, depth: depth)))"
    }
    let element = elementName(C.Element._shape, collection.results?.className)
    return head(C._kindName, "<\(element)>", address(ofCollection: collection)) + body(lines, count)
  }

  static func describe<Key, Value>(_ map: Map<Key, Value>, depth: Int = ObjectText.maximumDepth) -> String {
    if map.isInvalidated { return "[invalid collection]" }
    guard depth > 0 else { return "<Maximum depth exceeded>" }
    let lines = map.keys.prefix(limit).map { "[\($0._text)]: \(indented(ObjectText.text(map.described($0._text), depth: depth)))" }
    let element = elementName(Value._shape, map._managed?.property.objectClassName)
    return head("Map", "<string, \(element)>", address(ofCollection: map)) + body(lines, map.count)
  }

  /// The first elements; what is stored where not everything that is has a counterpart in the type.
  private static func elements<C: RealmCollection>(of collection: C) -> [Any] {
    if let input = (collection as? any UnconvertedInput)?.unconverted { return input }
    guard C.Element._shape.isCustomScalar, let results = collection.results else { return collection.prefix(limit).map { $0 } }
    return orStop(results.core) { try results.values() }
  }

  private static func head(_ name: String, _ type: String, _ address: String) -> String { "\(name)\(type) <\(address)> (\n" }

  private static func body(_ lines: [String], _ count: Int) -> String {
    var text = lines.joined(separator: ",\n")
    if count > limit { text += "\n\t... \(count - limit) objects skipped." }
    return text + "\n)"
  }

  /// - Parameter className: of objects in a managed collection, which dynamic ones are called by.
  private static func elementName(_ shape: _Shape, _ className: String?) -> String {
    if let className, shape.objectType == DynamicObject.self { return className }
    return shape.objectType.map { "\($0)" } ?? shape.type.nameInErrors + (shape.isOptional && shape.type != .any ? "?" : "")
  }

  private static func address<C>(ofCollection collection: C) -> String {
    var object: AnyObject? = type(of: collection) is AnyClass ? collection as AnyObject : nil
    if object == nil, let collection = collection as? any RealmCollection { object = collection._resultsBox?.core }
    return object.map { address(of: $0) } ?? "0x0"
  }

  /// Where an object is in memory.
  static func address(of object: AnyObject) -> String { "0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16) }

  private static func indented(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\n\t") }
}
