import RealmStorage

// Optionals of scalar types, links and embedded objects.

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  /// What is stored for the wrapped type, or null.
  public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Storable where Wrapped: _Storable {
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { Wrapped._shape.optional }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Wrapped?? {
    if case .null = stored.value { return .some(.none) }
    // A value without counterpart in the type, such as an unknown raw value, reads as nil.
    return .some(Wrapped._load(stored, scope))
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { self?._store(scope) ?? _StoredValue(.null) }
  /// The element that input of `create(value:)` stands for; throws if there is none.
  public static func _element(from input: Any) throws -> Wrapped? { DynamicInput.isNull(input) ? nil : try Wrapped._element(from: input) }
}

/// What an optional property asks of its wrapped type. Public for technical reasons only.
public protocol _OptionalPersistable: _Storable {
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self?
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?)
  /// Hands the value of an optional property of an object that is being added to its row.
  static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?, _ policy: Realm.UpdatePolicy)
  /// The value that input stands for; nil for null; throws if there is none.
  static func _unmanagedOptional(from input: Any) throws -> Self?
  /// See `_AnyPersisted`.
  func _isPlainInOptional(_ scope: _Scope) -> Bool
  /// Stores a plain value of an optional property in a row that is being made.
  func _insertOptional(_ row: inout _NewRow, _ slot: Int)
}

extension Optional: _Persistable where Wrapped: _OptionalPersistable {
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Wrapped? { Wrapped._getOptional(object, key) }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Wrapped?) { Wrapped._setOptional(object, key, value) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Wrapped? { nil }
  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) { Wrapped._promoteOptional(object, key, self, policy) }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Wrapped? { try Wrapped._unmanagedOptional(from: input) }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { false }
  /// Whether a stored value has a counterpart in this type.
  public static func _accepts(_ stored: _StoredValue) -> Bool {
    if case .null = stored.value { return true }
    return Wrapped._load(stored, _Scope(core: nil, target: nil)) != nil
  }
}

extension Optional: _RealmCollectionValueInsideOptional, RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
extension Optional: _Indexable where Wrapped: _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryString where Wrapped: _QueryString {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}

extension _PersistableInsideOptional {
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? {
    let value = object.storedValue(key)
    if case .null = value { return nil }
    return _load(_StoredValue(value), _Scope(core: nil, target: nil))
  }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?) {
    object.store(key, value?._store(_Scope(core: nil, target: nil)).value ?? .null)
  }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?, _ policy: Realm.UpdatePolicy) {
    object.promote(key, value?._store(_Scope(core: nil, target: nil)).value ?? .null, policy)
  }
  /// The value that input stands for; nil for null; throws if there is none.
  public static func _unmanagedOptional(from input: Any) throws -> Self? {
    DynamicInput.isNull(input) ? nil : try _unmanaged(from: input)
  }
}

extension _StorableInteger {
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? {
    object._optionalInt(key).map { Self(truncatingIfNeeded: $0) }
  }
}
extension Bool { @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Bool? { object._bool(key) } }
extension Double { @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Double? { object._double(key) } }
extension Float { @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Float? { object._float(key) } }
extension String { @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> String? { object._string(key) } }
