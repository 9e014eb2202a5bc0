extension Node {
  /// The rows among elements `start..<start + count` that are members, by number alone; only rows of `mask` are looked at.
  func rows(in set: IntegerSet, start: Int = 0, count: Int, among mask: RowMask) -> RowMask {
    var candidates = rows(from: set.low, through: set.high, start: start, count: count) & mask
    if candidates.isEmpty || set.interval != nil { return candidates }
    if set.members.count <= 4 {
      var result = RowMask.empty
      for member in set.members { result |= rows(from: member, through: member, start: start, count: count) }
      return result & mask
    }
    switch header.widthIndex {
    case 4: candidates = unsafe members(Int8.self, payload + start, set, candidates)
    case 5: candidates = unsafe members(Int16.self, payload + start << 1, set, candidates)
    case 6: candidates = unsafe members(Int32.self, payload + start << 2, set, candidates)
    case 7: candidates = unsafe members(Int64.self, payload + start << 3, set, candidates)
    default: candidates = candidates.filter { set.contains(element(unchecked: start &+ $0)) }
    }
    return candidates
  }
}

@inline(__always)
private func members<T: FixedWidthInteger & BitwiseCopyable>(
  _ type: T.Type, _ elements: UnsafeRawPointer, _ set: IntegerSet, _ candidates: RowMask
) -> RowMask {
  candidates.filter { row in
    set.contains(Int64(truncatingIfNeeded: unsafe elements.loadUnaligned(fromByteOffset: row &* MemoryLayout<T>.size, as: T.self)))
  }
}
