import RealmStorage

/// Wakes the realms of one file when somebody commits to it, in this process or another.
///
/// Nothing here keeps the file or a realm open: what a thread that watches holds for a moment would look like a realm that is still in use.
final class CommitSignals: Sendable {
  private struct State {
    var turns: [ConfinementKey: RealmTurn] = [:]
    var watch: CommitWatcher.Watch?
    var probe: VersionProbe?
    var hasStarted = false
  }
  private let state = Locked(State())

  /// From now on commits wake a realm. Its file is watched from the first one on.
  func add(_ turn: RealmTurn, _ key: ConfinementKey, _ database: Database) {
    state.withLock { state in
      state.turns[key] = turn
      if state.hasStarted { return }
      state.hasStarted = true
      guard let note = database.note else { return }
      state.probe = VersionProbe(lockFile: RealmPaths(database.path).lock)
      state.watch = CommitWatcher.watch(note) { [weak self] in self?.wake() }
    }
  }

  /// The turn's realm is gone. What it kept, such as a queue, is released outside of the lock.
  func remove(_ turn: RealmTurn) {
    turn.end()
    let removed = state.withLock { state in
      state.turns.first { $0.value === turn }.flatMap { state.turns.removeValue(forKey: $0.key) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Where the file has no FIFO, or nobody watches it, the commits of this process are told in this way.
  func committedHere() {
    if state.withLock({ $0.watch == nil && !$0.turns.isEmpty }) { wake() }
  }

  private func wake() {
    let (turns, probe) = state.withLock { (Array($0.turns.values), $0.probe) }
    let newest = probe?.newestVersion
    for turn in turns { turn.signal(newest: newest) }
  }
}
