/// How many columns of a terminal a text takes.
package enum DisplayWidth {
  /// Characters of East Asia take two (East Asian Width W and F), as do those that are pictures unless something says otherwise.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
  ]

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
  }

  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    // A picture that is a text by default, made one by what follows it.
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    // Two letters that together are a flag.
    if (0x1F1E6...0x1F1FF).contains(first.value) { return character.unicodeScalars.count }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(first) ? 2 : 1
    }
  }

  /// Of a whole text.
  package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  /// Filled up with blanks, or cut off with a mark.
  package static func fit(_ text: String, _ width: Int) -> String {
    let full = of(text)
    if full <= width { return text + String(repeating: " ", count: width - full) }
    var result = ""
    var used = 0
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      result.append(character)
      used += next
    }
    return result + "…" + String(repeating: " ", count: max(0, width - 1 - used))
  }
}
