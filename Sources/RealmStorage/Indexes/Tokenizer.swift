/// The words of a text as a full-text index files them. F9.6.
package enum Tokenizer {
  package static let maximumTokenByteCount = 64

  /// The distinct tokens, sorted by their bytes. Bytes that are not UTF-8 are read as leniently as realm-core does.
  package static func tokens(of text: [UInt8]) -> [[UInt8]] {
    var scan = Scan()
    var i = 0
    while i < text.count {
      let byte = text[i]
      i += 1
      switch byte {
      case digitZero...digitNine, smallA...smallZ: scan.letter(byte)
      case capitalA...capitalZ: scan.letter(byte | 0x20)
      case 0xC0...0xDF:
        scan.twoByteSequence(byte, i < text.count ? text[i] : 0)
        i += 1
      case 0xE0...0xEF:
        scan.separator()
        i += 2
      case 0xF0...0xF7:
        scan.separator()
        i += 3
      default: scan.separator()
      }
    }
    scan.separator()
    return scan.sortedTokens()
  }

  private static let digitZero = UInt8(ascii: "0"), digitNine = UInt8(ascii: "9")
  private static let smallA = UInt8(ascii: "a"), smallZ = UInt8(ascii: "z")
  private static let capitalA = UInt8(ascii: "A"), capitalZ = UInt8(ascii: "Z")

  /// U+00C0...U+00FE by their low five bits, as U+00E0...: an ASCII letter, the letter itself, or 0 for the signs × and ÷.
  private static let folded: [UInt8] = [
    0x61, 0x61, 0x61, 0x61, 0x61, 0xE5, 0xE6, 0x63, 0x65, 0x65, 0x65, 0x65, 0x69, 0x69, 0x69, 0x69,
    0xF0, 0x6E, 0x6F, 0x6F, 0x6F, 0x6F, 0x6F, 0, 0xF8, 0x75, 0x75, 0x75, 0x75, 0x79, 0xFE, 0xDF,
  ]
  /// U+00DF ß is a letter of its own, while U+00FF ÿ separates.
  private static let lastLetter: UInt32 = 0xFE

  private struct Scan {
    private var tokens: [[UInt8]] = []
    private var token: [UInt8] = []
    private var isInsideWord = false

    mutating func letter(_ byte: UInt8) {
      isInsideWord = true
      if token.count < maximumTokenByteCount { token.append(byte) }
    }

    mutating func twoByteSequence(_ lead: UInt8, _ continuation: UInt8) {
      let scalar = UInt32(lead & 0x1F) << 6 | UInt32(continuation & 0x3F)
      guard (0xC0...lastLetter).contains(scalar) else { return separator() }
      isInsideWord = true
      switch folded[Int(scalar & 0x1F)] {
      case 0: break
      case let ascii where ascii < 0x80: letter(ascii)
      case let latin where token.count < maximumTokenByteCount - 1:
        token.append(0xC0 | latin >> 6)
        token.append(0x80 | latin & 0x3F)
      default: break
      }
    }

    mutating func separator() {
      guard isInsideWord else { return }
      isInsideWord = false
      tokens.append(token)
      token.removeAll(keepingCapacity: true)
    }

    func sortedTokens() -> [[UInt8]] {
      var unique: [[UInt8]] = []
      for token in tokens.sorted(by: { compareBytes($0, $1) < 0 }) where token != unique.last { unique.append(token) }
      return unique
    }
  }
}
