public import Dispatch
import Foundation
import RealmStorage

extension Object {
  /// Calls `block` when properties of this object are set, and when it is deleted.
  ///
  /// Changes of linked objects are not reported, those of collections when elements come, go or are set. Stops for an object that is unmanaged,
  /// frozen or gone, in a read-only realm, and on a thread without run loop.
  /// - Parameters:
  ///   - keyPaths: only these properties, or what lies behind them: `owner.name`. None or nil are all of the object's own.
  ///   - queue: serial; the block is called there, with a copy of the object that belongs to it. Nil is where the realm is used.
  ///   - block: gets the object with the properties that were set.
  /// - Returns: a token that keeps the observation alive.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken { startObserving(self, keyPaths, queue, block) }

  /// The same with typed key paths.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }

  /// Calls `block` on an actor, with a copy of the object that belongs to it. Returns when the observation has begun; the token is of no use if
  /// the task is cancelled before, or the object gone.
  public func observe<A: Actor, T: Object>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken { await startObserving(self, keyPaths, on: actor, _isolation: _isolation, block) }

  /// The same with typed key paths.
  public func observe<A: Actor, T: Object>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await startObserving(self, keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

extension EmbeddedObject {
  /// Calls `block` when properties of this object are set, and when it is deleted. See `Object.observe`.
  public func observe<T: ObjectBase>(
    on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken { startObserving(self, nil, queue, block) }

  /// Calls `block` on an actor, with a copy of the object that belongs to it. See `Object.observe`.
  public func observe<A: Actor, T: EmbeddedObject>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken { await startObserving(self, keyPaths, on: actor, _isolation: _isolation, block) }

  /// The same with typed key paths.
  public func observe<A: Actor, T: EmbeddedObject>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await startObserving(self, keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

private func observableCore(_ object: ObjectBase) -> RealmCore {
  guard let core = object.core else { stop("Only objects which are managed by a Realm support change notifications") }
  return core
}

private func startObserving<Observed: ObjectBase & ThreadConfined, T: ObjectBase>(
  _ object: Observed, _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (ObjectChange<T>) -> Void
) -> NotificationToken {
  let core = observableCore(object)
  if let queue {
    orStop(core) { try core.prepareToHandOver() }
    return RemoteObserving.start(object, core, on: queue) { object, token in register(object, keyPaths, token, block) }
  }
  let token = NotificationToken()
  register(object, keyPaths, token, block)
  return token
}

private func startObserving<Observed: ObjectBase & ThreadConfined, A: Actor, T: ObjectBase>(
  _ object: Observed, _ keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
  _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
) async -> NotificationToken {
  let core = observableCore(object)
  orStop(core) { try core.prepareToHandOver() }
  return await RemoteObserving.start(object, core, on: actor, _isolation: _isolation) { actor, object, token in
    register(object, keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
  }
}

private func register<T: ObjectBase>(
  _ object: ObjectBase, _ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (ObjectChange<T>) -> Void
) {
  orStop(object.core) {
    guard let core = object.core, let observed = object as? T else {
      throw RealmFailure.misuse("An object of class '\(object.currentClassName)' cannot be observed as a '\(T.self)'.")
    }
    let observation = try ObjectObservation(object, keyPaths) { report in
      switch report {
      case .changed(let changes): block(.change(observed, changes))
      case .deleted: block(.deleted)
      }
    }
    core.observe(observation, token)
  }
}
