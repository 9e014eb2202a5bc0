import RealmStorage

/// The tokens of Cocoa's predicate language (Q16.2).
struct FormatLexer {
  enum Token: Equatable {
    case end
    /// A name or keyword; `#` before it makes it a name in any case.
    case word(String, isEscaped: Bool)
    /// `$x`.
    case variable(String)
    /// `@count`, `@allKeys` ...
    case at(String)
    case integer(Int64)
    case floating(Double)
    case string([UInt8])
    /// `%@`
    case argument
    /// `%K`
    case keyPathArgument
    /// `%d`, `%f` ...; whether it takes an integer.
    case numberArgument(isInteger: Bool)
    case relation(Relation)
    case and, or, not
    case symbol(UInt8)
    case malformed
  }

  let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private func peek(_ offset: Int = 0) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }

  mutating func next() -> (token: Token, start: Int) {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    let start = position
    guard start < bytes.count else { return (.end, start) }
    return (scan(), start)
  }

  private mutating func scan() -> Token {
    let byte = peek()
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return string(byte)
    case UInt8(ascii: "%"): return specifier()
    case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"):
      position += 1
      guard let name = name() else { return .malformed }
      return byte == UInt8(ascii: "@") ? .at(name) : byte == UInt8(ascii: "#") ? .word(name, isEscaped: true) : .variable("$" + name)
    case _ where byte.isDigit || (byte == UInt8(ascii: ".") && peek(1).isDigit): return number()
    case UInt8(ascii: "-") where peek(1).isDigit || peek(1) == UInt8(ascii: "."): return number()
    case _ where byte.isLetter || byte == UInt8(ascii: "_") || byte >= 0x80: return name().map { .word($0, isEscaped: false) } ?? .malformed
    default: return symbol(byte)
    }
  }

  private mutating func name() -> String? {
    let start = position
    while peek().isLetter || peek() == UInt8(ascii: "_") || peek() >= 0x80 || position > start && peek().isDigit { position += 1 }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  private mutating func symbol(_ byte: UInt8) -> Token {
    let (token, length): (Token, Int) =
      switch (byte, peek(1)) {
      case (UInt8(ascii: "="), UInt8(ascii: "=")): (.relation(.equal), 2)
      case (UInt8(ascii: "="), UInt8(ascii: "<")), (UInt8(ascii: "<"), UInt8(ascii: "=")): (.relation(.lessOrEqual), 2)
      case (UInt8(ascii: "="), UInt8(ascii: ">")), (UInt8(ascii: ">"), UInt8(ascii: "=")): (.relation(.greaterOrEqual), 2)
      case (UInt8(ascii: "="), _): (.relation(.equal), 1)
      case (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")): (.relation(.notEqual), 2)
      case (UInt8(ascii: "!"), _): (.not, 1)
      case (UInt8(ascii: "<"), _): (.relation(.less), 1)
      case (UInt8(ascii: ">"), _): (.relation(.greater), 1)
      case (UInt8(ascii: "&"), UInt8(ascii: "&")): (.and, 2)
      case (UInt8(ascii: "|"), UInt8(ascii: "|")): (.or, 2)
      default: (.symbol(byte), 1)
      }
    position += length
    return token
  }

  private mutating func specifier() -> Token {
    position += 1
    switch peek() {
    case UInt8(ascii: "@"):
      position += 1
      return .argument
    case UInt8(ascii: "K"):
      position += 1
      return .keyPathArgument
    default:
      while [UInt8]("hlqLz".utf8).contains(peek()) { position += 1 }
      let conversion = peek()
      position += 1
      if [UInt8]("dDiuUxXoOc".utf8).contains(conversion) { return .numberArgument(isInteger: true) }
      return [UInt8]("fFeEgG".utf8).contains(conversion) ? .numberArgument(isInteger: false) : .malformed
    }
  }

  private mutating func number() -> Token {
    let start = position
    if peek() == UInt8(ascii: "-") { position += 1 }
    if peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x"), peek(2).isHexadecimal {
      position += 2
      while peek().isHexadecimal { position += 1 }
      return .integer(NumberSyntax.integer(bytes[start..<position]))
    }
    while peek().isDigit { position += 1 }
    var isFloating = false
    if peek() == UInt8(ascii: ".") && peek(1).isDigit || peek() == UInt8(ascii: ".") && !peek(1).isLetter && peek(1) != UInt8(ascii: "@") {
      isFloating = true
      position += 1
      while peek().isDigit { position += 1 }
    }
    let exponentStart = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+") ? 2 : 1
    if peek() | 0x20 == UInt8(ascii: "e"), peek(exponentStart).isDigit {
      isFloating = true
      position += exponentStart
      while peek().isDigit { position += 1 }
    }
    let text = bytes[start..<position]
    if isFloating { return .floating(NumberSyntax.double(String(decoding: text, as: UTF8.self))) }
    // Numbers beyond 64 bits are no integers.
    if let value = Int64(String(decoding: text, as: UTF8.self)) { return .integer(value) }
    return .floating(NumberSyntax.double(String(decoding: text, as: UTF8.self)))
  }

  /// With escapes decoded.
  private mutating func string(_ quote: UInt8) -> Token {
    position += 1
    var result: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote { return .string(result) }
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard position < bytes.count else { return .malformed }
      let escaped = bytes[position]
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "u"):
        let digits = bytes[position..<min(position + 4, bytes.count)]
        guard digits.count == 4, digits.allSatisfy(\.isHexadecimal), let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
          let scalar = Unicode.Scalar(code)
        else { return .malformed }
        result.append(contentsOf: Array(String(Character(scalar)).utf8))
        position += 4
      default: result.append(escaped)
      }
    }
    return .malformed
  }
}
