/// Decimals as text, and the text of decimals.
extension Decimal128 {
  /// Digits with at most one point, an optional sign before and an optional exponent after them; or "inf", "infinity", "nan" in any
  /// case, with or without a sign. Nil for everything else. More than 34 digits are rounded, half to even.
  package init?(text: some StringProtocol) {
    var scanner = DecimalScanner(bytes: Array(text.utf8))
    guard let value = scanner.scan() else { return nil }
    self = value
  }

  /// The text that other SDKs print: all digits of the coefficient, the point where it makes the exponent zero, or else behind the first
  /// digit. 1.50 is "1.50", 15E2 is "1.5E3", 5E-2 is "5E-2".
  package var text: String { text(droppingZeros: false) }

  /// As `text`, without zeros at the end of a fraction: 1.50 is "1.5", 150E2 is "1.5E4".
  package var shortText: String { text(droppingZeros: true) }

  private func text(droppingZeros: Bool) -> String {
    let sign = isNegative ? "-" : ""
    switch kind {
    case .quietNaN, .signalingNaN: return "NaN"
    case .infinity: return sign + "Inf"
    case .finite: break
    }
    let digits = String(coefficient)
    let digitCount = digits.utf8.count
    // The point moves to the left by as many places as the exponent is below zero, but stays behind a digit.
    let fractionCount = exponent < 0 ? min(-exponent, digitCount - 1) : exponent > 0 ? digitCount - 1 : 0
    let shownExponent = exponent + fractionCount
    var fraction = digits.suffix(fractionCount)
    if droppingZeros {
      while fraction.last == "0" { fraction.removeLast() }
    }
    return sign + digits.prefix(digitCount - fractionCount) + (fraction.isEmpty ? "" : "." + fraction)
      + (shownExponent == 0 ? "" : "E\(shownExponent)")
  }

  /// The nearest double; infinity beyond its range.
  package var doubleValue: Double {
    switch kind {
    case .quietNaN, .signalingNaN: .nan
    case .infinity: isNegative ? -.infinity : .infinity
    case .finite: Double("\(isNegative ? "-" : "")\(coefficient)e\(exponent)") ?? (exponent < 0 ? 0 : .infinity)
    }
  }
}

private struct DecimalScanner {
  let bytes: [UInt8]
  private var position = 0
  private var coefficient: UInt128 = 0
  private var exponent = 0
  private var hasMoreDigits = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func scan() -> Decimal128? {
    let isNegative = scanSign()
    if let special = special(isNegative: isNegative) { return special }
    guard scanDigits(), scanExponent(), position == bytes.count else { return nil }
    // A digit that was lost counts as a one at the end, which is never a tie and never zero.
    if hasMoreDigits && coefficient % 10 == 0 { coefficient += 1 }
    return Decimal128(rounding: coefficient, exponent: exponent, isNegative: isNegative)
  }

  private mutating func scanSign() -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") else { return false }
    position += 1
    return bytes[position - 1] == UInt8(ascii: "-")
  }

  private func special(isNegative: Bool) -> Decimal128? {
    guard (3...8).contains(bytes.count - position) else { return nil }
    switch String(decoding: bytes[position...], as: UTF8.self).lowercased() {
    case "inf", "infinity": return .infinity(isNegative: isNegative)
    case "nan": return .quietNaN
    default: return nil
    }
  }

  /// False without any digit.
  private mutating func scanDigits() -> Bool {
    var digitCount = 0
    var isFraction = false
    scan: while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digitCount += 1
        append(UInt128(bytes[position] - UInt8(ascii: "0")), isFraction: isFraction)
      case UInt8(ascii: ".") where !isFraction: isFraction = true
      default: break scan
      }
      position += 1
    }
    return digitCount > 0
  }

  /// Keeps the first 38 digits.
  private mutating func append(_ digit: UInt128, isFraction: Bool) {
    if coefficient < PowersOfTen[37] {
      coefficient = coefficient * 10 + digit
      if isFraction { exponent -= 1 }
    } else {
      if digit != 0 { hasMoreDigits = true }
      if !isFraction { exponent += 1 }
    }
  }

  /// True if there is none; false for one without digits.
  private mutating func scanExponent() -> Bool {
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return true }
    position += 1
    let isNegative = scanSign()
    let start = position
    var value = 0
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
      // Far beyond every exponent that a text of possible length can make up for.
      value = min(value * 10 + Int(bytes[position] - UInt8(ascii: "0")), 1 << 48)
      position += 1
    }
    exponent += isNegative ? -value : value
    return position > start
  }
}
