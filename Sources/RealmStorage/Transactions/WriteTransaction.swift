/// The one write transaction of a file: nodes of the base version that may be read, scratch memory for new ones, and the way to commit.
///
/// Used by one thread at a time. Ends with `commit` or `cancel`; without either, when it is released.
package final class WriteTransaction {
  package let database: Database
  package let base: ReadTransaction
  package let scratch: Scratch
  /// The root of the group: the base version's, until `scratch.makeWritable` copies it. Never null, has at least three slots (F8.1).
  package var topRef: Ref
  /// What the commit shall move beyond its usual work, and what came of it. T10.
  var evacuationRequest: EvacuationRequest?
  var evacuationOutcome = EvacuationOutcome.none
  /// The tables were opened, so what the commit writes has to be a group.
  var writesTables = false
  /// Ended until the start has worked: what throws there must not give anything up twice.
  private var phase = Phase.ended

  private enum Phase { case open, sealed, ended }

  /// Takes over the write mutex and the claim on `base`, unless it throws.
  init(database: Database, base: ReadTransaction) throws(StorageError) {
    self.database = database
    self.base = base
    scratch = Scratch(mapping: base.generation.mapping, logicalByteCount: base.byteCount)
    topRef = base.topRef
    if topRef.isNull {
      topRef = try TopArray.create(scratch, logicalByteCount: base.byteCount)
    } else {
      let top = try TopArray(scratch.space, at: topRef)
      guard top.slotCount >= TopArray.streamingSlotCount, try !top.names.isNull, try !top.tables.isNull else {
        throw top.node.broken("is no top array")
      }
    }
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
    base.end()
    base.generation.participation?.session.unlockAfterWriting()
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

  private func run(log: [UInt8]) throws(StorageError) {
    guard phase == .open else { throw .transactionEnded }
    phase = .sealed
    let storage = base.generation.storage
    storage.abandon()
    do throws(StorageError) { try Commit(self).run(log: log) } catch {
      storage.abandon()
      if storage.hasFailedBarrier { database.disableWriting() }
      throw error
    }
  }
}
