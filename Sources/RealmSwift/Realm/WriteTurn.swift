import RealmStorage

/// A task that waits for its realm's right to write.
final class WriteTurn: Sendable, Equatable {
  private enum State {
    case waiting(CheckedContinuation<Void, any Error>?)
    case due, cancelled
  }
  private let state = Locked(State.waiting(nil))

  static func == (a: WriteTurn, b: WriteTurn) -> Bool { a === b }
  static func ~= (a: WriteTurn, b: WriteTurn) -> Bool { a === b }

  /// - Parameter actor: the calling one, which the task comes back to without a detour: another thread would have to be woken for that.
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func wait(on actor: isolated any Actor) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation(isolation: actor) { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          switch state {
          case .waiting:
            state = .waiting(continuation)
            return nil
          case .due: return .success(())
          case .cancelled: return .failure(CancellationError())
          }
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard case .waiting(let continuation) = state else { return nil }
        state = .cancelled
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// - Returns: false if it was cancelled.
  @discardableResult func resume() -> Bool {
    let (continuation, isDue) = state.withLock { state -> (CheckedContinuation<Void, any Error>?, Bool) in
      switch state {
      case .waiting(let continuation):
        state = .due
        return (continuation, true)
      case .due: return (nil, true)
      case .cancelled: return (nil, false)
      }
    }
    continuation?.resume()
    return isDue
  }

  /// Somebody else took the turn.
  func reset() {
    state.withLock { state in if case .due = state { state = .waiting(nil) } }
  }
}
