import RealmStorage

/// How many more changes somebody who observes is ready to take. While that is none nothing is found out for him, so whatever is committed meanwhile
/// will be one change; the version that he was told of last stays in the file. Used on any thread.
package final class ReportCredit: Sendable {
  private struct State {
    /// Nil is without limit.
    var count: Int? = 0
    var turn: RealmTurn?
  }
  private let state = Locked(State())

  /// None at first.
  package init() {}

  var isUsedUp: Bool { state.withLock { $0.count == 0 } }

  /// Ready for more; what has happened meanwhile is told at the next turn of the realm.
  /// - Parameter count: nil is without limit.
  package func add(_ count: Int?) {
    if count == 0 { return }
    let turn = state.withLock { state -> RealmTurn? in
      let wasUsedUp = state.count == 0
      if let old = state.count, let count {
        let (sum, overflows) = old.addingReportingOverflow(count)
        state.count = overflows ? nil : sum
      } else {
        state.count = nil
      }
      return wasUsedUp ? state.turn : nil
    }
    turn?.signal()
  }

  /// Takes one away, for a change that is about to be told.
  /// - Returns: false if there was none.
  package func spend() -> Bool {
    state.withLock { state in
      guard let count = state.count else { return true }
      if count == 0 { return false }
      state.count = count - 1
      return true
    }
  }

  /// In whose turns the changes are told.
  func connect(_ turn: RealmTurn?) { state.withLock { $0.turn = turn } }
}
