/// One bit for every 8 bytes of a file: which units are taken, where nodes begin.
struct UnitBitmap {
  private var words: [UInt64]
  let unitCount: Int

  init(byteCount: UInt64) {
    unitCount = Int(clamping: byteCount / 8)
    words = [UInt64](repeating: 0, count: (unitCount + 63) / 64)
  }

  /// Whether the unit at a byte offset is marked; false outside the file.
  @inline(__always) func contains(_ ref: Ref) -> Bool {
    let unit = Int(clamping: ref.byteOffset / 8)
    return unit < unitCount && words[unit >> 6] >> UInt64(unit & 63) & 1 == 1
  }

  /// - Returns: false if the unit was marked before or lies outside.
  @inline(__always) mutating func insert(_ ref: Ref) -> Bool {
    let unit = Int(clamping: ref.byteOffset / 8)
    guard unit < unitCount else { return false }
    let bit: UInt64 = 1 << UInt64(unit & 63)
    if words[unit >> 6] & bit != 0 { return false }
    words[unit >> 6] |= bit
    return true
  }

  /// Marks a range of bytes that lies inside the file; start and length are multiples of 8.
  /// - Returns: false if any unit of it was marked before; the others are marked all the same.
  mutating func insert(start: UInt64, byteCount: UInt64) -> Bool {
    var unit = Int(start / 8)
    let end = min(unitCount, unit + Int(byteCount / 8))
    var isNew = true
    while unit < end {
      let first = unit & 63
      let last = min(64, first + end - unit)
      let mask = (last == 64 ? UInt64.max : (1 << UInt64(last)) - 1) & ~((1 << UInt64(first)) - 1)
      if words[unit >> 6] & mask != 0 { isNew = false }
      words[unit >> 6] |= mask
      unit += last - first
    }
    return isNew
  }

  /// Calls `body` with every run of unmarked units from `start` on, as byte ranges.
  func forEachGap(from start: UInt64, _ body: (Range<UInt64>) -> Void) {
    var unit = Int(start / 8)
    while true {
      guard let begin = next(from: unit, marked: false) else { return }
      let end = next(from: begin, marked: true) ?? unitCount
      body(UInt64(begin) * 8..<UInt64(end) * 8)
      unit = end
    }
  }

  private func next(from start: Int, marked: Bool) -> Int? {
    var unit = start
    while unit < unitCount {
      let word = (marked ? words[unit >> 6] : ~words[unit >> 6]) >> UInt64(unit & 63)
      if word != 0 {
        let found = unit + word.trailingZeroBitCount
        return found < unitCount ? found : nil
      }
      unit = (unit | 63) + 1
    }
    return nil
  }
}
