/// Splits Swift source into tokens and comments.
///
/// It knows nested comments, raw and multi-line strings with their interpolations, backticks, and literals of regular expressions in the places where
/// no division can be. It knows no grammar.
struct SwiftLexer {
  private(set) var tokens: [Token] = []
  private(set) var comments: [Comment] = []

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The next token has a `///` comment.
  private var documented = false

  init(_ source: String) {
    bytes = Array(source.utf8)
    tokens.reserveCapacity(bytes.count / 4)
    readCode(isInterpolation: false)
  }

  // MARK: code

  private func peek(_ distance: Int = 0) -> UInt8 {
    let place = position + distance
    return place < bytes.count ? bytes[place] : 0
  }

  private func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  private mutating func add(_ kind: Token.Kind, _ text: String, line: Int, isPlainName: Bool = false) {
    let follows = kind == .word && tokens.last?.isSymbol(".") == true
    tokens.append(Token(kind: kind, text: text, line: line, isPlainName: isPlainName || follows, hasDocumentation: documented))
    documented = false
  }

  /// Up to the end, or behind the parenthesis that closes an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): readLineComment()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): readBlockComment()
      case UInt8(ascii: "/") where beginsRegularExpression: readRegularExpression()
      case UInt8(ascii: "\""): readString(hashes: 0)
      case UInt8(ascii: "#"): readHash()
      case UInt8(ascii: "`"): readBackticks()
      case _ where Self.isDigit(byte): readNumber()
      case _ where Self.isWordByte(byte): readWord()
      default:
        if isInterpolation, byte == UInt8(ascii: "(") { depth += 1 }
        if isInterpolation, byte == UInt8(ascii: ")") {
          if depth == 0 {
            position += 1
            return
          }
          depth -= 1
        }
        add(.symbol, text(position, position + 1), line: line)
        position += 1
      }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }
  private static func isWordByte(_ byte: UInt8) -> Bool {
    (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || isDigit(byte) || byte == 95 || byte == 36 || byte >= 128
  }

  private mutating func readWord() {
    let start = position
    while position < bytes.count, Self.isWordByte(bytes[position]) { position += 1 }
    add(.word, text(start, position), line: line)
  }

  private mutating func readBackticks() {
    let start = position + 1
    position = start
    while position < bytes.count, bytes[position] != UInt8(ascii: "`"), bytes[position] != UInt8(ascii: "\n") { position += 1 }
    add(.word, text(start, position), line: line, isPlainName: true)
    position += 1
  }

  private mutating func readNumber() {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      let isFraction = byte == UInt8(ascii: ".") && Self.isDigit(peek(1))
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      let isExponent = isSign && position > start && (bytes[position - 1] | 32 == UInt8(ascii: "p") || isDecimalExponent(from: start))
      guard Self.isWordByte(byte) || isFraction || isExponent else { break }
      position += 1
    }
    add(.number, text(start, position), line: line)
  }

  private func isDecimalExponent(from start: Int) -> Bool {
    bytes[position - 1] | 32 == UInt8(ascii: "e") && !(bytes[start] == 48 && position > start + 1 && bytes[start + 1] | 32 == UInt8(ascii: "x"))
  }

  /// `#if`, `#expect`, or the beginning of a raw string.
  private mutating func readHash() {
    var hashes = 0
    while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if peek(hashes) == UInt8(ascii: "\"") {
      position += hashes
      readString(hashes: hashes)
    } else {
      add(.symbol, "#", line: line)
      position += 1
    }
  }

  // MARK: comments

  private mutating func readLineComment() {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    let isDocumentation = start + 2 < position && bytes[start + 2] == UInt8(ascii: "/")
    comments.append(Comment(text: text(start, position), line: line, isDocumentation: isDocumentation))
    if isDocumentation { documented = true }
  }

  private mutating func readBlockComment() {
    let start = position
    let first = line
    var depth = 0
    repeat {
      if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        if peek() == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
    } while depth > 0 && position < bytes.count
    let end = min(position, bytes.count)
    let isDocumentation = end - start > 4 && bytes[start + 2] == UInt8(ascii: "*")
    comments.append(Comment(text: text(start, end), line: first, isDocumentation: isDocumentation))
    if isDocumentation { documented = true }
  }

  // MARK: literals

  /// Behind the hashes of a raw string, at the first quotation mark.
  private mutating func readString(hashes: Int) {
    let isMultiline = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
    position += isMultiline ? 3 : 1
    var start = position
    var first = line
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\\"), areHashes(hashes, at: 1) {
        if peek(1 + hashes) == UInt8(ascii: "(") {
          add(.string, text(start, position), line: first)
          position += 2 + hashes
          readCode(isInterpolation: true)
          (start, first) = (position, line)
        } else {
          if peek(1 + hashes) == UInt8(ascii: "\n") { line += 1 }
          position = min(position + 2 + hashes, bytes.count)
        }
      } else if byte == UInt8(ascii: "\""), closes(isMultiline: isMultiline, hashes: hashes) {
        add(.string, text(start, position), line: first)
        position += (isMultiline ? 3 : 1) + hashes
        return
      } else {
        if byte == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
    }
  }

  private func areHashes(_ count: Int, at distance: Int) -> Bool { (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") } }

  private func closes(isMultiline: Bool, hashes: Int) -> Bool {
    if isMultiline {
      return peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") && areHashes(hashes, at: 3)
    }
    return areHashes(hashes, at: 1)
  }

  /// At a slash: no operand stands before it, and the line has another one.
  private var beginsRegularExpression: Bool {
    guard let last = tokens.last, last.kind == .symbol, "(,=:[{!&|?".contains(last.text) else { return false }
    guard peek(1) != UInt8(ascii: " "), peek(1) != UInt8(ascii: ")"), peek(1) != UInt8(ascii: ",") else { return false }
    return endOfRegularExpression != nil
  }

  private var endOfRegularExpression: Int? {
    var place = position + 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
      if bytes[place] == UInt8(ascii: "/") { return place }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private mutating func readRegularExpression() {
    guard let end = endOfRegularExpression else { return }
    add(.string, text(position + 1, end), line: line)
    position = end + 1
  }
}
