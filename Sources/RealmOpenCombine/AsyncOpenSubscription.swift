import Dispatch
public import OpenCombine
import RealmStorage
import RealmSwift

/// The subscription of whoever has a realm opened. Any thread may cancel.
public struct AsyncOpenSubscription: Subscription {
  private let opening: OpeningForSubscriber

  init(_ opening: OpeningForSubscriber) { self.opening = opening }

  /// Tells this subscription apart from others: one for each opening.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(opening) }

  /// Begins to open the realm.
  public func request(_ demand: Subscribers.Demand) { if demand > .none { opening.start() } }

  /// The subscriber is sent nothing any more.
  public func cancel() { opening.cancel() }
}

/// A realm that is opened once a subscriber asks for it.
final class OpeningForSubscriber {
  private enum State {
    case notBegun, running
    case opening(Realm.AsyncOpenTask)
    case over
  }
  private let state = Locked(State.notBegun)
  private let open: (OpeningForSubscriber) -> Realm.AsyncOpenTask

  init<S: Subscriber>(
    _ configuration: Realm.Configuration, _ queue: DispatchQueue, _ progress: ((SyncSession.Progress) -> Void)?, _ subscriber: S
  ) where S.Input == Realm, S.Failure == any Error {
    open = { opening in
      let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        guard opening.finish() else { return }
        switch result {
        case .success(let realm):
          _ = subscriber.receive(realm)
          subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
      }
      if let progress { task.addProgressNotification(queue: queue, block: progress) }
      return task
    }
  }

  func start() {
    let isFirst = state.withLock { state in
      guard case .notBegun = state else { return false }
      state = .running
      return true
    }
    guard isFirst else { return }
    let task = open(self)
    // It may be over already.
    state.withLock { if case .running = $0 { $0 = .opening(task) } }
  }

  /// - Returns: false if it was cancelled.
  private func finish() -> Bool {
    state.withLock { state in
      if case .over = state { return false }
      state = .over
      return true
    }
  }

  func cancel() {
    let task = state.withLock { state -> Realm.AsyncOpenTask? in
      defer { state = .over }
      if case .opening(let task) = state { return task }
      return nil
    }
    task?.cancel()
  }
}
