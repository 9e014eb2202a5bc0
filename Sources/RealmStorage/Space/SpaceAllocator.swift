/// Hands out file space for one commit. A value: a commit that fails forgets it, and the ``FreeSpace`` it came from is unchanged.
///
/// Order of use: `beginRun` with the total, `allocate` per node, `finish`. Nothing touches the disk: afterwards the caller extends the
/// file from the base's logical size to ``logicalByteCount``. Rules: T8.6.
package struct SpaceAllocator: Sendable {
  /// Grows with each extension.
  package private(set) var logicalByteCount: UInt64
  /// What must stay below: positions at or above it are not handed out, and the file is not extended.
  package private(set) var limit: UInt64?

  private var pool: ChunkPool
  /// The chunk nodes are being laid out in; in no bin.
  private var current: Int?
  /// What was announced mostly goes into single holes between nodes in use.
  package private(set) var scatters = false
  /// What is kept for the tail, if no chunk holds everything; cut from a slot's start.
  private var tailReserve: FileBlock?
  /// Of the announced total, what has not been handed out.
  private var expected: UInt64 = 0
  private let locked: [FreeSpace.Entry]
  private let base: FreeSpace
  /// Little was free when the commit began; else the file grows by no more than is missing.
  private let growsInSteps: Bool
  /// Small nodes go together where there is room for some of them, before single holes are filled.
  private let prefersRuns: Bool
  /// Slots at or above the limit, not in any bin.
  private var heldBack: Range<Int>

  /// - Parameters:
  ///   - oldest: the oldest version anybody can read, the base and frozen ones included: blocks freed by it or before may be used.
  ///   - limit: for evacuation (T10.3): space at or above it is taken out of circulation.
  ///   - prefersRuns: each page that is written costs more than a little space: encrypted files.
  package init(_ free: FreeSpace, oldest: UInt64, limit: UInt64? = nil, prefersRuns: Bool = false) {
    self.prefersRuns = prefersRuns
    let limit = limit.map { $0 & ~7 }
    base = free
    logicalByteCount = free.logicalByteCount
    self.limit = limit
    var pool = ChunkPool(capacity: free.entries.count + 8)
    var locked: [FreeSpace.Entry] = []
    var held: Int?
    var open: FileBlock?
    /// Splits a merged chunk at section boundaries and at the limit, so that no chunk crosses one.
    func add(_ chunk: FileBlock) {
      var rest = chunk
      while rest.byteCount > 0 {
        var end = min(rest.end, (rest.position / FreeSpace.sectionByteCount + 1) * FreeSpace.sectionByteCount)
        if let limit, rest.position < limit { end = min(end, limit) }
        let slot = pool.addSlot(FileBlock(position: rest.position, byteCount: end - rest.position))
        if let limit, end > limit, held == nil { held = slot }
        rest = FileBlock(position: end, byteCount: rest.end - end)
      }
    }
    for entry in free.entries {
      guard entry.version <= oldest else {
        locked.append(entry)
        continue
      }
      if let chunk = open, chunk.end == entry.position {
        open = FileBlock(position: chunk.position, byteCount: chunk.byteCount + entry.byteCount)
      } else {
        if let chunk = open { add(chunk) }
        open = FileBlock(position: entry.position, byteCount: entry.byteCount)
      }
    }
    if let chunk = open { add(chunk) }
    let count = pool.blocks.count
    heldBack = (held ?? count)..<count
    // Backwards, so that the lowest chunk of a bin comes first.
    for slot in stride(from: heldBack.lowerBound - 1, through: 0, by: -1) { pool.insert(slot) }
    growsInSteps = pool.byteCount <= free.logicalByteCount / 32
    self.pool = pool
    self.locked = locked
  }

  /// Usable bytes, those above the limit included.
  package var freeByteCount: UInt64 {
    pool.byteCount + (current.map { pool.blocks[$0].byteCount } ?? 0) + (tailReserve?.byteCount ?? 0)
      + heldBack.reduce(0) { $0 + pool.blocks[$1].byteCount }
  }
  package var lockedByteCount: UInt64 { locked.reduce(0) { $0 + $1.byteCount } }

  /// Announces how many bytes the following allocations need together, so that they get one run where there is one, and keeps a chunk
  /// for the free lists and the top array, which need one piece.
  /// - Parameter tailByteCount: from ``tailByteCount(version:releasedCount:topByteCount:)``; 0 to keep nothing.
  package mutating func beginRun(expectedTotal: UInt64, tailByteCount: UInt64 = 0) {
    setCurrentAside()
    let all = (expectedTotal + tailByteCount + 7) & ~7
    if all > 0, all <= FreeSpace.sectionByteCount { current = pool.takeFitting(all) }
    expected = all
    if current == nil && tailByteCount > 0 && tailReserve == nil { reserveTail(tailByteCount, expectedTotal: expectedTotal) }
    scatters = current == nil && (limit != nil || !isFreeSpaceSmall) && !hasChunk(min(expected, FreeSpace.sectionByteCount))
  }

  private mutating func reserveTail(_ byteCount: UInt64, expectedTotal: UInt64) {
    // With some slack, because the last count of entries may differ.
    let reserve = (byteCount + 512 + 7) & ~7
    guard reserve <= FreeSpace.sectionByteCount, let slot = pool.takeFitting(reserve) else { return }
    tailReserve = FileBlock(position: pool.cut(slot, reserve), byteCount: reserve)
    pool.insert(slot)
    expected = expectedTotal
  }

  private mutating func hasChunk(_ byteCount: UInt64) -> Bool {
    guard let slot = pool.takeFitting(byteCount) else { return false }
    pool.insert(slot)
    return true
  }

  /// No chunk takes everything that was announced, and the file may not grow: holes have to do.
  package var fillsHoles: Bool { current == nil && limit != nil }
  /// Where there is little free space it is left unused for the sake of one run at the file's end.
  private var isFreeSpaceSmall: Bool { pool.byteCount <= logicalByteCount / 32 }

  /// A place for a node; nil only if none is left below the limit. Constant time.
  /// - Precondition: `byteCount` is a positive multiple of 8, at most 64 MiB.
  @inline(__always) package mutating func allocate(_ byteCount: UInt64) -> UInt64? {
    precondition(byteCount > 0 && byteCount & 7 == 0 && byteCount <= FreeSpace.sectionByteCount, "node of \(byteCount) bytes")
    if let slot = current, pool.blocks[slot].byteCount >= byteCount {
      expected -= min(expected, byteCount)
      return pool.cut(slot, byteCount)
    }
    return allocateElsewhere(byteCount)
  }

  private mutating func setCurrentAside() {
    if let slot = current { pool.insert(slot) }
    current = nil
  }

  @inline(never) private mutating func allocateElsewhere(_ byteCount: UInt64) -> UInt64? {
    setCurrentAside()
    guard let slot = chooseChunk(for: byteCount) else { return nil }
    current = slot
    expected -= min(expected, byteCount)
    return pool.cut(slot, byteCount)
  }

  /// One chunk for all that is still expected, if there is one. Else one run at the file's end if little space is free; and else the smallest
  /// chunk that holds the node, which keeps the large ones for large nodes.
  private mutating func chooseChunk(for byteCount: UInt64) -> Int? {
    let wanted = max(byteCount, min(expected, FreeSpace.sectionByteCount))
    if let slot = pool.takeFitting(wanted) { return slot }
    if limit != nil { return pool.takeFitting(byteCount) }
    let isFreeSpaceSmall = isFreeSpaceSmall
    if !isFreeSpaceSmall {
      if prefersRuns, byteCount < 512, let slot = pool.takeFitting(1024) ?? pool.takeFitting(512) { return slot }
      if let slot = pool.takeFitting(byteCount) { return slot }
    }
    let missing = isFreeSpaceSmall ? expected : expected - min(expected, pool.byteCount)
    extend(by: max(byteCount, missing), node: byteCount)
    return pool.takeFitting(wanted) ?? pool.takeFitting(byteCount)
  }

  /// Makes the file longer: what is needed, or if that is more and little was free, a step that keeps the number of
  /// extensions logarithmic (twice the size while tiny, then an eighth, at most 1 MiB). Whole pages. A step is clipped at a section
  /// boundary, a need is not.
  private mutating func extend(by needed: UInt64, node: UInt64) {
    let page = FreeSpace.pageByteCount
    let section = FreeSpace.sectionByteCount
    let old = logicalByteCount
    func wholePages(_ count: UInt64) -> UInt64 { (count + page - 1) / page * page }
    var end = wholePages(old + needed)
    // The first node must not cross a boundary: it goes behind it if it does not fit before.
    let boundary = (old / section + 1) * section
    if old + node > boundary { end = max(end, wholePages(boundary + node)) }
    let step = !growsInSteps ? 0 : old < 1 << 16 ? old : min(old / 8, 1 << 20)
    end = max(end, min(wholePages(old + step), max(boundary, end)))

    var position = old
    var slots: [Int] = []
    while position < end {
      let next = min(end, (position / section + 1) * section)
      slots.append(pool.addSlot(FileBlock(position: position, byteCount: next - position)))
      position = next
    }
    for slot in slots.reversed() { pool.insert(slot) }
    logicalByteCount = end
  }
}

// MARK: - The free list and top array of the commit itself

/// Where a commit's last four nodes go, and the free list they hold. The three lists must be encoded with the given widths.
package struct CommitTail: Equatable, Sendable {
  /// The new snapshot's free list, logical size included.
  package let free: FreeSpace
  /// Bits per element: 0, 1, 2, 4, 8, 16, 32 or 64.
  package let positionWidth: Int
  package let byteCountWidth: Int
  package let versionWidth: Int
  package let positionsRef: Ref
  package let byteCountsRef: Ref
  package let versionsRef: Ref
  package let topRef: Ref
  /// From the start of the positions to the end of the top array.
  package let byteCount: UInt64
}

extension SpaceAllocator {
  private static let reservedEntryCount = 10

  /// The most that positions, lengths, versions and top array together can need (T8.7, step 4); for `beginRun`.
  /// - Parameter releasedCount: blocks that will be passed to ``finish(version:released:topByteCount:path:)``.
  package func tailByteCount(version: UInt64, releasedCount: Int, topByteCount: UInt64) -> UInt64 {
    let entryCount = UInt64(pool.blocks.count + locked.count + releasedCount + Self.reservedEntryCount)
    let mayPassWidth32 = logicalByteCount + expected + entryCount * 24 + (8 << 20) >= 1 << 31
    let latest = Self.width(locked.reduce(version) { max($0, $1.version) })
    let bitsPerEntry = UInt64((mayPassWidth32 ? 128 : 64) + latest)
    return 3 * 16 + (topByteCount + 7) & ~7 + (entryCount * bitsPerEntry + 63) / 64 * 8
  }

  /// Reserves room for the free lists and the top array, settles the list, and returns what the reserve did not need. The next commit replaces
  /// these nodes in any case, so they may lie above the limit where there is no room below: otherwise a free list that is long because of many
  /// small holes could keep them from ever being filled.
  ///
  /// - Parameters:
  ///   - version: of this commit.
  ///   - released: blocks of the base snapshot that this transaction replaced or removed, in any order, its free lists and top included.
  ///   - topByteCount: the byte size of the new top array, header included. It must not depend on the result (use width 64).
  /// - Throws: `.invalidDatabase` if a released block overlaps the free list, another one, or the logical size: the file is damaged.
  package mutating func finish(
    version: UInt64, released: [FileBlock], topByteCount: UInt64, path: String
  ) throws(StorageError) -> CommitTail {
    let freed = try merged(released, version: version, path: path)
    // An extension may add slots.
    let worst = tailByteCount(version: version, releasedCount: freed.count + 8, topByteCount: topByteCount)
    guard worst + 8 <= FreeSpace.sectionByteCount else {
      throw .invalidDatabase(path: path, reason: "the free list is too long: \(locked.count + pool.blocks.count) entries")
    }
    expected = 0
    let (chunks, index) = chunksForTail(worst + 8)

    // Widths only grow, so this ends; the chunk keeps a remainder, so the number of entries does not change.
    let start = chunks[index].position
    var (widths, used) = ((0, 0, 0), UInt64(0))
    while true {
      var trial = chunks
      trial[index].position += used
      trial[index].byteCount -= used
      let entries = Self.entries(trial, locked, freed)
      var (position, count, latest) = (UInt64(0), UInt64(0), UInt64(0))
      for entry in entries {
        position = entry.position
        count = max(count, entry.byteCount)
        latest = max(latest, entry.version)
      }
      widths = (max(widths.0, Self.width(position)), max(widths.1, Self.width(count)), max(widths.2, Self.width(latest)))
      let counts = [widths.0, widths.1, widths.2].map { Self.nodeByteCount(entries.count, width: $0) }
      let total = counts.reduce((topByteCount + 7) & ~7, +)
      if total == used {
        let free = FreeSpace(entries: entries, logicalByteCount: logicalByteCount)
        if let reason = free.violation() { throw .invalidDatabase(path: path, reason: reason) }
        return CommitTail(
          free: free, positionWidth: widths.0, byteCountWidth: widths.1, versionWidth: widths.2, positionsRef: Ref(start),
          byteCountsRef: Ref(start + counts[0]), versionsRef: Ref(start + counts[0] + counts[1]),
          topRef: Ref(start + counts[0] + counts[1] + counts[2]), byteCount: total)
      }
      used = total
    }
  }

  /// All chunks by position, and which of them takes the tail: that of the last nodes, the reserve, or another one.
  private mutating func chunksForTail(_ byteCount: UInt64) -> (chunks: [FileBlock], index: Int) {
    var slot = current.flatMap { pool.blocks[$0].byteCount >= byteCount ? $0 : nil }
    if slot == nil && (tailReserve?.byteCount ?? 0) < byteCount {
      setCurrentAside()
      current = chooseChunk(for: byteCount)
      slot = current ?? chunkAboveLimit(for: byteCount)
    }
    var chunks = pool.blocks
    guard let reserve = tailReserve else { return (chunks, slot!) }
    // Exhausted slots ahead of the reserve may share its position, so the first slot that starts behind it decides.
    let place = chunks.firstIndex { $0.position > reserve.position } ?? chunks.count
    chunks.insert(reserve, at: place)
    return (chunks, slot.map { $0 >= place ? $0 + 1 : $0 } ?? place)
  }

  private mutating func chunkAboveLimit(for byteCount: UInt64) -> Int {
    if let slot = heldBack.first(where: { pool.blocks[$0].byteCount >= byteCount }) { return slot }
    extend(by: byteCount, node: byteCount)
    return pool.takeFitting(byteCount)!
  }

  private func merged(_ released: [FileBlock], version: UInt64, path: String) throws(StorageError) -> [FreeSpace.Entry] {
    var result: [FreeSpace.Entry] = []
    result.reserveCapacity(released.count)
    var end = FreeSpace.firstPosition
    var index = 0
    for block in released.sorted(by: { $0.position < $1.position }) {
      guard block.position >= end, block.byteCount > 0, (block.position | block.byteCount) & 7 == 0 else {
        throw .invalidDatabase(
          path: path, reason: "the node at \(block.position) is empty, misaligned or begins before \(end), the end of another one")
      }
      let (next, overflows) = block.position.addingReportingOverflow(block.byteCount)
      guard !overflows, next <= base.logicalByteCount else {
        throw .invalidDatabase(path: path, reason: "the node at \(block.position) ends past the file")
      }
      while index < base.entries.count, base.entries[index].end <= block.position { index += 1 }
      guard index == base.entries.count || base.entries[index].position >= next else {
        throw .invalidDatabase(
          path: path, reason: "the node at \(block.position) overlaps the free list entry at \(base.entries[index].position)")
      }
      end = next
      result.appendJoining(FreeSpace.Entry(position: block.position, byteCount: block.byteCount, version: version))
    }
    return result
  }

  /// The bits per element that hold 0 and `maximum` (F2.3).
  private static func width(_ maximum: UInt64) -> Int {
    switch maximum {
    case 0: 0
    case 1: 1
    case ...3: 2
    case ...15: 4
    case ...0x7F: 8
    case ...0x7FFF: 16
    case ...0x7FFF_FFFF: 32
    default: 64
    }
  }

  private static func nodeByteCount(_ count: Int, width: Int) -> UInt64 { 8 + UInt64((count * width + 63) / 64 * 8) }

  /// Merges the three sorted parts. Free chunks get version 0 and are joined, also across section boundaries.
  private static func entries(
    _ chunks: [FileBlock], _ locked: [FreeSpace.Entry], _ freed: [FreeSpace.Entry]
  ) -> [FreeSpace.Entry] {
    var result: [FreeSpace.Entry] = []
    result.reserveCapacity(chunks.count + locked.count + freed.count)
    var (i, j, k) = (0, 0, 0)
    while true {
      while i < chunks.count && chunks[i].byteCount == 0 { i += 1 }
      let chunk = i < chunks.count ? chunks[i].position : .max
      let lock = j < locked.count ? locked[j].position : .max
      let free = k < freed.count ? freed[k].position : .max
      if i < chunks.count && chunk <= lock && chunk <= free {
        result.appendJoining(FreeSpace.Entry(position: chunk, byteCount: chunks[i].byteCount, version: 0))
        i += 1
      } else if j < locked.count && lock <= free {
        result.appendJoining(locked[j])
        j += 1
      } else if k < freed.count {
        result.appendJoining(freed[k])
        k += 1
      } else {
        return result
      }
    }
  }
}
