/// Reads the primitive encodings of changesets, and never past the end.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func byte() throws(ChangesetError.Reason) -> UInt8 {
    guard offset < bytes.count else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Groups of 7 bits, the last one of 6 bits and a sign. Overlong forms count, more than 64 bits do not.
  mutating func integer() throws(ChangesetError.Reason) -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      let isLast = next & 0x80 == 0
      let group = UInt64(next & (isLast ? 0x3f : 0x7f))
      // 63 bits and a sign: the tenth byte can only be the end.
      guard shift < 63 || group == 0 && isLast else { throw .integerTooLong }
      if shift < 63 { value |= group << shift }
      if isLast { return next & 0x40 == 0 ? Int64(value) : -1 - Int64(value) }
      shift += 7
    }
  }

  mutating func count() throws(ChangesetError.Reason) -> UInt64 {
    let value = try integer()
    guard value >= 0 else { throw .negative }
    return UInt64(value)
  }

  mutating func wideInteger() throws(ChangesetError.Reason) -> UInt128 {
    var value: UInt128 = 0
    var shift: UInt128 = 0
    while true {
      let next = try byte()
      let isLast = next & 0x80 == 0
      guard !isLast || next & 0x40 == 0 else { throw .negative }
      let group = UInt128(next & 0x7f)
      guard shift < 128, (group << shift) >> shift == group else { throw .coefficientTooLong }
      value |= group << shift
      if isLast { return value }
      shift += 7
    }
  }

  /// A length and that many bytes, which are not copied.
  mutating func range() throws(ChangesetError.Reason) -> ByteRange {
    let length = try count()
    guard length <= UInt64(bytes.count - offset) else { throw .truncated }
    defer { offset += Int(length) }
    return ByteRange(start: UInt32(offset), count: UInt32(length))
  }

  /// `byteCount` bytes as a number, the first one being the most significant.
  mutating func bigEndian(byteCount: Int) throws(ChangesetError.Reason) -> UInt128 {
    guard byteCount <= bytes.count - offset else { throw .truncated }
    var value: UInt128 = 0
    for position in offset..<offset + byteCount { value = value << 8 | UInt128(bytes[position]) }
    offset += byteCount
    return value
  }
}
