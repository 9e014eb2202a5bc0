public import Foundation
import RealmStorage

// The scalar types that properties and collections hold. Each says how its stored form is read and written; the hot ones read the row
// without a stored value in between.

extension _PersistableInsideOptional {
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self {
    _load(_StoredValue(object.storedValue(key)), _Scope(core: nil, target: nil)) ?? _missing(object, key)
  }
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Self) {
    object.store(key, value._store(_Scope(core: nil, target: nil)).value)
  }
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) {
    object.promote(key, _store(_Scope(core: nil, target: nil)).value, policy)
  }
  public static func _unmanaged(from input: Any) throws -> Self {
    guard let value = _load(_StoredValue(try DynamicInput.scalar(input, _shape)), _Scope(core: nil, target: nil)) else {
      throw RealmFailure.misuse("Could not convert value '\(input)' to type '\(Self.self)'.")
    }
    return value
  }
  public static func _element(from input: Any) throws -> Self { try _unmanaged(from: input) }
  public static var _staysInWrapper: Bool { false }
  public static func _accepts(_ stored: _StoredValue) -> Bool { _load(stored, _Scope(core: nil, target: nil)) != nil }

  /// A traced object has no value; anything else without one is damage or a failed conversion.
  static func _missing(_ object: ObjectBase, _ key: UInt32) -> Self {
    if !object.isManaged { return _defaultValue() }
    stop(
      "Failed to convert persisted value '\(DynamicInput.text(object.storedValue(key)))' to type '\(Self.self)' in a non-optional context.")
  }
}

extension _Persistable {
  @inlinable public static func _assignUnmanaged(_ old: Self?, _ value: Self) -> Self { value }
  public static func _accepts(_ stored: _StoredValue) -> Bool { true }
}

/// Integers of every width are stored as 64 bits.
public protocol _StorableInteger: FixedWidthInteger, _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType,
  AddableType, SortableType, _Indexable, _PrimaryKey, _QueryNumeric
where PersistedType == Self {}

extension _StorableInteger {
  public static var _shape: _Shape { _Shape(.int) }
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self { Self(truncatingIfNeeded: object._int(key)) }
  @inlinable public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Self) { object._storeInt(key, Int64(truncatingIfNeeded: value)) }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    if case .int(let number) = stored.value { Self(truncatingIfNeeded: number) } else { nil }
  }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.int(Int64(truncatingIfNeeded: self))) }
  @inlinable public static func _defaultValue() -> Self { 0 }
}
extension Int: _StorableInteger { public typealias PersistedType = Int }
extension Int8: _StorableInteger { public typealias PersistedType = Int8 }
extension Int16: _StorableInteger { public typealias PersistedType = Int16 }
extension Int32: _StorableInteger { public typealias PersistedType = Int32 }
extension Int64: _StorableInteger { public typealias PersistedType = Int64 }

extension Bool: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable, _PrimaryKey {
  public typealias PersistedType = Bool
  public static var _shape: _Shape { _Shape(.bool) }
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Bool { object._bool(key) ?? false }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Bool? { if case .bool(let flag) = stored.value { flag } else { nil } }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.bool(self)) }
  @inlinable public static func _defaultValue() -> Bool { false }
}

extension Float: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  public typealias PersistedType = Float
  public static var _shape: _Shape { _Shape(.float) }
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Float { object._float(key) ?? 0 }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Float? { if case .float(let number) = stored.value { number } else { nil } }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.float(self)) }
  @inlinable public static func _defaultValue() -> Float { 0 }
}

extension Double: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  public typealias PersistedType = Double
  public static var _shape: _Shape { _Shape(.double) }
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Double { object._double(key) ?? 0 }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Double? { if case .double(let number) = stored.value { number } else { nil } }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.double(self)) }
  @inlinable public static func _defaultValue() -> Double { 0 }
}

extension String: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SortableType, _Indexable, _PrimaryKey, _QueryString,
  _QueryBinary
{
  public typealias PersistedType = String
  public static var _shape: _Shape { _Shape(.string) }
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> String { object._string(key) ?? "" }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> String? {
    if case .string(let bytes) = stored.value { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(Value(self)) }
  @inlinable public static func _defaultValue() -> String { "" }
}

extension Data: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SortableType, _QueryBinary {
  public typealias PersistedType = Data
  public static var _shape: _Shape { _Shape(.data) }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Data? {
    if case .binary(let bytes) = stored.value { Data(bytes) } else { nil }
  }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.binary([UInt8](self))) }
  @inlinable public static func _defaultValue() -> Data { Data() }
}

extension Date: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, SortableType, _Indexable, _QueryNumeric {
  public typealias PersistedType = Date
  public static var _shape: _Shape { _Shape(.date) }
  @inlinable public static func _get(_ object: ObjectBase, _ key: UInt32) -> Date { object._date(key) ?? Date(timeIntervalSince1970: 0) }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Date? {
    if case .timestamp(let timestamp) = stored.value { Date(timestamp) } else { nil }
  }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.timestamp(Timestamp(self))) }
  @inlinable public static func _defaultValue() -> Date { Date() }
}

extension UUID: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable, _PrimaryKey {
  public typealias PersistedType = UUID
  public static var _shape: _Shape { _Shape(.UUID) }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> UUID? { if case .uuid(let bytes) = stored.value { UUID(bytes) } else { nil } }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.uuid(UUIDBytes(self))) }
  @inlinable public static func _defaultValue() -> UUID { UUID() }
}

extension ObjectId: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable, _PrimaryKey {
  public typealias PersistedType = ObjectId
  public static var _shape: _Shape { _Shape(.objectId) }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    if case .objectID(let value) = stored.value { Self(value) } else { nil }
  }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.objectID(engineValue)) }
  public static func _defaultValue() -> Self { Self(ObjectId.generate().engineValue) }
}

extension Decimal128: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
  public typealias PersistedType = Decimal128
  public static var _shape: _Shape { _Shape(.decimal128) }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    if case .decimal(let value) = stored.value { Self(value) } else { nil }
  }
  public func _store(_ scope: _Scope) -> _StoredValue { _StoredValue(.decimal(engineValue)) }
  public static func _defaultValue() -> Self { Self(Decimal128().engineValue) }
}
