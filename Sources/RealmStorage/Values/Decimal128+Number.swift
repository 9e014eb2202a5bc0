/// Decimals as numbers: comparison, and exact or rounded conversion from the other numeric types. F6.3.
extension Decimal128 {
  /// Negative, 0 or positive. NaN comes before all numbers, NaNs among themselves by their bits; 1.0 and 1.00 are equal, so are
  /// the two zeros.
  package static func compare(_ a: Decimal128, _ b: Decimal128) -> Int {
    if a.isNaN || b.isNaN {
      guard a.isNaN && b.isNaN else { return a.isNaN ? -1 : 1 }
      return a.high == b.high ? threeWay(a.low, b.low) : threeWay(a.high, b.high)
    }
    let aSign = a.signum, bSign = b.signum
    if aSign != bSign { return threeWay(aSign, bSign) }
    return aSign == 0 ? 0 : aSign * compareMagnitudes(a, b)
  }

  private var signum: Int {
    if isFinite && coefficient == 0 { return 0 }
    return isNegative ? -1 : 1
  }

  /// For infinities and finite numbers other than zero.
  private static func compareMagnitudes(_ a: Decimal128, _ b: Decimal128) -> Int {
    guard a.isFinite && b.isFinite else { return threeWay(a.isFinite ? 0 : 1, b.isFinite ? 0 : 1) }
    var x = a.coefficient, y = b.coefficient
    let xMagnitude = PowersOfTen.digitCount(x) + a.exponent
    let yMagnitude = PowersOfTen.digitCount(y) + b.exponent
    if xMagnitude != yMagnitude { return threeWay(xMagnitude, yMagnitude) }
    // Of two numbers of the same magnitude, the one with the larger exponent has fewer digits, by as many as the exponents differ.
    let difference = a.exponent - b.exponent
    if difference > 0 { x *= PowersOfTen[difference] } else { y *= PowersOfTen[-difference] }
    return threeWay(x, y)
  }

  package init(_ value: Int64) {
    self.init(isNegative: value < 0, coefficient: UInt128(value.magnitude), exponent: 0)
  }

  /// Rounded to 15 digits, half to even, after rounding the exact binary value to 34 digits.
  package init(_ value: Double) { self.init(value, digitCount: 15) }

  /// Rounded to 7 digits, half to even, after rounding the exact binary value to 34 digits.
  package init(_ value: Float) { self.init(Double(value), digitCount: 7) }

  private init(_ value: Double, digitCount: Int) {
    let isNegative = value.sign == .minus
    guard value.isFinite else {
      self = value.isNaN ? Self.nan(like: value) : .infinity(isNegative: isNegative)
      return
    }
    guard value != 0 else {
      self.init(isNegative: isNegative, coefficient: 0, exponent: 0)
      return
    }
    var magnitude = DecimalMagnitude(value)
    magnitude.round(to: Self.maximumDigitCount)
    magnitude.round(to: digitCount)
    self.init(isNegative: isNegative, coefficient: magnitude.coefficient, exponent: magnitude.exponent)
  }

  /// A quiet NaN with sign and payload of another: its 51 bits lead those of a decimal's, of which numbers of more than 33 digits are
  /// no payload.
  private static func nan(like value: Double) -> Decimal128 {
    let payload = UInt128(value.bitPattern & 0x7_FFFF_FFFF_FFFF) << 59
    let sign: UInt64 = value.sign == .minus ? 1 << 63 : 0
    guard payload < PowersOfTen[33] else { return Decimal128(low: 0, high: quietNaN.high | sign) }
    return Decimal128(low: UInt64(truncatingIfNeeded: payload), high: quietNaN.high | sign | UInt64(truncatingIfNeeded: payload >> 64))
  }

  /// The integer part, if the value is finite and that part fits; truncates toward zero.
  package func truncatedToInt64() -> Int64? {
    guard isFinite else { return nil }
    var magnitude = coefficient
    let digitCount = PowersOfTen.digitCount(magnitude)
    if digitCount == 0 || digitCount + exponent <= 0 { return 0 }
    guard digitCount + exponent <= 19 else { return nil }
    if exponent >= 0 { magnitude *= PowersOfTen[exponent] } else { magnitude /= PowersOfTen[-exponent] }
    if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }
}

/// `coefficient` × 10^`exponent`, unsigned.
private struct DecimalMagnitude {
  var coefficient: UInt128
  var exponent: Int

  /// The binary value, exactly where it has up to 38 digits, else rounded to 34, half to even. `value` is finite and not zero.
  init(_ value: Double) {
    let fraction = value.significandBitPattern
    let biasedExponent = Int(value.exponentBitPattern)
    let full = biasedExponent == 0 ? fraction : fraction | 1 << 52
    let shift = full.trailingZeroBitCount
    // The magnitude is odd × 2^twos.
    let odd = full >> UInt64(shift)
    let twos = max(biasedExponent, 1) - 1075 + shift
    if (0...74).contains(twos) {
      (coefficient, exponent) = (UInt128(odd) << UInt128(twos), 0)
    } else if (-31..<0).contains(twos) {
      // 2^-n is 5^n × 10^-n; 53 bits and 5^31 fit together into 125.
      let powerOfFive = PowersOfTen[-twos] >> UInt128(-twos)
      (coefficient, exponent) = (UInt128(odd) * powerOfFive, twos)
    } else {
      self = Self.rounded(odd: odd, twos: twos)
    }
  }

  private init(coefficient: UInt128, exponent: Int) {
    self.coefficient = coefficient
    self.exponent = exponent
  }

  /// odd × 2^twos, rounded to 34 digits, half to even.
  private static func rounded(odd: UInt64, twos: Int) -> DecimalMagnitude {
    var number = LongDecimal(odd)
    if twos >= 0 { number.multiply(by: 2, times: twos, chunk: 56) } else { number.multiply(by: 5, times: -twos, chunk: 24) }
    let digits = number.digits()
    var result = DecimalMagnitude(coefficient: 0, exponent: min(twos, 0))
    for digit in digits.prefix(34) { result.coefficient = result.coefficient * 10 + UInt128(digit) }
    guard digits.count > 34 else { return result }
    result.exponent += digits.count - 34
    let isAboveHalf = digits[34] > 5 || digits[34] == 5 && digits[35...].contains { $0 != 0 }
    if isAboveHalf || digits[34] == 5 && result.coefficient & 1 == 1 { result.increment(digitCount: 34) }
    return result
  }

  mutating func round(to digitCount: Int) {
    let excess = PowersOfTen.digitCount(coefficient) - digitCount
    guard excess > 0 else { return }
    let divisor = PowersOfTen[excess]
    let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
    (coefficient, exponent) = (quotient, exponent + excess)
    let half = divisor / 2
    if remainder > half || remainder == half && quotient & 1 == 1 { increment(digitCount: digitCount) }
  }

  private mutating func increment(digitCount: Int) {
    coefficient += 1
    if coefficient == PowersOfTen[digitCount] { (coefficient, exponent) = (coefficient / 10, exponent + 1) }
  }
}

/// A large unsigned integer in limbs of 18 decimal digits, least significant first.
private struct LongDecimal {
  private static let base: UInt64 = 1_000_000_000_000_000_000
  private var limbs: [UInt64]

  init(_ value: UInt64) {
    limbs = value < Self.base ? [value] : [value % Self.base, value / Self.base]
  }

  /// Multiplies by `factor` to the power of `times`, `chunk` factors at once; their product has at most 58 bits.
  mutating func multiply(by factor: UInt64, times: Int, chunk: Int) {
    var remaining = times
    while remaining > 0 {
      let count = min(remaining, chunk)
      var product: UInt64 = 1
      for _ in 0..<count { product *= factor }
      multiply(by: product)
      remaining -= count
    }
  }

  private mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for i in limbs.indices {
      var (high, low) = limbs[i].multipliedFullWidth(by: factor)
      let (sum, overflow) = low.addingReportingOverflow(carry)
      low = sum
      if overflow { high += 1 }
      (carry, limbs[i]) = Self.base.dividingFullWidth((high, low))
    }
    if carry > 0 { limbs.append(carry) }
  }

  /// Most significant first, without leading zeros.
  func digits() -> [UInt8] {
    var reversed: [UInt8] = []
    reversed.reserveCapacity(limbs.count * 18)
    for limb in limbs {
      var rest = limb
      for _ in 0..<18 {
        reversed.append(UInt8(rest % 10))
        rest /= 10
      }
    }
    while reversed.last == 0 { reversed.removeLast() }
    return reversed.reversed()
  }
}
