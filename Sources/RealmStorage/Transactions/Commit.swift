/// One commit: seal, lay out, reserve, write, sync, select, sync, publish, and maybe cut the file. T8.4.
///
/// Whatever is thrown before the header is flipped leaves the base version current, in the file and in the version list.
struct Commit {
  let transaction: WriteTransaction
  let scratch: Scratch
  let base: ReadTransaction
  let storage: any Storage
  let session: Session
  let database: Database
  var path: String { database.path }

  /// The slots of the new top array, before the layout.
  struct Roots {
    var names: Ref
    var tables: Ref
    var history: Ref
    var historyType: UInt64
    var syncFileID: UInt64
    var evacuation: Evacuation
  }

  init(_ transaction: WriteTransaction) throws(StorageError) {
    self.transaction = transaction
    scratch = transaction.scratch
    base = transaction.base
    database = transaction.database
    storage = transaction.generation.storage
    guard let session = transaction.generation.participation?.session else { throw .readOnly(path: transaction.database.path) }
    self.session = session
  }

  /// - Parameter selects: else the version becomes durable with a later one (T8.10), and the base has to stay claimed until then.
  @discardableResult func run(log: [UInt8], selects: Bool = true) throws(StorageError) -> WrittenCommit {
    if let damage = scratch.damage { throw damage }
    try database.checkVersionLimit()
    let durability = database.options.durability
    var physicalByteCount = try storage.byteCount()
    var header = durability == .memoryOnly ? nil : try checkedHeader(physicalByteCount)
    let purge = try session.purge()
    var roots = try seal(log: log, oldestLive: purge.oldestLive)
    var allocator = try allocator(purge)
    try evacuate(&roots, &allocator, oldest: purge.oldestReachable)
    let plan = try layOut(&roots, &allocator, oldest: purge.oldestReachable)
    let tail = plan.tail

    // Reserve.
    let logical = tail.logicalByteCount
    precondition(plan.topHeader.widthIndex == 7 || logical < 1 << 30, "the file grew beyond what its new top array can hold")
    if logical > base.byteCount {
      let storage = storage
      try session.withControlLock { () throws(StorageError) in try storage.extend(from: base.byteCount, to: logical) }
      physicalByteCount = max(physicalByteCount, logical)
    }

    // Write.
    let writer = NodeWriter(storage: storage, expectedByteCount: plan.layout.byteCountEstimate + tail.byteCount)
    try plan.layout.write(to: writer)
    try writer.seek(to: tail.topRef.byteOffset)
    try writer.append(header: plan.topHeader, topArray(plan, roots).elements[...])
    try allocator.write(tail, to: writer)
    try writer.flush()

    // Sync, select, sync, publish.
    if selects && header != nil { try select(&header!, tail.topRef, isDurable: durability == .full) }
    let snapshot = ListedSnapshot(version: transaction.version, byteCount: logical, topRef: tail.topRef)
    try publish(snapshot, tells: selects)
    transaction.generation.mapping.didPublish(version: transaction.version)
    #if DEBUG
      if transaction.writesTables { checkWritten(plan, allocator.freeSpace) }
    #endif
    database.keep(allocator, version: transaction.version)
    noteEvacuation(roots.evacuation)
    cutFile(listed: purge.reachable, logicalByteCount: logical, physicalByteCount: physicalByteCount)
    return WrittenCommit(snapshot: snapshot, byteCount: plan.layout.byteCountEstimate + tail.byteCount)
  }

  /// - Parameter tells: who watches for commits is woken. Not for each commit of a group, but once when that is made durable.
  private func publish(_ snapshot: ListedSnapshot, tells: Bool) throws(StorageError) {
    do { try session.publish(version: snapshot.version, byteCount: snapshot.byteCount, topRef: snapshot.topRef, tells: tells) } catch {
      database.disableWriting()
      throw error
    }
  }

  private func noteEvacuation(_ evacuation: Evacuation) {
    if evacuation == Evacuation(backoff: Evacuation.waitAfterGivingUp) {
      database.noteEvacuation(isDone: false)
    } else if transaction.evacuationOutcome == .done {
      database.noteEvacuation(isDone: true)
    }
  }

  private func topArray(_ plan: CommitPlan, _ roots: Roots) -> TopArray.Contents {
    let (final, tail) = (plan.layout.finalRoots, plan.tail)
    var contents = TopArray.Contents()
    (contents.names, contents.tables) = (final[0], final[1])
    contents.logicalByteCount = tail.logicalByteCount
    contents.version = TopArray.Contents.Version(
      number: transaction.version, freePositions: tail.positionsRef, freeByteCounts: tail.byteCountsRef, freeVersions: tail.versionsRef)
    contents.history = TopArray.Contents.History(
      type: roots.historyType, root: final[2],
      schemaVersion: roots.historyType == SyncHistory.type ? SyncHistory.schemaVersion : HistoryTree.schemaVersion, syncFileID: roots.syncFileID)
    if plan.topHeader.count == TopArray.longSlotCount {
      contents.evacuation = final.count > 3 ? final[3].element : plan.newLimit.map { Int64(tagged: $0) } ?? 0
    }
    return contents
  }

  // MARK: Seal

  /// Adds the history entry, and frees what a commit replaces in any case: free lists, top array, evacuation array.
  private func seal(log: [UInt8], oldestLive: UInt64) throws(StorageError) -> Roots {
    let top = try TopArray(scratch.space, at: transaction.topRef)
    try scratch.free(top.freePositions)
    try scratch.free(top.freeByteCounts)
    try scratch.free(top.freeVersions)
    let type = try top.historyType
    guard type == 0 || type == HistoryTree.type || type == SyncHistory.type else {
      throw .incompatibleHistory(path: path, reason: "The file has history type \(type), which this engine does not write")
    }
    let evacuation = Evacuation(scratch.space, slot: top.evacuation, logicalByteCount: base.byteCount)
    if !top.evacuation.isTagged { try scratch.freeTree(Ref(element: top.evacuation)) }
    let storedIdent = try top.syncFileID
    let roots = Roots(
      names: try top.names, tables: try top.tables, history: try history(top, log: log, oldestLive: oldestLive),
      historyType: transaction.synchronisation == nil ? HistoryTree.type : SyncHistory.type,
      syncFileID: transaction.synchronisation?.status?.fileIdent ?? storedIdent, evacuation: evacuation)
    guard !roots.names.isNull, !roots.tables.isNull else { throw top.node.broken("names or tables are missing") }
    if !scratch.space.isDirty(transaction.topRef) { try scratch.recordFreed(top.node) }
    return roots
  }

  /// The history with the entry of this commit.
  private func history(_ top: TopArray, log: [UInt8], oldestLive: UInt64) throws(StorageError) -> Ref {
    if var synchronisation = transaction.synchronisation {
      // Which of two changes is the later one is a matter of when they were committed.
      if synchronisation.entry.origin == 0 { synchronisation.entry.timestamp = transaction.database.options.syncClock() }
      var history = SyncHistory(root: try top.history)
      try history.append(scratch, log: log, synchronisation, version: transaction.version, oldestLive: oldestLive)
      return history.root
    }
    var history = HistoryTree(root: try top.history)
    try history.append(scratch, log, version: transaction.version, oldestLive: oldestLive)
    return history.root
  }

  // MARK: Space

  /// What knows the base version's free space: what the last commit left in memory if this object made that, else read from the file. A commit
  /// that fails takes it along.
  private func allocator(_ purge: PurgeResult) throws(StorageError) -> SpaceAllocator {
    var allocator: SpaceAllocator
    if let kept = database.takeAllocator(version: base.version) {
      allocator = kept
    } else {
      allocator = try SpaceAllocator(base.space, top: base.topRef, logicalByteCount: base.byteCount, path: path)
    }
    guard purge.anyNewUnreachable else { return allocator }
    let mapping = transaction.generation.mapping
    var free = allocator.freeSpace
    try free.backdate(reachable: purge.reachable.map(\.version)) { (version) throws(StorageError) in
      let snapshot = purge.reachable.first { $0.version == version }!
      let space = mapping.readerSpace(logicalByteCount: snapshot.byteCount)
      return try FreeSpace(space, top: snapshot.topRef, logicalByteCount: snapshot.byteCount, path: path)
    }
    return SpaceAllocator(free)
  }

  // MARK: The header

  /// The file's header. If it selects a version that nobody published, because its writer died in between, the selection is taken back
  /// before that version's space is used again (T14.1).
  private func checkedHeader(_ physicalByteCount: UInt64) throws(StorageError) -> FileHeader {
    let start = try storage.read(FileHeader.byteCount, at: 0)
    var header = try FileHeader(start: start, end: [], fileByteCount: physicalByteCount, path: path, hasKey: storage.encryptionKey != nil)
    if header.selectedTopRef == base.topRef { return header }
    let listed = try session.listedSnapshots()
    // A group of commits that is not synced yet (T8.10): an older version is selected on purpose.
    if listed.contains(where: { $0.topRef == header.selectedTopRef }) { return header }
    try header.flip(on: storage)
    do { try storage.sync() } catch {
      database.disableWriting()
      throw error
    }
    guard listed.contains(where: { $0.topRef == header.selectedTopRef }) else {
      try header.flip(on: storage)
      throw .sessionRestartRequired(path: path)
    }
    return header
  }

  /// Makes the new version the file's current one. Failing barriers: T8.9.
  private func select(_ header: inout FileHeader, _ topRef: Ref, isDurable: Bool) throws(StorageError) {
    let oldFlags = header.flags
    guard let failure = storage.select(topRef, &header, isDurable: isDurable) else { return }
    if failure.isBarrier { database.disableWriting() }
    if failure.reachedHeader { takeBack(oldFlags, isDurable: isDurable) }
    throw failure.error
  }

  /// Selects the base version again. If that fails the header may select either version: nobody may reuse the space of one of them.
  private func takeBack(_ flags: UInt8, isDurable: Bool) {
    do {
      try FileHeader.restore(flags: flags, on: storage)
      if isDurable { try storage.sync() } else { try storage.flush() }
    } catch {
      database.disableWriting()
      session.markCriticalPhase()
    }
  }
}
