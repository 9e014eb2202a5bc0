// Adding up integer arrays and finding their extremes, specialised for the width of the node.

extension Node {
  /// The sum of all elements of an array of signed integers (F2.3), modulo 2^64. The caller guarantees the scheme.
  package func sum() -> Int64 { sum(start: 0, count: count) }

  /// The sum of elements `start..<start + count`, which the caller guarantees to exist.
  func sum(start: Int, count: Int) -> Int64 {
    switch header.widthIndex {
    case 0: return 0
    case 4: return unsafe narrowTotal(payload + start, count, Int8.self)
    case 5: return unsafe narrowTotal(payload + start << 1, count, Int16.self)
    case 6: return unsafe total(payload + start << 2, count, Int32.self)
    case 7: return unsafe total(payload + start << 3, count, Int64.self)
    default:
      var sum: Int64 = 0
      for index in start..<start + count { sum &+= element(unchecked: index) }
      return sum
    }
  }

  /// The smallest and the largest of elements `start..<start + count`, of which there is at least one; the caller guarantees that they exist.
  func extremes(start: Int, count: Int) -> (low: Int64, high: Int64) {
    switch header.widthIndex {
    case 0: return (0, 0)
    case 4: return unsafe lowAndHigh(payload + start, count, Int8.self)
    case 5: return unsafe lowAndHigh(payload + start << 1, count, Int16.self)
    case 6: return unsafe lowAndHigh(payload + start << 2, count, Int32.self)
    case 7: return unsafe lowAndHigh(payload + start << 3, count, Int64.self)
    default:
      var (low, high) = (Int64.max, Int64.min)
      for index in start..<start + count {
        let number = element(unchecked: index)
        low = min(low, number)
        high = max(high, number)
      }
      return (low, high)
    }
  }
}

@inline(__always)
private func total<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(_ payload: UnsafeRawPointer, _ count: Int, _ type: T.Type) -> Int64 {
  var sum: Int64 = 0
  for index in 0..<count {
    sum &+= Int64(truncatingIfNeeded: unsafe payload.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self))
  }
  return sum
}

/// Adds in 32 bits, which 2^15 numbers of 16 bits cannot overflow.
@inline(__always)
private func narrowTotal<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
  _ payload: UnsafeRawPointer, _ count: Int, _ type: T.Type
) -> Int64 {
  var sum: Int64 = 0
  var begin = 0
  while begin < count {
    let end = min(begin &+ 0x8000, count)
    var part: Int32 = 0
    for index in begin..<end {
      part &+= Int32(truncatingIfNeeded: unsafe payload.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self))
    }
    sum &+= Int64(part)
    begin = end
  }
  return sum
}

@inline(__always)
private func lowAndHigh<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
  _ payload: UnsafeRawPointer, _ count: Int, _ type: T.Type
) -> (low: Int64, high: Int64) {
  var (low, high) = (T.max, T.min)
  for index in 0..<count {
    let number = unsafe payload.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)
    low = min(low, number)
    high = max(high, number)
  }
  return (Int64(truncatingIfNeeded: low), Int64(truncatingIfNeeded: high))
}

/// Sum (wrapping), count and extremes of integers, without nulls.
package struct IntegerTotals: Sendable {
  package var sum: Int64 = 0
  package var count = 0
  package var low = Int64.max
  package var high = Int64.min
  package init() {}

  @inline(__always) mutating func add(_ number: Int64) {
    sum &+= number
    count &+= 1
    low = min(low, number)
    high = max(high, number)
  }
}

extension Node {
  /// Adds the rows of `mask` among the first `count` elements. `sums` and `extremes` say what is wanted; the rest may stay as it was.
  func add(to totals: inout IntegerTotals, _ mask: RowMask, count: Int, start: Int = 0, null: Int64?, sums: Bool, extremes wantsExtremes: Bool) {
    var mask = mask
    if let null { mask = mask.subtracting(rows(from: null, through: null, start: start, count: count)) }
    guard mask == RowMask(first: count) else { return mask.forEach { totals.add(element(unchecked: start &+ $0)) } }
    totals.count &+= count
    if sums { totals.sum &+= sum(start: start, count: count) }
    if wantsExtremes && count > 0 {
      let extremes = extremes(start: start, count: count)
      totals.low = min(totals.low, extremes.low)
      totals.high = max(totals.high, extremes.high)
    }
  }
}
