// Declarations that compile, as in other SDKs, and are refused with a text when the schema is made: links and embedded objects that are not
// optional, and optional `AnyRealmValue`s. Nothing here is reached before that.

extension Object: _Persistable {
  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self { linked(from: object, key) ?? Self() }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Object) { _setOptional(object, key, value) }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> Self { Self() }
  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) { Self._promoteOptional(object, key, self, policy) }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Self { try _element(from: input) }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { false }
}

extension EmbeddedObject: _Persistable {
  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self { linked(from: object, key) ?? Self() }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject) { _setOptional(object, key, value) }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> Self { Self() }
  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) { Self._promoteOptional(object, key, self, policy) }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Self { try _element(from: input) }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { false }
}

extension AnyRealmValue: _RealmCollectionValueInsideOptional, _OptionalPersistable {
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> AnyRealmValue? { _get(object, key) }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: AnyRealmValue?) { _set(object, key, value ?? .none) }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: AnyRealmValue?, _ policy: Realm.UpdatePolicy) {
    (value ?? .none)._promote(object, key, policy)
  }
  /// The value that input stands for; nil for null; throws if there is none.
  public static func _unmanagedOptional(from input: Any) throws -> AnyRealmValue? { try _element(from: input) }
}
