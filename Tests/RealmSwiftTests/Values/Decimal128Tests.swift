import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private func words(_ text: String) -> [[String]] {
  text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
}

private func decimal(_ text: String) throws -> Decimal128 { try Decimal128(string: text) }

/// Same digits and same exponent, not only the same number.
private func isIdentical(_ a: Decimal128, _ b: Decimal128) -> Bool { a.engineValue == b.engineValue }

@Test func decimalArithmeticAgreesWithAnIndependentProgram() throws {
  for row in words(decimalArithmeticVectors) {
    let (a, b, expected) = try (decimal(row[0]), decimal(row[2]), decimal(row[3]))
    let result =
      switch row[1] {
      case "+": a + b
      case "-": a - b
      case "*": a * b
      default: a / b
      }
    #expect(isIdentical(result, expected), "\(row) gives \(result)")
  }
}

@Test func decimalTextsReadAsAnIndependentProgramReadsThem() throws {
  for row in words(decimalTextVectors) {
    let value = try decimal(row[0])
    #expect(try isIdentical(value, decimal(row[1])), "\(row) gives \(value)")
    #expect(try isIdentical(value, decimal(value.engineValue.text)), "\(row) is \(value.engineValue.text)")
    // Zeros at the end of a fraction are not shown.
    #expect(try value.isNaN || decimal(value.description) == value, "\(row) prints \(value)")
  }
}

@Test(arguments: [
  "", " ", "abc", "1x", "1 ", " 1", "--1", "1e", "1e+", "e5", ".", "+", "1.2.3", "0x10", "1,5", "nano", "infinit", "1_000", "١",
]) func textThatIsNoNumberIsNaN(_ text: String) throws {
  #expect(try decimal(text).isNaN)
}

@Test func specialDecimalsReadInAnyCase() throws {
  #expect(try decimal("-INFINITY").description == "-Inf")
  #expect(try decimal("inf").description == "Inf")
  #expect(try decimal("NaN").description == "NaN")
  #expect(try decimal("1e6145").description == "Inf")
  #expect(try decimal("1e-6177").description == "0E-6176")
  #expect(try decimal("1e99999999999999999999999").description == "Inf")
  #expect(try decimal("-1e-99999999999999999999999").description == "-0E-6176")
}

@Test func aDecimalPrintsAllDigitsAndAnExponentWhereItMust() throws {
  let texts = [
    "0": "0", "-0": "-0", "0.00": "0E-2", "1.50": "1.5", "123e4": "1.23E6", "1000": "1000", "1e3": "1E3", "0.05": "5E-2",
    "-0.147": "-1.47E-1", "12.30e9": "1.23E10",
  ]
  for (text, expected) in texts { #expect(try decimal(text).description == expected) }
  #expect(try decimal("12.30e9").stringValue == "1.23E10")
  #expect(try decimal("1000e9").stringValue == "1E12")
  #expect(try decimal("-3.0").stringValue == "-3")
}

@Test func decimalsComeFromEveryKindOfNumber() {
  #expect(Decimal128().description == "0")
  #expect(Decimal128(value: 5).description == "5")
  #expect(Decimal128(value: UInt64.max).description == "18446744073709551615")
  #expect(Decimal128(value: Int64.min).description == "-9223372036854775808")
  #expect(Decimal128(value: true).description == "1")
  #expect(Decimal128(value: 3.14159).description == "3.14159")
  #expect(Decimal128(value: 0.1).description == "1E-1")
  #expect(Decimal128(value: Float(0.1)).description == "1E-1")
  #expect(Decimal128(value: 1.0 / 3).description == "3.33333333333333E-1")
  #expect(Decimal128(value: "1.50").description == "1.5")
  #expect(Decimal128(value: Decimal(string: "12345678901234567890.123")!).description == "12345678901234567890.123")
  #expect(Decimal128(value: NSDecimalNumber(string: "9.99")).description == "9.99")
  #expect(Decimal128(value: NSNull()).isNaN)
  #expect(Decimal128(value: Decimal128(7)) == 7)
  #expect(Decimal128(number: 3.14159).stringValue == "3.14159")
  #expect(Decimal128(number: NSNumber(value: UInt64.max)).description == "18446744073709551615")
  #expect(Decimal128(number: NSNumber(value: Float(1.25))) == 1.25)
  #expect(Decimal128(exactly: UInt128(9_999_999_999_999_999_999_999_999_999_999_999)) != nil)
  #expect(Decimal128(exactly: UInt128(10_000_000_000_000_000_000_000_000_000_000_000)) == nil)
  let literals: [Decimal128] = [123, 2.5, "9.876543"]
  #expect(literals.map(\.description) == ["123", "2.5", "9.876543"])
}

@Test(.mustEnd, .endsProcesses) func aValueOfAnUnusableTypeStopsWithItsText() async {
  let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
    _ = Decimal128(value: [1])
  }
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains("Cannot convert value '[1]' of type 'Array<Int>' to decimal128"))
}

@Test func decimalsCompareAndHashByValue() throws {
  let one = try decimal("1.0"), other = try decimal("1.00")
  #expect(one == other && one.hashValue == other.hashValue)
  #expect(try decimal("-0") == decimal("0E50") && Set([decimal("-0"), decimal("0E50")]).count == 1)
  #expect(try Set([decimal("1E3"), decimal("1000"), decimal("1000.000")]).count == 1)
  let nan = try decimal("nan")
  #expect(nan == nan && nan < .min && !(nan > .min))
  #expect(
    try [decimal("inf"), .max, 1, decimal("-inf"), nan, .min, 0.5].sorted().map(\.description) == [
      "NaN", "-Inf", "-9.999999999999999999999999999999999E6144", "5E-1", "1", "9.999999999999999999999999999999999E6144", "Inf",
    ])
}

@Test func arithmeticLeavesTheRangeWithoutTrapping() throws {
  #expect(Decimal128.max + .max == (try decimal("inf")))
  #expect(Decimal128.min * 2 == (try decimal("-inf")))
  #expect((1 / Decimal128(0)).description == "Inf")
  #expect((Decimal128(0) / 0).isNaN)
  #expect(try (decimal("inf") - decimal("inf")).isNaN)
  #expect(Decimal128.max.isNaN == false)
  let nan = try decimal("nan")
  #expect(nan.isNaN && nan.isSignaling && nan.isSignalingNaN && (nan + 1).isNaN && (-nan).isNaN)
}

@Test func magnitudeAndNegationAreExact() throws {
  let digits = "1234567890123456789012345678901234"
  var value = try decimal("-\(digits)")
  #expect(value.magnitude.description.filter { $0 != "." } == digits)
  value.negate()
  #expect(try value.description == digits && -value == decimal("-\(digits)"))
  #expect(Decimal128(10).distance(to: 5) == -5 && Decimal128(-150).advanced(by: 300) == 150)
  var sum: Decimal128 = 1
  sum += 2
  sum *= 10
  sum -= 5
  sum /= 4
  #expect(sum == 6.25)
  #expect(stride(from: Decimal128(1), to: 2, by: 0.25).map(\.description) == ["1", "1.25", "1.5", "1.75"])
}

@Test func decimalsConvertToOtherNumbers() throws {
  #expect(try decimal("3.14159").doubleValue == 3.14159)
  #expect(try decimal("1e400").doubleValue == .infinity && decimal("-1e-400").doubleValue == 0)
  #expect(try decimal("nan").doubleValue.isNaN && decimal("-inf").doubleValue == -.infinity)
  #expect(try decimal("-12.50").decimalValue == Decimal(string: "-12.5")!)
  #expect(try decimal("1E100").decimalValue == Decimal(sign: .plus, exponent: 100, significand: 1))
  #expect(try decimal("1E200").decimalValue.isNaN && decimal("nan").decimalValue.isNaN)
}

@Test func decimalsAreCodedAsText() throws {
  let values: [Decimal128] = ["1.50", "-123e40", "nan"]
  let data = try JSONEncoder().encode(values)
  #expect(String(decoding: data, as: UTF8.self) == #"["1.5","-1.23E42","NaN"]"#)
  #expect(try JSONDecoder().decode([Decimal128].self, from: data) == values)
  #expect(try JSONDecoder().decode([Decimal128].self, from: Data("[7, 2.5]".utf8)) == [7, 2.5])
  let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode([Decimal128].self, from: Data("[{}]".utf8)) }
  guard case .dataCorrupted(let context) = error else {
    Issue.record("\(String(describing: error))")
    return
  }
  #expect(context.debugDescription == "Cannot convert value to Decimal128")
}
