@testable import RealmInspection

/// CSV read byte by byte, each field copied: what the fast reader has to agree with.
struct SlowCSV {
  struct Record: Equatable {
    /// Nil is null.
    var fields: [[UInt8]?] = []
    var end = 0
    var lineCount = 1
    var problem: CSVRecords.Problem?
  }

  private let bytes: [UInt8]
  private let delimiter: UInt8
  private var position = 0

  /// All records of the bytes.
  static func records(_ bytes: [UInt8], _ delimiter: UInt8) -> [Record] {
    var reader = SlowCSV(bytes: bytes, delimiter: delimiter)
    var result: [Record] = []
    while reader.position < bytes.count { result.append(reader.record()) }
    return result
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var isAtFieldEnd: Bool { next == nil || next == delimiter || next == 0x0A || next == 0x0D }

  private mutating func record() -> Record {
    var result = Record()
    let start = position
    result.fields.append(field(&result))
    while next == delimiter {
      position += 1
      result.fields.append(field(&result))
    }
    if next == 0x0D { position += 1 }
    if next == 0x0A { position += 1 }
    result.end = position
    if String(validating: bytes[start..<position], as: UTF8.self) == nil { result.problem = .notUTF8 }
    return result
  }

  private mutating func field(_ record: inout Record) -> [UInt8]? {
    var text: [UInt8] = []
    if next != 0x22 {
      while !isAtFieldEnd { take(&text) }
      return text.isEmpty ? nil : text
    }
    position += 1
    while let byte = next {
      if byte == 0x0A { record.lineCount += 1 }
      if byte != 0x22 {
        take(&text)
      } else if position + 1 < bytes.count, bytes[position + 1] == 0x22 {
        take(&text)
        position += 1
      } else {
        position += 1
        if !isAtFieldEnd { record.problem = .textBehindQuote }
        while !isAtFieldEnd { position += 1 }
        return text
      }
    }
    record.problem = .openQuote
    return text
  }

  private mutating func take(_ text: inout [UInt8]) {
    text.append(bytes[position])
    position += 1
  }
}
