/// The history of a file that takes part in synchronisation: the log of every file with a history, what each commit changed for the peers, and how far
/// both directions have come. Source: Y2.
///
/// Five columns of equal length have one entry per commit; the last one belongs to the snapshot itself.
package struct SyncHistory {
  /// The array of all parts; null in a file whose first commit is still to come.
  package private(set) var root: Ref

  /// Top array slots and their values for such a history.
  package static let type: UInt64 = 3
  package static let schemaVersion: UInt64 = 12

  /// What verification calls the array of all parts.
  package static let role = "synchronisation history"
  /// What the slots hold, in their order.
  package static let slotNames = [
    "log", "unused", "salt of the name", "latest server version", "its salt", "downloaded through server version",
    "which includes client version", "uploaded through client version", "based on server version", "downloaded bytes", "downloadable bytes",
    "uploaded bytes", "uploadable bytes", "changesets", "transformed changesets", "server versions", "origins", "times",
    "identities of objects without primary key", "unused", "forms of the history",
  ]

  enum Slot {
    static let log = 0
    static let unused = 1
    static let identSalt = 2
    static let latestServerVersion = 3
    static let latestServerSalt = 4
    static let downloadServerVersion = 5
    static let downloadClientVersion = 6
    static let uploadClientVersion = 7
    static let uploadServerVersion = 8
    static let downloadedByteCount = 9
    static let downloadableByteCount = 10
    static let uploadedByteCount = 11
    static let uploadableByteCount = 12
    static let changesets = 13
    static let reciprocals = 14
    static let serverVersions = 15
    static let origins = 16
    static let timestamps = 17
    static let objectIdentities = 18
    static let cooked = 19
    static let schemaVersions = 20
    static let count = 21
  }

  /// Parallel arrays with one element for each form that the history has had.
  enum VersionSlot {
    static let schema = 0
    static let library = 1
    static let snapshot = 2
    static let seconds = 3
    static let count = 4
  }

  package init(root: Ref) { self.root = root }

  // MARK: Reading

  /// The log for notifications, which has a length of its own.
  package func log(_ space: NodeSpace) throws(StorageError) -> HistoryTree {
    HistoryTree(root: root.isNull ? .null : try node(space).child(Slot.log))
  }

  /// How many commits the columns tell of.
  package func count(_ space: NodeSpace) throws(StorageError) -> Int {
    if root.isNull { return 0 }
    let count = try integers(node(space), Slot.origins).count(space)
    // A leaf of nulls has 125 of them in a byte; forged trees may lead to the same leaf again and again.
    guard UInt64(count) <= space.fileLimit << 7 else { throw .corruptNode(ref: root, reason: "the history has more entries than fit the file") }
    return count
  }

  /// The version on which the first entry builds: entry i led to this one plus i + 1.
  package func firstBase(_ space: NodeSpace, version: UInt64) throws(StorageError) -> UInt64 {
    let count = UInt64(try count(space))
    guard count <= version else {
      throw .corruptNode(ref: root, reason: "the synchronisation history has \(count) entries, but this is version \(version)")
    }
    return version - count
  }

  /// What one commit left.
  /// - Parameter index: counted from 0, below `count`.
  package func entry(_ space: NodeSpace, _ index: Int) throws(StorageError) -> SyncEntry {
    let node = try node(space)
    return SyncEntry(
      changeset: try binaries(node, Slot.changesets).element(space, index), reciprocal: try binaries(node, Slot.reciprocals).element(space, index),
      serverVersion: UInt64(bitPattern: try integers(node, Slot.serverVersions).element(space, index)),
      origin: UInt64(bitPattern: try integers(node, Slot.origins).element(space, index)),
      timestamp: UInt64(bitPattern: try integers(node, Slot.timestamps).element(space, index)))
  }

  /// The positions of all entries with changes that this file made, and the sizes of those changesets before they were stored.
  /// - Parameter index: of the first entry that is looked at.
  package func changes(_ space: NodeSpace, from index: Int = 0) throws(StorageError) -> [(index: Int, byteCount: UInt64)] {
    var result: [(index: Int, byteCount: UInt64)] = []
    let count = try count(space)
    guard index < count else { return result }
    var remaining = space.fileLimit
    for index in index..<count {
      let entry = try entry(space, index)
      guard entry.isUploaded, let changeset = entry.changeset else { continue }
      // Forged entries may all be the same node.
      guard UInt64(changeset.count) <= remaining else { throw .corruptNode(ref: root, reason: "the history has more bytes than the file") }
      remaining -= UInt64(changeset.count)
      result.append((index, try StoredChangeset(changeset).byteCount))
    }
    return result
  }

  /// Which version of the server's history was integrated in a version of this file; nil if its entry is gone.
  package func serverVersion(_ space: NodeSpace, at entryVersion: UInt64, version: UInt64) throws(StorageError) -> UInt64? {
    let base = try firstBase(space, version: version)
    guard entryVersion > base, entryVersion <= version else { return nil }
    return UInt64(bitPattern: try integers(node(space), Slot.serverVersions).element(space, Int(entryVersion - base - 1)))
  }

  /// How far both directions have come.
  /// - Parameter fileIdent: from the top array.
  package func status(_ space: NodeSpace, fileIdent: UInt64) throws(StorageError) -> SyncStatus {
    var status = SyncStatus()
    status.fileIdent = fileIdent
    if root.isNull { return status }
    let node = try node(space)
    func number(_ slot: Int) throws(StorageError) -> UInt64 { try node.tagged(slot) ?? 0 }
    status.fileIdentSalt = try number(Slot.identSalt)
    status.latestServer = SyncStatus.Server(version: try number(Slot.latestServerVersion), salt: try number(Slot.latestServerSalt))
    status.download = SyncStatus.Cursor(
      serverVersion: try number(Slot.downloadServerVersion), clientVersion: try number(Slot.downloadClientVersion))
    status.upload = SyncStatus.Cursor(
      serverVersion: try number(Slot.uploadServerVersion), clientVersion: try number(Slot.uploadClientVersion))
    (status.downloadedByteCount, status.downloadableByteCount) = (try number(Slot.downloadedByteCount), try number(Slot.downloadableByteCount))
    (status.uploadedByteCount, status.uploadableByteCount) = (try number(Slot.uploadedByteCount), try number(Slot.uploadableByteCount))
    return status
  }

  func node(_ space: NodeSpace) throws(StorageError) -> Node {
    let node = try space.refs(at: root)
    guard !node.header.isInner, node.count == Slot.count else {
      throw node.broken("a synchronisation history has \(Slot.count) slots, this one has \(node.count)")
    }
    return node
  }

  private func integers(_ node: Node, _ slot: Int) throws(StorageError) -> BPlusTree<IntegerFamily> {
    BPlusTree(root: try node.child(slot), family: IntegerFamily())
  }

  private func binaries(_ node: Node, _ slot: Int) throws(StorageError) -> BPlusTree<HistoryFamily> {
    BPlusTree(root: try node.child(slot), family: HistoryFamily())
  }
}

// MARK: - Writing

extension SyncHistory {
  /// Adds what the commit that makes a version leaves.
  ///
  /// - Parameters:
  ///   - log: for notifications (H4).
  ///   - version: the new version; the history is that of its predecessor.
  ///   - oldestLive: logs up to this version are dropped; entries stay until they are trimmed.
  mutating func append(
    _ scratch: Scratch, log: [UInt8], _ commit: SyncCommit, version: UInt64, oldestLive: UInt64
  ) throws(StorageError) {
    if root.isNull { root = try Self.create(scratch, version: version - 1, seconds: commit.entry.timestamp / 1000 + SyncEntry.epochSeconds) }
    // Entries that are rewritten are counted from the predecessor's base.
    let base = try firstBase(scratch.space, version: version - 1)
    try scratch.makeWritable(&root)
    var tree = HistoryTree(root: Ref(element: scratch.slot(root, Slot.log)))
    try tree.append(scratch, log, version: version, oldestLive: oldestLive)
    scratch.setChild(root, Slot.log, tree.root)
    for (entryVersion, changeset) in commit.reciprocals where entryVersion > base && entryVersion < version {
      try editBinaries(scratch, Slot.reciprocals) { (column) throws(StorageError) in
        try column.set(scratch, Int(entryVersion - base - 1), changeset)
      }
    }
    try append(scratch, commit.entry)
    if let status = commit.status { store(scratch, status) }
    let added = UInt64(commit.localByteCount)
    if added > 0 { setTagged(scratch, Slot.uploadableByteCount, UInt64(bitPattern: scratch.slot(root, Slot.uploadableByteCount)) >> 1 &+ added) }
    if let version = commit.trimsThrough { try trim(scratch, through: version, base: base) }
  }

  private func append(_ scratch: Scratch, _ entry: SyncEntry) throws(StorageError) {
    try editBinaries(scratch, Slot.changesets) { (column) throws(StorageError) in try column.append(scratch, entry.changeset) }
    try editBinaries(scratch, Slot.reciprocals) { (column) throws(StorageError) in try column.append(scratch, entry.reciprocal) }
    let numbers = [(Slot.serverVersions, entry.serverVersion), (Slot.origins, entry.origin), (Slot.timestamps, entry.timestamp)]
    for (slot, number) in numbers {
      try editIntegers(scratch, slot) { (column) throws(StorageError) in try column.append(scratch, Int64(bitPattern: number)) }
    }
  }

  /// Drops entries that nobody needs any more.
  private func trim(_ scratch: Scratch, through version: UInt64, base: UInt64) throws(StorageError) {
    guard version > base else { return }
    let count = min(Int(clamping: version - base), try self.count(scratch.space))
    for slot in [Slot.changesets, Slot.reciprocals] {
      try editBinaries(scratch, slot) { (column) throws(StorageError) in for _ in 0..<count { try column.remove(scratch, 0) } }
    }
    for slot in [Slot.serverVersions, Slot.origins, Slot.timestamps] {
      try editIntegers(scratch, slot) { (column) throws(StorageError) in for _ in 0..<count { try column.remove(scratch, 0) } }
    }
  }

  private func store(_ scratch: Scratch, _ status: SyncStatus) {
    setTagged(scratch, Slot.identSalt, status.fileIdentSalt)
    setTagged(scratch, Slot.latestServerVersion, status.latestServer.version)
    setTagged(scratch, Slot.latestServerSalt, status.latestServer.salt)
    setTagged(scratch, Slot.downloadServerVersion, status.download.serverVersion)
    setTagged(scratch, Slot.downloadClientVersion, status.download.clientVersion)
    setTagged(scratch, Slot.uploadClientVersion, status.upload.clientVersion)
    setTagged(scratch, Slot.uploadServerVersion, status.upload.serverVersion)
    setTagged(scratch, Slot.downloadedByteCount, status.downloadedByteCount)
    setTagged(scratch, Slot.downloadableByteCount, status.downloadableByteCount)
    setTagged(scratch, Slot.uploadedByteCount, status.uploadedByteCount)
    setTagged(scratch, Slot.uploadableByteCount, status.uploadableByteCount)
  }

  private func setTagged(_ scratch: Scratch, _ slot: Int, _ number: UInt64) { scratch.setTagged(root, slot, number) }

  private func editBinaries(
    _ scratch: Scratch, _ slot: Int, _ body: (inout BPlusTree<HistoryFamily>) throws(StorageError) -> Void
  ) throws(StorageError) {
    var column = BPlusTree(root: Ref(element: scratch.slot(root, slot)), family: HistoryFamily())
    try body(&column)
    scratch.setChild(root, slot, column.root)
  }

  private func editIntegers(
    _ scratch: Scratch, _ slot: Int, _ body: (inout BPlusTree<IntegerFamily>) throws(StorageError) -> Void
  ) throws(StorageError) {
    var column = BPlusTree(root: Ref(element: scratch.slot(root, slot)), family: IntegerFamily())
    try body(&column)
    scratch.setChild(root, slot, column.root)
  }

  /// The history of a file that had none.
  /// - Parameters:
  ///   - version: of the file.
  ///   - seconds: since 1970.
  private static func create(_ scratch: Scratch, version: UInt64, seconds: UInt64) throws(StorageError) -> Ref {
    let root = try scratch.createRefs(count: Slot.count)
    for slot in [Slot.unused, Slot.objectIdentities, Slot.cooked] { scratch.setChild(root, slot, .null) }
    for slot in Slot.identSalt...Slot.uploadableByteCount { scratch.setTagged(root, slot, 0) }
    for slot in [Slot.log, Slot.changesets, Slot.reciprocals] { scratch.setChild(root, slot, try HistoryFamily().create(scratch)) }
    for slot in [Slot.serverVersions, Slot.origins, Slot.timestamps] { scratch.setChild(root, slot, try scratch.createIntegers([])) }
    // Which version of the library wrote this form of history, from which version of the file on, and when.
    let versions = try scratch.createRefs(count: VersionSlot.count)
    scratch.setChild(versions, VersionSlot.schema, try scratch.createIntegers([Int64(schemaVersion)]))
    let library = try scratch.createRefs(count: 1)
    scratch.setChild(library, 0, try scratch.createIntegers(projectVersion.utf8.map { Int64($0) }))
    scratch.setChild(versions, VersionSlot.library, library)
    scratch.setChild(versions, VersionSlot.snapshot, try scratch.createIntegers([Int64(clamping: version)]))
    scratch.setChild(versions, VersionSlot.seconds, try scratch.createIntegers([Int64(clamping: seconds)]))
    scratch.setChild(root, Slot.schemaVersions, versions)
    return root
  }
}
