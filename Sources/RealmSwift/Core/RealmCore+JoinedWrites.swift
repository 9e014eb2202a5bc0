import RealmStorage

/// Commits that need not be waited for, and transactions that several blocks of the realm write in one after the other, so that they cost what one does.
extension RealmCore {
  /// The commit that the next write may join.
  var heldCommit: PendingCommit? {
    guard case .committing(let commit) = phase, commit.isHeld else { return nil }
    return commit
  }

  /// Ends the present block's write. The realm shows the new version from now on, but has to wait until it is written if it is asked.
  /// - Returns: the commit, which is held: `joinWrites` or `beginCommit` has to follow.
  func holdCommit() throws -> PendingCommit {
    let writing = try currentWriting()
    epochs.endTransaction()
    let commit: PendingCommit
    if let joined = writing.joined {
      commit = joined.commit
      commit.hold(writing.group, number: writing.number)
    } else {
      commit = PendingCommit(writing, base: (try? writing.transaction.base.again(.live)).map { Snapshot($0) })
    }
    enter(.committing(commit))
    return commit
  }

  /// Goes on to write in the transaction of a commit that is held.
  /// - Parameter canRollBack: what the block does may be rolled back alone. Costs a copy of the transaction's memory.
  /// - Returns: false if the commit cannot be joined, or was begun by somebody else meanwhile.
  func joinWrites(_ commit: PendingCommit, canRollBack: Bool) throws -> Bool {
    try requireWriting()
    guard let group = commit.takeBack() else { return false }
    let savepoint = canRollBack && commit.transaction.hasSavepoints ? try? commit.transaction.savepoint(group) : nil
    if canRollBack && savepoint == nil {
      // If it cannot be finished now, the commit will meet the same, and say so.
      commit.hold(group, number: nil)
      return false
    }
    let joined = RealmPhase.Joined(commit: commit, savepoint: savepoint, logByteCount: group.log.bytes.count)
    let number = epochs.beginTransaction()
    enter(
      .writing(RealmPhase.Writing(transaction: commit.transaction, group: group, number: number, staysOnThread: false, joined: joined)))
    return true
  }

  /// Hands a commit that is held to the file's writer. Without effect if it was begun already.
  /// - Parameters:
  ///   - sharesBarriers: commits that follow may become durable together with this one.
  ///   - mayRunHere: what is written without waiting for the disk may be written on this thread, so that the next block can follow at once.
  func beginCommit(_ commit: PendingCommit, sharesBarriers: Bool = true, mayRunHere: Bool = false) {
    guard commit.begin() else { return }
    // The next write of this realm asks for its turn first, so that the commit knows that it need not be the last of its group.
    asyncWriting.proceed(precedesCommit: !commit.staysOnThread)
    if commit.staysOnThread {
      commit.run(sharesBarriers: false)
    } else if !mayRunHere || !sharesBarriers || !file.writer.commitHere(commit, granted: { asyncWriting.handOver($0) }) {
      file.writer.commit(commit, sharesBarriers: sharesBarriers)
    }
  }

  /// Forgets what the present block has done. What others did before waits on for its commit.
  func rollBack(_ writing: RealmPhase.Writing, _ commit: PendingCommit, to savepoint: WriteTransaction.Savepoint) {
    epochs.endTransaction()
    enter(.committing(commit))
    do throws(StorageError) {
      let earlier = try writing.transaction.rollBack(writing.group, to: savepoint)
      // Once it is held, somebody else may begin it.
      cancelledFloors.note(writing.number, base: earlier, classes)
      commit.hold(earlier, number: nil)
    } catch {
      cancelledFloors.note(writing.number, base: nil, classes)
      writing.transaction.cancel()
      commit.fail(error)
    }
  }

  /// Before the version is looked at that the present block's transaction is based on: what other blocks did in it before belongs to that version, for all
  /// that anybody knows. If the block has changed nothing yet, they are committed now, and it goes on in a transaction of its own.
  func separateFromJoined() throws {
    guard case .writing(let writing) = phase, let joined = writing.joined, writing.group.log.bytes.count == joined.logByteCount else { return }
    let commit = joined.commit
    epochs.endTransaction()
    commit.hold(writing.group, number: nil)
    enter(.committing(commit))
    if commit.begin() { commit.run(sharesBarriers: true) }
    if case .failed(let base) = commit.takeOutcome() {
      rollBack(to: base, commit.numbers)
      return try commit.waitUntilOver()
    }
    let transaction = try file.database.continueWriting() ?? file.database.beginWrite(staysOnThread: false)
    liveObservers.noteOwnCommit(transaction.base.version)
    do { try enterWriting(transaction, staysOnThread: false) } catch {
      transaction.cancel()
      throw error
    }
  }
}
