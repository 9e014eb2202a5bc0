/// Chunks of free space, found by size in constant time.
///
/// A chunk is a slot; slots stay ordered by position because chunks only shrink from their start and new ones are added at the end of the
/// file. Free slots hang in bins: one per size up to 504 bytes, above that 16 per power of two. Four flat arrays, no object per chunk.
struct ChunkPool: Sendable {
  private(set) var blocks: [FileBlock] = []
  /// The next slot of the same bin, or -1.
  private var next: [Int32] = []
  private var heads = [Int32](repeating: -1, count: binCount)
  /// One bit per bin that is not empty.
  private var occupied = [UInt64](repeating: 0, count: binCount / 64)
  /// Bytes of all chunks in bins.
  private(set) var byteCount: UInt64 = 0

  private static let exactBinCount = 64
  /// 64 exact bins and 16 for each power of two up to 2^23 units of 8 bytes (64 MiB), rounded up to whole words.
  private static let binCount = 384
  /// So many chunks of a bin are looked at for one that fits, before a larger bin is taken.
  private static let searchLimit = 32

  init(capacity: Int) {
    blocks.reserveCapacity(capacity)
    next.reserveCapacity(capacity)
  }

  @inline(__always) private static func bin(_ byteCount: UInt64) -> Int {
    let units = byteCount >> 3
    if units < UInt64(exactBinCount) { return Int(units) }
    let exponent = 63 - units.leadingZeroBitCount
    return exactBinCount + (exponent - 6) * 16 + Int(units >> UInt64(exponent - 4) & 15)
  }

  /// Adds a slot without putting it into a bin. Positions must ascend.
  mutating func addSlot(_ block: FileBlock) -> Int {
    blocks.append(block)
    next.append(-1)
    return blocks.count - 1
  }

  /// Makes the slot's chunk available; an empty one stays out.
  mutating func insert(_ slot: Int) {
    let size = blocks[slot].byteCount
    guard size > 0 else { return }
    let bin = Self.bin(size)
    next[slot] = heads[bin]
    heads[bin] = Int32(slot)
    occupied[bin >> 6] |= 1 << UInt64(bin & 63)
    byteCount += size
  }

  private mutating func remove(_ slot: Int, after previous: Int32, bin: Int) -> Int {
    if previous < 0 { heads[bin] = next[slot] } else { next[Int(previous)] = next[slot] }
    if heads[bin] < 0 { occupied[bin >> 6] &= ~(1 << UInt64(bin & 63)) }
    byteCount -= blocks[slot].byteCount
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
  mutating func takeFitting(_ size: UInt64) -> Int? {
    let own = Self.bin(size)
    if let slot = search(own, for: size, limit: Self.searchLimit) { return slot }
    guard let bin = firstBin(from: own + 1) else { return nil }
    // Any chunk of a larger bin fits; among the first few the smallest is taken.
    return search(bin, for: size, limit: own < Self.exactBinCount ? 1 : 4)
  }

  /// The smallest fitting one of the first `limit` chunks of a bin.
  private mutating func search(_ bin: Int, for size: UInt64, limit: Int) -> Int? {
    var best: Int32 = -1
    var beforeBest: Int32 = -1
    var previous: Int32 = -1
    var slot = heads[bin]
    var remaining = limit
    while slot >= 0 && remaining > 0 {
      let count = blocks[Int(slot)].byteCount
      if count >= size && (best < 0 || count < blocks[Int(best)].byteCount) {
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

  /// Cuts `size` bytes from the start of a slot that is in no bin.
  @inline(__always) mutating func cut(_ slot: Int, _ size: UInt64) -> UInt64 {
    let position = blocks[slot].position
    blocks[slot].position = position &+ size
    blocks[slot].byteCount &-= size
    return position
  }
}
