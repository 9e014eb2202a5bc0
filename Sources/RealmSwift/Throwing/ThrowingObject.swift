/// An object whose errors can be caught; see ``ObjectBase/throwing``. Confined as the object is.
public struct ThrowingObject {
  let base: ObjectBase

  private func run<Result>(_ body: () throws -> Result) throws -> Result { try orThrow(goingOnIn: base.core, body) }

  /// As the subscript by name.
  /// - Throws: `Realm.Error` for a name that is no property's, and for whatever else the subscript stops for.
  public func value(forKey key: String) throws -> Any? { try run { Boxed.value(try base.dynamicValue(key)) } }

  /// As the setter of the subscript by name.
  /// - Throws: `Realm.Error` for a name that is no property's, for a value that does not fit it, and for whatever else the setter stops for.
  public func setValue(_ value: Any?, forKey key: String) throws { try run { try base.setDynamicValue(key, value) } }

  /// As `value(forKeyPath:)` of objects.
  /// - Throws: as `value(forKey:)`.
  public func value(forKeyPath keyPath: String) throws -> Any? { try run { try KeyPathText.value(of: base, keyPath) } }

  /// As `setValue(_:forKeyPath:)` of objects.
  /// - Throws: as `setValue(_:forKey:)`.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws { try run { try KeyPathText.set(value, of: base, keyPath) } }
}
