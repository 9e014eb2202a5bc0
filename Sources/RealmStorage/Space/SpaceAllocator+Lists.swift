// The free list of the version that an allocator stands at: as a value, read from a file, written to a file.

extension SpaceAllocator {
  /// The free list, with blocks joined that touch and are of one kind.
  package var freeSpace: FreeSpace {
    var entries: [FreeSpace.Entry] = []
    entries.reserveCapacity(entryCount)
    forEachRun { run in
      for slot in run.chunks {
        entries.appendJoining(FreeSpace.Entry(position: pool.positions[slot], byteCount: UInt64(pool.byteCounts[slot]), version: 0))
      }
      if let entry = run.entry { entries.appendJoining(entry) }
    }
    return FreeSpace(entries: entries, logicalByteCount: logicalByteCount)
  }

  /// The first broken rule between two commits, or nil: those of the chunks, and those of the whole list.
  package func violation() -> String? { pool.violation() ?? freeSpace.violation() }

  /// Some chunks, and the locked block behind them.
  private struct Run {
    let chunks: Range<Int>
    let entry: FreeSpace.Entry?
  }

  /// Goes through everything by position.
  private func forEachRun(_ body: (Run) -> Void) {
    var start = 0
    for entry in locked {
      // Mostly many chunks lie between two locked blocks; beside a reader that stays, few.
      var end = start
      if locked.count > pool.positions.count / 16 {
        while end < pool.positions.count && pool.positions[end] < entry.position { end += 1 }
      } else {
        end = pool.count(before: entry.position)
      }
      body(Run(chunks: start..<end, entry: entry))
      start = end
    }
    body(Run(chunks: start..<pool.positions.count, entry: nil))
  }

  // MARK: Writing

  /// Writes the three lists that ``finish(version:topByteCount:path:)`` has settled, one behind the other.
  package func write(_ tail: CommitTail, to writer: NodeWriter) throws(StorageError) {
    func header(_ width: Int) -> NodeHeader {
      NodeHeader(flags: 0, scheme: .bits, widthIndex: width == 0 ? 0 : UInt32(width.trailingZeroBitCount) + 1, count: tail.entryCount)
    }
    try writer.seek(to: tail.versionsRef.byteOffset)
    try writer.append(header: header(tail.versionWidth)) { sink in
      forEachRun { run in
        sink.append(zeros: run.chunks.count)
        if let entry = run.entry { sink.append(entry.version) }
      }
    }
    try writer.append(header: header(tail.positionWidth)) { sink in
      forEachRun { run in
        sink.append(pool.positions.span.extracting(run.chunks))
        if let entry = run.entry { sink.append(entry.position) }
      }
    }
    try writer.append(header: header(tail.byteCountWidth)) { sink in
      forEachRun { run in
        sink.append(pool.byteCounts.span.extracting(run.chunks))
        if let entry = run.entry { sink.append(entry.byteCount) }
      }
    }
  }

  // MARK: Reading

  /// The free space of the version with the given top array.
  /// - Throws: `.corruptNode` and `.invalidDatabase` that name the first broken rule.
  package init(_ space: NodeSpace, top: Ref, logicalByteCount: UInt64, path: String) throws(StorageError) {
    if let found = try Self.soundLists(space, top: top, logicalByteCount: logicalByteCount) {
      self = found
    } else {
      self.init(try FreeSpace(space, top: top, logicalByteCount: logicalByteCount, path: path))
    }
  }

  /// Takes the lists over as they are, if no rule is broken and no block crosses a section: what is unusual goes the long way.
  private static func soundLists(_ space: NodeSpace, top: Ref, logicalByteCount: UInt64) throws(StorageError) -> SpaceAllocator? {
    if top.isNull { return nil }
    let array = try TopArray(space, at: top)
    guard array.slotCount > TopArray.Slot.freeVersions, try !array.freePositions.isNull else { return nil }
    func list(_ ref: Ref) throws(StorageError) -> Node {
      let node = try space.integers(at: ref)
      try space.checkCount(node.count, of: node)
      return node
    }
    let (first, second, third) = (try list(array.freePositions), try list(array.freeByteCounts), try list(array.freeVersions))
    let count = first.count
    guard count > 0, second.count == count, third.count == count, second.header.widthIndex < 7 else { return nil }
    var (positions, byteCounts) = (first.integers(as: UInt64.self), second.integers(as: UInt32.self))
    guard var byteCount = soundByteCount(positions.span, byteCounts.span, logicalByteCount: logicalByteCount) else { return nil }
    var locked: [FreeSpace.Entry] = []
    let places = third.placesOfOthersThanZero()
    for index in places {
      let entry = FreeSpace.Entry(
        position: positions[index], byteCount: UInt64(byteCounts[index]), version: UInt64(bitPattern: third.element(unchecked: index)))
      byteCount &-= entry.byteCount
      locked.append(entry)
    }
    positions.splice(removing: places, inserting: [])
    byteCounts.splice(removing: places, inserting: [])
    guard areApart(positions.span, byteCounts.span) else { return nil }
    return SpaceAllocator(
      pool: ChunkPool(positions: positions, byteCounts: byteCounts, byteCount: byteCount), locked: locked, logicalByteCount: logicalByteCount)
  }

  /// How much some blocks are together, at least one, if none is empty and they are inside the file, 8-aligned, in order and disjoint, and cross no
  /// section. Without branches for each.
  static func soundByteCount(_ positions: Span<UInt64>, _ byteCounts: Span<UInt32>, logicalByteCount: UInt64) -> UInt64? {
    var (signs, bits, crossing, total) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    let last = positions.count - 1
    guard positions[0] >= FreeSpace.firstPosition, positions[last] <= logicalByteCount,
      UInt64(byteCounts[last]) <= logicalByteCount - positions[last]
    else { return nil }
    func add(_ position: UInt64, _ byteCount: UInt64) {
      bits |= position | byteCount
      crossing |= position ^ (position &+ byteCount &- 1)
      signs |= position | (byteCount &- 1)
      total &+= byteCount
    }
    for index in 0..<last {
      let (position, byteCount) = (positions[index], UInt64(byteCounts[index]))
      add(position, byteCount)
      signs |= positions[index + 1] &- position &- byteCount
    }
    add(positions[last], UInt64(byteCounts[last]))
    return signs >> 63 == 0 && bits & 7 == 0 && crossing < FreeSpace.sectionByteCount ? total : nil
  }

  /// Whether no block touches the one behind it, except where a section ends.
  private static func areApart(_ positions: Span<UInt64>, _ byteCounts: Span<UInt32>) -> Bool {
    var signs: UInt64 = 0
    var index = 1
    while index < positions.count {
      let gap = positions[index] &- positions[index - 1] &- UInt64(byteCounts[index - 1])
      // Where a section begins a gap counts whatever it is.
      let begin = (positions[index] & (FreeSpace.sectionByteCount - 1)) &- 1
      signs |= (gap &- 1) & ~begin
      index += 1
    }
    return signs >> 63 == 0
  }
}
