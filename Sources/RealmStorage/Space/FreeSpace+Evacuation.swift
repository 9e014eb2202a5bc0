extension FreeSpace {
  static func wholePages(_ byteCount: UInt64) -> UInt64 { (byteCount + pageByteCount - 1) / pageByteCount * pageByteCount }

  /// Where the file could end: the start of the free chunk at its end, at or above the limit, if nothing else above the limit is free or held
  /// for readers, so that moving nodes further would free nothing but what lies between the limit and that place (T10.3, step 5).
  /// - Parameter oldest: as for allocation: blocks freed by it or before are used by no version that anybody can read.
  func tailStart(above limit: UInt64, oldest: UInt64) -> UInt64? {
    var index = entries.count
    var start = logicalByteCount
    while index > 0, entries[index - 1].end == start, entries[index - 1].version <= oldest, start > limit {
      index -= 1
      start = entries[index].position
    }
    guard start < logicalByteCount, index == 0 || entries[index - 1].end <= limit else { return nil }
    return max(start, limit)
  }

  /// Ends the snapshot at a place behind which everything is free.
  mutating func cut(to byteCount: UInt64) {
    guard byteCount < logicalByteCount else { return }
    while let last = entries.last, last.end > byteCount {
      if last.position >= byteCount {
        entries.removeLast()
      } else {
        entries[entries.count - 1].byteCount = byteCount - last.position
      }
    }
    logicalByteCount = byteCount
  }
}
