import Foundation
import RealmStorage

extension ClassBinding {
  /// The stored form of input for a scalar property, or for an element of a collection of scalars.
  func scalar(_ input: Any, _ slot: Int) throws -> Value {
    let value = try DynamicInput.scalar(input, property(at: slot), className: className)
    guard let model, model.isCustom[slot] else { return value }
    let type = model.fields[slot].type
    guard type._accepts(_StoredValue(value)) else {
      throw RealmFailure.misuse("Could not convert value '\(input)' to type '\(type._convertedType)'.")
    }
    return value
  }
}
