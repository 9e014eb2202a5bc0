// Key-value coding by the names in the schema: plain methods here, as there is no Objective-C runtime.

extension ObjectBase {
  /// The value of a property.
  public final func value(forKey key: String) -> Any? { self[key] }

  /// The value at the end of a path of property names, with the collection operators where it goes through collections.
  public final func value(forKeyPath keyPath: String) -> Any? {
    orStop(core) { try KeyPathText.value(of: self, keyPath) }
  }

  /// Sets a property; see the subscript.
  public final func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// Sets the property at the end of a path of property names; of all elements where the path leads to a collection. Does nothing where an object
  /// on the way is missing.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    orStop(core) { try KeyPathText.set(value, of: self, keyPath) }
  }

  /// The same as the subscript: no key is undefined that is the name of a property.
  public final func value(forUndefinedKey key: String) -> Any? { self[key] }
  /// The same as the subscript.
  public final func setValue(_ value: Any?, forUndefinedKey key: String) { self[key] = value }
}
