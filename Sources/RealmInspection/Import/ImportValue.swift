/// A value of imported JSON or CSV.
package indirect enum ImportValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text([UInt8])
  case array([ImportValue])
  /// In the order of the input; a later member of the same name replaces an earlier one.
  case object([(name: String, value: ImportValue)])

  package subscript(name: String) -> ImportValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }
}

/// One object to be imported, or why it is none.
package struct ImportRow: Sendable {
  /// Of the input, from 1 on.
  package let line: Int
  package let value: Result<ImportValue, ImportProblem>
}

package struct ImportProblem: Error, Sendable {
  package let reason: String
}

/// RFC 8259, with the number of the line.
struct JSONReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  private(set) var line: Int
  private static let nestingLimit = 100

  init(_ bytes: [UInt8], position: Int = 0, line: Int = 1) { (self.bytes, self.position, self.line) = (bytes, position, line) }

  var isAtEnd: Bool { position >= bytes.count }
  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      if bytes[position] == 0x0A { line += 1 }
      position += 1
    }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func value(nesting: Int = 0) throws(ImportProblem) -> ImportValue {
    guard nesting <= JSONReader.nestingLimit else { throw ImportProblem(reason: "nested more than \(JSONReader.nestingLimit) levels deep") }
    skipBlanks()
    switch current {
    case UInt8(ascii: "{"): return try object(nesting)
    case UInt8(ascii: "["):
      position += 1
      var elements: [ImportValue] = []
      if take("]") { return .array([]) }
      repeat { elements.append(try value(nesting: nesting + 1)) } while take(",")
      guard take("]") else { throw ImportProblem(reason: "',' or ']' is missing in an array") }
      return .array(elements)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t") where keyword("true"): return .bool(true)
    case UInt8(ascii: "f") where keyword("false"): return .bool(false)
    case UInt8(ascii: "n") where keyword("null"): return .null
    default: return try number()
    }
  }

  private mutating func keyword(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func object(_ nesting: Int) throws(ImportProblem) -> ImportValue {
    position += 1
    var members: [(name: String, value: ImportValue)] = []
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      guard current == UInt8(ascii: "\"") else { throw ImportProblem(reason: "a member's name in quotes is missing") }
      let name = String(decoding: try string(), as: UTF8.self)
      guard take(":") else { throw ImportProblem(reason: "':' is missing behind \"\(name)\"") }
      members.append((name, try value(nesting: nesting + 1)))
    } while take(",")
    guard take("}") else { throw ImportProblem(reason: "',' or '}' is missing in an object") }
    return .object(members)
  }

  private mutating func number() throws(ImportProblem) -> ImportValue {
    let start = position
    while position < bytes.count, bytes[position] > 0x20, ![UInt8](",]}".utf8).contains(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let first = text.utf8.first ?? 0
    guard first == UInt8(ascii: "-") || (first >= 0x30 && first <= 0x39) else {
      throw ImportProblem(reason: text.isEmpty ? "a value is missing" : "'\(text.prefix(40))' is no value")
    }
    if let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw ImportProblem(reason: "'\(text.prefix(40))' is no number") }
    return .number(number)
  }

  private mutating func string() throws(ImportProblem) -> [UInt8] {
    position += 1
    var result: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return result }
      if byte < 0x20 { throw ImportProblem(reason: "a control character in a string") }
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      let escape = current
      position += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(escape)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"): result.append(contentsOf: Array(String(Character(try escapedScalar())).utf8))
      default: throw ImportProblem(reason: "an unknown escape in a string")
      }
    }
    throw ImportProblem(reason: "a string has no end")
  }

  private mutating func escapedScalar() throws(ImportProblem) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first & 0xFC00 == 0xD800, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
      throw ImportProblem(reason: "half of a surrogate pair in a string")
    }
    position += 2
    let second = try hexadecimal()
    guard second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) else {
      throw ImportProblem(reason: "half of a surrogate pair in a string")
    }
    return scalar
  }

  private mutating func hexadecimal() throws(ImportProblem) -> UInt32 {
    let digits = bytes[position..<min(position + 4, bytes.count)]
    guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw ImportProblem(reason: "\\u needs four hexadecimal digits")
    }
    position += 4
    return code
  }
}

/// The rows of an input.
package enum ImportReader {
  package enum Format: String, Sendable, CaseIterable { case csv, json, jsonl }

  package static func rows(_ bytes: [UInt8], _ format: Format) -> [ImportRow] {
    // A mark of UTF-8 is no part of the text.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    switch format {
    case .json: return json(text)
    case .jsonl: return jsonLines(text)
    case .csv: return csv(text)
    }
  }

  private static func checked(_ value: ImportValue) -> Result<ImportValue, ImportProblem> {
    if case .object = value { .success(value) } else { .failure(ImportProblem(reason: "is no object")) }
  }

  /// An array of objects; what follows a mistake cannot be read.
  private static func json(_ bytes: [UInt8]) -> [ImportRow] {
    var reader = JSONReader(bytes)
    guard reader.take("[") else { return [ImportRow(line: 1, value: .failure(ImportProblem(reason: "the input is no array of objects")))] }
    var rows: [ImportRow] = []
    if reader.take("]") { return rows }
    repeat {
      reader.skipBlanks()
      let line = reader.line
      do throws(ImportProblem) { rows.append(ImportRow(line: line, value: checked(try reader.value()))) } catch {
        return rows + [ImportRow(line: reader.line, value: .failure(error))]
      }
    } while reader.take(",")
    if !reader.take("]") { rows.append(ImportRow(line: reader.line, value: .failure(ImportProblem(reason: "',' or ']' is missing")))) }
    return rows
  }

  private static func jsonLines(_ bytes: [UInt8]) -> [ImportRow] {
    var rows: [ImportRow] = []
    var line = 0
    for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      line += 1
      if part.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      var reader = JSONReader(Array(part), line: line)
      do throws(ImportProblem) {
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.isAtEnd else { throw ImportProblem(reason: "something follows the object") }
        rows.append(ImportRow(line: line, value: checked(value)))
      } catch { rows.append(ImportRow(line: line, value: .failure(error))) }
    }
    return rows
  }

  // MARK: CSV

  /// RFC 4180: the first line names the properties. Empty fields without quotes are null.
  private static func csv(_ bytes: [UInt8]) -> [ImportRow] {
    var reader = CSVReader(bytes)
    guard let header = reader.next() else { return [] }
    let names = header.fields.map { String(decoding: $0 ?? [], as: UTF8.self) }
    var rows: [ImportRow] = []
    while let record = reader.next() {
      if record.fields.count == 1 && record.fields[0] == nil { continue }
      if let problem = record.problem {
        rows.append(ImportRow(line: record.line, value: .failure(ImportProblem(reason: problem))))
      } else if record.fields.count != names.count {
        let reason = "has \(record.fields.count) fields, the header has \(names.count)"
        rows.append(ImportRow(line: record.line, value: .failure(ImportProblem(reason: reason))))
      } else {
        let members = zip(names, record.fields).map { (name: $0, value: $1.map { ImportValue.text($0) } ?? .null) }
        rows.append(ImportRow(line: record.line, value: .success(.object(members))))
      }
    }
    return rows
  }
}

struct CSVReader {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A field is nil if it is empty and not quoted.
  mutating func next() -> (line: Int, fields: [[UInt8]?], problem: String?)? {
    guard position < bytes.count else { return nil }
    let start = line
    var fields: [[UInt8]?] = []
    var problem: String?
    while true {
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        fields.append(quoted(&problem))
      } else {
        let begin = position
        while position < bytes.count, ![0x2C, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        fields.append(begin == position ? nil : Array(bytes[begin..<position]))
      }
      guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { break }
      position += 1
    }
    if position < bytes.count, bytes[position] == 0x0D { position += 1 }
    if position < bytes.count, bytes[position] == 0x0A { position += 1 }
    line += 1
    return (start, fields, problem)
  }

  private mutating func quoted(_ problem: inout String?) -> [UInt8] {
    position += 1
    var result: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0x0A { line += 1 }
      guard byte == UInt8(ascii: "\"") else {
        result.append(byte)
        continue
      }
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        result.append(byte)
        position += 1
        continue
      }
      if position < bytes.count, ![0x2C, 0x0A, 0x0D].contains(bytes[position]) {
        problem = "text follows a closing quote"
        while position < bytes.count, ![0x2C, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
      }
      return result
    }
    problem = "a quote is not closed"
    return result
  }
}
