/// The bytes under which a search index files a value: inline for types of fixed size, borrowed from strings and binaries. F9.1.
///
/// Different values may have the same bytes (Mixed 3, 3.0 and the decimal 3.25): equality here is that of the bytes, not of the values.
package enum IndexBytes: Sendable {
  case null
  /// Up to 16 bytes; byte i is bits 8i and up of `bits`. The bits beyond `byteCount` are zero.
  case inline(bits: UInt128, byteCount: Int)
  case text([UInt8])

  /// Nil for a plain link, which no index can hold.
  package init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int(let value): self.init(value)
    case .bool(let value): self.init(value ? 1 : 0)
    case .string(let bytes), .binary(let bytes): self = .text(bytes)
    case .timestamp(let value): self.init(UInt64(bitPattern: value.seconds), UInt32(bitPattern: value.nanoseconds))
    case .objectID(let id): self.init(id.high.byteSwapped, id.low.byteSwapped)
    case .uuid(let uuid): self = .inline(bits: UInt128(uuid.low.byteSwapped) << 64 | UInt128(uuid.high.byteSwapped), byteCount: 16)
    case .float(let value):
      if let integer = Self.smallInteger(Double(value)) { self.init(integer) } else { self = .inline(bits: UInt128(value.bitPattern), byteCount: 4) }
    case .double(let value):
      if let integer = Self.smallInteger(value) { self.init(integer) } else { self = .inline(bits: UInt128(value.bitPattern), byteCount: 8) }
    case .decimal(let value):
      if let integer = value.truncatedToInt64() {
        self.init(integer)
      } else {
        self = .inline(bits: UInt128(value.high) << 64 | UInt128(value.low), byteCount: 16)
      }
    case .typedLink(let link):
      if link.key.isUnresolved {
        self = .null
      } else {
        let key = UInt128(UInt64(bitPattern: link.key.rawValue))
        self = .inline(bits: key << 32 | UInt128(link.table.rawValue), byteCount: 12)
      }
    case .list: self = Self.list
    case .dictionary: self = Self.dictionary
    case .link: return nil
    }
  }

  @inline(__always) package init(_ value: Int64) { self = .inline(bits: UInt128(UInt64(bitPattern: value)), byteCount: 8) }

  private init(_ first: UInt64, _ rest: UInt32) { self = .inline(bits: UInt128(rest) << 64 | UInt128(first), byteCount: 12) }

  /// The number as an integer, if it is one of 32 bits.
  private static func smallInteger(_ value: Double) -> Int64? {
    guard value >= -0x1p31 && value < 0x1p31 else { return nil }
    let truncated = Int64(value)
    return Double(truncated) == value ? truncated : nil
  }

  private static let list = IndexBytes.inline(bits: bits(of: "__List__"), byteCount: 8)
  private static let dictionary = IndexBytes.inline(bits: bits(of: "__Dictionary__"), byteCount: 14)
  private static func bits(of text: StaticString) -> UInt128 { "\(text)".utf8.reversed().reduce(0) { $0 << 8 | UInt128($1) } }

  /// - Parameter offset: not negative.
  @inline(__always) package func key(offset: Int) -> Int32 {
    switch self {
    case .null: return IndexKey.null
    case .text(let bytes): return IndexKey.key(ofBytes: bytes, offset: offset)
    case .inline(let bits, let byteCount):
      let remaining = byteCount - offset
      if remaining < 0 { return IndexKey.null }
      let word = UInt32(truncatingIfNeeded: bits >> UInt128(truncatingIfNeeded: 8 &* offset)).byteSwapped
      if remaining >= 4 { return Int32(bitPattern: word) }
      // The bits past the end are zero, so the word's leading bytes are the tail.
      return IndexKey.key(ofTail: remaining == 0 ? 0 : word >> UInt32(8 * (4 - remaining)), byteCount: remaining)
    }
  }

  /// Appends the bytes.
  /// - Returns: false for null.
  package func append(to target: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .text(let bytes): target.append(contentsOf: bytes)
    case .inline(let bits, let byteCount):
      for index in 0..<byteCount { target.append(UInt8(truncatingIfNeeded: bits >> UInt128(8 * index))) }
    }
    return true
  }

  /// Nil for null.
  package var byteCount: Int? {
    switch self {
    case .null: nil
    case .inline(_, let byteCount): byteCount
    case .text(let bytes): bytes.count
    }
  }
}

extension IndexBytes: Equatable {
  package static func == (a: IndexBytes, b: IndexBytes) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.inline(let x, let xCount), .inline(let y, let yCount)): x == y && xCount == yCount
    case (.text(let x), .text(let y)): x == y
    case (.inline(let bits, let byteCount), .text(let text)), (.text(let text), .inline(let bits, let byteCount)):
      text.count == byteCount && text.reversed().reduce(0) { $0 << 8 | UInt128($1) } == bits
    default: false
    }
  }
}
