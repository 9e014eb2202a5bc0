import Randomness
import TestSupport
import Testing

@testable import RealmInspection

/// The reader that looks at eight bytes at a time beside one that looks at one.
@Suite(.mustEnd) struct CSVRecordsTests {
  /// What records are made of; more of what matters than of anything else.
  private static let parts: [[UInt8]] =
    [
      "", ",", ",", ";", "\t", "\n", "\n", "\r\n", "\r", "\"", "\"\"", "\",", ",\"", "\"\n", "a", "12", "-3.5", "Person number 7",
      "2020-01-31T12:00:00Z", "é", "😀",
    ]
    .map { Array($0.utf8) } + [[0x80], [0xFF], [0x00], [0x8A], [0x8D], [0xAC]]

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...60, using: &random) { text += parts.randomElement(using: &random)! }
    return text
  }

  private static func found(_ records: CSVRecords, _ bytes: [UInt8]) -> [SlowCSV.Record] {
    records.records.map { record in
      let fields = records.fields[record.firstField..<record.firstField + record.fieldCount].map { field in
        field.isNull ? nil : Array((field.isUnescaped ? records.side : bytes)[field.range])
      }
      return SlowCSV.Record(fields: fields, end: record.end, lineCount: record.lineCount, problem: record.problem)
    }
  }

  @Test func theFastReaderAgreesWithTheSlowOne() {
    var random = SeededGenerator(test: 1)
    let records = CSVRecords()
    for round in 0..<20_000 {
      let bytes = Self.text(&random)
      let delimiter = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].randomElement(using: &random)!
      let expected = SlowCSV.records(bytes, delimiter)
      records.read(bytes.span, from: 0, delimiter: delimiter, isComplete: true, fieldLimit: .max)
      let found = Self.found(records, bytes)
      #expect(found == expected, "seed \(testSeed), round \(round): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      if found != expected { return }
    }
  }

  /// As a file is read: a piece, what is whole in it, and the next piece behind the rest.
  @Test func piecesOfATextGiveTheSameRecordsAsAllOfIt() {
    var random = SeededGenerator(test: 2)
    let records = CSVRecords()
    for round in 0..<5000 {
      let bytes = Self.text(&random)
      let expected = SlowCSV.records(bytes, UInt8(ascii: ","))
      var found: [SlowCSV.Record] = []
      var start = 0
      var end = 0
      while start < bytes.count {
        let piece = Array(bytes[..<end])
        if start < end {
          let limit = Int.random(in: 1...20, using: &random)
          records.read(piece.span, from: start, delimiter: UInt8(ascii: ","), isComplete: end == bytes.count, fieldLimit: limit)
          found += Self.found(records, piece)
          start = records.records.last?.end ?? start
          if !records.records.isEmpty { continue }
        }
        end = Int.random(in: min(end + 1, bytes.count)...bytes.count, using: &random)
      }
      #expect(found == expected, "seed \(testSeed), round \(round): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      if found != expected { return }
    }
  }
}
