import RealmStorage

/// Integers of every width are stored as 64 bits.
public protocol _StorableInteger: FixedWidthInteger, _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType,
  AddableType, SortableType, _Indexable, _PrimaryKey, _QueryNumeric
where PersistedType == Self {}

extension _StorableInteger {
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.int, bitWidth: bitWidth) }
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

extension _StorableInteger {
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  @inlinable public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? {
    object._optionalInt(key).map { Self(truncatingIfNeeded: $0) }
  }
}

extension _StorableInteger {
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, int: Int64(truncatingIfNeeded: self)) }
  /// The value as an integer, for primary keys; nil for other types.
  public var _integer: Int64? { Int64(truncatingIfNeeded: self) }
}
