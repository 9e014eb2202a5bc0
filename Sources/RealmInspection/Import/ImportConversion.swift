package import RealmQuery
package import RealmStorage

/// What an imported value becomes in a column. Nothing is rounded but fractions in columns of floating-point numbers, and what the user wants to be.
package enum ImportConversion {
  /// - Parameter rounds: also integers become floating-point numbers that are not equal to them.
  /// - Returns: nil for what the type does not hold.
  package static func value(_ value: ImportValue, _ type: ColumnType, _ slashes: DateForm.SlashOrder? = nil, rounds: Bool = false) -> Value? {
    if rounds, let rounded = rounded(value, type) { return rounded }
    return exact(value, type, slashes)
  }

  /// Why a type does not hold a value, and how to write one that it holds.
  static func hint(_ value: ImportValue, _ type: ColumnType) -> String {
    let text =
      switch value {
      case .integer(let number): Array("\(number)".utf8)
      case .number(let bytes), .text(let bytes): bytes
      default: [UInt8]()
      }
    guard let digits = ImportText.digits(text.span, text.indices) else { return form(of: type).map { "; write \($0)" } ?? "" }
    switch type {
    case .int: return digits.isInteger ? ", which is not between -2^63 and 2^63 - 1" : "; write a whole number"
    case .double, .float:
      if let nearest = rounded(value, type) { return ", which it does not hold exactly; the nearest that it holds is \(shown(nearest))" }
      return ", which is too large or too small"
    case .decimal:
      let limit = Decimal128.maximumDigitCount
      return digits.significantCount > limit ? ", which has more than \(limit) digits" : ", which is too large or too small"
    default: return form(of: type).map { "; write \($0)" } ?? ""
    }
  }

  /// How to write a value of a type; nil for those that take every text.
  private static func form(of type: ColumnType) -> String? {
    switch type {
    case .bool: "true or false"
    case .int: "a whole number"
    case .double, .float: "a number such as 1.5, or NaN, Inf or -Inf"
    case .decimal: "a number of at most \(Decimal128.maximumDigitCount) digits"
    case .timestamp: "a date as \(DateForm.examples)"
    case .binary: "the bytes in Base64"
    case .objectID: "24 hexadecimal digits"
    case .uuid: "32 hexadecimal digits, as 123e4567-e89b-12d3-a456-426614174000"
    default: nil
    }
  }

  /// All digits, as they would have to be written.
  private static func shown(_ number: Value) -> String {
    switch number {
    case .double(let number): Int128(exactly: number).map { "\($0)" } ?? "\(number)"
    case .float(let number): Int128(exactly: number).map { "\($0)" } ?? "\(number)"
    default: number.queryText
    }
  }

  /// An integer as the floating-point number that is nearest to it; nil for everything else.
  private static func rounded(_ value: ImportValue, _ type: ColumnType) -> Value? {
    let text: String
    switch value {
    case .integer(let number): text = String(number)
    case .number(let bytes), .text(let bytes):
      guard let digits = ImportText.digits(bytes.span, bytes.indices), digits.isInteger else { return nil }
      text = String(decoding: bytes, as: UTF8.self)
    default: return nil
    }
    switch type {
    case .double: return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    case .float: return Float(text).flatMap { $0.isFinite ? .float($0) : nil }
    default: return nil
    }
  }

  private static func exact(_ value: ImportValue, _ type: ColumnType, _ slashes: DateForm.SlashOrder?) -> Value? {
    switch (value, type) {
    case (.null, _): .null
    case (.bool(let flag), .bool), (.bool(let flag), .mixed): .bool(flag)
    case (.bool(let flag), .string): Value(flag ? "true" : "false")
    case (.integer(let number), .int), (.integer(let number), .mixed): .int(number)
    case (.integer(let number), .double): isMeant(Double(number), by: "\(number)") ? .double(Double(number)) : nil
    case (.integer(let number), .float): isMeant(Float(number), by: "\(number)") ? .float(Float(number)) : nil
    case (.integer(let number), .decimal): .decimal(Decimal128(number))
    case (.integer(let number), .string): Value("\(number)")
    case (.number(let text), .mixed): mixedNumber(text)
    case (.number(let text), .string): .string(text)
    case (.number(let text), .int): integer(text).map { .int($0) }
    case (.number(let text), .decimal), (.number(let text), .double), (.number(let text), .float):
      self.text(text.span, text.indices, type, slashes)
    case (.text(let bytes), _): text(bytes.span, bytes.indices, type, slashes)
    default: nil
    }
  }

  /// A double, or a decimal where only that holds what is written.
  private static func mixedNumber(_ text: [UInt8]) -> Value? {
    let digits = ImportText.digits(text.span, text.indices)
    let isPlain = digits.map { !$0.isInteger && $0.significantCount <= 17 } ?? true
    guard let number = number(text) else { return decimal(String(decoding: text, as: UTF8.self)).map { .decimal($0) } }
    return isPlain ? .double(number) : decimal(String(decoding: text, as: UTF8.self)).map { .decimal($0) } ?? .double(number)
  }

  private static func number(_ text: [UInt8]) -> Double? {
    guard let value = ImportText.double(text.span, text.indices), value.isFinite else { return nil }
    return value == 0 && ImportText.digits(text.span, text.indices)?.significantCount != 0 ? nil : value
  }

  /// Of `1.0` or `1e3`; nil for everything that is no integer. Not by way of a double, which is an integer more often.
  private static func integer(_ text: [UInt8]) -> Int64? {
    guard let digits = ImportText.digits(text.span, text.indices), digits.significantCount <= Decimal128.maximumDigitCount,
      let value = Decimal128(text: String(decoding: text, as: UTF8.self)), let integer = value.truncatedToInt64(),
      Decimal128.compare(value, Decimal128(integer)) == 0
    else { return nil }
    return integer
  }

  /// An integer loses nothing in a double or float, or is refused; so is a number that is too large, or too small to be another one than zero.
  private static func double(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    guard let value = ImportText.double(bytes, range) else { return nan(ImportText.copy(bytes, range)) }
    guard value == 0 || abs(value) >= 0x1p53, let digits = ImportText.digits(bytes, range) else { return value }
    if value == 0 { return digits.significantCount == 0 ? value : nil }
    guard value.isFinite else { return nil }
    guard digits.isInteger else { return value }
    return isMeant(value, by: String(decoding: ImportText.copy(bytes, range), as: UTF8.self)) ? value : nil
  }

  /// Whether a floating-point number is what an integer of any length says: equal to it, or the one that has these digits as its shortest ones. So
  /// JavaScript and others write numbers of up to 21 digits: 2^60 as 1152921504606847000.
  private static func isMeant(_ number: some BinaryFloatingPoint & LosslessStringConvertible, by text: String) -> Bool {
    if let whole = UInt128(exactly: number.magnitude), String(whole) == text.drop(while: { $0 == "-" || $0 == "0" }) { return true }
    if number == 0 { return true }
    guard let written = Decimal128(text: text), let shortest = Decimal128(text: "\(number)") else { return false }
    let bytes = Array(text.utf8)
    guard let digits = ImportText.digits(bytes.span, bytes.indices), digits.significantCount <= Decimal128.maximumDigitCount else { return false }
    return Decimal128.compare(written, shortest) == 0
  }

  /// `NaN(7ff8000000000001)`, as exports write the bits of unusual ones.
  private static func nan(_ bytes: [UInt8]) -> Double? {
    guard bytes.count == 21, bytes.starts(with: "NaN(".utf8), bytes.last == UInt8(ascii: ")"),
      let bits = UInt64(String(decoding: bytes[4..<20], as: UTF8.self), radix: 16), Double(bitPattern: bits).isNaN
    else { return nil }
    return Double(bitPattern: bits)
  }

  private static func float(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Float? {
    if let digits = ImportText.digits(bytes, range) {
      if digits.isInteger, let value = ImportText.integer(digits), value != 0 {
        return isMeant(Float(value), by: "\(value)") ? Float(value) : nil
      }
      // Not by way of a double, which would round twice.
      guard let value = Float(String(decoding: ImportText.copy(bytes, range), as: UTF8.self)), value.isFinite else { return nil }
      return value == 0 && digits.significantCount > 0 ? nil : value
    }
    if let special = ImportText.special(bytes, range) { return Float(special) }
    let text = ImportText.copy(bytes, range)
    guard text.count == 13, text.starts(with: "NaN(".utf8), text.last == UInt8(ascii: ")") else { return nil }
    return UInt32(String(decoding: text[4..<12], as: UTF8.self), radix: 16).map { Float(bitPattern: $0) }.flatMap { $0.isNaN ? $0 : nil }
  }

  /// What a text means in a column: a field of CSV, or a string of JSON.
  package static func text(_ bytes: Span<UInt8>, _ range: Range<Int>, _ type: ColumnType, _ slashes: DateForm.SlashOrder?) -> Value? {
    switch type {
    case .string, .mixed: return .string(ImportText.copy(bytes, range))
    case .int: return ImportText.integer(bytes, range).map { .int($0) }
    case .double: return double(bytes, range).map { .double($0) }
    case .float: return float(bytes, range).map { .float($0) }
    case .timestamp: return (DateForm(bytes, range, slashes: slashes)?.date ?? DateForm.counted(ImportText.copy(bytes, range))).map { .timestamp($0) }
    case .bool: return (ImportText.bool(bytes, range) ?? flag(bytes, range)).map { .bool($0) }
    default: return rareText(ImportText.copy(bytes, range), type)
    }
  }

  private static func flag(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool? {
    guard range.count == 1 else { return nil }
    return bytes[range.lowerBound] == 0x31 ? true : bytes[range.lowerBound] == 0x30 ? false : nil
  }

  private static func rareText(_ bytes: [UInt8], _ type: ColumnType) -> Value? {
    switch type {
    case .decimal: decimal(String(decoding: bytes, as: UTF8.self)).map { .decimal($0) }
    case .binary: base64(bytes).map { .binary($0) }
    case .objectID: ObjectID(hexadecimal: bytes[...]).map { .objectID($0) }
    case .uuid: (UUIDBytes(hexadecimal: bytes[...]) ?? canonicalUUID(bytes)).map { .uuid($0) }
    default: nil
    }
  }

  /// As CSV has them.
  private static func canonicalUUID(_ bytes: [UInt8]) -> UUIDBytes? {
    guard bytes.first == UInt8(ascii: "{"), case .text(let text)? = ImportValue(json: bytes)?["$uuid"] else { return nil }
    return UUIDBytes(hexadecimal: text[...])
  }

  private static func decimal(_ text: String) -> Decimal128? {
    let bytes = Array(text.utf8)
    if let digits = ImportText.digits(bytes.span, bytes.indices) {
      guard digits.significantCount <= 34, let value = Decimal128(text: text) else { return nil }
      return value.isFinite && !(value.isZero && digits.significantCount > 0) ? value : nil
    }
    if text.hasPrefix("bits:"), text.utf8.count == 37 {
      guard let high = UInt64(text.dropFirst(5).prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else { return nil }
      return Decimal128(low: low, high: high)
    }
    return ["NaN", "-NaN", "Inf", "-Inf", "Infinity", "-Infinity"].contains(text) ? Decimal128(text: text) : nil
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8]? {
    // Only the end of what is no whole group is filled up.
    let digits = bytes.suffix(2) == [0x3D, 0x3D] ? bytes.dropLast(2) : bytes.last == 0x3D ? bytes.dropLast() : bytes[...]
    let isValid = digits.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2B || byte == 0x2F
    }
    return isValid && bytes.count % 4 == 0 ? Base64.decode(digits) : nil
  }
}
