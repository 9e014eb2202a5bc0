package import RealmStorage

/// Where the bytes of a file are.
package struct Statistics {
  package struct Table {
    package let name: TableName
    package let objectCount: Int
    package let byteCount: UInt64
  }
  package let fileByteCount: UInt64
  /// The logical size: what `shouldCompactOnLaunch` calls total bytes.
  package let totalByteCount: UInt64
  /// Entries of the free list, those still needed by older versions included.
  package let freeByteCount: UInt64
  package let freeBlockCount: Int
  package let largestFreeByteCount: UInt64
  package let historyByteCount: UInt64
  package let historyEntryCount: Int
  package let newestVersion: UInt64
  /// How far the contents have been moved towards the beginning.
  package let evacuation: Evacuation
  /// Nil if nobody knows: the list of live versions belongs to the session.
  package let oldestLiveVersion: UInt64?
  /// Those of classes, and others that are not only for synchronisation.
  package let tables: [Table]
  /// Nil for a file that does not synchronise.
  package let sync: SyncStatistics?
  /// Versions that others hold, and the newest; empty without a session.
  package let versions: [VersionClaims]
  /// Other participants in the session, those that died in it included.
  package let participantCount: Int
  /// Processes that have the lock file open.
  package let processes: [LockHolder]

  package var classes: [Table] { tables.filter(\.name.isClass) }
  package var otherTables: [Table] { tables.filter { !$0.name.isClass } }
  package var usedByteCount: UInt64 { totalByteCount - min(freeByteCount, totalByteCount) }
  /// 0 when all free space is one block, near 1 when it is in many small ones.
  package var fragmentation: Double { freeByteCount == 0 ? 0 : 1 - Double(largestFreeByteCount) / Double(freeByteCount) }

  /// - Throws: `.corruptNode` when anything that must be counted is damaged.
  package init(_ file: OpenFile) throws(StorageError) {
    fileByteCount = file.fileByteCount
    oldestLiveVersion = try file.oldestLiveVersion()
    versions = try file.versionClaims().filter { $0.isHeldByOthers || $0.isNewest }
    participantCount = file.otherParticipantCount
    processes = participantCount == 0 ? [] : LockHolder.ofDatabase(at: file.path)
    guard let group = file.group else {
      (totalByteCount, freeByteCount, freeBlockCount, largestFreeByteCount) = (file.fileByteCount, 0, 0, 0)
      (historyByteCount, historyEntryCount, newestVersion, evacuation, tables) = (0, 0, 1, .idle, [])
      sync = nil
      return
    }
    totalByteCount = group.logicalByteCount
    newestVersion = group.version
    evacuation = Evacuation(file.space, slot: group.evacuation, logicalByteCount: group.logicalByteCount)
    let free = try Statistics.freeSpace(file.space, group)
    (freeByteCount, freeBlockCount, largestFreeByteCount) = free
    historyByteCount = try Statistics.byteCount(file.space, group.historyRef)
    historyEntryCount = try HistoryEntries(file).count
    var tables: [Table] = []
    for table in file.classes {
      tables.append(
        Table(
          name: TableName(table.name), objectCount: try ClusterTree.count(file.space, table.clusterRoot),
          byteCount: try Statistics.byteCount(file.space, table.ref)))
    }
    self.tables = tables
    sync = try SyncStatistics(file)
  }

  private static func freeSpace(_ space: NodeSpace, _ group: GroupDescription) throws(StorageError) -> (UInt64, Int, UInt64) {
    if group.freeLengthsRef.isNull { return (0, 0, 0) }
    let lengths = try space.integers(at: group.freeLengthsRef)
    var (total, largest): (UInt64, UInt64) = (0, 0)
    for index in 0..<lengths.count {
      let length = lengths.element(unchecked: index)
      guard length > 0, UInt64(length) <= group.logicalByteCount - min(total, group.logicalByteCount) else {
        throw lengths.broken("the free list claims more than the file's size")
      }
      total += UInt64(length)
      largest = max(largest, UInt64(length))
    }
    return (total, lengths.count, largest)
  }

  /// Bytes of a node and all it owns.
  package static func byteCount(_ space: NodeSpace, _ root: Ref) throws(StorageError) -> UInt64 {
    if root.isNull { return 0 }
    var total: UInt64 = 0
    var stack = [root]
    while let ref = stack.popLast() {
      let node = try space.node(at: ref)
      total += UInt64(node.byteCount)
      guard total <= space.fileLimit else { throw node.broken("the tree below \(root) claims more bytes than the file has") }
      guard node.header.hasRefs, node.header.schemeBits == 0, node.header.widthIndex > 0 else { continue }
      for index in 0..<node.count {
        let value = node.element(unchecked: index)
        if value != 0 && value & 1 == 0 { stack.append(Ref(element: value)) }
      }
    }
    return total
  }
}
