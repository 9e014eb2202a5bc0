/// Case folding of `[c]`: `A`-`Z` and U+00C0-U+00DE without U+00D7, which in UTF-8 differ from their small letters in one bit of one byte.
/// Everything else compares exactly. Q6.
package enum CaseFolding {
  static let bit: UInt8 = 0x20
  /// Whether a byte after `previous` belongs to a letter that has two cases; also in text that is no valid UTF-8.
  @inline(__always) static func hasTwoCases(_ byte: UInt8, after previous: UInt8) -> Bool {
    let small = byte | bit
    if small >= 0x61 && small <= 0x7A { return true }
    return previous == 0xC3 && small >= 0xA0 && small <= 0xBE && small != 0xB7
  }

  /// Small letters for capital ones.
  package static func folded(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var previous: UInt8 = 0
    for index in result.indices {
      let byte = result[index]
      if hasTwoCases(byte, after: previous) { result[index] = byte | bit }
      previous = byte
    }
    return result
  }
}

/// Bytes to look for, exactly or without regard to case: byte i of a text fits if `text[i] | masks[i] == bytes[i]`.
struct TextPattern: Sendable {
  let bytes: [UInt8]
  /// 0, or the case bit where the byte belongs to a letter.
  let masks: [UInt8]
  let ignoresCase: Bool

  init(_ text: [UInt8], ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    bytes = ignoresCase ? CaseFolding.folded(text) : text
    var masks = [UInt8](repeating: 0, count: text.count)
    if ignoresCase {
      for index in text.indices where CaseFolding.hasTwoCases(text[index], after: index == 0 ? 0 : text[index - 1]) {
        masks[index] = CaseFolding.bit
      }
    }
    self.masks = masks
  }

  @inline(__always) var count: Int { bytes.count }

  /// Whether the text at `place` begins with the pattern. The caller guarantees that there are `count` bytes.
  @inline(__always) func fits(_ place: UnsafeRawPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if unsafe place.load(fromByteOffset: index, as: UInt8.self) | masks[index] != bytes[index] { return false }
      index &+= 1
    }
    return true
  }

  func equals(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == count else { return false }
    return unsafe isPrefix(of: text)
  }
  func isPrefix(of text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= count else { return false }
    guard let place = text.baseAddress else { return count == 0 }
    return unsafe fits(place)
  }
  func isSuffix(of text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= count else { return false }
    guard let place = text.baseAddress else { return count == 0 }
    return unsafe fits(place + (text.count - count))
  }

  /// The first `limit` bytes, at most 16, as two little-endian numbers: `(word | mask) ^ bytes` is 0 under `care` where a text fits.
  func words(limit: Int) -> (low: MaskedWord, high: MaskedWord) {
    var (low, high) = (MaskedWord(), MaskedWord())
    for index in 0..<min(limit, count) {
      if index < 8 { low.set(index, bytes[index], masks[index]) } else { high.set(index - 8, bytes[index], masks[index]) }
    }
    return (low, high)
  }
}

/// Eight bytes of a pattern.
struct MaskedWord {
  var bytes: UInt64 = 0
  var masks: UInt64 = 0
  /// All ones in the bytes that count.
  var care: UInt64 = 0

  mutating func set(_ index: Int, _ byte: UInt8, _ mask: UInt8) {
    let shift = UInt64(index * 8)
    bytes |= UInt64(byte) << shift
    masks |= UInt64(mask) << shift
    care |= 0xFF << shift
  }
  /// Zero if the word fits.
  @inline(__always) func difference(_ word: UInt64) -> UInt64 { ((word | masks) ^ bytes) & care }
}
