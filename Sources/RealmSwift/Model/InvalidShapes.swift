// Declarations that compile, as in other SDKs, and are refused with a text when the schema is made: links and embedded objects that are not
// optional, and optional `AnyRealmValue`s. Nothing here is reached before that.

extension Object: _Persistable {
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self { linked(from: object, key) ?? Self() }
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Object) { _setOptional(object, key, value) }
  public static func _defaultValue() -> Self { Self() }
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) { Self._promoteOptional(object, key, self, policy) }
  public static func _unmanaged(from input: Any) throws -> Self { try _element(from: input) }
  public static var _staysInWrapper: Bool { false }
}

extension EmbeddedObject: _Persistable {
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self { linked(from: object, key) ?? Self() }
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject) { _setOptional(object, key, value) }
  public static func _defaultValue() -> Self { Self() }
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) { Self._promoteOptional(object, key, self, policy) }
  public static func _unmanaged(from input: Any) throws -> Self { try _element(from: input) }
  public static var _staysInWrapper: Bool { false }
}

extension AnyRealmValue: _RealmCollectionValueInsideOptional, _OptionalPersistable {
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> AnyRealmValue? { _get(object, key) }
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: AnyRealmValue?) { _set(object, key, value ?? .none) }
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: AnyRealmValue?, _ policy: Realm.UpdatePolicy) {
    (value ?? .none)._promote(object, key, policy)
  }
  public static func _unmanagedOptional(from input: Any) throws -> AnyRealmValue? { try _element(from: input) }
}
