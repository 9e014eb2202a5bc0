/// Arithmetic of IEEE 754-2008 for decimal128: 34 digits, rounded once, half to even, with the exponents that the standard prefers.
/// A NaN operand gives the plain NaN, never the pattern that means null.
extension Decimal128 {
  package static func + (a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .quietNaN }
    guard a.isFinite && b.isFinite else {
      if a.isFinite { return b }
      return b.isFinite || a.isNegative == b.isNegative ? a : .quietNaN
    }
    return a.exponent >= b.exponent ? addFinite(a, b) : addFinite(b, a)
  }

  package static func - (a: Decimal128, b: Decimal128) -> Decimal128 { a + (-b) }

  package static func * (a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .quietNaN }
    let isNegative = a.isNegative != b.isNegative
    guard a.isFinite && b.isFinite else { return a.isZero || b.isZero ? .quietNaN : .infinity(isNegative: isNegative) }
    let exponent = a.exponent + b.exponent
    let excess = PowersOfTen.digitCount(a.coefficient) + PowersOfTen.digitCount(b.coefficient) - UnroundedDecimal.digitCount
    let (high, low) = a.coefficient.multipliedFullWidth(by: b.coefficient)
    guard excess > 0 else {
      return UnroundedDecimal(isNegative: isNegative, coefficient: low, exponent: exponent).rounded()
    }
    // The product is below 10^(37 + excess), so its high half is below the divisor.
    let (quotient, remainder) = PowersOfTen[excess].dividingFullWidth((high, low))
    return UnroundedDecimal(
      isNegative: isNegative, coefficient: quotient, exponent: exponent + excess, hasMoreDigits: remainder != 0
    ).rounded()
  }

  package static func / (a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .quietNaN }
    let isNegative = a.isNegative != b.isNegative
    guard a.isFinite else { return b.isFinite ? .infinity(isNegative: isNegative) : .quietNaN }
    guard b.isFinite else { return Decimal128(isNegative: isNegative, coefficient: 0, exponent: exponents.lowerBound) }
    guard !b.isZero else { return a.isZero ? .quietNaN : .infinity(isNegative: isNegative) }
    return divideFinite(a, b, isNegative: isNegative)
  }

  package static prefix func - (a: Decimal128) -> Decimal128 {
    a.isNaN ? a : Decimal128(low: a.low, high: a.high ^ 1 << 63)
  }

  package var magnitude: Decimal128 { isNaN ? self : Decimal128(low: low, high: high & ~(1 << 63)) }

  package var isZero: Bool { isFinite && coefficient == 0 }

  /// The same value in its shortest form: no trailing zeros, and one zero. Equal numbers become identical, so this is what to hash.
  package var reduced: Decimal128 {
    guard isFinite else { return self }
    return coefficient == 0 ? .zero : droppingZeros(upTo: Self.exponents.upperBound)
  }

  /// The same value without zeros at the end that stand behind the point.
  package var withoutFractionZeros: Decimal128 { isFinite ? droppingZeros(upTo: 0) : self }

  private func droppingZeros(upTo limit: Int) -> Decimal128 {
    var digits = coefficient, exponent = exponent
    while exponent < limit {
      let (quotient, digit) = digits.quotientAndRemainder(dividingBy: 10)
      guard digit == 0 else { break }
      (digits, exponent) = (quotient, exponent + 1)
    }
    return Decimal128(isNegative: isNegative, coefficient: digits, exponent: exponent)
  }

  /// Rounds `coefficient` × 10^`exponent` to 34 digits; outside of the range it becomes infinity or zero.
  package init(rounding coefficient: UInt128, exponent: Int, isNegative: Bool) {
    // Two digits less make room for the sticky digit.
    guard coefficient >= PowersOfTen[UnroundedDecimal.digitCount] else {
      self = UnroundedDecimal(isNegative: isNegative, coefficient: coefficient, exponent: exponent).rounded()
      return
    }
    let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: 100)
    self = UnroundedDecimal(isNegative: isNegative, coefficient: quotient, exponent: exponent + 2, hasMoreDigits: remainder != 0)
      .rounded()
  }

  /// - Parameters:
  ///   - a: finite, with an exponent not below that of `b`.
  private static func addFinite(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
    let (aDigits, bDigits) = (a.coefficient, b.coefficient)
    let difference = a.exponent - b.exponent
    if aDigits == 0 {
      // A zero takes the smaller exponent; minus zero only if both are negative.
      guard bDigits == 0 else { return b }
      return Decimal128(isNegative: a.isNegative && b.isNegative, coefficient: 0, exponent: b.exponent)
    }
    let room = UnroundedDecimal.digitCount - PowersOfTen.digitCount(aDigits)
    if difference <= room {
      return sum(aDigits * PowersOfTen[difference], a.isNegative, bDigits, b.isNegative, exponent: b.exponent, hasMoreDigits: false)
    }
    // a fills 37 digits; what of b lies below them matters only as being there or not.
    let below = difference - room
    let (kept, lost) = below <= 38 ? bDigits.quotientAndRemainder(dividingBy: PowersOfTen[below]) : (0, bDigits)
    return sum(
      aDigits * PowersOfTen[room], a.isNegative, kept, b.isNegative, exponent: a.exponent - room, hasMoreDigits: lost != 0)
  }

  /// - Parameter hasMoreDigits: the true second number is larger by less than one unit.
  private static func sum(
    _ a: UInt128, _ aIsNegative: Bool, _ b: UInt128, _ bIsNegative: Bool, exponent: Int, hasMoreDigits: Bool
  ) -> Decimal128 {
    if aIsNegative == bIsNegative {
      return UnroundedDecimal(isNegative: aIsNegative, coefficient: a + b, exponent: exponent, hasMoreDigits: hasMoreDigits).rounded()
    }
    if a == b && !hasMoreDigits { return UnroundedDecimal(isNegative: false, coefficient: 0, exponent: exponent).rounded() }
    // With more digits, a has 37 and b at most 34 of them, so a is larger.
    let isALarger = a > b
    let difference = (isALarger ? a - b : b - a) - (hasMoreDigits ? 1 : 0)
    return UnroundedDecimal(
      isNegative: isALarger ? aIsNegative : bIsNegative, coefficient: difference, exponent: exponent, hasMoreDigits: hasMoreDigits
    ).rounded()
  }

  /// For a finite `a` and a finite `b` other than zero.
  private static func divideFinite(_ a: Decimal128, _ b: Decimal128, isNegative: Bool) -> Decimal128 {
    let divisor = b.coefficient
    let preferredExponent = a.exponent - b.exponent
    var (quotient, remainder) = a.coefficient.quotientAndRemainder(dividingBy: divisor)
    var exponent = preferredExponent
    // Long division until there are 36 or 37 digits, 34 at a time at most, or until it comes out even.
    var missing = 36 - PowersOfTen.digitCount(a.coefficient) + PowersOfTen.digitCount(divisor)
    while remainder != 0 && missing > 0 {
      let count = min(missing, maximumDigitCount)
      // remainder < divisor < 10^34 < 2^128, hence the high half is below the divisor, and the quotient below 10^count.
      let (digits, rest) = divisor.dividingFullWidth(remainder.multipliedFullWidth(by: PowersOfTen[count]))
      quotient = quotient * PowersOfTen[count] + digits
      (remainder, exponent, missing) = (rest, exponent - count, missing - count)
    }
    if remainder == 0 {
      while exponent < preferredExponent {
        let (shorter, digit) = quotient.quotientAndRemainder(dividingBy: 10)
        guard digit == 0 else { break }
        (quotient, exponent) = (shorter, exponent + 1)
      }
    }
    return UnroundedDecimal(isNegative: isNegative, coefficient: quotient, exponent: exponent, hasMoreDigits: remainder != 0).rounded()
  }
}

/// A result with more digits than fit, on its way to be rounded.
private struct UnroundedDecimal {
  /// Room for sums in 128 bits, and more than one digit behind the 34 that stay.
  static let digitCount = 37

  var isNegative: Bool
  /// Below 10^38.
  var coefficient: UInt128
  var exponent: Int
  /// The true magnitude is larger by less than one unit. Only with at least 35 digits.
  var hasMoreDigits = false

  func rounded() -> Decimal128 {
    let digits = PowersOfTen.digitCount(coefficient)
    let range = Decimal128.exponents
    let excess = max(digits - Decimal128.maximumDigitCount, range.lowerBound - exponent, 0)
    if excess == 0 { return clamped(coefficient, digits: digits, exponent: exponent) }
    // Less than a tenth of the last place.
    guard excess <= digits else {
      return Decimal128(isNegative: isNegative, coefficient: 0, exponent: min(exponent + excess, range.upperBound))
    }
    var (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: PowersOfTen[excess])
    let half = PowersOfTen[excess] / 2
    if remainder > half || remainder == half && (hasMoreDigits || quotient & 1 == 1) { quotient += 1 }
    return clamped(quotient, digits: PowersOfTen.digitCount(quotient), exponent: exponent + excess)
  }

  /// Fills up with zeros where the exponent is too large, if that is enough; else it is infinity.
  private func clamped(_ coefficient: UInt128, digits: Int, exponent: Int) -> Decimal128 {
    let maximum = Decimal128.maximumDigitCount
    if digits > maximum {
      // Rounded up to 10^34.
      return clamped(coefficient / 10, digits: maximum, exponent: exponent + 1)
    }
    let excess = exponent - Decimal128.exponents.upperBound
    if excess <= 0 { return Decimal128(isNegative: isNegative, coefficient: coefficient, exponent: exponent) }
    if digits == 0 { return Decimal128(isNegative: isNegative, coefficient: 0, exponent: Decimal128.exponents.upperBound) }
    guard digits + excess <= maximum else { return .infinity(isNegative: isNegative) }
    return Decimal128(
      isNegative: isNegative, coefficient: coefficient * PowersOfTen[excess], exponent: Decimal128.exponents.upperBound)
  }
}
