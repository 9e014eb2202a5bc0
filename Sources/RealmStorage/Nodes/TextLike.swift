/// A `LIKE` pattern: `*` is any run of bytes, `?` one code point, everything else itself. Q6.
struct TextLike: Sendable {
  private enum Kind: UInt8 { case byte, one, any }
  private let pattern: TextPattern
  private let kinds: [Kind]

  init(_ text: [UInt8], ignoresCase: Bool) {
    pattern = TextPattern(text, ignoresCase: ignoresCase)
    kinds = text.map { $0 == 0x2A ? .any : $0 == 0x3F ? .one : .byte }
  }

  /// The pattern as a plain operation with its operand, if it has no wildcards but stars at its ends.
  static func simplified(_ text: [UInt8]) -> (operation: TextTest.Operation, text: [UInt8])? {
    var inner = text[...]
    while inner.first == 0x2A { inner = inner.dropFirst() }
    let startsOpen = inner.count < text.count
    let length = inner.count
    while inner.last == 0x2A { inner = inner.dropLast() }
    let endsOpen = inner.count < length
    if inner.contains(0x2A) || inner.contains(0x3F) { return nil }
    if inner.isEmpty && startsOpen { return (.contains, []) }
    let operation: TextTest.Operation = startsOpen ? (endsOpen ? .contains : .endsWith) : (endsOpen ? .beginsWith : .equal)
    return (operation, Array(inner))
  }

  /// The length of the code point at `index`; 1 for bytes that begin none.
  @inline(__always) private static func step(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int {
    var end = index &+ 1
    if unsafe text[index] < 0xC0 { return 1 }
    while end < text.count, end &- index < 4, unsafe text[end] & 0xC0 == 0x80 { end &+= 1 }
    return end &- index
  }

  /// O(text × pattern) at worst: on a mismatch only the last star is tried again.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    var (place, index) = (0, 0)
    var (starIndex, starPlace) = (-1, 0)
    while place < text.count {
      if index < kinds.count {
        switch kinds[index] {
        case .any:
          (starIndex, starPlace) = (index, place)
          index &+= 1
          continue
        case .one:
          place &+= unsafe Self.step(text, place)
          index &+= 1
          continue
        case .byte:
          if unsafe text[place] | pattern.masks[index] == pattern.bytes[index] {
            place &+= 1
            index &+= 1
            continue
          }
        }
      }
      if starIndex < 0 { return false }
      starPlace &+= unsafe Self.step(text, starPlace)
      (place, index) = (starPlace, starIndex &+ 1)
    }
    while index < kinds.count, kinds[index] == .any { index &+= 1 }
    return index == kinds.count
  }
}
