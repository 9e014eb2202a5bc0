import Foundation
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
    let isFirst = state.withLock { state in
      state.turns[key] = turn
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    guard isFirst, let note = database.note else { return }
    let lockFile = RealmPaths(database.path).lock
    if !watch(note, lockFile) { watchLater(note, lockFile) }
  }

  private func watch(_ note: NoteFIFO, _ lockFile: String) -> Bool {
    state.withLock { state in
      state.probe = VersionProbe(lockFile: lockFile)
      state.watch = CommitWatcher.watch(note) { [weak self] in self?.wake() }
      return state.watch != nil
    }
  }

  /// Where the system has no thread or descriptor left for it now, it may have later: nobody else would tell of the commits of other processes. Not by
  /// a timer of Dispatch, which ends the process when it wants a descriptor and there is none.
  private func watchLater(_ note: NoteFIFO, _ lockFile: String) {
    Thread.detachNewThread { [weak self, weak note] in
      repeat {
        Thread.sleep(forTimeInterval: 1)
        guard let self, let note, !self.watch(note, lockFile) else { return }
      } while true
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
