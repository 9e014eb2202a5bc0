// The group: names, tables, free lists, history. F4, F8.

/// A table whose description was readable, and what the walk through its objects learned.
struct VerifiedTable {
  let description: TableDescription
  /// Position in `description.columns` by leaf index; -1 for vacant ones.
  let positions: [Int]
  let positionsByKey: [ColumnKey: Int]
  var liveCount = 0
  /// Sum of the keyed hashes of all live keys: what an index must list, each once.
  var liveSum: UInt64 = 0

  init(_ description: TableDescription) {
    self.description = description
    var positions = [Int](repeating: -1, count: description.leafSlotCount)
    var positionsByKey: [ColumnKey: Int] = [:]
    for (position, column) in description.columns.enumerated() {
      positions[column.leafIndex] = position
      positionsByKey[column.key] = position
    }
    (self.positions, self.positionsByKey) = (positions, positionsByKey)
  }
  var name: String { String(decoding: description.name, as: UTF8.self) }
}

extension Verifier {
  func verifyGroup() throws(StorageError) {
    depth = 0
    let top = try claim(top, "group top")
    let group = try GroupDescription(space: space, top: top.ref)
    self.group = group
    result.tableCount = 0
    depth = 1
    _ = try claim(group.namesRef, "table names")
    _ = try claim(group.tablesRef, "tables")
    if group.version >= GroupDescription.versionLimit { fail("the version \(group.version) is out of range") }
    attempt("free list") { () throws(StorageError) in try verifyFreeList(group) }
    reportGaps()
    if !group.historyRef.isNull { attempt("history") { () throws(StorageError) in try verifyHistory(group) } }
    if group.evacuation != 0 && group.evacuation & 1 == 0 {
      attempt("evacuation info") { () throws(StorageError) in try claimAll(Ref(element: group.evacuation), "evacuation info") }
    }
    tables = [VerifiedTable?](repeating: nil, count: group.tableSlotCount)
    for slot in 0..<group.tableSlotCount {
      guard case .table(let ref) = group.tableSlot(slot) else {
        // Whoever opens the group reads the names of free slots, too.
        attempt("table names") { () throws(StorageError) in _ = try group.tableName(slot) }
        continue
      }
      result.tableCount += 1
      attempt("table in slot \(slot)") { () throws(StorageError) in try claimTable(group, slot: slot, ref: ref) }
    }
  }

  // MARK: Free space

  private func verifyFreeList(_ group: GroupDescription) throws(StorageError) {
    if group.freePositionsRef.isNull && group.freeLengthsRef.isNull { return }
    let positions = try claimIntegers(group.freePositionsRef, "free positions")
    let lengths = try claimIntegers(group.freeLengthsRef, "free lengths")
    let versions = group.freeVersionsRef.isNull ? nil : try claimIntegers(group.freeVersionsRef, "free versions")
    guard positions.count == lengths.count, versions == nil || versions?.count == positions.count else {
      throw positions.broken("the free list arrays have \(positions.count), \(lengths.count) and \(versions?.count ?? 0) entries")
    }
    if versions == nil && group.slotCount > 5 { failGlobally("the versions of the free list are missing") }
    try spend(positions.count, positions)
    var end: UInt64 = 24
    for index in 0..<positions.count {
      let position = UInt64(bitPattern: positions.element(unchecked: index))
      let byteCount = UInt64(bitPattern: lengths.element(unchecked: index))
      guard position & 7 == 0, byteCount & 7 == 0, byteCount > 0, byteCount >> 63 == 0 else {
        fail("free entry \(index) is not aligned or empty: [\(Ref(position)), +\(Int64(bitPattern: byteCount)))")
        continue
      }
      guard position >= 24, position < logicalByteCount, byteCount <= logicalByteCount - position else {
        fail("free entry \(index) lies outside the logical file: [\(Ref(position)), +\(byteCount))")
        continue
      }
      if position < end { fail("free entry \(index) at \(Ref(position)) is out of order or overlaps the one before") }
      end = position + byteCount
      if let version = versions?.element(unchecked: index), version < 0 || UInt64(version) > group.storedVersion ?? 0 {
        fail("free entry \(index) was freed in version \(version), the file's version is \(group.storedVersion ?? 0)")
      }
      if !occupied.insert(start: position, byteCount: byteCount) { fail("free entry \(index) at \(Ref(position)) overlaps something in use") }
      result.freeBlockCount += 1
      result.freeByteCount += byteCount
      result.largestFreeBlock = max(result.largestFreeBlock, byteCount)
    }
  }

  /// Every byte of `[24, logical size)` is in a node or free (F8.3).
  private func reportGaps() {
    var named = 0
    let limit = logicalByteCount & ~7
    if limit != logicalByteCount { failGlobally("the logical size \(logicalByteCount) is no multiple of 8") }
    occupied.forEachGap(from: 24) { gap in
      guard gap.lowerBound < limit else { return }
      let gap = gap.lowerBound..<min(gap.upperBound, limit)
      result.leakedByteCount += UInt64(gap.count)
      named += 1
      if named <= 20 { failGlobally("bytes [\(Ref(gap.lowerBound)), \(Ref(gap.upperBound))) are neither reachable nor free") }
    }
    if named > 20 { failGlobally("\(named - 20) more ranges are neither reachable nor free, \(result.leakedByteCount) bytes in all") }
  }

  // MARK: History

  private func verifyHistory(_ group: GroupDescription) throws(StorageError) {
    guard group.historyType == 2 else { return try claimAll(group.historyRef, "history") }
    let count = try bplusTree(group.historyRef, "history (changesets)", leafLimit: 1000) { (ref) throws(StorageError) in
      try binaryLeaf(ref, "history (changesets)")
    }.count
    let version = group.version
    // Entry i leads from version v - n + i to the next one, and version 1 is the first there is.
    if UInt64(count) >= version && count > 0 { fail("history: \(count) changesets lead to version \(version)") }
    if count == 0 { note("history: it holds no changeset") }
  }

  // MARK: Tables

  private func claimTable(_ group: GroupDescription, slot: Int, ref: Ref) throws(StorageError) {
    depth = 2
    defer { depth = 1 }
    let name = try group.tableName(slot)
    let label = String(decoding: name, as: UTF8.self)
    _ = try claim(ref, "table '\(label)'")
    let description = try TableDescription(space: space, ref: ref, name: name, slot: slot)
    depth = 3
    let spec = try claimRefs(description.specRef, "spec")
    depth = 4
    _ = try claim(spec.child(0), "column types")
    _ = try claim(spec.child(1), "column names")
    _ = try claim(spec.child(2), "column attributes")
    if try !spec.child(4).isNull {
      _ = try claimRefs(spec.child(4), "enum keys")
      depth = 5
      for column in description.columns where !column.enumKeysRef.isNull {
        try enumKeys(column.enumKeysRef, "enum keys of '\(String(decoding: column.name, as: UTF8.self))'")
      }
      depth = 4
    }
    _ = try claim(spec.child(5), "column keys")
    depth = 3
    if !description.searchIndexesRef.isNull { _ = try claimRefs(description.searchIndexesRef, "search indexes") }
    if !description.oppositeTablesRef.isNull { _ = try claim(description.oppositeTablesRef, "opposite tables") }
    if !description.oppositeColumnsRef.isNull { _ = try claim(description.oppositeColumnsRef, "opposite columns") }
    let table = VerifiedTable(description)
    tables[slot] = table
    tableName = label
    defer { tableName = "" }
    try verifyVacantSlots(table)
    if !description.collisionMapRef.isNull {
      attempt("collision map") { () throws(StorageError) in try claimCollisionMap(description.collisionMapRef) }
    }
  }

  private func verifyVacantSlots(_ table: VerifiedTable) throws(StorageError) {
    let description = table.description
    for leafIndex in 0..<description.leafSlotCount where table.positions[leafIndex] < 0 {
      if try entry(description.searchIndexesRef, leafIndex, hasRefs: true) ?? 0 != 0 {
        fail("search index for the vacant column slot \(leafIndex)")
      }
      let table = try entry(description.oppositeTablesRef, leafIndex, hasRefs: false) ?? Int64(TableKey.null.rawValue)
      let column = try entry(description.oppositeColumnsRef, leafIndex, hasRefs: false) ?? ColumnKey.null.rawValue
      if table != Int64(TableKey.null.rawValue) || column != ColumnKey.null.rawValue {
        fail("opposite entry for the vacant column slot \(leafIndex)")
      }
    }
  }

  private func entry(_ ref: Ref, _ index: Int, hasRefs: Bool) throws(StorageError) -> Int64? {
    if ref.isNull { return nil }
    return try (hasRefs ? space.refs(at: ref) : space.integers(at: ref)).element(index)
  }

  /// F7.4: three parallel arrays sorted by high, then low half.
  private func claimCollisionMap(_ ref: Ref) throws(StorageError) {
    let map = try claimRefs(ref, "collision map")
    guard map.count == 3 else { throw map.broken("a collision map has 3 arrays, this one has \(map.count)") }
    depth += 1
    defer { depth -= 1 }
    let low = try claimIntegers(map.child(0), "collision low halves")
    let high = try claimIntegers(map.child(1), "collision high halves")
    let local = try claimIntegers(map.child(2), "collision local ids")
    guard low.count == high.count, low.count == local.count else { throw map.broken("the arrays of the collision map differ in size") }
    try spend(low.count, map)
    for index in 1..<max(low.count, 1) {
      let (a, b) = (high.element(unchecked: index - 1), high.element(unchecked: index))
      let (x, y) = (low.unsignedLow(index - 1), low.unsignedLow(index))
      if a > b || a == b && x > y { fail("the collision map is not sorted at entry \(index)") }
    }
  }
}

extension Node {
  /// A signed element reinterpreted as unsigned 64 bits.
  fileprivate func unsignedLow(_ index: Int) -> UInt64 { UInt64(bitPattern: element(unchecked: index)) }
}
