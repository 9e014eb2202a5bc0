/// One value of a property or of a collection's element, as the engine stores it.
///
/// Text is bytes: UTF-8 that was never validated, compared as bytes (`String ==` decides nothing here). Nested collections appear as
/// markers; their elements are reached through the collection itself.
package enum Value: Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  /// UTF-8 bytes without terminator.
  case string([UInt8])
  case binary([UInt8])
  case timestamp(Timestamp)
  case float(Float)
  case double(Double)
  case decimal(Decimal128)
  case objectID(ObjectID)
  case uuid(UUIDBytes)
  /// A link whose target table is known from the column.
  case link(ObjectKey)
  /// A link in a Mixed value.
  case typedLink(ObjectLink)
  /// A nested list in a Mixed value; `Ref` is its root, null while it is empty.
  case list(Ref)
  /// A nested dictionary in a Mixed value.
  case dictionary(Ref)

  package init(_ text: String) { self = .string(Array(text.utf8)) }
}

/// Seconds and nanoseconds since 1970-01-01T00:00:00Z; both have the same sign. Nanoseconds lie in ±999,999,999. F3.16.
package struct Timestamp: Hashable, Sendable {
  package let seconds: Int64
  package let nanoseconds: Int32
  package init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

/// Twelve bytes in textual order. F3.11.
package struct ObjectID: Hashable, Sendable {
  /// Bytes 0-7 and 8-11, each big-endian, so that comparing the pair compares the bytes.
  package let high: UInt64
  package let low: UInt32
  package init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }
}

/// Sixteen bytes in textual order. F3.11.
package struct UUIDBytes: Hashable, Sendable {
  /// Bytes 0-7 and 8-15, each big-endian, so that comparing the pair compares the bytes.
  package let high: UInt64
  package let low: UInt64
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// An IEEE 754-2008 decimal128 in BID encoding, as 16 bytes in the file: low word first. F3.17.
/// Two values are identical here when all bits are; numeric comparison is a different question.
package struct Decimal128: Hashable, Sendable {
  package let low: UInt64
  package let high: UInt64
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }
}

/// A table and an object in it.
package struct ObjectLink: Hashable, Sendable {
  package let table: TableKey
  package let key: ObjectKey
  package init(table: TableKey, key: ObjectKey) {
    self.table = table
    self.key = key
  }
}
