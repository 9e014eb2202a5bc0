import RealmStorage

/// One loop over the changes of something that is observed.
///
/// A commit only wakes it: what is different is found out when its task runs again, so whatever is committed until then is one change, and positions
/// are those of the version that the realm shows to the loop. Used where the realm is used; the loop's task may be cancelled anywhere.
final class ChangeStream<Change> {
  private let core: RealmCore
  private let register: (NotificationToken, @escaping (Change) -> Void) -> Void
  private let signal = Signal()
  private var progress = Progress.notBegun

  private enum Progress {
    case notBegun
    case observing(NotificationToken, waiting: Change?)
    case over
  }

  init(_ core: RealmCore, _ register: @escaping (NotificationToken, @escaping (Change) -> Void) -> Void) {
    self.core = core
    self.register = register
  }

  deinit { if case .observing(let token, _) = progress { token.invalidate() } }

  /// The next change; waits for it. Nil when there will not be any more, and when the task is cancelled.
  func next(isolation: isolated (any Actor)?) async -> Change? {
    orStop(core) { try core.verifyThread() }
    if case .notBegun = progress { begin() }
    while true {
      if signal.isCancelled { end() }
      ask()
      if let change = take() { return change }
      guard case .observing = progress else { return nil }
      await signal.wait(isolation: isolation)
    }
  }

  private func begin() {
    let token = NotificationToken(credit: nil)
    progress = .observing(token, waiting: nil)
    register(token) { [weak self] change in self?.receive(change) }
    // The notifications of a realm are about no version, and come by themselves.
    core.liveObservers.observation(of: token)?.wakeAsker = { [signal] in signal.wake() }
  }

  private func ask() { if case .observing(let token, waiting: nil) = progress { core.liveObservers.report(to: token, core) } }

  private func receive(_ change: Change) {
    guard case .observing(let token, _) = progress else { return }
    progress = .observing(token, waiting: change)
    signal.wake()
  }

  private func take() -> Change? {
    guard case .observing(let token, let change) = progress else { return nil }
    guard let change else {
      if core.isDone(token) { end() }
      return nil
    }
    progress = .observing(token, waiting: nil)
    return change
  }

  private func end() {
    if case .observing(let token, _) = progress { token.invalidate() }
    progress = .over
  }

  /// Wakes the task that waits in the loop, from any thread.
  private final class Signal: Sendable {
    private enum State {
      case idle, awake, cancelled
      case waiting(CheckedContinuation<Void, Never>)
    }
    private let state = Locked(State.idle)

    var isCancelled: Bool { state.withLock { if case .cancelled = $0 { true } else { false } } }

    func wake() { move(to: .awake) }

    private func move(to new: State) {
      let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
        switch (state, new) {
        case (.cancelled, _): return nil
        case (.waiting(let continuation), .cancelled):
          state = .cancelled
          return continuation
        case (.waiting(let continuation), _):
          state = .idle
          return continuation
        default:
          state = new
          return nil
        }
      }
      continuation?.resume()
    }

    func wait(isolation: isolated (any Actor)?) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation(isolation: isolation) { continuation in
          let isDue = state.withLock { state in
            switch state {
            case .awake:
              state = .idle
              return true
            case .cancelled: return true
            default:
              state = .waiting(continuation)
              return false
            }
          }
          if isDue { continuation.resume() }
        }
      } onCancel: {
        move(to: .cancelled)
      }
    }
  }
}

extension RealmCore {
  /// Nothing will be reported to the owner of a token any more.
  fileprivate func isDone(_ token: NotificationToken) -> Bool {
    if token.hasEnded { return true }
    if observers.registry.contains(token.identifier) { return false }
    return liveObservers.observation(of: token)?.hasEnded ?? true
  }
}
