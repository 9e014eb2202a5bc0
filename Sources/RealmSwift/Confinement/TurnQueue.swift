import Synchronization

/// What one realm wants to have run in its confinement, in the order in which it was asked for.
///
/// Tasks of an actor and timers of a run loop need not run in the order in which they were made: each of them runs whatever comes first here.
final class TurnQueue: Sendable {
  private let waiting = Mutex<[Turn]>([])

  /// - SAFETY: made in one confinement or for it, and run there, once.
  private struct Turn: @unchecked Sendable {
    let body: () -> Void
  }

  func add(_ body: @escaping () -> Void) {
    let turn = Turn(body: body)
    waiting.withLock { $0.append(turn) }
  }

  /// Runs what has waited longest. Called once for each call of `add`.
  func runNext() {
    let turn = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    turn?.body()
  }
}
