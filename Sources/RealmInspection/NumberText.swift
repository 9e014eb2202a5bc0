package import RealmStorage

/// Texts of numbers: exact ones, as canonical JSON wants them, and counts in messages.
package enum NumberText {
  /// `1 object`, `2 objects`.
  /// - Parameter plural: where it is not the noun with an s.
  package static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// The shortest digits that read back to the same bits, laid out like Python's `repr`.
  package static func text(of value: Double) -> String {
    if value.isNaN { return nanText(bits: UInt64(value.bitPattern), plain: 0x7FF8_0000_0000_0000, digitCount: 16) }
    return value.isInfinite ? (value < 0 ? "-Inf" : "Inf") : positional(value.description)
  }

  package static func text(of value: Float) -> String {
    if value.isNaN { return nanText(bits: UInt64(value.bitPattern), plain: 0x7FC0_0000, digitCount: 8) }
    return value.isInfinite ? (value < 0 ? "-Inf" : "Inf") : positional(value.description)
  }

  /// Coefficient and exponent as stored: 1.50 is `150E-2`. The payload of a NaN shows where it is not zero.
  package static func text(of value: Decimal128) -> String {
    let sign = value.isNegative ? "-" : ""
    let payload = value.low == 0 ? "" : "(\(String(value.low, radix: 16)))"
    switch value.kind {
    case .finite: return "\(sign)\(value.coefficient)E\(value.exponent)"
    case .infinity: return "\(sign)Inf"
    case .quietNaN: return "\(sign)NaN\(payload)"
    case .signalingNaN: return "\(sign)sNaN\(payload)"
    }
  }

  private static func nanText(bits: UInt64, plain: UInt64, digitCount: Int) -> String {
    if bits == plain { return "NaN" }
    let hex = String(bits, radix: 16)
    return "NaN(\(String(repeating: "0", count: digitCount - hex.count))\(hex))"
  }

  /// Swift and Python agree on the digits but not on when to use an exponent.
  private static func positional(_ description: String) -> String {
    var digits: [UInt8] = []
    var sign = ""
    var pointPosition: Int?
    var exponent = 0
    scan: for (offset, byte) in description.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-"): sign = "-"
      case UInt8(ascii: "."): pointPosition = digits.count
      case UInt8(ascii: "e"):
        exponent = Int(description.dropFirst(offset + 1)) ?? 0
        break scan
      default: digits.append(byte)
      }
    }
    // The value is 0.digits × 10^point.
    var point = (pointPosition ?? digits.count) + exponent
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leadingZeros)
    point -= leadingZeros
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return digits.isEmpty ? sign + "0.0" : sign + layOut(String(decoding: digits, as: UTF8.self), point: point)
  }

  /// Positional from 1e-4 up to, not including, 1e16.
  private static func layOut(_ digits: String, point: Int) -> String {
    let zeros = { (count: Int) in String(repeating: "0", count: count) }
    let count = digits.utf8.count
    if !(-3...16).contains(point) {
      let exponent = point - 1
      let fraction = count > 1 ? "." + digits.dropFirst() : ""
      let magnitude = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
      return "\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(magnitude)"
    }
    if point <= 0 { return "0." + zeros(-point) + digits }
    if point >= count { return digits + zeros(point - count) + ".0" }
    return "\(digits.prefix(point)).\(digits.dropFirst(point))"
  }
}
