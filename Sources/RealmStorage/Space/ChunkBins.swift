/// An index of chunks by size, for commits that ask for many: one is found in constant time.
///
/// Available chunks hang in bins: one per size up to 504 bytes, above that 16 per power of two. Flat arrays, no object per chunk.
struct ChunkBins: Sendable {
  /// The next slot of the same bin, or -1.
  private var next: [Int32]
  private var heads = [Int32](repeating: -1, count: binCount)
  /// One bit per bin that is not empty.
  private var occupied = [UInt64](repeating: 0, count: binCount / 64)

  private static let exactBinCount = 64
  /// 64 exact bins and 16 for each power of two up to 2^23 units of 8 bytes (64 MiB), rounded up to whole words.
  private static let binCount = 384
  /// So many chunks of a bin are looked at for one that fits, before a larger bin is taken.
  private static let searchLimit = 32

  /// - Parameter byteCounts: of all slots; 0 for those that are not available.
  init(_ byteCounts: [UInt32]) {
    next = [Int32](repeating: -1, count: byteCounts.count)
    // Backwards, so that the lowest chunk of a bin comes first.
    for slot in byteCounts.indices.reversed() where byteCounts[slot] > 0 { insert(slot, byteCounts[slot]) }
  }

  @inline(__always) private static func bin(_ byteCount: UInt32) -> Int {
    let units = byteCount >> 3
    if units < UInt32(exactBinCount) { return Int(units) }
    let exponent = 31 - units.leadingZeroBitCount
    return exactBinCount + (exponent - 6) * 16 + Int(units >> UInt32(exponent - 4) & 15)
  }

  mutating func addSlot() { next.append(-1) }

  /// Makes a slot's chunk available.
  mutating func insert(_ slot: Int, _ byteCount: UInt32) {
    let bin = Self.bin(byteCount)
    next[slot] = heads[bin]
    heads[bin] = Int32(slot)
    occupied[bin >> 6] |= 1 << UInt64(bin & 63)
  }

  private mutating func remove(_ slot: Int, after previous: Int32, bin: Int) -> Int {
    if previous < 0 { heads[bin] = next[slot] } else { next[Int(previous)] = next[slot] }
    if heads[bin] < 0 { occupied[bin >> 6] &= ~(1 << UInt64(bin & 63)) }
    return slot
  }

  private func firstBin(from start: Int) -> Int? {
    var word = start >> 6
    guard word < occupied.count else { return nil }
    var bits = occupied[word] & (~0 << UInt64(start & 63))
    while bits == 0 {
      word += 1
      guard word < occupied.count else { return nil }
      bits = occupied[word]
    }
    return word * 64 + bits.trailingZeroBitCount
  }

  /// Takes out a chunk of at least `size` bytes, close to the smallest there is.
  mutating func takeFitting(_ size: UInt32, _ byteCounts: [UInt32]) -> Int? {
    let own = Self.bin(size)
    if let slot = search(own, for: size, limit: Self.searchLimit, byteCounts) { return slot }
    guard let bin = firstBin(from: own + 1) else { return nil }
    // Any chunk of a larger bin fits; among the first few the smallest is taken.
    return search(bin, for: size, limit: own < Self.exactBinCount ? 1 : 4, byteCounts)
  }

  /// The smallest fitting one of the first `limit` chunks of a bin.
  private mutating func search(_ bin: Int, for size: UInt32, limit: Int, _ byteCounts: [UInt32]) -> Int? {
    var best: Int32 = -1
    var beforeBest: Int32 = -1
    var previous: Int32 = -1
    var slot = heads[bin]
    var remaining = limit
    while slot >= 0 && remaining > 0 {
      let count = byteCounts[Int(slot)]
      if count >= size && (best < 0 || count < byteCounts[Int(best)]) {
        best = slot
        beforeBest = previous
        if count == size { break }
      }
      previous = slot
      slot = next[Int(slot)]
      remaining -= 1
    }
    return best < 0 ? nil : remove(Int(best), after: beforeBest, bin: bin)
  }
}
