/// Bytes as pairs of digits.
enum Hexadecimal {
  /// Of a number, the most significant byte first.
  static func text(_ value: UInt128, byteCount: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, byteCount * 2 - digits.count)) + digits
  }

  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var result = ""
    result.reserveCapacity(bytes.count * 2)
    for byte in bytes { result += text(UInt128(byte), byteCount: 1) }
    return result
  }
}
