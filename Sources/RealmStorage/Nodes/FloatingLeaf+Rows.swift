// Conditions on leaves of Float and Double.

extension FloatingLeaf where Number: Sendable, Number.Bits: Sendable {
  /// The rows that are neither `isNegated` nor complemented yet; `numbers` is the mask of the interval.
  @inline(__always) fileprivate func completed(_ numbers: RowMask, _ test: FloatingTest<Number>, _ count: Int) -> RowMask {
    var result = numbers
    switch test.acceptsNaN {
    case .none: break
    case .all:
      result |= rowMask(count: count) { row in
        let bits = node.number(unchecked: row &* MemoryLayout<Number.Bits>.size, as: Number.Bits.self)
        return Number(storedBits: bits).isNaN && bits != Number.nullBits
      }
    case .exactly(let wanted): if wanted != Number.nullBits { result |= rows(bits: wanted, count) }
    }
    if test.acceptsNull { result |= rows(bits: Number.nullBits, count) }
    return test.isNegated ? result.complement(of: count) : result
  }
  @inline(__always) private func rows(bits: Number.Bits, _ count: Int) -> RowMask {
    rowMask(count: count) { node.number(unchecked: $0 &* MemoryLayout<Number.Bits>.size, as: Number.Bits.self) == bits }
  }
  func nullRows(count: Int) -> RowMask { rows(bits: Number.nullBits, count) }
}

extension FloatingLeaf<Double> {
  /// The caller guarantees `count <= 256` and that the elements exist.
  func rows(_ test: FloatingTest<Double>, count: Int) -> RowMask {
    assert(count <= 256 && count <= self.count)
    if !(test.low <= test.high) { return completed(.empty, test, count) }
    let (lows, highs) = (SIMD2(repeating: test.low), SIMD2(repeating: test.high))
    @inline(__always) func word(_ start: Int) -> UInt64 {
      var bits = SIMD2<UInt64>()
      var weights = SIMD2<UInt64>(1, 2)
      let end = min(count &- start, 64)
      var row = 0
      while row &+ 2 <= end {
        let lanes = unsafe node.payload.loadUnaligned(fromByteOffset: (start &+ row) &* 8, as: SIMD2<Double>.self)
        bits |= SIMD2<UInt64>().replacing(with: weights, where: (lanes .>= lows) .& (lanes .<= highs))
        weights = weights &<< 2
        row &+= 2
      }
      var result = bits[0] | bits[1]
      if row < end {
        let number = unsafe node.payload.loadUnaligned(fromByteOffset: (start &+ row) &* 8, as: Double.self)
        if number >= test.low && number <= test.high { result |= 1 &<< UInt64(truncatingIfNeeded: row) }
      }
      return result
    }
    return completed(RowMask(word(0), word(64), word(128), word(192)), test, count)
  }
}

extension FloatingLeaf<Float> {
  /// The caller guarantees `count <= 256` and that the elements exist.
  func rows(_ test: FloatingTest<Float>, count: Int) -> RowMask {
    assert(count <= 256 && count <= self.count)
    if !(test.low <= test.high) { return completed(.empty, test, count) }
    let numbers = rowMask(count: count) { row in
      let number = unsafe node.payload.loadUnaligned(fromByteOffset: row &* 4, as: Float.self)
      let notBelow: UInt8 = number >= test.low ? 1 : 0
      let notAbove: UInt8 = number <= test.high ? 1 : 0
      return notBelow & notAbove != 0
    }
    return completed(numbers, test, count)
  }
}

/// Sum, count and extremes of floating-point values, without nulls and NaNs.
///
/// The first 4096 values are added one after the other in row order, as the original does it; behind them, leaves that are wanted whole are
/// added in eight partial sums, which is faster and no less exact, but may differ in the last digits.
package struct FloatingTotals: Sendable {
  package var sum = 0.0
  package var count = 0
  package var low = Double.infinity
  package var high = -Double.infinity
  package init() {}

  /// There was no value. Right where only one extreme was wanted, too.
  package var isWithoutExtremes: Bool { low == .infinity && high == -.infinity }
}

/// The extremes of leaves that are wanted whole, in lanes that do not wait for each other: they are brought together once for many leaves.
struct FloatingExtremes {
  var low = SIMD8(repeating: Double.infinity)
  var high = SIMD8(repeating: -Double.infinity)

  func add(to totals: inout FloatingTotals) {
    for lane in low.indices {
      totals.low = min(totals.low, low[lane])
      totals.high = max(totals.high, high[lane])
    }
  }
}

extension FloatingLeaf {
  /// The sum and the number of the values; `mask` picks rows, nil means all `count`.
  @inline(__always) func add(_ totals: inout FloatingTotals, _ row: Int) {
    let number = Number(storedBits: node.number(unchecked: row &* MemoryLayout<Number.Bits>.size, as: Number.Bits.self))
    if number.isNaN { return }
    let value = Double(number)
    totals.sum += value
    totals.count &+= 1
    totals.low = min(totals.low, value)
    totals.high = max(totals.high, value)
  }
  fileprivate func addAll(_ totals: inout FloatingTotals, _ mask: RowMask) { mask.forEach { add(&totals, $0) } }
}

extension FloatingLeaf<Double> {
  /// Adds the rows of `mask` among the first `count`. `sums`, `lows` and `highs` say what is wanted; the rest may stay as it was.
  /// - Parameter extremes: to be added to the totals in the end.
  @inline(__always) func add(
    to totals: inout FloatingTotals, _ extremes: inout FloatingExtremes, _ mask: RowMask, count: Int, sums: Bool, lows: Bool, highs: Bool
  ) {
    if mask != RowMask(first: count) { return addAll(&totals, mask) }
    if sums { addSum(to: &totals, count: count) }
    if lows { addLow(to: &extremes, count: count) }
    if highs { addHigh(to: &extremes, count: count) }
    // The infinity that an extreme begins with may be a value, too: the other extreme tells.
    if lows && !highs && extremes.low == FloatingExtremes().low { addHigh(to: &extremes, count: count) }
    if highs && !lows && extremes.high == FloatingExtremes().high { addLow(to: &extremes, count: count) }
  }

  private func addPartialSums(to totals: inout FloatingTotals, count: Int) {
    var first = SIMD4<Double>(), second = SIMD4<Double>()
    var missing = SIMD4<Int64>()
    let ones = SIMD4<Int64>(repeating: 1)
    var row = 0
    while row &+ 8 <= count {
      let a = unsafe node.payload.loadUnaligned(fromByteOffset: row &<< 3, as: SIMD4<Double>.self)
      let b = unsafe node.payload.loadUnaligned(fromByteOffset: (row &+ 4) &<< 3, as: SIMD4<Double>.self)
      first += a.replacing(with: 0, where: a .!= a)
      second += b.replacing(with: 0, where: b .!= b)
      missing &+= SIMD4<Int64>().replacing(with: ones, where: a .!= a)
      missing &+= SIMD4<Int64>().replacing(with: ones, where: b .!= b)
      row &+= 8
    }
    totals.count &+= row &- Int(missing[0] &+ missing[1] &+ missing[2] &+ missing[3])
    totals.sum += (first + second).sum()
    while row < count {
      add(&totals, row)
      row &+= 1
    }
  }

  private func addSum(to totals: inout FloatingTotals, count: Int) {
    if totals.count >= 4096 { return addPartialSums(to: &totals, count: count) }
    var sum = totals.sum
    var missing = 0
    for row in 0..<count {
      let bits = node.number(unchecked: row &<< 3, as: UInt64.self)
      // All ones for NaN, else 0: without a branch, and without waiting for it in the chain of additions.
      let isNaN = (0x7FF0_0000_0000_0000 &- Int64(bitPattern: bits & 0x7FFF_FFFF_FFFF_FFFF)) &>> 63
      sum += Double(bitPattern: bits & ~UInt64(bitPattern: isNaN))
      missing &-= Int(isNaN)
    }
    totals.sum = sum
    totals.count &+= count &- missing
  }

  // One extreme at a time: most callers want only one, and the loop of both has more to do than the memory takes to bring the values.

  private func addLow(to extremes: inout FloatingExtremes, count: Int) {
    take(into: &extremes.low, count: count, isBetter: { $0 .< $1 })
  }

  private func addHigh(to extremes: inout FloatingExtremes, count: Int) {
    take(into: &extremes.high, count: count, isBetter: { $0 .> $1 })
  }

  /// Puts the better one of each lane and the values into the lane. A comparison with NaN is false, so that NaN is never the better one.
  @inline(__always) private func take(
    into lanes: inout SIMD8<Double>, count: Int, isBetter: (SIMD8<Double>, SIMD8<Double>) -> SIMDMask<SIMD8<Int64>>
  ) {
    var first = lanes, second = lanes
    @inline(__always) func take(_ row: Int, _ lanes: inout SIMD8<Double>) {
      let values = unsafe node.payload.loadUnaligned(fromByteOffset: row &<< 3, as: SIMD8<Double>.self)
      lanes.replace(with: values, where: isBetter(values, lanes))
    }
    var row = 0
    // Twice each, since the values end in the registers that they were loaded into, and have to be moved for the next round.
    while row &+ 32 <= count {
      take(row, &first)
      take(row &+ 8, &second)
      take(row &+ 16, &first)
      take(row &+ 24, &second)
      row &+= 32
    }
    while row &+ 8 <= count {
      take(row, &first)
      row &+= 8
    }
    while row < count {
      let value = SIMD8(repeating: Double(bitPattern: node.number(unchecked: row &<< 3, as: UInt64.self)))
      second.replace(with: value, where: isBetter(value, second))
      row &+= 1
    }
    lanes = first.replacing(with: second, where: isBetter(second, first))
  }
}

extension FloatingLeaf<Float> {
  func add(to totals: inout FloatingTotals, _ mask: RowMask) { addAll(&totals, mask) }
}
