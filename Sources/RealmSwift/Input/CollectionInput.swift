/// What a collection property is filled from, looked at as a whole.
enum CollectionInput {
  static func elements(_ input: Any, _ property: Property, _ className: String) throws -> [Any] {
    guard let elements = DynamicInput.elements(of: input) else { throw notEnumerable(input, property, className) }
    return elements
  }

  static func entries(_ input: Any, _ property: Property, _ className: String) throws -> [String: Any] {
    guard let entries = DynamicInput.entries(of: input) else { throw notEnumerable(input, property, className) }
    return entries
  }

  static func notEnumerable(_ input: Any, _ property: Property, _ className: String) -> RealmFailure {
    .misuse(
      "Invalid value (\(DynamicInput.unwrapped(input))) for '\(property.elementText)'\(property.collectionText) property "
        + "'\(className).\(property.name)': value is not enumerable.")
  }

  /// A collection of the SDK with elements of another type.
  static func mismatch(_ input: Any, _ property: Property, _ className: String) -> RealmFailure? {
    guard let given = DynamicInput.unwrapped(input) as? any _ManagedCollection else { return nil }
    let text = given._managed?.property.elementText ?? type(of: given)._elementShape.elementText
    if text == property.elementText { return nil }
    let name = given is any _MapInput ? "Map<String, \(text)>" : given is any _SetInput ? "MutableSet<\(text)>" : "List<\(text)>"
    return .misuse("\(name) does not match expected type '\(property.elementText)' for property '\(className).\(property.name)'.")
  }
}
