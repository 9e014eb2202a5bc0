import Foundation
import RealmStorage

/// Default values of a class, taken from a new instance when the first one is asked for.
final class FreshDefaults {
  private let binding: ClassBinding
  private var instance: ObjectBase?

  init(_ binding: ClassBinding) { self.binding = binding }

  /// - Returns: nil for classes that are known from the file only.
  func value(_ slot: Int) throws -> Any? {
    guard let model = binding.model, let type = binding.schema.modelType else { return nil }
    let object = instance ?? type.init()
    instance = object
    let field = model.fields[slot]
    return field.type._readUnmanaged(object, field.byteOffset)
  }
}
