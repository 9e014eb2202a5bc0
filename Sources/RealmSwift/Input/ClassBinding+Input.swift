import RealmStorage

extension ClassBinding {
  /// The stored form of input for a scalar property, or for an element of a collection of scalars. Whether an enumeration or a custom type has a
  /// counterpart for it is seen when it is read.
  func scalar(_ input: Any, _ slot: Int) throws -> Value { try DynamicInput.scalar(input, property(at: slot), className: className) }
}
