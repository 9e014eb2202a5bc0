/// Hands out file space for commits, one after the other, and keeps what it knows of the file's free space in between.
///
/// Order of use: `begin`, `beginRun` with the total, `allocate` per node, `finish`. Nothing touches the disk: afterwards the caller extends
/// the file from the base's logical size to ``logicalByteCount``. A value: whoever cannot go on after some step forgets it, and the next
/// commit begins with what the file says. What a commit costs depends on what it takes and frees; only the written lists, and searches of
/// a few sizes for each nanosecond, grow with the number of free blocks. Rules: T8.6.
package struct SpaceAllocator: Sendable {
  /// Grows with each extension.
  package private(set) var logicalByteCount: UInt64
  /// What must stay below: positions at or above it are not handed out, and the file is not extended.
  package private(set) var limit: UInt64?

  var pool: ChunkPool
  /// Free blocks that some version needs which may be read, by position.
  var locked: [FreeSpace.Entry]
  /// What the present commit frees, by position.
  private var freed: [FreeSpace.Entry] = []
  /// The chunk nodes are being laid out in.
  private var current: ChunkPool.Chunk?
  /// What was announced mostly goes into single holes between nodes in use.
  package private(set) var scatters = false
  /// What is kept for the tail, if no chunk holds everything; cut from a chunk's start.
  private var tailReserve: FileBlock?
  /// Of the announced total, what has not been handed out.
  private var expected: UInt64 = 0
  /// Little was free when the commit began; else the file grows by no more than is missing.
  private var growsInSteps = false
  /// Small nodes go together where there is room for some of them, before single holes are filled.
  private var prefersRuns = false
  /// Chunks at or above the limit.
  private var heldBack: [FileBlock] = []

  /// For a version whose usable chunks and locked blocks are given.
  init(pool: ChunkPool, locked: [FreeSpace.Entry], logicalByteCount: UInt64) {
    (self.pool, self.locked, self.logicalByteCount) = (pool, locked, logicalByteCount)
  }

  /// For the version with this free list.
  package init(_ free: FreeSpace) {
    self.init(pool: ChunkPool(), locked: free.entries, logicalByteCount: free.logicalByteCount)
  }

  // MARK: The beginning of a commit

  /// Takes in what may be used from now on, and what the commit frees.
  /// - Parameters:
  ///   - oldest: the oldest version anybody can read, the base and frozen ones included: blocks freed by it or before may be used.
  ///   - limit: for evacuation (T10.3): space at or above it is taken out of circulation.
  ///   - prefersRuns: each page that is written costs more than a little space: encrypted files.
  package mutating func begin(oldest: UInt64, limit: UInt64? = nil, prefersRuns: Bool = false) {
    self.prefersRuns = prefersRuns
    self.limit = limit.map { $0 & ~7 }
    if locked.contains(where: { $0.version <= oldest }) {
      var kept: [FreeSpace.Entry] = []
      for entry in locked {
        if entry.version <= oldest {
          pool.release(FileBlock(position: entry.position, byteCount: entry.byteCount))
        } else {
          kept.append(entry)
        }
      }
      locked = kept
    }
    if let limit = self.limit {
      pool.settle()
      heldBack = pool.remove(from: limit)
    }
    growsInSteps = pool.byteCount <= logicalByteCount / 32
  }

  /// Takes in what the transaction no longer uses. Before anything is handed out, as it is compared with what is free.
  /// - Parameters:
  ///   - blocks: of the base snapshot, in any order, its free lists and top included.
  ///   - version: of the commit.
  /// - Throws: `.invalidDatabase` if a block overlaps the free list, another one, or the logical size: the file is damaged.
  package mutating func free(_ blocks: [FileBlock], version: UInt64, path: String) throws(StorageError) {
    var end = FreeSpace.firstPosition
    var index = 0
    for block in blocks.sorted(by: { $0.position < $1.position }) {
      guard block.position >= end, block.byteCount > 0, (block.position | block.byteCount) & 7 == 0 else {
        throw .invalidDatabase(
          path: path, reason: "the node at \(block.position) is empty, misaligned or begins before \(end), the end of another one")
      }
      let (next, overflows) = block.position.addingReportingOverflow(block.byteCount)
      guard !overflows, next <= logicalByteCount else {
        throw .invalidDatabase(path: path, reason: "the node at \(block.position) ends past the file")
      }
      while index < locked.count, locked[index].end <= block.position { index += 1 }
      if index < locked.count, locked[index].position < next { throw Self.overlap(block, locked[index].position, path) }
      if let chunk = pool.chunk(overlapping: block) { throw Self.overlap(block, chunk.position, path) }
      end = next
      freed.appendJoining(FreeSpace.Entry(position: block.position, byteCount: block.byteCount, version: version))
    }
  }

  private static func overlap(_ block: FileBlock, _ position: UInt64, _ path: String) -> StorageError {
    .invalidDatabase(path: path, reason: "the node at \(block.position) overlaps the free list entry at \(position)")
  }

  /// Usable bytes, those above the limit included.
  package var freeByteCount: UInt64 {
    pool.byteCount + (current?.block.byteCount ?? 0) + (tailReserve?.byteCount ?? 0) + heldBack.reduce(0) { $0 + $1.byteCount }
  }
  package var lockedByteCount: UInt64 { locked.reduce(0) { $0 + $1.byteCount } }
  /// Entries of the free list, or a few more.
  package var entryCount: Int { pool.count + locked.count + freed.count + heldBack.count }

  // MARK: Handing out

  /// Announces how many bytes the following allocations need together, so that they get one run where there is one, and keeps a chunk
  /// for the free lists and the top array, which need one piece.
  /// - Parameter tailByteCount: from ``tailByteCount(version:topByteCount:)``; 0 to keep nothing.
  package mutating func beginRun(expectedTotal: UInt64, tailByteCount: UInt64 = 0) {
    setCurrentAside()
    let all = (expectedTotal + tailByteCount + 7) & ~7
    if all > 0 { current = takeRun(all) }
    expected = all
    if current == nil && tailByteCount > 0 && tailReserve == nil { reserveTail(tailByteCount, expectedTotal: expectedTotal) }
    // Holes that take less than half of it leave the rest for one run at the file's end: the first objects of a file that has little more than its schema.
    let fillsMostlyHoles = limit != nil || !isFreeSpaceSmall && pool.byteCount >= expected / 2
    scatters = current == nil && fillsMostlyHoles && !hasChunk(min(expected, FreeSpace.sectionByteCount))
  }

  /// A chunk for everything. Where pages cost most, and it takes more than one, from a page boundary on: what every commit replaces touches as few as can
  /// be then, and the lists of every second commit, which mostly lie in the same place, differ in few of them.
  private mutating func takeRun(_ byteCount: UInt64) -> ChunkPool.Chunk? {
    guard prefersRuns, limit == nil, byteCount > FreeSpace.pageByteCount,
      var chunk = pool.takeFitting(byteCount + FreeSpace.pageByteCount - 8)
    else { return pool.takeFitting(byteCount) }
    let unused = FreeSpace.wholePages(chunk.block.position) - chunk.block.position
    if unused > 0 { pool.append(FileBlock(position: chunk.cut(unused), byteCount: unused)) }
    return chunk
  }

  private mutating func reserveTail(_ byteCount: UInt64, expectedTotal: UInt64) {
    // With some slack, because the last count of entries may differ.
    let reserve = (byteCount + 512 + 7) & ~7
    guard var chunk = pool.takeFitting(reserve) else { return }
    tailReserve = FileBlock(position: chunk.cut(reserve), byteCount: reserve)
    pool.putBack(chunk)
    expected = expectedTotal
  }

  private mutating func hasChunk(_ byteCount: UInt64) -> Bool {
    guard let chunk = pool.takeFitting(byteCount) else { return false }
    pool.putBack(chunk)
    return true
  }

  /// No chunk takes everything that was announced, and the file may not grow: holes have to do.
  package var fillsHoles: Bool { current == nil && limit != nil }
  /// Where there is little free space it is left unused for the sake of one run at the file's end.
  private var isFreeSpaceSmall: Bool { pool.byteCount <= logicalByteCount / 32 }

  /// A place for a node; nil only if none is left below the limit.
  /// - Precondition: `byteCount` is a positive multiple of 8, at most 64 MiB.
  @inline(__always) package mutating func allocate(_ byteCount: UInt64) -> UInt64? {
    precondition(byteCount > 0 && byteCount & 7 == 0 && byteCount <= FreeSpace.sectionByteCount, "node of \(byteCount) bytes")
    if current != nil, current!.block.byteCount >= byteCount {
      expected -= min(expected, byteCount)
      return current!.cut(byteCount)
    }
    return allocateElsewhere(byteCount)
  }

  private mutating func setCurrentAside() {
    if let chunk = current { pool.putBack(chunk) }
    current = nil
  }

  @inline(never) private mutating func allocateElsewhere(_ byteCount: UInt64) -> UInt64? {
    setCurrentAside()
    guard var chunk = chooseChunk(for: byteCount) else { return nil }
    expected -= min(expected, byteCount)
    defer { current = chunk }
    return chunk.cut(byteCount)
  }

  /// One chunk for all that is still expected, if there is one. Else one run at the file's end if little space is free; and else the smallest
  /// chunk that holds the node, which keeps the large ones for large nodes.
  private mutating func chooseChunk(for byteCount: UInt64) -> ChunkPool.Chunk? {
    let wanted = max(byteCount, min(expected, FreeSpace.sectionByteCount))
    if let chunk = pool.takeFitting(wanted) { return chunk }
    if limit != nil { return pool.takeFitting(byteCount) }
    let isFreeSpaceSmall = isFreeSpaceSmall
    if !isFreeSpaceSmall {
      if prefersRuns, byteCount < 512, let chunk = pool.takeFitting(1024) ?? pool.takeFitting(512) { return chunk }
      if let chunk = pool.takeFitting(byteCount) { return chunk }
    }
    let missing = isFreeSpaceSmall ? expected : expected - min(expected, pool.byteCount)
    extend(by: max(byteCount, missing), node: byteCount)
    return pool.takeFitting(wanted) ?? pool.takeFitting(byteCount)
  }

  /// Makes the file longer: what is needed, or if that is more and little was free, a step that keeps the number of
  /// extensions logarithmic (twice the size while tiny, then an eighth, at most 1 MiB). Whole pages. A step is clipped at a section
  /// boundary, a need is not.
  private mutating func extend(by needed: UInt64, node: UInt64) {
    let section = FreeSpace.sectionByteCount
    let old = logicalByteCount
    var end = FreeSpace.wholePages(old + needed)
    // The first node must not cross a boundary: it goes behind it if it does not fit before.
    let boundary = (old / section + 1) * section
    if old + node > boundary { end = max(end, FreeSpace.wholePages(boundary + node)) }
    let step = !growsInSteps ? 0 : old < 1 << 16 ? old : min(old / 8, 1 << 20)
    end = max(end, min(FreeSpace.wholePages(old + step), max(boundary, end)))
    var added: [FileBlock] = []
    ChunkPool.forEachPart(of: FileBlock(position: old, byteCount: end - old)) { added.append($0) }
    // Backwards, so that the lowest is found first.
    for block in added.reversed() { pool.append(block) }
    logicalByteCount = end
  }

  // MARK: Fewer holes

  /// So many free blocks cost as much in the lists of each later commit as one more place does that a commit writes to.
  private static let entriesPerHole = 256
  /// More places than that are not worth their writes in one commit.
  static let holeLimit = 8
  /// The same where a place costs a page. As many nodes of a changed object are not replaced by the next commit anyway.
  private static let holeLimitWithRuns = 2

  /// How many nodes of this commit may go into holes of exactly their size, so that the free list does not become long.
  package var fillableHoleCount: Int {
    limit != nil ? 0 : min(pool.count / Self.entriesPerHole, prefersRuns ? Self.holeLimitWithRuns : Self.holeLimit)
  }

  /// A hole of exactly this size.
  package mutating func fillHole(_ byteCount: UInt64) -> UInt64? { pool.useExact(byteCount) }
}

// MARK: - The free list and top array of the commit itself

/// Where a commit's last four nodes go, and what the lists are like.
package struct CommitTail: Equatable, Sendable {
  /// The logical size of the new snapshot.
  package let logicalByteCount: UInt64
  /// Of each list.
  package let entryCount: Int
  /// Bits per element: 0, 1, 2, 4, 8, 16, 32 or 64.
  package let positionWidth: Int
  package let byteCountWidth: Int
  package let versionWidth: Int
  /// The top array comes first, next to the nodes that every commit replaces too, and then what changes with most commits.
  package let topRef: Ref
  package let versionsRef: Ref
  package let positionsRef: Ref
  package let byteCountsRef: Ref
  /// From the start of the top array to the end of the lists.
  package let byteCount: UInt64
}

extension SpaceAllocator {
  private static let reservedEntryCount = 10

  /// The most that positions, lengths, versions and top array together can need (T8.7, step 4); for `beginRun`.
  package func tailByteCount(version: UInt64, topByteCount: UInt64) -> UInt64 {
    let entryCount = UInt64(entryCount + Self.reservedEntryCount)
    let mayPassWidth32 = logicalByteCount + expected + entryCount * 24 + (8 << 20) >= 1 << 31
    let latest = Self.width(locked.reduce(version) { max($0, $1.version) })
    let bitsPerEntry = UInt64((mayPassWidth32 ? 128 : 64) + latest)
    return 3 * 16 + (topByteCount + 7) & ~7 + (entryCount * bitsPerEntry + 63) / 64 * 8
  }

  /// Reserves room for the free lists and the top array, settles the list, and returns what the reserve did not need. The next commit replaces
  /// these nodes in any case, so they may lie above the limit where there is no room below: otherwise a free list that is long because of many
  /// small holes could keep them from ever being filled. From then on this is the space of the new version.
  ///
  /// - Parameters:
  ///   - version: of this commit.
  ///   - topByteCount: the byte size of the new top array, header included. It must not depend on the result (use width 64).
  /// - Throws: `.invalidDatabase` if the list is longer than a node can be.
  package mutating func finish(version: UInt64, topByteCount: UInt64, path: String) throws(StorageError) -> CommitTail {
    // An extension may add chunks.
    let worst = tailByteCount(version: version, topByteCount: topByteCount) + 8 * 24
    guard worst + 8 <= FreeSpace.sectionByteCount else {
      throw .invalidDatabase(path: path, reason: "the free list is too long: \(entryCount) entries")
    }
    expected = 0
    var block = takeBlockForTail(worst + 8)
    while let rest = pool.take(at: block.end) ?? takeHeldBack(at: block.end) { block.byteCount += rest.byteCount }
    let start = block.position
    // What is left of it keeps its place among the others whatever the lists need.
    pool.append(FileBlock(position: start + 8, byteCount: block.byteCount - 8))
    for chunk in heldBack { pool.append(chunk) }
    pool.settle()
    locked = Self.merged(locked, freed)
    (freed, heldBack, limit, scatters) = ([], [], nil, false)

    // Something is left, so the number of chunks does not depend on how much.
    pool.replace(at: start + 8, with: FileBlock(position: start + 8, byteCount: 8))
    let tail = makeTail(in: block, topByteCount: (topByteCount + 7) & ~7)
    pool.replace(at: start + 8, with: FileBlock(position: start + tail.byteCount, byteCount: block.byteCount - tail.byteCount))
    #if DEBUG
      if let reason = violation() { throw .invalidDatabase(path: path, reason: reason) }
    #endif
    return tail
  }

  /// Decides what the lists are like, and where they go in a block whose rest, of which 8 bytes are in the pool, stays free. Settled before.
  private func makeTail(in block: FileBlock, topByteCount: UInt64) -> CommitTail {
    // The union of all is as wide as the largest.
    let largest = locked.reduce(max(UInt64(pool.byteCounts.union), block.byteCount)) { max($0, $1.byteCount) }
    let end = max(pool.last?.end ?? 0, locked.last?.end ?? 0, block.end)
    let (positionWidth, byteCountWidth) = (Self.width(end - 8), Self.width(largest))
    let versionWidth = Self.width(locked.reduce(0) { max($0, $1.version) })
    let entryCount = pool.count + locked.count
    let versions = block.position + topByteCount
    let positions = versions + Self.nodeByteCount(entryCount, width: versionWidth)
    let byteCounts = positions + Self.nodeByteCount(entryCount, width: positionWidth)
    return CommitTail(
      logicalByteCount: logicalByteCount, entryCount: entryCount, positionWidth: positionWidth, byteCountWidth: byteCountWidth,
      versionWidth: versionWidth, topRef: Ref(block.position), versionsRef: Ref(versions), positionsRef: Ref(positions),
      byteCountsRef: Ref(byteCounts), byteCount: byteCounts + Self.nodeByteCount(entryCount, width: byteCountWidth) - block.position)
  }

  /// The rest of the last nodes' chunk, the reserve, or another chunk.
  private mutating func takeBlockForTail(_ byteCount: UInt64) -> FileBlock {
    if current.map({ $0.block.byteCount < byteCount }) ?? true, let reserve = tailReserve, reserve.byteCount >= byteCount {
      setCurrentAside()
      tailReserve = nil
      return reserve
    }
    if let reserve = tailReserve { pool.append(reserve) }
    tailReserve = nil
    if let chunk = current, chunk.block.byteCount >= byteCount {
      current = nil
      pool.discard(chunk)
      return chunk.block
    }
    setCurrentAside()
    if let chunk = chooseChunk(for: byteCount) {
      pool.discard(chunk)
      return chunk.block
    }
    if let index = heldBack.firstIndex(where: { $0.byteCount >= byteCount }) { return heldBack.remove(at: index) }
    extend(by: byteCount, node: byteCount)
    let chunk = pool.takeFitting(byteCount)!
    pool.discard(chunk)
    return chunk.block
  }

  private mutating func takeHeldBack(at position: UInt64) -> FileBlock? {
    guard let first = heldBack.first, first.position == position, !position.isMultiple(of: FreeSpace.sectionByteCount) else { return nil }
    return heldBack.removeFirst()
  }

  private static func merged(_ first: [FreeSpace.Entry], _ second: [FreeSpace.Entry]) -> [FreeSpace.Entry] {
    if first.isEmpty { return second }
    var result: [FreeSpace.Entry] = []
    result.reserveCapacity(first.count + second.count)
    var index = 0
    for entry in first {
      while index < second.count && second[index].position < entry.position {
        result.appendJoining(second[index])
        index += 1
      }
      result.appendJoining(entry)
    }
    for entry in second[index...] { result.appendJoining(entry) }
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
}
