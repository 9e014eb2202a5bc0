public import Foundation
package import RealmStorage

/// A 128-bit decimal floating-point number of IEEE 754-2008, with 34 significant digits and exponents from -6143 to 6144.
public struct Decimal128: Sendable {
  private let value: RealmStorage.Decimal128

  /// Makes the number zero.
  public init() { value = .zero }

  /// Converts any integer, `Float`, `Double`, `Decimal`, `NSNumber`, `Decimal128` or text of a number. `NSNull` becomes NaN.
  /// Stops the process for anything else.
  public init(value: Any) {
    switch Self.convert(value) {
    case .success(let converted): self.value = converted
    case .failure(let failure): stop(failure.text)
    }
  }

  /// A `Double` keeps 15 digits, a `Float` 7; integers and `NSDecimalNumber` are exact.
  public init(number: NSNumber) { value = Self.engineValue(of: number) }

  /// Text that is not a number gives NaN. More than 34 digits are rounded, half to even.
  public init(string: String) throws { value = RealmStorage.Decimal128(text: string) ?? .quietNaN }

  /// Nil if the integer needs more than 34 digits.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = Self.engineValue(of: source) else { return nil }
    self.value = value
  }

  /// The smallest finite value, -9.999...E6144.
  public static var min: Decimal128 { -max }

  /// The largest finite value, 9.999...E6144.
  public static var max: Decimal128 {
    Decimal128(
      RealmStorage.Decimal128(
        isNegative: false, coefficient: 9_999_999_999_999_999_999_999_999_999_999_999,
        exponent: RealmStorage.Decimal128.exponents.upperBound))
  }

  /// The nearest `Double`, with about 15 of the 34 digits.
  public var doubleValue: Double { value.doubleValue }

  /// The number as a Foundation `Decimal`; NaN if it lies outside of that type's range.
  public var decimalValue: Decimal {
    guard value.isFinite else { return .nan }
    let reduced = value.reduced
    return Decimal(string: "\(reduced.isNegative ? "-" : "")\(reduced.coefficient)E\(reduced.exponent)") ?? .nan
  }

  /// The digits without zeros at the end of a fraction, with an exponent where the point alone cannot express it: "1.5", "1.23E6", "NaN", "-Inf".
  public var stringValue: String { value.shortText }

  /// True for every NaN, whatever its sign and payload.
  public var isNaN: Bool { value.isNaN }

  /// Whether the value is NaN: no NaN is told apart from others, so that it is true for the quiet ones, too. The same as ``isNaN``.
  public var isSignaling: Bool { isNaN }

  /// Whether the value is NaN: no NaN is told apart from others, so that it is true for the quiet ones, too. The same as ``isNaN``.
  public var isSignalingNaN: Bool { isNaN }

  package init(_ engineValue: RealmStorage.Decimal128) { value = engineValue }

  package var engineValue: RealmStorage.Decimal128 { value }
}

// MARK: - Conversion

extension Decimal128 {
  package struct ConversionFailure: Swift.Error {
    package let text: String
  }

  /// Every conversion that `init(value:)` knows.
  package static func convert(_ value: Any) -> Result<RealmStorage.Decimal128, ConversionFailure> {
    // An NSNumber would pass for a Double below, and a Double for an NSNumber.
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber { return .success(engineValue(of: number)) }
    switch value {
    case let decimal as Decimal128: return .success(decimal.value)
    case let integer as any BinaryInteger:
      if let converted = engineValue(of: integer) { return .success(converted) }
    case let bool as Bool: return .success(RealmStorage.Decimal128(bool ? 1 : 0 as Int64))
    case let double as Double: return .success(engineValue(of: double))
    case let float as Float: return .success(engineValue(of: float))
    case let text as String:
      if let converted = RealmStorage.Decimal128(text: text) { return .success(converted) }
      return .failure(failure(value, reason: ": must be the text of a number"))
    case let decimal as Decimal: return .success(engineValue(of: decimal))
    case is NSNull: return .success(.quietNaN)
    default: break
    }
    return .failure(failure(value, reason: ""))
  }

  private static func failure(_ value: Any, reason: String) -> ConversionFailure {
    ConversionFailure(text: "Cannot convert value '\(DynamicInput.shown(value))' of type '\(type(of: value))' to decimal128\(reason)")
  }

  private static func engineValue(of integer: some BinaryInteger) -> RealmStorage.Decimal128? {
    guard let magnitude = UInt128(exactly: integer.magnitude), magnitude < 10_000_000_000_000_000_000_000_000_000_000_000 else {
      return nil
    }
    return RealmStorage.Decimal128(isNegative: integer < 0, coefficient: magnitude, exponent: 0)
  }

  /// 15 digits, without the zeros that rounding leaves behind the point: 0.1 is "1E-1".
  private static func engineValue(of double: Double) -> RealmStorage.Decimal128 { RealmStorage.Decimal128(double).withoutFractionZeros }

  /// 7 digits, in the same way.
  private static func engineValue(of float: Float) -> RealmStorage.Decimal128 { RealmStorage.Decimal128(float).withoutFractionZeros }

  private static func engineValue(of decimal: Decimal) -> RealmStorage.Decimal128 {
    RealmStorage.Decimal128(text: decimal.description) ?? .quietNaN
  }

  private static func engineValue(of number: NSNumber) -> RealmStorage.Decimal128 {
    if let decimal = number as? NSDecimalNumber { return engineValue(of: decimal.decimalValue) }
    // The letter of the C type that the number holds.
    switch unsafe UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"): return engineValue(of: number.doubleValue)
    case UInt8(ascii: "f"): return engineValue(of: number.floatValue)
    case UInt8(ascii: "Q"):
      return RealmStorage.Decimal128(isNegative: false, coefficient: UInt128(number.uint64Value), exponent: 0)
    default: return RealmStorage.Decimal128(number.int64Value)
    }
  }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// Makes the number of an integer literal, exactly.
  public init(integerLiteral value: Int64) { self.value = RealmStorage.Decimal128(value) }

  /// The literal becomes a `Double` first, of which 15 digits are kept; a string literal keeps 34.
  public init(floatLiteral value: Double) { self.value = Self.engineValue(of: value) }

  /// Text that is not a number gives NaN.
  public init(stringLiteral value: String) { self.value = RealmStorage.Decimal128(text: value) ?? .quietNaN }
}

// MARK: - Comparison

extension Decimal128: Hashable, Comparable {
  /// Compares the numbers: 1.0 equals 1.00. NaN equals NaN.
  public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool { RealmStorage.Decimal128.compare(lhs.value, rhs.value) == 0 }

  /// NaN comes before all numbers, so that sorting always has one result.
  public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { RealmStorage.Decimal128.compare(lhs.value, rhs.value) < 0 }

  /// By the number: 1.0 and 1.00 have the same hash.
  public func hash(into hasher: inout Hasher) {
    let reduced = value.reduced
    hasher.combine(reduced.low)
    hasher.combine(reduced.high)
  }
}

// MARK: - Arithmetic

/// Results are rounded to 34 digits, half to even. Overflow gives an infinity; dividing by zero an infinity or NaN; nothing traps.
extension Decimal128: SignedNumeric, Strideable {
  /// The type itself: a magnitude keeps all 34 digits.
  public typealias Magnitude = Decimal128
  /// The type itself: a distance keeps all 34 digits, and is rounded like a difference.
  public typealias Stride = Decimal128

  /// The number without its sign, exact.
  public var magnitude: Decimal128 { Decimal128(value.magnitude) }

  /// The sum, rounded to 34 digits, half to even.
  public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.value + rhs.value) }
  /// The difference, rounded to 34 digits, half to even.
  public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.value - rhs.value) }
  /// The product, rounded to 34 digits, half to even.
  public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.value * rhs.value) }
  /// The quotient, rounded to 34 digits, half to even. By zero it is an infinity, or NaN for zero by zero.
  public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.value / rhs.value) }
  /// Replaces `lhs` by the sum.
  public static func += (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs + rhs }
  /// Replaces `lhs` by the difference.
  public static func -= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs - rhs }
  /// Replaces `lhs` by the product.
  public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }
  /// Replaces `lhs` by the quotient.
  public static func /= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs / rhs }
  /// The number with the other sign, exact.
  public static prefix func - (operand: Decimal128) -> Decimal128 { Decimal128(-operand.value) }
  /// Changes the sign of this value.
  public mutating func negate() { self = -self }

  /// How far it is to another number: `other - self`, rounded to 34 digits.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }
  /// The number that lies further by `n`: `self + n`, rounded to 34 digits.
  public func advanced(by n: Decimal128) -> Decimal128 { self + n }
}

// MARK: - Text

extension Decimal128: CustomStringConvertible {
  /// The number as text: its ``stringValue``.
  public var description: String { stringValue }
}

extension Decimal128: Codable {
  /// From text, else from an integer, else from a floating-point number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      try self.init(string: text)
    } else if let integer = try? container.decode(Int64.self) {
      self.init(RealmStorage.Decimal128(integer))
    } else if let double = try? container.decode(Double.self) {
      self.init(Self.engineValue(of: double))
    } else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "Cannot convert value to Decimal128")
    }
  }

  /// Encodes the number as text: its ``stringValue``.
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
