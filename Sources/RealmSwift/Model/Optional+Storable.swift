import RealmStorage

extension Optional: _ObjcBridgeable where Wrapped: _ObjcBridgeable {
  /// The value that one by name stands for; nil for null, and for what has no counterpart in the type.
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Wrapped?? {
    .some(DynamicInput.isNull(value) ? nil : Wrapped._rlmFromObjc(value, insideOptional: true))
  }
}

extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { Wrapped._shape.optional }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  /// What is stored for the wrapped type, or null.
  public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Storable where Wrapped: _Storable {
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Wrapped?? {
    if case .null = stored.value { return .some(.none) }
    // A value without counterpart in the type, such as an unknown raw value, reads as nil.
    return .some(Wrapped._load(stored, scope))
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) throws -> _StoredValue { try self?._store(scope) ?? _StoredValue(.null) }
  /// The element that input of `create(value:)` stands for; nil for what has no counterpart in the type; throws for input of another type.
  public static func _element(from input: Any) throws -> Wrapped? {
    if DynamicInput.isNull(input) { return nil }
    guard let wrapped = Wrapped.self as? any _OptionalPersistable.Type else { return try Wrapped._element(from: input) }
    return try wrapped._unmanagedOptional(from: input) as? Wrapped
  }
}

extension Optional: _Persistable where Wrapped: _OptionalPersistable {
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Wrapped? { Wrapped._getOptional(object, key) }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Wrapped?) { Wrapped._setOptional(object, key, value) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Wrapped? { nil }
  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    try Wrapped._promoteOptional(object, key, self, policy)
  }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Wrapped? { try Wrapped._unmanagedOptional(from: input) }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { false }
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

extension Optional where Wrapped: _OptionalPersistable {
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public func _isPlain(_ scope: _Scope) -> Bool { self?._isPlainInOptional(scope) ?? true }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { if let self { self._insertOptional(&row, slot) } else { row.set(slot, .null) } }
}

extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
