import RealmStorage

extension EmbeddedObject: LinkStorable {}

extension EmbeddedObject {
  /// Always true. Public for technical reasons only.
  public class func isEmbedded() -> Bool { true }
}

extension EmbeddedObject: _RealmCollectionValueInsideOptional, _OptionalPersistable, _CustomStorage {
  /// The type that is stored: objects are part of the object that owns them.
  public typealias PersistedType = EmbeddedObject
  /// How values are stored: the type of the column, or of its elements.
  public class var _shape: _Shape { _Shape(.object, objectType: self) }
  /// Collections create embedded objects in place; a value of one cannot be stored elsewhere.
  public func _store(_ scope: _Scope) throws -> _StoredValue {
    throw RealmFailure.misuse("Cannot set a link to an existing managed embedded object")
  }
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?) {
    orStop(object.core) { try object.setEmbedded(at: Int(key) - 1, value, .error) }
  }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?, _ policy: Realm.UpdatePolicy) throws {
    try object.setEmbedded(at: Int(key) - 1, value, policy)
  }
  /// The value that input stands for; nil for null; throws if there is none.
  public static func _unmanagedOptional(from input: Any) throws -> Self? { try unmanagedLink(from: input) }

  /// Reads the property that a custom type stands on; nil for null.
  public static func _customGet(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Reads the optional property that a custom type stands on.
  public static func _customGetOptional(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Sets the property that a custom type stands on.
  public static func _customSet(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?) { _setOptional(object, key, value) }
  /// Hands the value that a custom type stands on to the row of an object that is being added.
  public static func _customPromote(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?, _ policy: Realm.UpdatePolicy) throws {
    try _promoteOptional(object, key, value, policy)
  }
  /// The value below a custom type that input stands for; nil for null; throws if there is none.
  public static func _customUnmanaged(from input: Any) throws -> Self? { try unmanagedLink(from: input) }
  /// The value below a custom type of a property that has no initial value.
  public static func _customDefault() -> Self { Self() }
}

extension EmbeddedObject {
  /// The next element of an iteration over a managed collection; nil at the end.
  @inlinable public static func _next(_ cursor: _ElementCursor) -> Self? {
    guard let object = cursor._nextObject(self) else { return nil }
    return unsafe unsafeDowncast(object, to: Self.self)
  }
}
