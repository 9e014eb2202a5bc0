import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Lists of many constants, which are looked up instead of compared one by one.
@Suite struct ConstantSetTests {
  private static let decimals = [
    "0", "-0", "1", "1.0", "100E-2", "1E2", "0.1", "0.30", "0.3000000000000000000000000000000001", "NaN", "-NaN", "Inf", "-Infinity", "1E6111",
    "1E-6176", "9007199254740993", "9.223372036854775807E18", "9223372036854775808",
  ]

  private static func numbers() throws -> [Value] {
    var values = try decimals.map { Value.decimal(try #require(Decimal128(text: $0))) }
    values += ([0, 1, -1, 100, 9_007_199_254_740_993, .max, .min] as [Int64]).map { .int($0) }
    let doubles: [Double] = [0, -0.0, 1, 0.1, 0.1 + 0.2, .nan, -.nan, .infinity, -.infinity, 0x1p53, 0x1p63, .leastNonzeroMagnitude]
    values += doubles.map { .double($0) }
    return values + ([0, 1, 0.1, 0.3, .nan, .infinity, 16_777_216] as [Float]).map { .float($0) }
  }

  /// Each number alone among many others that it does not equal, and all numbers but those that equal it.
  @Test func aSetOfConstantsHoldsWhatOneOfThemEquals() throws {
    let numbers = try Self.numbers()
    for isDirect in [false, true] {
      func equals(_ a: Value, _ b: Value) -> Bool { isDirect ? OrderRelation.equal.direct(a, b) : OrderRelation.equal.generic(a, b) }
      for constant in numbers {
        let single = ConstantSet([constant, .string([0x61]), .null], ignoresCase: false)
        for value in numbers { #expect(single.contains(value, isDirect: isDirect) == equals(value, constant), "\(value) \(constant) \(isDirect)") }
      }
      for value in numbers {
        #expect(!ConstantSet(numbers.filter { !equals(value, $0) }, ignoresCase: false).contains(value, isDirect: isDirect), "\(value) \(isDirect)")
      }
    }
  }

  /// Asking each of some thousand decimals about each of as many constants would take minutes.
  @Test func manyDecimalsAreLookedUp() throws {
    let constants = (0..<20_000).map { Value.decimal(Decimal128(isNegative: false, coefficient: UInt128($0 * 10), exponent: -3)) }
    let set = ConstantSet(constants, ignoresCase: false)
    for number in 0..<20_000 {
      let value = Value.decimal(Decimal128(isNegative: false, coefficient: UInt128(number), exponent: -2))
      #expect(set.contains(value, isDirect: true))
    }
    #expect(!set.contains(.decimal(Decimal128(Int64(20_000))), isDirect: true))
    #expect(set.contains(.int(3), isDirect: false) && set.contains(.double(0.25), isDirect: false))
  }
}
