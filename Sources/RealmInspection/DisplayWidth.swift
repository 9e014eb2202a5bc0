/// How many columns of a terminal a text takes.
package enum DisplayWidth {
  /// Characters of East Asia and pictures take two.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
    0x20000...0x3FFFD,
  ]

  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    // A picture that is a text by default, made one by what follows it.
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    // Two letters that together are a flag.
    if (0x1F1E6...0x1F1FF).contains(first.value) { return character.unicodeScalars.count }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return wide.contains { $0.contains(first.value) } ? 2 : 1
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
