/// Which sizes a chunk may have, so that those are not searched for again and again that none has.
///
/// A size that is not in it is certain; one that is, is a guess.
struct PossibleSizes: Sendable {
  /// One bit per size, in units of 8 bytes.
  private var bits = [UInt64](repeating: .max, count: 16)
  /// Larger ones are always possible.
  private static let limit: UInt64 = 16 * 64 * 8

  func contains(_ byteCount: UInt64) -> Bool {
    byteCount >= Self.limit || bits[Int(byteCount >> 9)] & 1 << (byteCount >> 3 & 63) != 0
  }

  @inline(__always) mutating func insert(_ byteCount: UInt32) {
    if byteCount < UInt32(Self.limit) { bits[Int(byteCount >> 9)] |= 1 << UInt64(byteCount >> 3 & 63) }
  }

  /// No chunk has this size.
  mutating func remove(_ byteCount: UInt64) {
    if byteCount < Self.limit { bits[Int(byteCount >> 9)] &= ~(1 << (byteCount >> 3 & 63)) }
  }
}
