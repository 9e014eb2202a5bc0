/// Texts, or other values whose index bytes have their order, between two bounds. Strings, ObjectIDs and UUIDs have it; integers and
/// timestamps, whose bytes are little-endian (F9.1), do not.
package struct IndexRange: Sendable, Equatable {
  package struct Bound: Sendable, Equatable {
    package let bytes: [UInt8]
    package let isIncluded: Bool
    package init(_ bytes: [UInt8], isIncluded: Bool) { (self.bytes, self.isIncluded) = (bytes, isIncluded) }
  }
  /// Nil: open on that side.
  package var low: Bound?
  package var high: Bound?

  package init(low: Bound? = nil, high: Bound? = nil) { (self.low, self.high) = (low, high) }

  /// Everything that begins with some bytes.
  package init(prefix: [UInt8]) {
    low = Bound(prefix, isIncluded: true)
    var next = prefix
    while next.last == 0xFF { next.removeLast() }
    if let last = next.last {
      next[next.count - 1] = last + 1
      high = Bound(next, isIncluded: false)
    }
  }

  /// What lies in both.
  package func intersection(_ other: IndexRange) -> IndexRange {
    IndexRange(
      low: Self.tighter(low, other.low) { Self.isLess($1, $0) }, high: Self.tighter(high, other.high) { Self.isLess($0, $1) })
  }
  private static func tighter(_ a: Bound?, _ b: Bound?, _ isTighter: ([UInt8], [UInt8]) -> Bool) -> Bound? {
    guard let a, let b else { return a ?? b }
    if a.bytes == b.bytes { return Bound(a.bytes, isIncluded: a.isIncluded && b.isIncluded) }
    return isTighter(a.bytes, b.bytes) ? a : b
  }

  package func contains(_ bytes: [UInt8]) -> Bool {
    if let low, Self.isLess(bytes, low.bytes) || !low.isIncluded && bytes == low.bytes { return false }
    if let high, Self.isLess(high.bytes, bytes) || !high.isIncluded && bytes == high.bytes { return false }
    return true
  }

  private static func isLess(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }
}
