/// A node's byte offset from the start of the file (or, beyond the file's part of the reservation, in scratch memory).
/// Always a multiple of 8; 0 is the null ref. F2.5.
package struct Ref: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let byteOffset: UInt64
  package static var null: Ref { Ref(0) }

  @inline(__always) package init(_ byteOffset: UInt64) { self.byteOffset = byteOffset }
  /// The element of a ref array, whose sign has no meaning.
  @inline(__always) package init(element: Int64) { byteOffset = UInt64(bitPattern: element) }
  @inline(__always) package var element: Int64 { Int64(bitPattern: byteOffset) }
  @inline(__always) package var isNull: Bool { byteOffset == 0 }
  @inline(__always) package static func < (a: Ref, b: Ref) -> Bool { a.byteOffset < b.byteOffset }
  package var description: String { "0x" + String(byteOffset, radix: 16) }
}

/// A table's identity: slot in the group (bits 0-15) and generation of that slot (bits 16-30). F4.3.
package struct TableKey: Hashable, Comparable, Sendable {
  package let rawValue: UInt32
  package static var null: TableKey { TableKey(rawValue: 0x7FFF_FFFF) }

  @inline(__always) package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(slot: Int, tag: UInt32) { rawValue = UInt32(slot) | tag << 16 }
  package var slot: Int { Int(rawValue & 0xFFFF) }
  package var tag: UInt32 { rawValue >> 16 }
  package static func < (a: TableKey, b: TableKey) -> Bool { a.rawValue < b.rawValue }
}

/// An object's identity within its table: 0 and above live, -1 null, -2 and below unresolved (a tombstone). F4.3.
package struct ObjectKey: Hashable, Comparable, Sendable {
  package let rawValue: Int64
  package static var null: ObjectKey { ObjectKey(-1) }

  @inline(__always) package init(_ rawValue: Int64) { self.rawValue = rawValue }
  @inline(__always) package var isNull: Bool { rawValue == -1 }
  @inline(__always) package var isUnresolved: Bool { rawValue <= -2 }
  /// The tombstone key of a live key, or the other way round.
  package var unresolved: ObjectKey { ObjectKey(-2 &- rawValue) }
  @inline(__always) package static func < (a: ObjectKey, b: ObjectKey) -> Bool { a.rawValue < b.rawValue }
}

/// A column's identity: leaf index, type, attributes and tag in one number. F4.3.
package struct ColumnKey: Hashable, Sendable {
  package let rawValue: Int64
  package static var null: ColumnKey { ColumnKey(rawValue: 0x7FFF_FFFF_FFFF_FFFF) }

  @inline(__always) package init(rawValue: Int64) { self.rawValue = rawValue }
  package init(leafIndex: Int, type: ColumnType, attributes: ColumnAttributes, tag: UInt32) {
    rawValue =
      Int64(leafIndex) | Int64(type.rawValue) << 16
      | Int64(attributes.intersection(.inColumnKey).rawValue) << 22 | Int64(tag) << 30
  }
  /// The column's slot in a cluster is this plus one.
  @inline(__always) package var leafIndex: Int { Int(rawValue & 0xFFFF) }
  /// The raw type number; may be a historic one in files below format 24.
  package var typeNumber: Int { Int(rawValue >> 16 & 0x3F) }
  package var type: ColumnType? { ColumnType(rawValue: UInt8(typeNumber)) }
  package var attributes: ColumnAttributes { ColumnAttributes(rawValue: Int(rawValue >> 22 & 0xFF)) }
  package var tag: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 30) }
}

/// The type of a column or of one value. The numbers are those of the file (F4.3).
package enum ColumnType: UInt8, Sendable, CaseIterable {
  case int = 0, bool = 1, string = 2, binary = 4, mixed = 6, timestamp = 8, float = 9, double = 10, decimal = 11
  case link = 12
  /// Link lists before format 24; now `link` with attribute `list`.
  case legacyLinkList = 13
  case backlink = 14, objectID = 15, typedLink = 16, uuid = 17
  case list = 19, set = 20, dictionary = 21

  /// Whether values of this type can have a general search index. F9.
  var hasIndexes: Bool {
    switch self {
    case .int, .bool, .string, .timestamp, .objectID, .uuid, .mixed: true
    default: false
    }
  }
}

/// Attribute bits of a column (F4.3).
package struct ColumnAttributes: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  package static let indexed = ColumnAttributes(rawValue: 1)
  package static let unique = ColumnAttributes(rawValue: 2)
  package static let strongLinks = ColumnAttributes(rawValue: 8)
  package static let nullable = ColumnAttributes(rawValue: 16)
  package static let list = ColumnAttributes(rawValue: 32)
  package static let dictionary = ColumnAttributes(rawValue: 64)
  package static let set = ColumnAttributes(rawValue: 128)
  package static let fullTextIndexed = ColumnAttributes(rawValue: 256)

  package static let collection: ColumnAttributes = [.list, .dictionary, .set]
  package static let inColumnKey: ColumnAttributes = [.strongLinks, .nullable, .list, .dictionary, .set]
}
