package import RealmStorage

extension UUIDBytes {
  /// 8-4-4-4-12 hexadecimal digits.
  package init?(hexadecimal text: ArraySlice<UInt8>) {
    guard text.count == 36 else { return nil }
    var digits: [UInt8] = []
    for (offset, byte) in text.enumerated() {
      if [8, 13, 18, 23].contains(offset) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = byte.hexadecimalDigit else { return nil }
        digits.append(digit)
      }
    }
    var parts: (UInt64, UInt64) = (0, 0)
    for digit in digits[..<16] { parts.0 = parts.0 << 4 | UInt64(digit) }
    for digit in digits[16...] { parts.1 = parts.1 << 4 | UInt64(digit) }
    self.init(high: parts.0, low: parts.1)
  }

  package var text: String {
    let digits = Array(hexadecimalText(high, 16) + hexadecimalText(low, 16))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
