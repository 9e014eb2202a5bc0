import RealmStorage

extension ClassBinding {
  /// The stored form of input for a scalar property, or for an element of a collection of scalars. Whether an enumeration or a custom type has a
  /// counterpart for it is seen when it is read.
  func scalar(_ input: Any, _ slot: Int) throws -> Value {
    let value = try DynamicInput.scalar(input, property(at: slot), className: className)
    if let model, slot < model.fields.count, !model.fields[slot].type._shape.holds(value) {
      throw RealmFailure.misuse(DynamicInput.invalidValue(input, className, property(at: slot)))
    }
    return value
  }
}
