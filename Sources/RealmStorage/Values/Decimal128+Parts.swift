/// The parts of a decimal128 and their encoding (BID), including the narrow forms of decimal leaves. F3.17.
extension Decimal128 {
  package enum Kind: Sendable { case finite, infinity, quietNaN, signalingNaN }

  /// The one NaN pattern that means null. F3.17.
  package static let null = Decimal128(low: 0xAA, high: 0x7C00_0000_0000_0000)
  package static let null32: UInt32 = 0x7C00_00AA
  package static let null64: UInt64 = 0x7C00_0000_0000_00AA
  package static let zero = Decimal128(isNegative: false, coefficient: 0, exponent: 0)
  package static let quietNaN = Decimal128(low: 0, high: 0x7C00_0000_0000_0000)

  package static let maximumDigitCount = 34
  package static let exponents = -6176...6111
  private static let exponentBias = 6176

  /// - Parameters:
  ///   - coefficient: at most 34 decimal digits.
  ///   - exponent: in `exponents`.
  package init(isNegative: Bool, coefficient: UInt128, exponent: Int) {
    precondition(Self.exponents.contains(exponent) && coefficient < PowersOfTen[34], "not a decimal128")
    self.init(
      low: UInt64(truncatingIfNeeded: coefficient),
      high: (isNegative ? 1 << 63 : 0) | UInt64(exponent + Self.exponentBias) << 49
        | UInt64(truncatingIfNeeded: coefficient >> 64))
  }

  package static func infinity(isNegative: Bool) -> Decimal128 {
    Decimal128(low: 0, high: isNegative ? 0xF800_0000_0000_0000 : 0x7800_0000_0000_0000)
  }

  package var kind: Kind {
    if high >> 59 & 15 != 15 { return .finite }
    if high >> 58 & 1 == 0 { return .infinity }
    return high >> 57 & 1 == 0 ? .quietNaN : .signalingNaN
  }
  package var isNull: Bool { self == .null }
  package var isFinite: Bool { high >> 59 & 15 != 15 }
  package var isNaN: Bool { high >> 58 & 31 == 31 }
  package var isNegative: Bool { high >> 63 == 1 }

  /// Two top exponent bits set: the form with an implicit prefix, whose coefficient exceeds 34 digits and reads as zero.
  private var hasAlternativeForm: Bool { high >> 61 & 3 == 3 }

  /// Zero for every encoding that is not canonical. Meaningless unless `isFinite`.
  package var coefficient: UInt128 {
    if hasAlternativeForm { return 0 }
    let bits = UInt128(high & (1 << 49 - 1)) << 64 | UInt128(low)
    return bits < PowersOfTen[34] ? bits : 0
  }

  /// Meaningless unless `isFinite`.
  package var exponent: Int {
    Int(high >> (hasAlternativeForm ? 47 : 49) & 0x3FFF) - Self.exponentBias
  }
}

// MARK: - Narrow forms

extension Decimal128 {
  /// The element of a decimal leaf of width 4, or nil if this value needs a wider one.
  package func narrowed32() -> UInt32? {
    if isNull { return Self.null32 }
    let exponent = exponent
    guard !hasAlternativeForm, high & (1 << 49 - 1) == 0, low < 1 << 23, abs(exponent) < 91 else { return nil }
    return (isNegative ? 1 << 31 : 0) | UInt32(exponent + 101) << 23 | UInt32(low)
  }

  /// The element of a decimal leaf of width 8, or nil if this value needs a wider one.
  package func narrowed64() -> UInt64? {
    if isNull { return Self.null64 }
    let exponent = exponent
    guard !hasAlternativeForm, high & (1 << 49 - 1) == 0, low < 1 << 53, abs(exponent) < 370 else { return nil }
    return (isNegative ? 1 << 63 : 0) | UInt64(exponent + 398) << 53 | low
  }

  /// An element of a decimal leaf of width 4. Payloads of other NaNs than null are dropped.
  package init(decimal32 bits: UInt32) {
    let isNegative = bits >> 31 == 1
    if bits == Self.null32 {
      self = .null
    } else if bits >> 26 & 31 == 31 {
      self.init(low: 0, high: Self.quietNaN.high | (isNegative ? 1 << 63 : 0))
    } else if bits >> 27 & 15 == 15 {
      self = .infinity(isNegative: isNegative)
    } else {
      let isAlternative = bits >> 29 & 3 == 3
      let coefficient = isAlternative ? bits & 0x1F_FFFF | 0x80_0000 : bits & 0x7F_FFFF
      let exponent = Int(bits >> (isAlternative ? 21 : 23) & 0xFF) - 101
      self.init(isNegative: isNegative, coefficient: coefficient > 9_999_999 ? 0 : UInt128(coefficient), exponent: exponent)
    }
  }

  /// An element of a decimal leaf of width 8. Payloads of other NaNs than null are dropped.
  package init(decimal64 bits: UInt64) {
    let isNegative = bits >> 63 == 1
    if bits == Self.null64 {
      self = .null
    } else if bits >> 58 & 31 == 31 {
      self.init(low: 0, high: Self.quietNaN.high | (isNegative ? 1 << 63 : 0))
    } else if bits >> 59 & 15 == 15 {
      self = .infinity(isNegative: isNegative)
    } else {
      let isAlternative = bits >> 61 & 3 == 3
      let coefficient = isAlternative ? bits & (1 << 51 - 1) | 1 << 53 : bits & (1 << 53 - 1)
      let exponent = Int(bits >> (isAlternative ? 51 : 53) & 0x3FF) - 398
      self.init(
        isNegative: isNegative, coefficient: coefficient > 9_999_999_999_999_999 ? 0 : UInt128(coefficient),
        exponent: exponent)
    }
  }
}

/// 10^0 ... 10^38, all that fit into 128 bits.
enum PowersOfTen {
  private static let table: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 0..<38 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()

  static subscript(_ exponent: Int) -> UInt128 { table[exponent] }

  /// The number of decimal digits; 0 has none.
  static func digitCount(_ value: UInt128) -> Int {
    // bits * log10(2), rounded down, is the count or one less.
    let atLeast = ((128 - value.leadingZeroBitCount) * 1233) >> 12
    return value >= table[atLeast] ? atLeast + 1 : atLeast
  }
}
