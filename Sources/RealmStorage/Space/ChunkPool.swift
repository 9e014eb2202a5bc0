/// Chunks of free space that a commit may use: two flat arrays, which are kept from one commit to the next.
///
/// A chunk is a slot. Slots are sorted by position, but for those that were added since the last ``settle()``. None is empty then, none
/// crosses a section, and two that touch are in two sections. A few chunks are found by searching all sizes, several in each step of the
/// processor; a commit that asks for many gets ``ChunkBins``.
struct ChunkPool: Sendable {
  private(set) var positions: [UInt64] = []
  /// 0 for a chunk that is used up, or taken out.
  private(set) var byteCounts: [UInt32] = []
  /// Slots from here on are in no order.
  private var sortedCount = 0
  /// Sorted slots whose chunks were used up or joined with others.
  private var emptied: [Int] = []
  /// Bytes of all chunks that are not taken out.
  private(set) var byteCount: UInt64 = 0
  private var bins: ChunkBins?
  private var searchCount = 0
  /// Of all chunks. What ``useExact(_:)`` has not found stays out until a chunk gets that size.
  private var possibleSizes = PossibleSizes()

  /// A chunk that was taken out, as far as it is not used.
  struct Chunk {
    let slot: Int
    var block: FileBlock

    /// Cuts bytes from the start.
    @inline(__always) mutating func cut(_ byteCount: UInt64) -> UInt64 {
      let position = block.position
      block.position = position &+ byteCount
      block.byteCount &-= byteCount
      return position
    }
  }

  /// After so many searches the rest of the commit pays for an index.
  private static let searchLimit = 32

  init() {}

  /// - Parameters:
  ///   - positions: ascending. The chunks obey the rules above.
  ///   - byteCount: of all chunks.
  init(positions: [UInt64], byteCounts: [UInt32], byteCount: UInt64) {
    (self.positions, self.byteCounts, self.byteCount) = (positions, byteCounts, byteCount)
    sortedCount = positions.count
  }

  /// The most entries of a free list that these chunks can become.
  var count: Int { positions.count - emptied.count }

  /// The one that lies last. Settled before.
  var last: FileBlock? { positions.indices.last.map { block($0) } }

  /// Calls `body` for the parts of a block that lie in one section each.
  static func forEachPart(of block: FileBlock, _ body: (FileBlock) -> Void) {
    var position = block.position
    while position < block.end {
      let end = min(block.end, (position / FreeSpace.sectionByteCount + 1) * FreeSpace.sectionByteCount)
      body(FileBlock(position: position, byteCount: end - position))
      position = end
    }
  }

  private static func isOneSection(_ start: UInt64, _ end: UInt64) -> Bool {
    start / FreeSpace.sectionByteCount == (end - 1) / FreeSpace.sectionByteCount
  }

  // MARK: Taking chunks

  /// Takes out a chunk of at least `size` bytes, close to the smallest there is.
  mutating func takeFitting(_ size: UInt64) -> Chunk? {
    guard size <= FreeSpace.sectionByteCount else { return nil }
    searchCount += 1
    if bins == nil && searchCount > Self.searchLimit { bins = ChunkBins(byteCounts) }
    let slot = bins == nil ? byteCounts.placeOfSmallest(atLeast: UInt32(size)) : bins!.takeFitting(UInt32(size), byteCounts)
    return slot.map { takeOut($0) }
  }

  /// Uses up a chunk of exactly so many bytes, if there is one.
  mutating func useExact(_ size: UInt64) -> UInt64? {
    guard bins == nil, size <= FreeSpace.sectionByteCount, possibleSizes.contains(size) else { return nil }
    guard let slot = byteCounts.firstPlace(of: UInt32(size)) else {
      possibleSizes.remove(size)
      return nil
    }
    var chunk = takeOut(slot)
    let position = chunk.cut(size)
    putBack(chunk)
    return position
  }

  private mutating func takeOut(_ slot: Int) -> Chunk {
    let chunk = Chunk(slot: slot, block: block(slot))
    byteCounts[slot] = 0
    byteCount -= chunk.block.byteCount
    return chunk
  }

  /// Makes what is left of a chunk available again.
  mutating func putBack(_ chunk: Chunk) {
    positions[chunk.slot] = chunk.block.position
    // Slots that were joined with this one stay behind its start.
    var joined = chunk.slot + 1
    while joined < sortedCount && positions[joined] < chunk.block.position {
      positions[joined] = chunk.block.position
      joined += 1
    }
    guard chunk.block.byteCount > 0 else {
      if chunk.slot < sortedCount { emptied.append(chunk.slot) }
      return
    }
    resize(chunk.slot, chunk.block.byteCount)
    byteCount += chunk.block.byteCount
    bins?.insert(chunk.slot, UInt32(chunk.block.byteCount))
  }

  /// Forgets a chunk that was taken out.
  mutating func discard(_ chunk: Chunk) { if chunk.slot < sortedCount { emptied.append(chunk.slot) } }

  @inline(__always) private mutating func resize(_ slot: Int, _ byteCount: UInt64) {
    byteCounts[slot] = UInt32(byteCount)
    possibleSizes.insert(UInt32(byteCount))
  }

  private func block(_ slot: Int) -> FileBlock { FileBlock(position: positions[slot], byteCount: UInt64(byteCounts[slot])) }

  // MARK: Adding chunks

  /// Adds a chunk of one section, in no order.
  mutating func append(_ block: FileBlock) {
    positions.append(block.position)
    byteCounts.append(UInt32(block.byteCount))
    possibleSizes.insert(UInt32(block.byteCount))
    byteCount += block.byteCount
    bins?.addSlot()
    bins?.insert(positions.count - 1, UInt32(block.byteCount))
  }

  /// Adds what nobody can read any more, as part of the chunks that it touches. Blocks come by ascending position, before any is taken.
  mutating func release(_ block: FileBlock) {
    Self.forEachPart(of: block) { part in
      if join(part) { return }
      if let last = positions.indices.last, last >= sortedCount, self.block(last).end == part.position,
        Self.isOneSection(positions[last], part.end)
      {
        resize(last, UInt64(byteCounts[last]) + part.byteCount)
        byteCount += part.byteCount
      } else {
        append(part)
      }
    }
  }

  /// The first sorted slot at or behind a position.
  private func slot(from position: UInt64) -> Int { slot(from: position, in: 0..<sortedCount) }

  /// The first of some slots, which lie by ascending position, at or behind a position.
  private func slot(from position: UInt64, in slots: Range<Int>) -> Int {
    var (low, high) = (slots.lowerBound, slots.upperBound)
    while low < high {
      let middle = (low + high) >> 1
      if positions[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Makes a block part of the sorted chunks before and behind it, if it touches one of them in the same section.
  private mutating func join(_ block: FileBlock) -> Bool {
    var (before, after) = (slot(from: block.position) - 1, 0)
    after = before + 1
    while before >= 0 && byteCounts[before] == 0 { before -= 1 }
    while after < sortedCount && byteCounts[after] == 0 { after += 1 }
    let touchesBefore = before >= 0 && self.block(before).end == block.position && Self.isOneSection(positions[before], block.end)
    let touchesAfter = after < sortedCount && positions[after] == block.end && Self.isOneSection(block.position, self.block(after).end)
    guard touchesBefore || touchesAfter else { return false }
    byteCount += block.byteCount
    if touchesBefore {
      resize(before, UInt64(byteCounts[before]) + block.byteCount)
      guard touchesAfter else { return true }
      resize(before, UInt64(byteCounts[before]) + UInt64(byteCounts[after]))
      byteCounts[after] = 0
      emptied.append(after)
    } else {
      positions[after] = block.position
      resize(after, UInt64(byteCounts[after]) + block.byteCount)
    }
    return true
  }

  // MARK: Order

  /// Takes out what is free from a position on. Settled before.
  mutating func remove(from position: UInt64) -> [FileBlock] {
    var first = slot(from: position)
    var result: [FileBlock] = []
    if first > 0, block(first - 1).end > position {
      let end = block(first - 1).end
      resize(first - 1, position - positions[first - 1])
      result.append(FileBlock(position: position, byteCount: end - position))
    }
    for slot in first..<positions.count { result.append(block(slot)) }
    positions.removeSubrange(first...)
    byteCounts.removeSubrange(first...)
    first = positions.count
    sortedCount = first
    byteCount -= result.reduce(0) { $0 + $1.byteCount }
    return result
  }

  /// Takes out the chunk that starts at a position in the same section as what ends there, if there is one.
  mutating func take(at position: UInt64) -> FileBlock? {
    guard !position.isMultiple(of: FreeSpace.sectionByteCount) else { return nil }
    var found = slot(from: position)
    while found < sortedCount && byteCounts[found] == 0 { found += 1 }
    if found == sortedCount || positions[found] != position {
      guard let other = (sortedCount..<positions.count).first(where: { positions[$0] == position && byteCounts[$0] > 0 }) else { return nil }
      found = other
    }
    let chunk = takeOut(found)
    if found < sortedCount { emptied.append(found) }
    return chunk.block
  }

  /// Brings all chunks into order. None is taken out.
  mutating func settle() {
    (bins, searchCount) = (nil, 0)
    var added: [FileBlock] = []
    for slot in (sortedCount..<positions.count).map({ block($0) }).sorted(by: { $0.position < $1.position }) where slot.byteCount > 0 {
      if let last = added.last, last.end == slot.position, Self.isOneSection(last.position, slot.end) {
        added[added.count - 1].byteCount += slot.byteCount
      } else {
        added.append(slot)
      }
    }
    positions.removeLast(positions.count - sortedCount)
    byteCounts.removeLast(byteCounts.count - sortedCount)
    byteCount -= added.reduce(0) { $0 + $1.byteCount }
    let apart = added.filter { !join($0) }
    byteCount += apart.reduce(0) { $0 + $1.byteCount }
    guard !apart.isEmpty || !emptied.isEmpty else { return }
    emptied.sort()
    for block in apart { possibleSizes.insert(UInt32(block.byteCount)) }
    let places = apart.map { slot(from: $0.position) }
    positions.splice(removing: emptied, inserting: zip(places, apart).map { ($0, $1.position) })
    byteCounts.splice(removing: emptied, inserting: zip(places, apart).map { ($0, UInt32($1.byteCount)) })
    emptied.removeAll(keepingCapacity: true)
    sortedCount = positions.count
  }

  /// Gives a chunk other bounds, between its neighbours. Settled before.
  mutating func replace(at position: UInt64, with block: FileBlock) {
    let slot = slot(from: position)
    byteCount = byteCount &- UInt64(byteCounts[slot]) &+ block.byteCount
    positions[slot] = block.position
    resize(slot, block.byteCount)
  }

  /// The chunk that shares a byte with a block. Before any is taken: what was released since the chunks were settled lies by position, too.
  func chunk(overlapping other: FileBlock) -> FileBlock? {
    for slots in [0..<sortedCount, sortedCount..<positions.count] {
      let after = slot(from: other.position, in: slots)
      var before = after - 1
      // Joined with the one before, which covers them.
      while before >= slots.lowerBound && byteCounts[before] == 0 { before -= 1 }
      if before >= slots.lowerBound, block(before).end > other.position { return block(before) }
      if after < slots.upperBound, positions[after] < other.end { return block(after) }
    }
    return nil
  }

  /// How many chunks lie before a position. Settled before.
  func count(before position: UInt64) -> Int { slot(from: position) }

  /// The first broken rule of settled chunks, or nil.
  func violation() -> String? {
    if sortedCount != positions.count || byteCounts.count != positions.count || !emptied.isEmpty { return "the chunks are not settled" }
    var (end, total) = (UInt64(0), UInt64(0))
    for slot in positions.indices {
      let block = block(slot)
      if block.byteCount == 0 || (block.position | block.byteCount) & 7 != 0 { return "chunk \(slot) is empty or misaligned" }
      if block.position < end { return "chunk \(slot) at \(block.position) begins before \(end)" }
      if !Self.isOneSection(block.position, block.end) { return "chunk \(slot) at \(block.position) crosses a section" }
      if !possibleSizes.contains(block.byteCount) { return "chunk \(slot) has \(block.byteCount) bytes, which no chunk should have" }
      if block.position == end && !end.isMultiple(of: FreeSpace.sectionByteCount) { return "chunk \(slot) touches the one before" }
      end = block.end
      total += block.byteCount
    }
    return total == byteCount ? nil : "the chunks have \(total) bytes, not \(byteCount)"
  }
}
