/// Whether a transaction of a database is open, and the commits that keep the right to write between two of them.
///
/// The write mutex is held exactly while one is open or the group is not empty.
final class WriteRight: Sendable {
  private let state = Locked(State())
  /// One commit or selection at a time. Whoever has it is the only one who changes the group.
  private let commitLock = Locked(())

  private struct State {
    var isWriting = false
    var group: CommitGroup?
    var whenEnded: (@Sendable () -> Void)?
  }

  var isWriting: Bool { state.withLock { $0.isWriting } }
  var group: CommitGroup? { state.withLock { $0.group } }

  /// `body` is called whenever a transaction has ended, on its thread.
  func callWhenEnded(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenEnded = body } }

  // MARK: Transactions

  /// The caller has locked the write mutex for a transaction.
  func begin() { state.withLock { $0.isWriting = true } }

  /// Takes the right that a group keeps.
  /// - Returns: false if there is none, or somebody has taken it.
  func takeKept() -> Bool {
    state.withLock { state in
      guard state.group != nil, !state.isWriting else { return false }
      state.isWriting = true
      return true
    }
  }

  /// The transaction is over.
  /// - Returns: whether the write mutex has to be unlocked.
  func end() -> Bool {
    state.withLock { state in
      state.isWriting = false
      return state.group == nil
    }
  }

  /// The last act of a transaction.
  func tellEnd() { state.withLock { $0.whenEnded }?() }

  // MARK: Commits

  func withCommitLock(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    try commitLock.withLock { (_) throws(StorageError) in try body() }
  }

  /// Adds a commit. With the commit lock held.
  /// - Parameter selected: the claim on its base if it is the first one.
  func join(_ commit: WrittenCommit, selected: Pin?, _ completion: @escaping CommitGroup.Completion) {
    state.withLock { state in
      if let selected { state.group = CommitGroup(selected: selected, first: commit) }
      state.group?.add(commit, completion)
    }
  }

  /// The group is durable, or will never be. With the commit lock held.
  /// - Returns: what it was, and whether the write mutex has to be unlocked now that nobody keeps it.
  func takeGroup() -> (group: CommitGroup, mustUnlock: Bool)? {
    state.withLock { state in
      guard let group = state.group else { return nil }
      state.group = nil
      return (group, !state.isWriting)
    }
  }
}
