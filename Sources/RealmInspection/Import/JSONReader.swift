/// RFC 8259, with the number of the line.
struct JSONReader {
  private let bytes: [UInt8]
  private let end: Int
  private let duplicates: DuplicateNames
  private(set) var position: Int
  private(set) var line: Int
  /// Something behind the end was asked for: with more bytes the result may be another one.
  private(set) var hasMetEnd = false
  /// Names that an object had twice.
  private(set) var repeatedNames: Set<String> = []
  private static let nestingLimit = 100

  init(_ bytes: [UInt8], _ range: Range<Int>, line: Int = 1, duplicates: DuplicateNames = .refuse) {
    (self.bytes, self.position, end, self.line, self.duplicates) = (bytes, range.lowerBound, range.upperBound, line, duplicates)
  }

  private mutating func current() -> UInt8 {
    if position < end { return bytes[position] }
    hasMetEnd = true
    return 0
  }

  mutating func skipBlanks() {
    while true {
      switch current() {
      case 0x0A:
        line += 1
        position += 1
      case 0x20, 0x09, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Whether nothing but blanks is left.
  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return position >= end
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard current() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func value(nesting: Int = 0) throws(ImportProblem) -> ImportValue {
    guard nesting <= JSONReader.nestingLimit else { throw problem("nested more than \(JSONReader.nestingLimit) levels deep") }
    skipBlanks()
    switch current() {
    case UInt8(ascii: "{"): return try object(nesting)
    case UInt8(ascii: "["):
      position += 1
      var elements: [ImportValue] = []
      if take("]") { return .array([]) }
      repeat { elements.append(try value(nesting: nesting + 1)) } while take(",")
      guard take("]") else { throw problem("',' or ']' is missing in an array") }
      return .array(elements)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t") where keyword("true"): return .bool(true)
    case UInt8(ascii: "f") where keyword("false"): return .bool(false)
    case UInt8(ascii: "n") where keyword("null"): return .null
    default: return try number()
    }
  }

  private func problem(_ reason: String, hint: String? = nil) -> ImportProblem { ImportProblem(reason: reason, hint: hint, line: line) }

  private mutating func keyword(_ text: String) -> Bool {
    guard end - position >= text.utf8.count else {
      hasMetEnd = true
      return false
    }
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func object(_ nesting: Int) throws(ImportProblem) -> ImportValue {
    position += 1
    var members: [(name: String, value: ImportValue)] = []
    if take("}") { return .object([]) }
    repeat {
      let (name, value) = try member(nesting)
      members.append((name, value))
    } while take(",")
    guard take("}") else { throw problem("',' or '}' is missing in an object") }
    guard hasDuplicates(members) else { return .object(members) }
    let names: [String?]
    do throws(ImportProblem) { names = try duplicates.resolve(members.map(\.name)) } catch { throw problem(error.reason, hint: error.hint) }
    for (name, member) in zip(names, members) where name != member.name { repeatedNames.insert(member.name) }
    return .object(zip(names, members).compactMap { name, member in name.map { ($0, member.value) } })
  }

  private func hasDuplicates(_ members: [(name: String, value: ImportValue)]) -> Bool {
    if members.count > 16 { return Set(members.map(\.name)).count < members.count }
    for index in members.indices.dropFirst() where members[..<index].contains(where: { $0.name == members[index].name }) { return true }
    return false
  }

  /// `"name":`.
  mutating func memberName() throws(ImportProblem) -> String {
    skipBlanks()
    guard current() == UInt8(ascii: "\"") else { throw problem("a member's name in quotes is missing") }
    let name = String(decoding: try string(), as: UTF8.self)
    guard take(":") else { throw problem("':' is missing behind \"\(name)\"") }
    return name
  }

  private mutating func member(_ nesting: Int) throws(ImportProblem) -> (String, ImportValue) {
    let name = try memberName()
    return (name, try value(nesting: nesting + 1))
  }

  private mutating func number() throws(ImportProblem) -> ImportValue {
    let start = position
    scan: while true {
      switch current() {
      case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): break scan
      default: position += 1
      }
    }
    let text = bytes[start..<position]
    let shown = String(decoding: text.prefix(40), as: UTF8.self)
    guard let first = text.first else { throw problem("a value is missing") }
    guard first == UInt8(ascii: "-") || (first >= 0x30 && first <= 0x39), let digits = ImportText.digits(bytes.span, start..<position) else {
      throw problem("'\(shown)' is no value")
    }
    guard digits.wholeCount > 0, !digits.isPadded else { throw problem("'\(shown)' is no number of JSON") }
    if let integer = ImportText.integer(digits), integer != 0 || !digits.isNegative { return .integer(integer) }
    return .number(Array(text))
  }

  private mutating func string() throws(ImportProblem) -> [UInt8] {
    position += 1
    var result: [UInt8] = []
    var all: UInt8 = 0
    while true {
      let start = position
      while position < end, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\"), bytes[position] >= 0x20 {
        all |= bytes[position]
        position += 1
      }
      result += bytes[start..<position]
      switch current() {
      case UInt8(ascii: "\""):
        position += 1
        guard all < 0x80 || UTF8Text.isValid(result.span) else { throw problem(UTF8Text.problem, hint: UTF8Text.hint) }
        return result
      case UInt8(ascii: "\\"):
        position += 1
        result += try escape()
      case _ where position >= end: throw problem("a string has no end")
      default: throw problem("a control character in a string")
      }
    }
  }

  /// What stands behind a backslash.
  private mutating func escape() throws(ImportProblem) -> [UInt8] {
    let escape = current()
    position += 1
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [escape]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try escapedScalar())).utf8)
    default: throw problem("an unknown escape in a string")
    }
  }

  private mutating func escapedScalar() throws(ImportProblem) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first & 0xFC00 == 0xD800, keyword("\\u") else { throw problem("half of a surrogate pair in a string") }
    let second = try hexadecimal()
    guard second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) else {
      throw problem("half of a surrogate pair in a string")
    }
    return scalar
  }

  private mutating func hexadecimal() throws(ImportProblem) -> UInt32 {
    if end - position < 4 { hasMetEnd = true }
    let digits = bytes[min(position, end)..<min(position + 4, end)]
    let isHexadecimal = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    guard digits.count == 4, isHexadecimal, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw problem("\\u needs four hexadecimal digits")
    }
    position += 4
    return code
  }
}
