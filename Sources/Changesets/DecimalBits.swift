/// The 128 bits of a decimal number in binary integer encoding, as files hold them.
///
/// Changesets carry coefficient, exponent and sign; the reference puts them into these bits as they come, so an exponent that is out of range
/// reaches the sign. Source: realm-core `src/realm/decimal128.cpp`.
package struct DecimalBits: Hashable, Sendable {
  /// Sign, 14 bits of exponent, 113 bits of coefficient.
  package let bits: UInt128

  private static let coefficientBitCount: UInt128 = 113
  private static let bias: Int64 = 6176
  private static let maximalCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
  /// Exponents of infinities and of what is not a number.
  private static let special: Set<Int64> = [9184, 9696]

  /// The number 0.
  package static let zero = Self(coefficient: 0, exponent: 0, isNegative: false)

  /// The number, with what does not fit cut as the reference does.
  package init(coefficient: UInt128, exponent: Int64, isNegative: Bool) {
    let biased = UInt128(UInt64(bitPattern: exponent &+ Self.bias) & 0x7fff)
    bits = coefficient | biased << Self.coefficientBitCount | (isNegative ? 1 << 127 : 0)
  }

  /// The number with these bits, whatever they are.
  package init(bits: UInt128) { self.bits = bits }

  /// The digits as an integer.
  package var coefficient: UInt128 { bits & ((1 << Self.coefficientBitCount) - 1) }
  /// The power of ten.
  package var exponent: Int64 { Int64(bits >> Self.coefficientBitCount & 0x3fff) - Self.bias }
  /// Whether the sign bit is set.
  package var isNegative: Bool { bits >> 127 == 1 }

  /// Whether both are the same number, of which 1.5 and 1.50 are two spellings. What is not a number is only the same if its bits are.
  package func isSameNumber(as other: Self) -> Bool {
    if bits == other.bits { return true }
    guard let shortest, let others = other.shortest else { return false }
    return shortest == others
  }

  /// A finite number without zeros at its end, 0 without sign and exponent.
  private struct Shortest: Equatable {
    var coefficient: UInt128 = 0
    var exponent: Int64 = 0
    var isNegative = false
  }

  /// Nil for infinities and for what is not a number, which have no second spelling that matters.
  private var shortest: Shortest? {
    let isFinite = bits >> 123 & 15 != 15
    guard isFinite else { return nil }
    // What has more than 34 digits is 0; two bits say so of some, whose coefficient is only in part written down.
    let isReadable = bits >> 125 & 3 != 3 && coefficient <= Self.maximalCoefficient
    guard isReadable, coefficient > 0 else { return Shortest() }
    var result = Shortest(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
    while result.coefficient.isMultiple(of: 10) {
      result.coefficient /= 10
      result.exponent += 1
    }
    return result
  }

  /// Whether a decimal of 34 digits can have these parts.
  static func isValid(coefficient: UInt128, exponent: Int64) -> Bool {
    coefficient <= maximalCoefficient && ((-bias...6111).contains(exponent) || special.contains(exponent))
  }
}
