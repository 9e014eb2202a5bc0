public import Foundation
import RealmStorage

// The scalar types that properties and collections hold. Each says how its stored form is read and written; the hot ones read the row
// without a stored value in between.

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
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) {
    object.promote(key, _store(_Scope(core: nil, target: nil)).value, policy)
  }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Self {
    guard let value = _load(_StoredValue(try DynamicInput.scalar(input, _shape)), _Scope(core: nil, target: nil)) else {
      throw RealmFailure.misuse("Could not convert value '\(input)' to type '\(Self.self)'.")
    }
    return value
  }
  /// The element that input of `create(value:)` stands for; throws if there is none.
  public static func _element(from input: Any) throws -> Self { try _unmanaged(from: input) }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { false }
  /// Whether a stored value has a counterpart in this type.
  public static func _accepts(_ stored: _StoredValue) -> Bool { _load(stored, _Scope(core: nil, target: nil)) != nil }

  /// A traced object has no value; anything else without one is damage or a failed conversion.
  static func _missing(_ object: ObjectBase, _ key: UInt32) -> Self {
    if !object.isManaged { return _defaultValue() }
    stop(
      "Failed to convert persisted value '\(DynamicInput.text(object.storedValue(key)))' to type '\(Self.self)' in a non-optional context.")
  }
}

extension _Persistable {
  /// Sets the property of an unmanaged object.
  @inlinable public static func _assignUnmanaged(_ old: Self?, _ value: Self) -> Self { value }
  /// Whether a stored value has a counterpart in this type.
  public static func _accepts(_ stored: _StoredValue) -> Bool { true }
}

/// Integers of every width are stored as 64 bits.
public protocol _StorableInteger: FixedWidthInteger, _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType,
  AddableType, SortableType, _Indexable, _PrimaryKey, _QueryNumeric
where PersistedType == Self {}

extension _StorableInteger {
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.int) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self { Self(truncatingIfNeeded: object._int(key)) }
  /// Sets the property of a managed object; stops outside of a write transaction.
  @inlinable public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Self) { object._storeInt(key, Int64(truncatingIfNeeded: value)) }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    if case .int(let number) = stored.value { Self(truncatingIfNeeded: number) } else { nil }
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.int(Int64(truncatingIfNeeded: self))) }
  /// The value of a property that has no initial value.
  @inlinable public static func _defaultValue() -> Self { 0 }
}
extension Int: _StorableInteger {
  /// Stored as it is, with 64 bits.
  public typealias PersistedType = Int
}
extension Int8: _StorableInteger {
  /// Stored as it is, with 64 bits.
  public typealias PersistedType = Int8
}
extension Int16: _StorableInteger {
  /// Stored as it is, with 64 bits.
  public typealias PersistedType = Int16
}
extension Int32: _StorableInteger {
  /// Stored as it is, with 64 bits.
  public typealias PersistedType = Int32
}
extension Int64: _StorableInteger {
  /// Stored as it is, with 64 bits.
  public typealias PersistedType = Int64
}

extension Bool: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable, _PrimaryKey {
  /// Stored as it is.
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
}

extension Float: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  /// Stored as it is.
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
}

extension Double: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  /// Stored as it is.
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
}

extension String: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SortableType, _Indexable, _PrimaryKey, _QueryString,
  _QueryBinary
{
  /// Stored as it is.
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
}

extension Data: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SortableType, _QueryBinary {
  /// Stored as it is.
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
  /// Stored as it is.
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
  /// Stored as it is.
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
  /// Stored as it is.
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
  /// Stored as it is.
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
