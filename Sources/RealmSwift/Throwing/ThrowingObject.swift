/// An object whose errors can be caught: what ``ObjectBase/throwing`` gives. Confined as the object is.
public struct ThrowingObject {
  let base: ObjectBase

  private func run<Result>(_ body: () throws -> Result) throws -> Result { try orThrow(goingOnIn: base.core, body) }

  /// The value of a property by its name; for `self` the object. Does what the getter of the subscript ``ObjectBase/subscript(_:)`` does, throwing
  /// where that ends the process.
  /// - Throws: `Realm.Error` for a name that is no property's, and for whatever else the subscript stops for.
  public func value(forKey key: String) throws -> Any? { try run { key == "self" ? base : Boxed.value(try base.dynamicValue(key)) } }

  /// Sets a property by its name. Does what the setter of the subscript ``ObjectBase/subscript(_:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for a name that is no property's, for a value that does not fit it, and for whatever else the setter stops for.
  public func setValue(_ value: Any?, forKey key: String) throws { try run { try base.setDynamicValue(key, value) } }

  /// The value at the end of a path of property names. Does what ``ObjectBase/value(forKeyPath:)`` does, throwing where that ends the process.
  /// - Throws: what ``value(forKey:)`` throws.
  public func value(forKeyPath keyPath: String) throws -> Any? { try run { try KeyPathText.value(of: base, keyPath) } }

  /// Sets the property at the end of a path of property names. Does what ``ObjectBase/setValue(_:forKeyPath:)`` does, throwing where that ends the
  /// process.
  /// - Throws: what ``setValue(_:forKey:)`` throws.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws { try run { try KeyPathText.set(value, of: base, keyPath) } }
}
