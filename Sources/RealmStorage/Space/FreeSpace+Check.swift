extension FreeSpace {
  /// What can be wrong with one entry of a free list.
  enum Flaw: Equatable {
    case emptyOrMisaligned
    /// The byte count is none that a file can have.
    case negative
    case outsideTheFile
    /// It begins before the end of the one before it.
    case outOfOrder
  }

  /// The first flaw of an entry; an entry may be out of order besides being outside.
  /// - Parameter end: of the entry before, or of the file header.
  static func flaw(_ entry: Entry, after end: UInt64, logicalByteCount: UInt64) -> Flaw? {
    if (entry.position | entry.byteCount) & 7 != 0 || entry.byteCount == 0 { return .emptyOrMisaligned }
    if entry.byteCount >> 63 != 0 { return .negative }
    guard entry.position >= firstPosition, entry.position < logicalByteCount, entry.byteCount <= logicalByteCount - entry.position else {
      return .outsideTheFile
    }
    return entry.position < end ? .outOfOrder : nil
  }

  /// The first broken rule, or nil:
  ///  1. the logical size is a multiple of 8, at least 24;  2. entries are 8-aligned and not empty;  3. sorted and disjoint;
  ///  4. between the header and the logical size.
  package func violation() -> String? {
    if logicalByteCount < Self.firstPosition || !logicalByteCount.isMultiple(of: 8) {
      return "the logical size \(logicalByteCount) is not a multiple of 8 above the header"
    }
    var end = Self.firstPosition
    for (index, entry) in entries.enumerated() {
      switch FreeSpace.flaw(entry, after: end, logicalByteCount: logicalByteCount) {
      case nil: end = entry.end
      case .emptyOrMisaligned: return "free list entry \(index) is empty or misaligned: \(entry.position), \(entry.byteCount)"
      case .outsideTheFile where entry.position >= end, .negative where entry.position >= end:
        return "free list entry \(index) at \(entry.position) with \(entry.byteCount) bytes ends past the logical size \(logicalByteCount)"
      case .outOfOrder, .outsideTheFile, .negative:
        return "free list entry \(index) at \(entry.position) begins before \(end), the end of what precedes it"
      }
    }
    return nil
  }

  /// The rules of the space of a version (F8.3):
  ///  1. no two nodes share a byte, and each has one parent: ``Reachability``;  2. the three lists are of one length, and the versions are there;
  ///  3. blocks are 8-aligned, not empty, inside the logical size, sorted and disjoint;  4. none was freed in a version that is still to come;
  ///  5. no block overlaps a node;  6. every byte behind the header is in a node or free.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package static func check(_ space: NodeSpace, top: Ref) throws(StorageError) {
    if top.isNull { return }
    var reachability = Reachability(space, top: top, isStreaming: false, report: CheckReport())
    if let reason = reachability.report.violations.first { throw .corruptNode(ref: top, reason: reason) }
    try Checker.first(space, top) { (checker) throws(StorageError) in
      _ = try FreeListCheck(checker, GroupDescription(space: space, top: top), logicalByteCount: reachability.logicalByteCount)
        .run(&reachability.occupied)
    }
  }
}

/// The check of the free list in a top array against what is reachable: rules 2 to 6 of `FreeSpace.check`.
struct FreeListCheck {
  let checker: Checker
  let group: GroupDescription
  let logicalByteCount: UInt64

  /// What the lists hold.
  struct Found {
    var byteCount: UInt64 = 0
    var blockCount = 0
    var largestBlock: UInt64 = 0
    /// Bytes that are neither reachable nor free.
    var leakedByteCount: UInt64 = 0
  }

  init(_ checker: Checker, _ group: GroupDescription, logicalByteCount: UInt64) {
    (self.checker, self.group, self.logicalByteCount) = (checker, group, logicalByteCount)
  }

  /// - Parameter occupied: the bytes of nodes; those of free blocks are added.
  func run(_ occupied: inout UnitBitmap) -> Found {
    var found = Found()
    checker.attempt("free list") { () throws(StorageError) in try list(&occupied, &found) }
    reportGaps(occupied, &found)
    return found
  }

  private func list(_ occupied: inout UnitBitmap, _ found: inout Found) throws(StorageError) {
    if group.freePositionsRef.isNull && group.freeLengthsRef.isNull { return }
    let positions = try checker.claimIntegers(group.freePositionsRef, "free positions")
    let lengths = try checker.claimIntegers(group.freeLengthsRef, "free lengths")
    let versions = group.freeVersionsRef.isNull ? nil : try checker.claimIntegers(group.freeVersionsRef, "free versions")
    guard positions.count == lengths.count, versions == nil || versions?.count == positions.count else {
      throw positions.broken("the free list arrays have \(positions.count), \(lengths.count) and \(versions?.count ?? 0) entries")
    }
    if versions == nil && group.slotCount > TopArray.Slot.freeVersions { checker.failGlobally("the versions of the free list are missing") }
    try checker.spend(positions.count, positions)
    var end = FreeSpace.firstPosition
    for index in 0..<positions.count {
      let (position, byteCount) = (positions.element(unchecked: index), lengths.element(unchecked: index))
      let entry = FreeSpace.Entry(
        position: UInt64(bitPattern: position), byteCount: UInt64(bitPattern: byteCount),
        version: versions.map { UInt64(bitPattern: $0.element(unchecked: index)) } ?? 0)
      if check(entry, index, after: end, &occupied) {
        end = entry.end
        found.blockCount += 1
        found.byteCount += entry.byteCount
        found.largestBlock = max(found.largestBlock, entry.byteCount)
      }
    }
  }

  /// - Returns: whether the entry names bytes of the file.
  private func check(_ entry: FreeSpace.Entry, _ index: Int, after end: UInt64, _ occupied: inout UnitBitmap) -> Bool {
    let place = Ref(entry.position)
    switch FreeSpace.flaw(entry, after: end, logicalByteCount: logicalByteCount) {
    case .emptyOrMisaligned, .negative:
      checker.fail("free entry \(index) is not aligned or empty: [\(place), +\(Int64(bitPattern: entry.byteCount)))")
      return false
    case .outsideTheFile:
      checker.fail("free entry \(index) lies outside the logical file: [\(place), +\(entry.byteCount))")
      return false
    case .outOfOrder: checker.fail("free entry \(index) at \(place) is out of order or overlaps the one before")
    case nil: break
    }
    let newest = group.storedVersion ?? 0
    if entry.version >> 63 != 0 || entry.version > newest {
      checker.fail("free entry \(index) was freed in version \(Int64(bitPattern: entry.version)), the file's version is \(newest)")
    }
    if !occupied.insert(start: entry.position, byteCount: entry.byteCount) {
      checker.fail("free entry \(index) at \(place) overlaps something in use")
    }
    return true
  }

  /// Every byte of `[24, logical size)` is in a node or free (F8.3).
  private func reportGaps(_ occupied: UnitBitmap, _ found: inout Found) {
    var named = 0
    var leaked: UInt64 = 0
    let limit = logicalByteCount & ~7
    if limit != logicalByteCount { checker.failGlobally("the logical size \(logicalByteCount) is no multiple of 8") }
    occupied.forEachGap(from: FreeSpace.firstPosition) { gap in
      guard gap.lowerBound < limit else { return }
      let gap = gap.lowerBound..<min(gap.upperBound, limit)
      leaked += UInt64(gap.count)
      named += 1
      if named <= 20 { checker.failGlobally("bytes [\(Ref(gap.lowerBound)), \(Ref(gap.upperBound))) are neither reachable nor free") }
    }
    if named > 20 { checker.failGlobally("\(named - 20) more ranges are neither reachable nor free, \(leaked) bytes in all") }
    found.leakedByteCount = leaked
  }
}
