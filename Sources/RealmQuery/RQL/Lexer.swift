import RealmStorage

/// Splits RQL text into tokens: the longest match wins, among equally long ones a literal before an identifier (Q1).
struct Lexer {
  private let bytes: [UInt8]
  private let acceptsISODates: Bool
  private var position = 0

  init(_ bytes: [UInt8], acceptsISODates: Bool = false) { (self.bytes, self.acceptsISODates) = (bytes, acceptsISODates) }

  /// The byte at an offset from the position; 0 past the end.
  @inline(__always) private func peek(_ offset: Int = 0) -> UInt8 {
    let index = position + offset
    return index < bytes.count ? bytes[index] : 0
  }

  struct InvalidCharacter: Error { let offset: Int }

  mutating func next() throws(InvalidCharacter) -> Token {
    while position < bytes.count, [0x20, 0x09, 0x0D, 0x0A].contains(bytes[position]) { position += 1 }
    let start = position
    guard start < bytes.count else { return Token(kind: .end, range: start..<start) }
    guard let (kind, length) = scan() else { throw InvalidCharacter(offset: start) }
    position += length
    return Token(kind: kind, range: start..<position)
  }

  private func scan() -> (Token.Kind, Int)? {
    let byte = peek()
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return string()
    case UInt8(ascii: "@"): return atWord()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "."): return peek(1).isDigit ? number() : (.symbol(byte), 1)
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      return number() ?? signedSpecial() ?? (.symbol(byte), 1)
    case UInt8(ascii: "["):
      if peek(1) == UInt8(ascii: "c") && peek(2) == UInt8(ascii: "]") { return (.caseInsensitive, 3) }
      return (.symbol(byte), 1)
    case _ where byte.startsIdentifier: return identifierOrLiteral()
    default: return symbol(byte)
    }
  }

  private func symbol(_ byte: UInt8) -> (Token.Kind, Int)? {
    switch (byte, peek(1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): (.relation(.equal), 2)
    case (UInt8(ascii: "="), UInt8(ascii: "<")): (.relation(.lessOrEqual), 2)
    case (UInt8(ascii: "="), UInt8(ascii: ">")): (.relation(.greaterOrEqual), 2)
    case (UInt8(ascii: "="), _): (.relation(.equal), 1)
    case (UInt8(ascii: "!"), UInt8(ascii: "=")): (.relation(.notEqual), 2)
    case (UInt8(ascii: "!"), _): (.not, 1)
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): (.relation(.notEqual), 2)
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): (.relation(.lessOrEqual), 2)
    case (UInt8(ascii: "<"), _): (.relation(.less), 1)
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): (.relation(.greaterOrEqual), 2)
    case (UInt8(ascii: ">"), _): (.relation(.greater), 1)
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): (.and, 2)
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): (.or, 2)
    case _ where [UInt8](")({}],*/".utf8).contains(byte): (.symbol(byte), 1)
    default: nil
    }
  }

  private func atWord() -> (Token.Kind, Int)? {
    for word in Token.AtWord.allCases where matches(word.rawValue, at: 1) { return (.at(word), 1 + word.rawValue.utf8.count) }
    return nil
  }

  private func matches(_ text: String, at offset: Int, ignoringCase: Bool = false) -> Bool {
    var index = position + offset
    for byte in text.utf8 {
      guard index < bytes.count, bytes[index] == byte || ignoringCase && bytes[index] | 0x20 == byte else { return false }
      index += 1
    }
    return true
  }

  // MARK: Strings

  /// Backslashes are checked, and stay in the value (Q1.3).
  private func string() -> (Token.Kind, Int)? {
    let quote = peek()
    var index = position + 1
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote { return (.string(Array(bytes[position + 1..<index])), index + 1 - position) }
      index += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      guard index < bytes.count else { return nil }
      if bytes[index] == UInt8(ascii: "u") {
        guard index + 4 < bytes.count, bytes[index + 1...index + 4].allSatisfy(\.isHexadecimal) else { return nil }
      } else if ![UInt8]("\"'/bfnrt0\\".utf8).contains(bytes[index]) {
        return nil
      }
      index += 1
    }
    return nil
  }

  // MARK: Numbers

  /// Index after the digits that start at `index`.
  private func digits(from index: Int) -> Int {
    var index = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return index
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func number() -> (Token.Kind, Int)? {
    let start = position
    let isSigned = peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-")
    let whole = start + (isSigned ? 1 : 0)
    if !isSigned, let found = hexadecimal() ?? date() { return found }
    var end = digits(from: whole)
    let wholeCount = end - whole
    var isFloating = false
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      let fraction = digits(from: end + 1)
      if wholeCount > 0 || fraction > end + 1 { (end, isFloating) = (fraction, true) }
    }
    guard wholeCount > 0 || isFloating else { return nil }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      let hasSign = end + 1 < bytes.count && (bytes[end + 1] == UInt8(ascii: "+") || bytes[end + 1] == UInt8(ascii: "-"))
      let first = end + (hasSign ? 2 : 1)
      let last = digits(from: first)
      if last > first { (end, isFloating) = (last, true) }
    }
    let text = text(start..<end)
    if end < bytes.count, bytes[end] == UInt8(ascii: "f") { return (.float(Float(NumberSyntax.float(text))), end + 1 - start) }
    if isFloating { return (.floating(NumberSyntax.double(text), text: text), end - start) }
    let value = NumberSyntax.integer(bytes[start..<end])
    return (isSigned ? .number(value) : .natural(value), end - start)
  }

  private func hexadecimal() -> (Token.Kind, Int)? {
    guard peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x"), peek(2).isHexadecimal else { return nil }
    var end = position + 2
    while end < bytes.count, bytes[end].isHexadecimal { end += 1 }
    return (.number(NumberSyntax.integer(bytes[position..<end])), end - position)
  }

  /// The original's form, or if they are accepted a longer one of those that people write: `2020-01-31`, `2020-01-31T12:00:00.5+01:00`,
  /// `2020-01-31 12:00`, `31.01.2020`, `20200131T120000Z`. None of them means anything else in the language.
  private func date() -> (Token.Kind, Int)? {
    let known = countedDate()
    guard acceptsISODates, looksLikeDate() else { return known }
    var end = endOfDate("-:.TZ+", from: position)
    // A time behind a blank: two digits and a colon.
    if known?.1 ?? 0 < end - position, end + 3 < bytes.count, bytes[end] == 0x20, bytes[end + 1].isDigit, bytes[end + 2].isDigit,
      bytes[end + 3] == UInt8(ascii: ":")
    {
      end = endOfDate("-:.Z+", from: end + 1)
    }
    guard end - position > known?.1 ?? 0 else { return known }
    if let form = DateForm(bytes[position..<end]) { return (.date(form.date), end - position) }
    return known ?? (.noDate(text(position..<end)), end - position)
  }

  /// Index after digits and `characters`.
  private func endOfDate(_ characters: String, from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end].isDigit || characters.utf8.contains(bytes[end]) { end += 1 }
    return end
  }

  /// Three numbers with `-` or `.` between them, or eight digits and a time.
  private func looksLikeDate() -> Bool {
    let first = digits(from: position)
    guard first + 1 < bytes.count else { return false }
    if bytes[first] == UInt8(ascii: "T") { return first - position == 8 && bytes[first + 1].isDigit }
    guard bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "."), first - position <= 4 else { return false }
    let second = digits(from: first + 1)
    guard (1...2).contains(second - first - 1), second < bytes.count, bytes[second] == bytes[first] else { return false }
    return digits(from: second + 1) > second + 1
  }

  /// `Y-M-D@h:m:s[:ns]`, with `T` as well as `@`.
  private func countedDate() -> (Token.Kind, Int)? {
    var fields: [Int64] = []
    var index = position
    for separators in ["-", "-", "@T", ":", ":", ""] {
      let end = digits(from: index)
      guard end > index else { return nil }
      fields.append(Int64(clamping: NumberSyntax.decimal(bytes[index..<end])))
      index = end
      if separators.isEmpty { break }
      guard index < bytes.count, separators.utf8.contains(bytes[index]) else { return nil }
      index += 1
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
      let end = digits(from: index + 1)
      if end > index + 1 {
        fields.append(NumberSyntax.decimal(bytes[index + 1..<end]))
        index = end
      }
    }
    return (.date(NumberSyntax.date(fields)), index - position)
  }

  private func signedSpecial() -> (Token.Kind, Int)? {
    for (name, value) in [("infinity", Double.infinity), ("inf", .infinity), ("nan", .nan)] where matches(name, at: 1, ignoringCase: true) {
      return (.special(peek() == UInt8(ascii: "-") ? -value : value), 1 + name.utf8.count)
    }
    return nil
  }

  /// Index after an optional sign and digits; nil without digits.
  private func signedDigits(from index: Int) -> Int? {
    let hasSign = index < bytes.count && (bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+"))
    let first = index + (hasSign ? 1 : 0)
    let end = digits(from: first)
    return end > first ? end : nil
  }

  // MARK: Identifiers and the literals that look like one

  private func identifierOrLiteral() -> (Token.Kind, Int) {
    if let literal = longLiteral() { return literal }
    var end = position
    var name: [UInt8] = []
    var isPlain = true
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\\"), end > position, end + 1 < bytes.count, let decoded = Lexer.escapes[bytes[end + 1]] {
        name.append(decoded)
        isPlain = false
        end += 2
        continue
      }
      guard byte.continuesIdentifier else { break }
      name.append(byte)
      end += 1
    }
    let text = String(decoding: name, as: UTF8.self)
    let kind = isPlain ? shortLiteral(name) ?? word(text) : nil
    return (kind ?? .identifier(text), end - position)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: " "): 0x20, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  private func word(_ text: String) -> Token.Kind? {
    switch text.utf8.count <= 8 ? text.lowercased() : "" {
    case "and": return .and
    case "or": return .or
    case "not": return text == "not" || text == "NOT" ? .not : nil
    case "inf", "infinity": return .special(.infinity)
    case "nan": return .special(.nan)
    default: return Token.Word(spelling: text).map { .word($0, spelling: text) }
    }
  }

  /// Literals as long as the identifier that they might be.
  private func shortLiteral(_ name: [UInt8]) -> Token.Kind? {
    func number(after count: Int) -> Int64? {
      let rest = name.dropFirst(count)
      return !rest.isEmpty && rest.allSatisfy(\.isDigit) ? NumberSyntax.decimal(rest) : nil
    }
    switch name[0] {
    case UInt8(ascii: "$"):
      if name.count > 2, name[1] == UInt8(ascii: "K"), let index = number(after: 2) { return .keyPathArgument(Int(index)) }
      return number(after: 1).map { .argument(Int($0)) }
    case UInt8(ascii: "O"): return number(after: 1).map { .objectKey($0) }
    default: return nil
    }
  }

  /// Literals that go on where an identifier would end.
  private func longLiteral() -> (Token.Kind, Int)? {
    switch peek() {
    case UInt8(ascii: "T"):
      guard let colon = signedDigits(from: position + 1), colon < bytes.count, bytes[colon] == UInt8(ascii: ":"),
        let end = signedDigits(from: colon + 1)
      else { return nil }
      let seconds = NumberSyntax.decimal(bytes[position + 1..<colon])
      let nanoseconds = NumberSyntax.decimal(bytes[colon + 1..<end])
      return (.timestamp(seconds: seconds, nanoseconds: nanoseconds), end - position)
    case UInt8(ascii: "L"):
      let colon = digits(from: position + 1)
      guard colon > position + 1, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
      let end = digits(from: colon + 1)
      guard end > colon + 1 else { return nil }
      let table = NumberSyntax.decimal(bytes[position + 1..<colon])
      let key = NumberSyntax.decimal(bytes[colon + 1..<end])
      return (.link(table: table, key: key), end - position)
    case UInt8(ascii: "B"): return base64()
    case UInt8(ascii: "u"):
      guard matches("uuid(", at: 0), let id = UUIDBytes(hexadecimal: bytes.dropFirst(position + 5).prefix(36)), peek(41) == UInt8(ascii: ")")
      else { return nil }
      return (.uuid(id), 42)
    case UInt8(ascii: "o"):
      guard matches("oid(", at: 0), let id = ObjectID(hexadecimal: bytes.dropFirst(position + 4).prefix(24)), peek(28) == UInt8(ascii: ")")
      else { return nil }
      return (.objectID(id), 29)
    default: return nil
    }
  }

  private func base64() -> (Token.Kind, Int)? {
    guard matches("B64\"", at: 0) else { return nil }
    var end = position + 4
    while end < bytes.count, bytes[end].isBase64 { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    return (.base64(Base64.decode(bytes[position + 4..<end])), end + 1 - position)
  }
}
