/// Commits that share barriers. T8.10.
extension Database {
  /// Whether commits can wait for barriers that they share. Files in memory have none, and a commit to an encrypted file is written out in steps with
  /// barriers in between.
  package var groupsCommits: Bool { options.durability == .full && generation.storage.decryption == nil }

  /// The commits that wait for their barriers; nil if none does.
  package var commitGroup: CommitGroupFacts? { right.group?.facts }

  /// Whether a write transaction is open here.
  package var isWriting: Bool { right.isWriting }

  /// `body` is called whenever a write transaction has ended, on its thread. Commits that wait for their barriers keep everybody else from writing:
  /// somebody has to see to it that `makeGroupDurable` is called then.
  package func callWhenWritingEnded(_ body: @escaping @Sendable () -> Void) { right.callWhenEnded(body) }

  /// Begins a transaction after commits that wait for their barriers.
  /// - Returns: nil if there are none, or somebody writes.
  /// - Throws: see `beginWrite`.
  package func continueWriting() throws(StorageError) -> WriteTransaction? {
    let session = try requireWriting()
    return right.takeKept() ? try begin(session) : nil
  }

  /// Makes all commits durable that wait for it, with the two barriers of one; without effect if there are none. Blocks.
  ///
  /// A transaction may be open meanwhile. If a barrier fails the versions stay readable as long as somebody has the file open, and nobody writes any
  /// more: others may have seen them, and what they would build upon is not on disk. The next session begins with the version before the group.
  package func makeGroupDurable() {
    guard let session, right.group != nil else { return }
    var ended: (group: CommitGroup, mustUnlock: Bool)?
    var failure: StorageError?
    // Does not throw.
    try? right.withCommitLock { () throws(StorageError) in
      guard let group = right.group else { return }
      // The versions are published. Whoever watches reads them while the disk works, and not after those who have committed went on, perhaps to end
      // their observations: the original tells at each commit, before its barriers.
      session.tell()
      failure = select(group.newest.topRef)
      if failure != nil { endWriting(session) }
      ended = right.takeGroup()
    }
    guard let ended else { return }
    end(ended.group, failure)
    if ended.mustUnlock { session.unlockAfterWriting() }
  }

  /// A barrier has failed that the group needed. With the commit lock held, by the transaction that is open.
  func endGroup() -> CommitGroup? {
    guard let session, let group = right.takeGroup()?.group else { return nil }
    endWriting(session)
    return group
  }

  /// Gives up the claim on the version before the group, unless it is what the next session begins with, and tells those who have committed. Whoever
  /// watches was told at the barriers, unless they have failed.
  func end(_ group: CommitGroup, _ failure: StorageError?) {
    if failure == nil { session?.unpin(group.selected) } else { session?.tell() }
    for completion in group.completions { completion(failure) }
  }

  /// Nobody may write any more until everybody has closed the file.
  private func endWriting(_ session: Session) {
    disableWriting()
    session.markCriticalPhase()
  }

  private func select(_ topRef: Ref) -> StorageError? {
    let storage = generation.storage
    do throws(StorageError) {
      var header = try FileHeader.read(from: storage)
      let flags = header.flags
      guard let failure = storage.select(topRef, &header, isDurable: true) else { return nil }
      // Both versions are whole on disk, and nobody writes any more, whichever is selected.
      if failure.reachedHeader {
        try? FileHeader.restore(flags: flags, on: storage)
        try? storage.sync()
      }
      return failure.error
    } catch {
      return error
    }
  }
}
