/// Reads JSON as RFC 8259 has it, and nothing beside it: no comments, no second member of a name, no halves of characters.
struct JSONReader {
  private let bytes: [UInt8]
  private var offset = 0
  /// Values inside of values.
  private static let depthLimit = 32

  /// Where, and why not. The offset is that of the first byte that was not read.
  struct Failure: Error {
    let offset: Int
  }

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The only value of a text.
  static func value(_ text: String) throws(Failure) -> JSONValue {
    var reader = Self(text)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.offset == reader.bytes.count else { throw reader.failure }
    return value
  }

  private var failure: Failure { Failure(offset: offset) }
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { offset += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= Self.depthLimit else { throw failure }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw failure }
    offset += word.utf8.count
    return value
  }

  private mutating func object(_ depth: Int) throws(Failure) -> JSONValue {
    offset += 1
    var members: [JSONValue.Member] = []
    var names: Set<[UInt8]> = []
    skipSpace()
    if skip("}") { return .object([]) }
    while true {
      skipSpace()
      let name = try string()
      guard names.insert(Array(name.utf8)).inserted else { throw failure }
      skipSpace()
      guard skip(":") else { throw failure }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
      skipSpace()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw failure }
    }
  }

  private mutating func array(_ depth: Int) throws(Failure) -> JSONValue {
    offset += 1
    var values: [JSONValue] = []
    skipSpace()
    if skip("]") { return .array([]) }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpace()
      if skip("]") { return .array(values) }
      guard skip(",") else { throw failure }
    }
  }

  private mutating func string() throws(Failure) -> String {
    guard skip("\"") else { throw failure }
    var text: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure }
      offset += 1
      if byte == UInt8(ascii: "\\") { text.append(contentsOf: try escaped()) } else { text.append(byte) }
    }
    guard skip("\"") else { throw failure }
    // The bytes come from text, and what was escaped is whole characters.
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escaped() throws(Failure) -> [UInt8] {
    guard let byte = next else { throw failure }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: throw failure
    }
    var code = try hexadecimal()
    if code & 0xfc00 == 0xd800 {
      guard skip("\\"), skip("u"), case let low = try hexadecimal(), low & 0xfc00 == 0xdc00 else { throw failure }
      code = 0x10000 + (code & 0x3ff) << 10 + (low & 0x3ff)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure }
    return Array(Character(scalar).utf8)
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw failure }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = offset
    _ = skip("-")
    let whole = skipDigits()
    guard whole > 0, whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else { throw failure }
    var isWhole = true
    if skip(".") {
      isWhole = false
      guard skipDigits() > 0 else { throw failure }
    }
    if skip("e") || skip("E") {
      isWhole = false
      if !skip("-") { _ = skip("+") }
      guard skipDigits() > 0 else { throw failure }
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isWhole, let value = Int128(text), value >= Int128(Int64.min), value <= Int128(UInt64.max) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw failure }
    return .number(value)
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    return offset - start
  }
}
