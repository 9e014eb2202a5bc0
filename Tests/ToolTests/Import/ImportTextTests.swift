import Randomness
import TestSupport
import Testing

@testable import RealmInspection

/// Numbers in texts beside what the standard library makes of them.
@Suite(.mustEnd) struct ImportTextTests {
  private static func text(_ random: inout SeededGenerator) -> String {
    let digits = { (count: Int, random: inout SeededGenerator) in String((0..<count).map { _ in "0123456789".randomElement(using: &random)! }) }
    var text = Int.random(in: 0..<4, using: &random) == 0 ? "-" : ""
    if Bool.random(using: &random) { text += String(repeating: "0", count: Int.random(in: 0...3, using: &random)) }
    text += digits(Int.random(in: 0...21, using: &random), &random)
    if Int.random(in: 0..<3, using: &random) == 0 { text += "." + digits(Int.random(in: 0...20, using: &random), &random) }
    if Int.random(in: 0..<6, using: &random) == 0 { text += ["e5", "E-3", "e+12", "e", "x", " ", "-"].randomElement(using: &random)! }
    return text
  }

  @Test func numbersAreWhatTheStandardLibraryReads() {
    var random = SeededGenerator(test: 3)
    for round in 0..<50_000 {
      let text = Self.text(&random)
      // Among other digits, which are not part of it.
      let bytes = Array("77\(text)77".utf8)
      let range = 2..<bytes.count - 2
      let integer = text.isEmpty ? nil : Int64(text)
      #expect(ImportText.integer(bytes.span, range) == integer, "seed \(testSeed), round \(round): \(text)")
      let double = text.hasSuffix(".") || text.contains(".e") || text.contains(".E") ? nil : Double(text)
      #expect(ImportText.double(bytes.span, range) == double, "seed \(testSeed), round \(round): \(text)")
      let plain = text.drop { $0 == "-" }
      let isPadded = plain.count > 1 && plain.first == "0" && plain.dropFirst().first?.isNumber == true
      let isSmall = integer.map { $0.magnitude <= 1 << 53 && !($0 == 0 && text.hasPrefix("-")) && !isPadded } ?? false
      #expect((ImportText.kind(bytes.span, range, nil) == .int) == isSmall, "seed \(testSeed), round \(round): \(text)")
    }
  }

  @Test func wordsForNumbersWithoutDigitsAreThoseOfOtherProgramsToo() {
    for word in ["NaN", "nan", "Inf", "inf", "Infinity", "infinity", "-Inf", "-inf", "-Infinity", "-infinity"] {
      let bytes = Array(word.utf8)
      #expect(ImportText.kind(bytes.span, bytes.indices, nil) == .special, "\(word)")
      let number = ImportText.double(bytes.span, bytes.indices)
      #expect(number.map { "\($0)" } == Double(word).map { "\($0)" }, "\(word)")
    }
    for word in ["null", "nano", "in", "-", "infinite", "Nan", "INF", "-nan"] {
      let bytes = Array(word.utf8)
      #expect(ImportText.kind(bytes.span, bytes.indices, nil) == .string, "\(word)")
    }
  }
}
