/// Commits of one database that are written and published, and whose barriers are still to come: one selection makes the newest of them durable, and
/// with it all. T8.10.
///
/// As long as there are any, the database keeps the write mutex, so that nobody builds upon versions that a crash would take back, and claims the
/// version that the header selects, so that none of its space is used again: a crash falls back to it.
struct CommitGroup {
  typealias Completion = @Sendable (StorageError?) -> Void

  /// The claim on the version that the header selects.
  let selected: Pin
  private(set) var newest: ListedSnapshot
  private(set) var facts: CommitGroupFacts
  /// Of each commit, in their order.
  private(set) var completions: [Completion] = []

  /// - Parameter selected: the claim, which is taken over.
  init(selected: Pin, first commit: WrittenCommit) {
    self.selected = selected
    newest = commit.snapshot
    facts = CommitGroupFacts(start: .now)
  }

  mutating func add(_ commit: WrittenCommit, _ completion: @escaping Completion) {
    newest = commit.snapshot
    facts.count += 1
    facts.byteCount += commit.byteCount
    completions.append(completion)
  }
}

/// How far a group of commits has grown.
package struct CommitGroupFacts: Sendable {
  package fileprivate(set) var count = 0
  package fileprivate(set) var byteCount: UInt64 = 0
  /// When the first commit was written.
  package let start: ContinuousClock.Instant
}

/// A version that a commit has written and published.
struct WrittenCommit {
  let snapshot: ListedSnapshot
  /// About what was written for it.
  let byteCount: UInt64
}
