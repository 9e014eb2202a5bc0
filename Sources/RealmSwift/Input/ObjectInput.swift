import Foundation
import RealmStorage

/// The value that an object is created or updated from: `create(value:)`, `init(value:)`.
enum ObjectInput {
  case dictionary([String: Any])
  case array([Any])
  /// - className: what the values are for.
  case object(ObjectBase, className: String)

  init(_ input: Any, className: String, firstProperty: Property?) throws {
    // The common ones first: to ask for a protocol takes longer than to store some values.
    if type(of: input) == [String: Any].self, let entries = input as? [String: Any] { self = .dictionary(entries); return }
    if type(of: input) == [Any].self, let elements = input as? [Any] { self = .array(elements); return }
    if DynamicInput.isNull(input) { throw RealmFailure.misuse("Must provide a non-nil value.") }
    func persisted<T: _CustomPersistable>(_ custom: T) -> Any { custom.persistableValue }
    var input = DynamicInput.unwrapped(input)
    // A custom type that is stored as an embedded object.
    if let custom = input as? any _CustomPersistable { input = persisted(custom) }
    if let object = DynamicInput.object(input) {
      if object.isInvalidated { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
      self = .object(object, className: className)
    } else if let custom = input as? any _CustomPersistable, let object = DynamicInput.object(DynamicInput.persisted(custom)) {
      self = .object(object, className: className)
    } else if let entries = input as? [String: Any] {
      self = .dictionary(entries)
    } else if let entries = DynamicInput.entries(of: input) {
      self = .dictionary(Dictionary(entries.map { ($0.name, $0.element) }, uniquingKeysWith: { $1 }))
    } else if let elements = DynamicInput.elements(of: input) {
      self = .array(elements)
    } else {
      throw RealmFailure.misuse(
        "Invalid value '\(DynamicInput.shown(input))' to initialize object of type '\(className)': missing key '\(firstProperty?.name ?? "")'")
    }
  }

  /// For an object of a class.
  init(_ input: Any, for binding: ClassBinding) throws {
    try self.init(input, className: binding.className, firstProperty: binding.schema.properties.first)
  }

  func check(_ schema: ObjectSchema) throws {
    if case .array(let values) = self, values.count > schema.properties.count {
      throw RealmFailure.misuse("Invalid array input: more values (\(values.count)) than properties (\(schema.properties.count)).")
    }
  }

  /// - Returns: nil if the input says nothing of the property.
  func value(_ property: Property, slot: Int) throws -> Any? {
    switch self {
    case .dictionary(let entries): return entries[property.name]
    case .array(let values): return slot < values.count ? values[slot] : nil
    case .object(let object, let className):
      guard try object.currentSchema()[property.name] != nil else {
        throw RealmFailure.misuse("Invalid value '\(object)' to initialize object of type '\(className)': missing key '\(property.name)'")
      }
      // As it is stored: an enumeration or a custom type may have no counterpart for it, and need not have one for a copy.
      return try object.dynamicValue(property.name, converts: false) ?? NSNull()
    }
  }
}
