import SyncProtocol

/// Messages as documents print them.
enum Notation {
  /// The bytes of a text.
  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The bytes of pairs of digits, with spaces between them wherever that helps.
  static func hex(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8.filter { $0 != 0x20 })
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) ?? 0 }
  }

  /// For comparison with what a document prints.
  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
