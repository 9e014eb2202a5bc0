import RealmStorage

/// A value as the engine stores it. Public for technical reasons only; opaque outside the SDK.
public struct _StoredValue {
  let value: Value
  @inline(__always) init(_ value: Value) { self.value = value }
}

/// Where stored values are read and written: the realm, and the class that links lead to. Public for technical reasons only.
public struct _Scope {
  /// Nil for unmanaged objects and collections.
  let core: RealmCore?
  /// The class that links of the property lead to, if it has one.
  let target: ClassBinding?
  let policy: Realm.UpdatePolicy
  /// The kind of collection that elements go to, for texts.
  let kind: CollectionKind?

  init(core: RealmCore?, target: ClassBinding?, policy: Realm.UpdatePolicy = .error, kind: CollectionKind? = nil) {
    self.core = core
    self.target = target
    self.policy = policy
    self.kind = kind
  }
}

/// A type whose values can be handed over by name. Public for technical reasons only.
public protocol _ObjcBridgeable {
  /// The value that one by name stands for; nil if there is none.
  static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self?
  /// The value as access by name gives it: a number in a box, what a custom type is stored as, `NSNull` for null.
  var _rlmObjcValue: Any { get }
}

/// A type that a schema can describe. Public for technical reasons only.
public protocol _RealmSchemaDiscoverable {
  /// How values are stored: the type of the column, or of its elements.
  static var _shape: _Shape { get }
}

/// A type whose values have the persisted type `PersistedType`.
public protocol _HasPersistedType: _ObjcBridgeable {
  /// The type that is stored: of an enumeration that of the raw value, of a custom type the one it names, else the type itself.
  associatedtype PersistedType
}

/// A type with values that the engine can hold: in a property, a collection, or both. Public for technical reasons only.
public protocol _Storable: _HasPersistedType, _RealmSchemaDiscoverable {
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self?
  /// The stored form. Unmanaged objects become managed on the way.
  func _store(_ scope: _Scope) throws -> _StoredValue
  /// The element that input of `create(value:)` stands for, for unmanaged collections.
  static func _element(from input: Any) throws -> Self
}

/// A type that `@Persisted` can hold.
public protocol _Persistable: _HasPersistedType, _RealmSchemaDiscoverable {
  /// Reads the property of a managed (or traced) object.
  static func _get(_ object: ObjectBase, _ key: UInt32) -> Self
  /// Sets the property of a managed object.
  static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Self)
  /// The value of a property without initial value.
  static func _defaultValue() -> Self
  /// What an unmanaged object hands to the row that it becomes.
  func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws
  /// The value that input of `create(value:)` and of dynamic setters stands for, for unmanaged objects.
  static func _unmanaged(from input: Any) throws -> Self
  /// Sets an unmanaged property; collections keep their identity and take over the elements.
  static func _assignUnmanaged(_ old: Self?, _ value: Self) -> Self
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  func _isPlain(_ scope: _Scope) -> Bool
  /// Stores a plain value in a row that is being made.
  func _insert(_ row: inout _NewRow, _ slot: Int)
  /// The value as an integer, for primary keys; nil for other types.
  var _integer: Int64? { get }
  /// Kept by the wrapper when its object becomes managed: collections.
  static var _staysInWrapper: Bool { get }
}

/// A scalar type that a property or a collection may hold as an optional.
public protocol _PersistableInsideOptional: _Persistable, _OptionalPersistable {
  /// The stored form: of a scalar there always is one.
  func _store(_ scope: _Scope) -> _StoredValue
}

/// An element of a collection.
public protocol RealmCollectionValue: Hashable, _Storable {
  /// The next element of an iteration over a managed collection; nil at the end.
  static func _next(_ cursor: _ElementCursor) -> Self?
}

/// An element of a collection that may be optional there.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue {}

/// Types that have a smallest and a largest value.
public protocol MinMaxType {}

/// Types that can be added up.
public protocol AddableType {}

/// Types that collections can be sorted by.
public protocol SortableType {}

/// Elements that can be sorted by a key path.
public protocol KeypathSortable {}

/// Types of properties that can have an index.
public protocol _Indexable {}

/// Types of properties that can be the primary key.
public protocol _PrimaryKey {}
