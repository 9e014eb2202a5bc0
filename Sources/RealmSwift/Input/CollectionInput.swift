import Foundation
import RealmStorage

/// What a collection property is filled from, looked at as a whole.
enum CollectionInput {
  static func elements(_ input: Any, _ property: Property, _ className: String) throws -> [Any] {
    if let stored = unconverted(input) { return try stored.allValues().map(element) }
    guard let elements = DynamicInput.elements(of: input) else { throw notEnumerable(input, property, className) }
    return elements
  }

  static func entries(_ input: Any, _ property: Property, _ className: String) throws -> [(name: String, element: Any)] {
    if let stored = unconverted(input) { return try zip(stored.allKeys(), stored.allValues()).map { (name: $0, element: element($1)) } }
    guard let entries = DynamicInput.entries(of: input) else { throw notEnumerable(input, property, className) }
    return entries
  }
  /// A managed collection of an enumeration or a custom type, whose elements are copied as they are stored: not all need have a counterpart.
  private static func unconverted(_ input: Any) -> CollectionCore? {
    guard let given = DynamicInput.unwrapped(input) as? any _ManagedCollection, type(of: given)._elementShape.isCustomScalar else { return nil }
    return given._managed
  }
  private static func element(_ value: Value) -> Any { DynamicProperty.scalar(value) ?? NSNull() }

  static func notEnumerable(_ input: Any, _ property: Property, _ className: String) -> RealmFailure {
    .misuse(
      "Invalid value (\(DynamicInput.shown(DynamicInput.unwrapped(input)))) for '\(property.elementText)'\(property.collectionText) property "
        + "'\(className).\(property.name)': value is not enumerable.")
  }

  /// A collection of the SDK with elements of another type.
  static func mismatch(_ input: Any, _ property: Property, _ className: String) -> RealmFailure? {
    guard let given = DynamicInput.unwrapped(input) as? any _ManagedCollection else { return nil }
    let text = given._managed?.property.elementText ?? type(of: given)._elementShape.elementText
    if text == property.elementText { return nil }
    // Maps of objects may be declared with optional values or without. What is empty shows element by element.
    if property.type == .object, type(of: given)._elementShape.objectType?.className() == property.objectClassName { return nil }
    let name = given is any _MapInput ? "Map<String, \(text)>" : given is any _SetInput ? "MutableSet<\(text)>" : "List<\(text)>"
    return .misuse("\(name) does not match expected type '\(property.elementText)' for property '\(className).\(property.name)'.")
  }
}
