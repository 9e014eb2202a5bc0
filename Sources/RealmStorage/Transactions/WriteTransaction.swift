/// The one write transaction of a file: nodes of the base version that may be read, scratch memory for new ones, and the way to commit.
///
/// Used by one thread at a time. Ends with `commit` or `cancel`; without either, when it is released.
package final class WriteTransaction {
  package let database: Database
  package let base: ReadTransaction
  /// That of `base`, held beyond its end.
  let generation: Generation
  package let scratch: Scratch
  /// The root of the group: the base version's, until `scratch.makeWritable` copies it. Never null, has at least three slots (F8.1).
  package var topRef: Ref
  /// What the commit shall move beyond its usual work, and what came of it. T10.
  var evacuationRequest: EvacuationRequest?
  var evacuationOutcome = EvacuationOutcome.none
  /// The tables were opened, so what the commit writes has to be a group.
  var writesTables = false
  /// What the commit leaves for the peers of a file that synchronises: nil in other files.
  package var synchronisation: SyncCommit?
  /// Ended until the start has worked: what throws there must not give anything up twice.
  private var phase = Phase.ended
  private var isCommitted = false

  private enum Phase { case open, sealed, ended }

  /// Takes over the write mutex and the claim on `base`, unless it throws.
  init(database: Database, base: ReadTransaction) throws(StorageError) {
    self.database = database
    self.base = base
    generation = base.generation
    scratch = Scratch(mapping: generation.mapping, logicalByteCount: base.byteCount)
    topRef = base.topRef
    if topRef.isNull {
      topRef = try TopArray.create(scratch, logicalByteCount: base.byteCount)
    } else {
      let top = try TopArray(scratch.space, at: topRef)
      guard top.slotCount >= TopArray.streamingSlotCount, try !top.names.isNull, try !top.tables.isNull else {
        throw top.node.broken("is no top array")
      }
    }
    if try synchronises() { synchronisation = SyncCommit(entry: try localEntry()) }
    phase = .open
  }

  deinit { cancel() }

  package var space: NodeSpace { scratch.space }
  /// The version that a commit makes.
  package var version: UInt64 { base.version + 1 }
  package var isOpen: Bool { phase == .open }

  /// Forgets all changes and gives up the right to write. Also the only thing to do after a commit that failed.
  package func cancel() {
    guard phase != .ended else { return }
    phase = .ended
    if writesTables, !isCommitted { database.noteCancelled() }
    scratch.close()
    base.end()
    if let session = generation.participation?.session { database.writingEnded(session) }
  }

  /// Makes the changes a new version.
  ///
  /// - Parameter log: the changeset of this transaction (H4).
  /// - Returns: the new version.
  /// - Throws: `.outOfDiskSpace` or `.io`: nothing happened, and the transaction has to be cancelled; after a failed barrier also
  ///   `.writingDisabled` for all later transactions of this database object.
  @discardableResult package func commit(log: [UInt8] = []) throws(StorageError) -> UInt64 {
    try run(log: log)
    cancel()
    return version
  }

  /// Commits, and claims the new version before anybody else can write.
  /// - Returns: nil if the new version could not be claimed. It is durable all the same.
  package func commitAndRead(_ kind: PinKind = .live, log: [UInt8] = []) throws(StorageError) -> ReadTransaction? {
    try run(log: log)
    defer { cancel() }
    return try? database.beginRead(kind)
  }

  /// Commits without barriers of its own, and claims the new version before anybody else can write. Everybody sees the version now, but only
  /// ``Database/makeGroupDurable()`` or a later commit of another kind makes it durable. Until then nobody else can write, except after
  /// ``Database/continueWriting()``. Where barriers cannot be shared, this is `commitAndRead`. The transaction must not be one that stays on its thread:
  /// another one may give up the right to write.
  ///
  /// - Parameter completion: called when the version is durable, on whatever thread makes it so, or with the reason why it will not be: then the next
  ///   session begins with the last version that is. Not called if this throws.
  /// - Returns: nil if the new version could not be claimed.
  package func commitIntoGroup(
    log: [UInt8] = [], completion: @escaping @Sendable (StorageError?) -> Void
  ) throws(StorageError) -> ReadTransaction? {
    let joins = database.groupsCommits
    try run(log: log, joining: joins ? completion : nil)
    if !joins { completion(nil) }
    defer { cancel() }
    return try? database.beginRead(.live)
  }

  private func run(log: [UInt8], joining completion: CommitGroup.Completion? = nil) throws(StorageError) {
    guard phase == .open else { throw .transactionEnded }
    phase = .sealed
    let storage = generation.storage
    var ended: CommitGroup?
    var failure: StorageError?
    defer { if let ended { database.end(ended, failure) } }
    try database.right.withCommitLock { () throws(StorageError) in
      // The barriers of commits before this one may have failed since it began.
      try database.checkWritingIsEnabled()
      storage.abandon()
      do throws(StorageError) {
        if let completion { return try join(log, completion) }
        try Commit(self).run(log: log)
        ended = database.right.takeGroup()?.group
      } catch {
        storage.abandon()
        if storage.hasFailedBarrier { database.disableWriting() }
        failure = error
        // The barriers were those of the commits before, too.
        if completion == nil, database.isWritingDisabled { ended = database.endGroup() }
        throw error
      }
    }
    isCommitted = true
  }

  private func join(_ log: [UInt8], _ completion: @escaping CommitGroup.Completion) throws(StorageError) {
    let session = generation.participation?.session
    // The first commit of a group is based on what the header selects.
    let selected = database.right.group == nil ? try session?.pin(.live, same: base.pin) : nil
    do throws(StorageError) {
      let written = try Commit(self).run(log: log, selects: false)
      database.right.join(written, selected: selected, completion)
    } catch {
      if let selected { session?.unpin(selected) }
      throw error
    }
  }
}
