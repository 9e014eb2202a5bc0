public import Foundation
import RealmStorage

extension _PersistableInsideOptional {
  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self {
    _load(_StoredValue(object.storedValue(key)), _Scope(core: nil, target: nil)) ?? _missing(object, key)
  }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Self) {
    object.store(key, value._store(_Scope(core: nil, target: nil)).value)
  }
  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    try object.promote(key, _store(_Scope(core: nil, target: nil)).value, policy)
  }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Self {
    guard let value = _load(_StoredValue(try DynamicInput.scalar(input, _shape)), _Scope(core: nil, target: nil)) else {
      throw DynamicInput.noCounterpart(input, Self.self)
    }
    return value
  }
  /// The element that input of `create(value:)` stands for; throws if there is none.
  public static func _element(from input: Any) throws -> Self { try _unmanaged(from: input) }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { false }

  /// A traced object has no value; anything else without one is damage or a failed conversion.
  static func _missing(_ object: ObjectBase, _ key: UInt32) -> Self {
    if !object.isManaged { return _defaultValue() }
    stop(DynamicInput.failedConversion(object.storedValue(key), Self.self), object.core)
  }
}

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
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?, _ policy: Realm.UpdatePolicy) throws {
    try object.promote(key, value?._store(_Scope(core: nil, target: nil)).value ?? .null, policy)
  }
  /// The value that input stands for; nil for null and for what has no counterpart in this type; throws for input of another type.
  public static func _unmanagedOptional(from input: Any) throws -> Self? {
    if DynamicInput.isNull(input) { return nil }
    return _load(_StoredValue(try DynamicInput.scalar(input, _shape)), _Scope(core: nil, target: nil))
  }
}

extension _PersistableInsideOptional {
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public func _isPlain(_ scope: _Scope) -> Bool { Self._shape.objectType == nil }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, _store(row.scope).value) }
}

extension _PersistableInsideOptional {
  /// Whether the value of an optional property can be stored while the row is made.
  public func _isPlainInOptional(_ scope: _Scope) -> Bool { _isPlain(scope) }
}

extension Bool: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable, _PrimaryKey {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = Bool
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.bool) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Bool { object._bool(key) ?? false }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Bool? { if case .bool(let flag) = stored.value { flag } else { nil } }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.bool(self)) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Bool { false }
  /// Reads the property of a managed object as an optional.
  @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Bool? { object._bool(key) }
}

extension Float: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = Float
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.float) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Float { object._float(key) ?? 0 }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Float? { if case .float(let number) = stored.value { number } else { nil } }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.float(self)) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Float { 0 }
  /// Reads the property of a managed object as an optional.
  @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Float? { object._float(key) }
}

extension Double: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = Double
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.double) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Double { object._double(key) ?? 0 }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Double? { if case .double(let number) = stored.value { number } else { nil } }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.double(self)) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Double { 0 }
  /// Reads the property of a managed object as an optional.
  @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Double? { object._double(key) }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, double: self) }
}

extension String: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SortableType, _Indexable, _PrimaryKey, _QueryString,
  _QueryBinary
{
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = String
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.string) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> String { object._string(key) ?? "" }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> String? {
    if case .string(let bytes) = stored.value { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(Value(self)) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> String { "" }
  /// Reads the property of a managed object as an optional.
  @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> String? { object._string(key) }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, string: self) }
}

extension Data: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SortableType, _QueryBinary {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = Data
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.data) }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Data? {
    if case .binary(let bytes) = stored.value { Data(bytes) } else { nil }
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.binary([UInt8](self))) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Data { Data() }
}

extension Date: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, SortableType, _Indexable, _QueryNumeric {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = Date
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.date) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Date { object._date(key) ?? Date(timeIntervalSince1970: 0) }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Date? {
    if case .timestamp(let timestamp) = stored.value { Date(timestamp) } else { nil }
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.timestamp(Timestamp(self))) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Date { Date() }
}

extension UUID: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable, _PrimaryKey {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = UUID
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.UUID) }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> UUID? { if case .uuid(let bytes) = stored.value { UUID(bytes) } else { nil } }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.uuid(UUIDBytes(self))) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> UUID { UUID() }
}

extension ObjectId: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable, _PrimaryKey {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = ObjectId
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.objectId) }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    if case .objectID(let value) = stored.value { Self(value) } else { nil }
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.objectID(engineValue)) }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> Self { Self(ObjectId.generate().engineValue) }
}

extension Decimal128: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  /// The type that is stored: values go to the file as they are.
  public typealias PersistedType = Decimal128
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.decimal128) }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    if case .decimal(let value) = stored.value { Self(value) } else { nil }
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.decimal(engineValue)) }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> Self { Self(Decimal128().engineValue) }
}
