package import RealmStorage

extension ObjectID {
  /// 24 hexadecimal digits.
  package init?(hexadecimal text: ArraySlice<UInt8>) {
    guard text.count == 24 else { return nil }
    var high: UInt64 = 0
    var low: UInt32 = 0
    for (offset, byte) in text.enumerated() {
      guard let digit = byte.hexadecimalDigit else { return nil }
      if offset < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt32(digit) }
    }
    self.init(high: high, low: low)
  }

  package var text: String { hexadecimalText(high, 16) + hexadecimalText(UInt64(low), 8) }
}
