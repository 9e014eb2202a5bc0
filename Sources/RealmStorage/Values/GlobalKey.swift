/// The 128-bit identity of a primary key value, which names an object before it exists in this file. F7.4.
package struct GlobalKey: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Nil for a value whose type cannot be a primary key.
  package init?(primaryKey: Value) {
    switch primaryKey {
    case .null: self.init(high: 1, low: 0)
    case .int(let value): self.init(high: 0, low: UInt64(bitPattern: value))
    case .string(let utf8): self.init(hashing: utf8)
    case .objectID(let id): self.init(hashing: id.bytes)
    case .uuid(let uuid): self.init(high: uuid.high.byteSwapped, low: uuid.low.byteSwapped)
    default: return nil
    }
  }

  /// The first 16 bytes of the SHA-1, as two little-endian numbers, low first.
  private init(hashing bytes: [UInt8]) {
    var words: (low: UInt64, high: UInt64) = (0, 0)
    for (i, byte) in SHA1.digest(bytes).prefix(16).enumerated() {
      if i < 8 { words.low |= UInt64(byte) << (8 * i) } else { words.high |= UInt64(byte) << (8 * (i - 8)) }
    }
    self.init(high: words.high, low: words.low)
  }

  /// The key that the object's tombstone is derived from (`ObjectKey.unresolved`), unless the table's collision map says otherwise.
  package var localKey: ObjectKey { ObjectKey(Int64(low & 0x3FFF_FFFF_FFFF_FFFF)) }

  /// The order of the collision map: high before low, both unsigned.
  package static func < (a: GlobalKey, b: GlobalKey) -> Bool { a.high == b.high ? a.low < b.low : a.high < b.high }
}

extension GlobalKey {
  /// The identity of an object without primary key, whose key is made of it. Source: realm-core `src/realm/global_key.cpp`.
  /// - Parameter fileIdent: what the server calls this file; 0 before it was asked.
  package init(squeezed key: ObjectKey, fileIdent: UInt64) {
    let bits = UInt64(bitPattern: key.rawValue)
    let high = (bits & 0xFF00) >> 8 | (bits & 0xFFFF_FF00_0000_0000) >> 32
    self.init(high: high == 0 ? fileIdent : high, low: bits & 0xFF | (bits & 0xFF_FFFF_0000) >> 8)
  }

  /// The key of the object in a file that has the given name.
  package func squeezed(fileIdent: UInt64) -> ObjectKey {
    let high = self.high == fileIdent ? 0 : self.high
    let bits = low & 0xFF | (high & 0xFF) << 8 | (low & 0xFFFF_FF00) << 8 | (high & 0x3FFF_FF00) << 32
    return ObjectKey(Int64(bitPattern: bits))
  }
}
