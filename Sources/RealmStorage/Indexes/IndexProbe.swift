/// What a general index needs of its table: the values of the objects that it files. It never asks for the object that is being
/// inserted or removed, so the caller may change the column before or after the index.
package protocol IndexValueSource {
  /// Whether different values of the column may have the same index bytes: true for Mixed columns. F9.4.
  var valuesShareBytes: Bool { get }
  func value(of key: ObjectKey) throws(StorageError) -> Value
  /// The value in an Int or Bool column, for the operations that take an integer.
  func integer(of key: ObjectKey) throws(StorageError) -> Int64?
  /// Whether the object's value has the given bytes and, where that leaves a doubt, equals `value`.
  func holds(_ key: ObjectKey, _ value: Value, _ bytes: IndexBytes) throws(StorageError) -> Bool
}

extension IndexValueSource {
  package var valuesShareBytes: Bool { false }

  package func integer(of key: ObjectKey) throws(StorageError) -> Int64? {
    switch try value(of: key) {
    case .null: nil
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    default: throw .typeMismatch(reason: "a column that is indexed by integers holds another value in object \(key.rawValue)")
    }
  }

  package func holds(_ key: ObjectKey, _ value: Value, _ bytes: IndexBytes) throws(StorageError) -> Bool {
    let other = try self.value(of: key)
    guard IndexBytes(other) == bytes else { return false }
    return !valuesShareBytes || Value.compare(other, value) == 0
  }
}

/// The value that an operation files, withdraws or looks for.
protocol IndexProbe {
  /// The value of an object that the index holds.
  init<Source: IndexValueSource>(of key: ObjectKey, _ source: Source) throws(StorageError)
  func key(offset: Int) -> Int32
  func hasSameBytes(as other: Self) -> Bool
  /// F6.3; the integers of one column agree with it.
  func isOrdered(before other: Self) -> Bool
  /// Whether the object is one that a search finds.
  func matches<Source: IndexValueSource>(_ key: ObjectKey, _ source: Source) throws(StorageError) -> Bool
}

/// Of an Int or Bool column; nil is null.
struct IntegerProbe: IndexProbe {
  let value: Int64?

  @inline(__always) init(_ value: Int64?) { self.value = value }
  @inline(__always) init<Source: IndexValueSource>(of key: ObjectKey, _ source: Source) throws(StorageError) {
    value = try source.integer(of: key)
  }
  @inline(__always) func key(offset: Int) -> Int32 {
    guard let value else { return IndexKey.null }
    return IndexKey.key(ofInt: value, offset: offset)
  }
  @inline(__always) func hasSameBytes(as other: IntegerProbe) -> Bool { value == other.value }
  func isOrdered(before other: IntegerProbe) -> Bool {
    guard let value else { return other.value != nil }
    return other.value.map { value < $0 } ?? false
  }
  @inline(__always) func matches<Source: IndexValueSource>(_ key: ObjectKey, _ source: Source) throws(StorageError) -> Bool {
    try source.integer(of: key) == value
  }
}

/// Of any column.
struct ValueProbe: IndexProbe {
  let value: Value
  let bytes: IndexBytes

  /// - Throws: `.typeMismatch` for a plain link, which no index holds.
  init(_ value: Value) throws(StorageError) {
    guard let bytes = IndexBytes(value) else { throw .typeMismatch(reason: "a link cannot be indexed") }
    (self.value, self.bytes) = (value, bytes)
  }
  init<Source: IndexValueSource>(of key: ObjectKey, _ source: Source) throws(StorageError) { try self.init(source.value(of: key)) }

  func key(offset: Int) -> Int32 { bytes.key(offset: offset) }
  func hasSameBytes(as other: ValueProbe) -> Bool { bytes == other.bytes }
  func isOrdered(before other: ValueProbe) -> Bool { Value.compare(value, other.value) < 0 }
  func matches<Source: IndexValueSource>(_ key: ObjectKey, _ source: Source) throws(StorageError) -> Bool {
    try source.holds(key, value, bytes)
  }
}
