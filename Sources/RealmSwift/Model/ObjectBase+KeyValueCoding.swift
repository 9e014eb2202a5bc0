import Foundation

// Key-value coding by the names in the schema: plain methods here, as there is no Objective-C runtime.

extension ObjectBase {
  /// The value at the end of a path of property names, with the collection operators where it goes through collections.
  public final func value(forKeyPath keyPath: String) -> Any? {
    orStop(core) { try KeyPathText.value(of: self, keyPath) }
  }

  /// Sets the property at the end of a path of property names; of all elements where the path leads to a collection. Does nothing where an object on
  /// the way is missing. Stops where the setter of the subscript by name does: for a managed object for example outside of a write transaction.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    orStop(core) { try KeyPathText.set(value, of: self, keyPath) }
  }

  /// The values of some properties by their names; null is `NSNull`.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    keys.reduce(into: [:]) { $0[$1] = value(forKey: $1) ?? NSNull() }
  }

  /// Sets some properties by their names, one after the other; `NSNull` is null. Stops where the setter of the subscript by name does: for a managed
  /// object for example outside of a write transaction.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }
}
