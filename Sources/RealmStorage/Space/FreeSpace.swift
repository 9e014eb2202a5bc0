/// A piece of the file: a node that is not used any more, or a free chunk.
package struct FileBlock: Hashable, Sendable {
  package var position: UInt64
  package var byteCount: UInt64

  @inline(__always) package init(position: UInt64, byteCount: UInt64) {
    self.position = position
    self.byteCount = byteCount
  }
  /// A file node that a transaction replaced or removed.
  package init(_ freed: Scratch.FreedBlock) {
    self.init(position: freed.ref.byteOffset, byteCount: UInt64(freed.byteCount))
  }
  @inline(__always) package var end: UInt64 { position &+ byteCount }
}

/// The free list of one snapshot, as it stands in its top array and as the writer keeps it in memory between own commits.
///
/// Every byte from 24 to the logical size belongs either to one node of the snapshot or to one entry. F8.3,
/// T8.6. A commit works on a ``SpaceAllocator`` made from it, so that cancelling needs nothing.
package struct FreeSpace: Equatable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var position: UInt64
    package var byteCount: UInt64
    /// The first snapshot in which the block is unused; 0 = unused in all that may exist.
    package var version: UInt64

    @inline(__always) package init(position: UInt64, byteCount: UInt64, version: UInt64) {
      self.position = position
      self.byteCount = byteCount
      self.version = version
    }
    @inline(__always) package var end: UInt64 { position &+ byteCount }
  }

  package static let firstPosition: UInt64 = 24
  /// No node crosses a multiple of this (F2.6, T8.6).
  package static let sectionByteCount: UInt64 = 64 << 20
  package static let pageByteCount: UInt64 = 4096

  /// Sorted by position, disjoint.
  package internal(set) var entries: [Entry]
  /// The logical file size of the snapshot: 24 for a database that was never committed to.
  package internal(set) var logicalByteCount: UInt64

  /// The free list of a file without lists: everything up to the logical size is in use.
  package init(logicalByteCount: UInt64 = firstPosition) {
    entries = []
    self.logicalByteCount = logicalByteCount
  }

  init(entries: [Entry], logicalByteCount: UInt64) {
    self.entries = entries
    self.logicalByteCount = logicalByteCount
  }

  /// The three arrays of a top array. They come from the file, so every rule is checked: a wrong list must stop a commit.
  /// - Throws: `.invalidDatabase` that names the first broken rule.
  package init(
    positions: [UInt64], byteCounts: [UInt64], versions: [UInt64], logicalByteCount: UInt64, path: String
  ) throws(StorageError) {
    guard positions.count == byteCounts.count, positions.count == versions.count else {
      throw .invalidDatabase(
        path: path,
        reason: "free lists of different lengths: \(positions.count), \(byteCounts.count), \(versions.count)")
    }
    entries = []
    entries.reserveCapacity(positions.count)
    for i in positions.indices {
      entries.append(Entry(position: positions[i], byteCount: byteCounts[i], version: versions[i]))
    }
    self.logicalByteCount = logicalByteCount
    if let reason = violation() { throw .invalidDatabase(path: path, reason: reason) }
  }

  /// Everything in the list, whoever may still read it: what `shouldCompactOnLaunch` calls free (T9.3).
  package var freeByteCount: UInt64 { entries.reduce(0) { $0 &+ $1.byteCount } }
  /// The part that readers of versions below their entries may still use.
  package func lockedByteCount(oldest: UInt64) -> UInt64 {
    entries.reduce(0) { $1.version > oldest ? $0 &+ $1.byteCount : $0 }
  }
}

// MARK: - In the file

extension FreeSpace {
  /// The free list of the version with the given top array.
  package init(_ space: NodeSpace, top: Ref, logicalByteCount: UInt64, path: String) throws(StorageError) {
    self.init(logicalByteCount: logicalByteCount)
    if top.isNull { return }
    let array = try TopArray(space, at: top)
    guard array.slotCount > TopArray.Slot.freeVersions, try !array.freePositions.isNull else { return }
    func list(_ ref: Ref) throws(StorageError) -> [UInt64] {
      let node = try space.integers(at: ref)
      try space.checkCount(node.count, of: node)
      var values: [UInt64] = []
      values.reserveCapacity(node.count)
      for index in 0..<node.count { values.append(UInt64(bitPattern: node.element(unchecked: index))) }
      return values
    }
    try self.init(
      positions: list(array.freePositions), byteCounts: list(array.freeByteCounts), versions: list(array.freeVersions),
      logicalByteCount: logicalByteCount, path: path)
  }
}

// MARK: - Backdating

extension FreeSpace {
  /// Lowers versions of blocks that intermediate snapshots used which nobody can read any more (T8.6).
  ///
  /// Without it one long-lived reader makes the file grow with every commit. Worth calling only when the purge removed a version newer
  /// than the oldest. Goes further than upstream in one point: a partly covered block is split. O(entries) per snapshot.
  /// - Parameters:
  ///   - reachable: all versions that may still be read, ascending.
  ///   - list: the free list of one of them.
  package mutating func backdate(
    reachable: [UInt64], list: (UInt64) throws(StorageError) -> FreeSpace
  ) throws(StorageError) {
    guard let oldest = reachable.first else { return }
    // An entry is stuck once the latest snapshot before its version used it.
    var stuck = [Bool](repeating: false, count: entries.count)
    for snapshot in reachable.reversed() {
      let isOpen = entries.indices.contains { !stuck[$0] && entries[$0].version > max(snapshot, oldest) }
      guard isOpen else {
        if entries.indices.allSatisfy({ stuck[$0] || entries[$0].version <= oldest }) { break }
        continue
      }
      lower(by: try list(snapshot), of: snapshot, stuck: &stuck)
    }
    join(stuck)
  }

  /// One step: what `older`, the latest reachable snapshot before an entry's version, had free gets the version it has there.
  private mutating func lower(by older: FreeSpace, of snapshot: UInt64, stuck: inout [Bool]) {
    var result: [Entry] = []
    var resultStuck: [Bool] = []
    result.reserveCapacity(entries.count)
    resultStuck.reserveCapacity(entries.count)
    func add(_ position: UInt64, _ end: UInt64, _ version: UInt64, _ isStuck: Bool) {
      guard position < end else { return }
      if let last = result.last, last.end == position, last.version == version, resultStuck[resultStuck.count - 1] == isStuck {
        result[result.count - 1].byteCount += end - position
      } else {
        result.append(Entry(position: position, byteCount: end - position, version: version))
        resultStuck.append(isStuck)
      }
    }
    var index = 0
    for (i, entry) in entries.enumerated() {
      guard !stuck[i], entry.version > snapshot else {
        add(entry.position, entry.end, entry.version, stuck[i])
        continue
      }
      var position = entry.position
      while index < older.entries.count, older.entries[index].end <= position { index += 1 }
      var next = index
      while next < older.entries.count, older.entries[next].position < entry.end {
        let free = older.entries[next]
        add(position, max(position, free.position), entry.version, true)
        position = max(position, free.position)
        let end = min(free.end, entry.end)
        add(position, end, min(free.version, entry.version), false)
        position = max(position, end)
        next += 1
      }
      let inside = min(max(position, older.logicalByteCount), entry.end)
      add(position, inside, entry.version, true)
      // Past that snapshot's logical size: unused in it, and what its predecessors did there is looked at next.
      add(max(position, inside), entry.end, snapshot, false)
    }
    entries = result
    stuck = resultStuck
  }

  /// Adjacent entries of one version are one again.
  private mutating func join(_ stuck: [Bool]) {
    var result: [Entry] = []
    result.reserveCapacity(entries.count)
    for entry in entries { result.appendJoining(entry) }
    entries = result
  }
}

extension [FreeSpace.Entry] {
  /// Appends, or lengthens the last entry if it ends there and has the same version.
  @inline(__always) mutating func appendJoining(_ entry: FreeSpace.Entry) {
    if let last, last.end == entry.position, last.version == entry.version {
      self[count - 1].byteCount += entry.byteCount
    } else {
      append(entry)
    }
  }
}
