import Dispatch
import Foundation
import RealmStorage

extension RealmCore {
  /// Refuses what cannot be observed, and begins to look for commits of others.
  func prepareToObserve() throws {
    try prepareToHandOver()
    guard Scheduler(self) != nil else { throw RealmFailure.misuse("Can only add notification blocks from within runloops.") }
    startListening()
  }

  /// Refuses what cannot be observed anywhere else.
  func prepareToHandOver() throws {
    try verifyThread()
    if configuration.readOnly { throw RealmFailure.misuse("Read-only Realms do not change and do not have change notifications.") }
    if isFrozen { throw RealmFailure.misuse("Frozen Realms do not change and do not have change notifications.") }
  }

  /// Observes from now on.
  /// - Parameter token: does nothing if it was invalidated already.
  func observe(_ observation: Observation, _ token: NotificationToken) {
    guard token.attach(self) else { return }
    observation.credit = token.credit
    token.credit?.connect(turn)
    liveObservers.add(observation, token.identifier)
    tellLater()
  }

  /// The version whose changes an observer of an object has not to be told of.
  func observedVersion() throws -> Snapshot {
    try separateFromJoined()
    if let transaction { return Snapshot(try transaction.base.again(.live)) }
    _ = try group()
    guard let snapshot else { throw StorageError.transactionEnded }
    return snapshot
  }

  /// What a running transaction has changed is not known to anybody else.
  func requireNoChanges() throws {
    try separateFromJoined()
    if let group = phase.group, isInWriteTransaction, !group.log.bytes.isEmpty {
      throw RealmFailure.misuse("Cannot create asynchronous query after making changes in a write transaction.")
    }
  }
}

/// Observing in another place than the one that an object or a collection belongs to.
enum RemoteObserving {
  /// - SAFETY: what a caller hands over to be called on a queue: it is only called there.
  private struct Work: @unchecked Sendable {
    let run: () -> Void
  }
  /// - SAFETY: what a caller hands over to be called on an actor: it is only called there.
  private struct Registration<A, Value>: @unchecked Sendable {
    let register: (A, Value, NotificationToken) -> Void
  }

  /// Observes a value where it is used, or hands it over to a queue and observes it there from a turn of the queue on.
  static func start<Value: ThreadConfined>(
    _ value: Value, _ core: RealmCore, on queue: DispatchQueue?, _ token: NotificationToken,
    _ register: @escaping (Value, NotificationToken) -> Void
  ) {
    guard let queue else { return register(value, token) }
    orStop(core) { try core.prepareToHandOver() }
    let (reference, configuration) = (ThreadSafeReference(to: value), core.configuration)
    let work = Work { [weak token] in
      guard let token, !token.hasEnded, let realm = open(configuration, queue), let value = realm.resolve(reference) else { return }
      register(value, token)
    }
    queue.async { work.run() }
  }

  private static func open(_ configuration: Realm.Configuration, _ queue: DispatchQueue) -> Realm? {
    do { return try Realm(configuration: configuration, queue: queue) } catch {
      Logger.shared.log(.error, .notifications, "A Realm could not be opened to be observed: \(error.localizedDescription)")
      return nil
    }
  }

  /// Hands a value over to an actor and observes it there.
  /// - Returns: when the observation has begun. The token is invalidated if the task is cancelled, or the value is gone.
  static func start<Value: ThreadConfined, A: Actor>(
    _ value: Value, _ core: RealmCore, on actor: A, _isolation: isolated (any Actor)?,
    _ register: @escaping (A, Value, NotificationToken) -> Void
  ) async -> NotificationToken {
    let token = NotificationToken(credit: nil)
    let hasBegun = await begin(ThreadSafeReference(to: value), core.configuration, token, on: actor, Registration(register: register))
    if !hasBegun { token.invalidate() }
    return token
  }

  /// - Returns: whether the value is observed.
  private static func begin<Value: ThreadConfined, A: Actor>(
    _ reference: ThreadSafeReference<Value>, _ configuration: Realm.Configuration, _ token: NotificationToken, on actor: isolated A,
    _ registration: Registration<A, Value>
  ) async -> Bool {
    if Task.isCancelled { return false }
    do {
      let realm = try await Realm.open(configuration: configuration)
      guard !Task.isCancelled, let value = realm.resolve(reference) else { return false }
      registration.register(actor, value, token)
      return true
    } catch {
      if !(error is CancellationError) {
        Logger.shared.log(.error, .notifications, "A Realm could not be opened to be observed: \(error.localizedDescription)")
      }
      return false
    }
  }

  /// Calls a block of an actor from code that runs on it.
  static func call<A: Actor, Change>(_ block: @escaping @Sendable (isolated A, Change) -> Void, on actor: A, _ change: Change) {
    // SAFETY: made on the actor for the block, which runs on it before this returns.
    nonisolated(unsafe) let change = change
    actor.assumeIsolated { unsafe block($0, change) }
  }
}
