import RealmStorage

/// How RQL reads the digits of its literals (Q1.3).
enum NumberSyntax {
  /// As C's `strtoll` with base 0: `0x` is hexadecimal, a leading 0 octal, the first foreign digit ends it, too large values clamp.
  static func integer(_ text: ArraySlice<UInt8>) -> Int64 {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    var base: UInt64 = 10
    if rest.count > 2, rest[rest.startIndex] == UInt8(ascii: "0"), rest[rest.startIndex + 1] | 0x20 == UInt8(ascii: "x") {
      (base, rest) = (16, rest.dropFirst(2))
    } else if rest.count > 1, rest.first == UInt8(ascii: "0") {
      base = 8
    }
    return clamped(magnitude(rest, base), isNegative)
  }

  /// Sign and decimal digits; too large values clamp.
  static func decimal(_ text: ArraySlice<UInt8>) -> Int64 {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    return clamped(magnitude(rest, 10), isNegative)
  }

  /// Nil if it does not fit into 64 bits.
  private static func magnitude(_ digits: ArraySlice<UInt8>, _ base: UInt64) -> UInt64? {
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = byte.hexadecimalDigit, UInt64(digit) < base else { break }
      let (product, overflow) = value.multipliedReportingOverflow(by: base)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  private static func clamped(_ magnitude: UInt64?, _ isNegative: Bool) -> Int64 {
    guard let magnitude, magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0) else { return isNegative ? .min : .max }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
  }

  /// A floating literal, which may lack digits on one side of its point.
  static func double(_ text: String) -> Double { Double(completed(text)) ?? .nan }
  static func float(_ text: String) -> Float { Float(completed(text)) ?? .nan }

  /// `1.` as `1.0`, `.5` as `0.5`.
  private static func completed(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isPoint = byte == UInt8(ascii: ".")
      if isPoint && !(index > 0 && bytes[index - 1].isDigit) { result.append(UInt8(ascii: "0")) }
      result.append(byte)
      if isPoint && !(index + 1 < bytes.count && bytes[index + 1].isDigit) { result.append(UInt8(ascii: "0")) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// UTC. Fields are year, month, day, hour, minute, second and perhaps nanosecond, and roll over into the next.
  /// - Returns: nil before 1900.
  static func date(_ fields: [Int64]) -> Timestamp? {
    let limit: Int64 = 1 << 32
    let field = fields.map { min($0, limit) }
    guard field[0] >= 1900 else { return nil }
    let months = field[1] - 1
    let year = field[0] + (months >= 0 ? months / 12 : -1)
    let days = daysSince1970(year: year, month: (months + 12) % 12 + 1) + field[2] - 1
    var seconds = days * 86_400 + field[3] * 3600 + field[4] * 60 + field[5]
    var nanoseconds = field.count > 6 ? field[6] : 0
    seconds += nanoseconds / 1_000_000_000
    nanoseconds %= 1_000_000_000
    if seconds < 0 && nanoseconds > 0 { (seconds, nanoseconds) = (seconds + 1, nanoseconds - 1_000_000_000) }
    return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// Of the first day of a month of the proleptic Gregorian calendar.
  private static func daysSince1970(year: Int64, month: Int64) -> Int64 {
    // Years begin in March, so that the leap day is the last one.
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * monthFromMarch + 2) / 5
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

package enum Base64 {
  /// Ignores what is left of an incomplete group, as missing padding leaves it.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      let digit: UInt32
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt32(byte) - 0x41
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt32(byte) - 0x61 + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte) - 0x30 + 52
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      default: continue
      }
      bits = bits << 6 | digit
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  package static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let group = bytes[index..<min(index + 3, bytes.count)]
      var bits: UInt32 = 0
      for offset in 0..<3 { bits = bits << 8 | (offset < group.count ? UInt32(group[index + offset]) : 0) }
      for offset in 0..<4 {
        result.append(offset <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * offset) & 63)] : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: result, as: UTF8.self)
  }
}

func hexadecimalText(_ value: UInt64, _ digitCount: Int) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: digitCount - digits.count) + digits
}
