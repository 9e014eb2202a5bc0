/// What rows are sorted by: one unsigned number for each row, in the order of the values, and the rows whose value has none.
///
/// Where values do not fit into 64 bits, equal keys mean only that the values have to be compared: `isExact` is false then.
package struct SortKeys {
  /// By position: the order in which rows were appended. Zero for rows without number.
  package var keys: [UInt64] = []
  /// Positions of nulls, ascending.
  package var nulls: [UInt32] = []
  /// Positions of NaNs of floating-point columns, ascending; they come after the nulls, among themselves by their bits, which `keys` holds.
  package var notNumbers: [UInt32] = []
  package var isExact = true
  /// Text: what all values begin with and the keys leave out.
  package private(set) var prefix: [UInt8] = []
  /// A text did not begin with `prefix`: the keys are worthless, and all have to be made again with this one.
  package private(set) var shorterPrefix: [UInt8]?

  package init(prefix: [UInt8] = []) { self.prefix = prefix }

  package mutating func reserve(_ count: Int) { keys.reserveCapacity(count) }
  /// A row whose value only comparisons can order.
  package mutating func append(undecided value: Value) {
    isExact = false
    if case .null = value { appendNull() } else { keys.append(0) }
  }
  /// A row whose value is known to have this rank; nil is null.
  package mutating func append(rank: UInt64?) {
    if let rank { keys.append(rank) } else { appendNull() }
  }

  @inline(__always) mutating func append(_ key: UInt64) { keys.append(key) }
  @inline(__always) mutating func appendNull() {
    nulls.append(UInt32(truncatingIfNeeded: keys.count))
    keys.append(0)
  }
  @inline(__always) mutating func append(integer: Int64) { keys.append(UInt64(bitPattern: integer) ^ 1 << 63) }

  @inline(__always) mutating func append(_ number: Double) {
    if number.isNaN {
      notNumbers.append(UInt32(truncatingIfNeeded: keys.count))
      keys.append(number.bitPattern)
      return
    }
    append(finiteOrInfinite: number)
  }

  /// NaNs have the order of their own bits: to widen a signalling one makes it another.
  @inline(__always) mutating func append(_ number: Float) {
    if number.isNaN {
      notNumbers.append(UInt32(truncatingIfNeeded: keys.count))
      keys.append(UInt64(number.bitPattern))
      return
    }
    append(finiteOrInfinite: Double(number))
  }

  @inline(__always) private mutating func append(finiteOrInfinite number: Double) {
    // Adding zero turns -0 into 0.
    let bits = (number + 0).bitPattern
    let isNegative = UInt64(bitPattern: Int64(bitPattern: bits) &>> 63)
    keys.append(bits ^ (isNegative | 1 << 63))
  }

  mutating func append(_ timestamp: Timestamp) {
    // Between these seconds, which is until the year 2261, the nanoseconds since 1970 fit. At the limits everything beyond is gathered.
    let limit: Int64 = 9_200_000_000
    let seconds = max(-limit, min(limit, timestamp.seconds))
    let isBetween = -limit < seconds && seconds < limit
    if !isBetween { isExact = false }
    append(integer: seconds * 1_000_000_000 + (isBetween ? Int64(timestamp.nanoseconds) : 0))
  }

  /// Sign, decimal magnitude and the first 14 digits.
  mutating func append(_ decimal: Decimal128) {
    if decimal.isNaN {
      isExact = false
      return keys.append(0)
    }
    var magnitude: UInt64 = 0
    if !decimal.isFinite {
      magnitude = ~0 >> 2
    } else {
      let coefficient = decimal.coefficient
      if coefficient != 0 {
        let digitCount = PowersOfTen.digitCount(coefficient)
        var leading: UInt64
        if digitCount <= 14 {
          leading = UInt64(truncatingIfNeeded: coefficient) &* UInt64(truncatingIfNeeded: PowersOfTen[14 - digitCount])
        } else {
          leading = UInt64(truncatingIfNeeded: coefficient / PowersOfTen[digitCount - 14])
          isExact = false
        }
        leading = min(leading, 1 << 47 - 1)
        magnitude = UInt64(digitCount + decimal.exponent + 6200) << 47 | leading
      }
    }
    keys.append(decimal.isNegative ? 1 << 63 - magnitude : 1 << 63 + magnitude)
  }

  /// The eight bytes behind the common prefix; shorter texts end in zeros.
  @inline(__always) mutating func append(_ text: UnsafeRawBufferPointer) {
    let skip = prefix.count
    if skip > 0 {
      var common = 0
      while common < skip && common < text.count, unsafe text[common] == prefix[common] { common &+= 1 }
      if common < skip {
        if shorterPrefix.map({ $0.count > common }) ?? true { shorterPrefix = Array(prefix[..<common]) }
        return keys.append(0)
      }
    }
    let rest = text.count &- skip
    if rest >= 8 {
      // A zero at the end looks like a shorter text.
      let endsWithZero = unsafe text[text.count &- 1] == 0
      if rest > 8 || endsWithZero { isExact = false }
      return keys.append(UInt64(bigEndian: unsafe text.loadUnaligned(fromByteOffset: skip, as: UInt64.self)))
    }
    var key: UInt64 = 0
    for index in 0..<rest { key |= UInt64(unsafe text[skip &+ index]) &<< UInt64(truncatingIfNeeded: 56 &- index &* 8) }
    if rest > 0, unsafe text[text.count &- 1] == 0 { isExact = false }
    keys.append(key)
  }
}
