import Foundation
import RealmStorage

/// What one realm wants to have run in its confinement, in the order in which it was asked for.
///
/// Tasks of an actor and timers of a run loop need not run in the order in which they were made: each of them runs whatever comes first here.
final class TurnQueue: Sendable {
  private let state = Locked(State())

  private struct State {
    var waiting: [Turn] = []
    /// Run what waits if a run loop comes first: one for each loop.
    var alarms: [ObjectIdentifier: Alarm] = [:]
  }

  /// - SAFETY: made in one confinement or for it, and run there, once.
  private struct Turn: @unchecked Sendable {
    let body: () -> Void
  }

  /// - SAFETY: a timer is added and invalidated under the locks of its run loop.
  private struct Alarm: @unchecked Sendable {
    let timer: Timer
  }

  func add(_ body: @escaping () -> Void) {
    let turn = Turn(body: body)
    state.withLock { $0.waiting.append(turn) }
  }

  /// Runs what has waited longest, if anything waits. Called at least once for each call of `add`.
  func runNext() {
    let (turn, alarms) = state.withLock { state in
      let turn = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      guard state.waiting.isEmpty else { return (turn, [ObjectIdentifier: Alarm]()) }
      defer { state.alarms = [:] }
      return (turn, state.alarms)
    }
    for alarm in alarms.values { alarm.timer.invalidate() }
    turn?.body()
  }

  /// Runs what waits at the next turn of a run loop, if that comes first and is one of the main thread or queue.
  func wake(_ loop: RunLoop) {
    let key = ObjectIdentifier(loop)
    let alarm = Alarm(timer: Timer(timeInterval: 0, repeats: false) { [weak self] _ in self?.runInLoop(key) })
    let isFirst = state.withLock { state -> Bool in
      if state.alarms[key] != nil { return false }
      state.alarms[key] = alarm
      return true
    }
    if isFirst { loop.add(alarm.timer, forMode: .default) }
  }

  private func runInLoop(_ key: ObjectIdentifier) {
    let count = state.withLock { state in
      state.alarms[key] = nil
      return state.waiting.count
    }
    guard MainContext.isCurrent else { return }
    for _ in 0..<count { runNext() }
  }
}
