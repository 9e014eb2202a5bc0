public import Dispatch
import Foundation
import RealmStorage

extension ProjectionObservable {
  /// Calls `block` when properties that the projection shows are set, and when the object is deleted. See `Object.observe`.
  /// - Parameters:
  ///   - keyPaths: names in the projected class. None or nil are all that is projected.
  ///   - queue: serial; the block is called there, with a copy that belongs to it. Nil is where the realm is used.
  ///   - block: gets the projection with those of its properties that were set, by their names in it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let token = NotificationToken(credit: nil)
    observe(keyPaths, on: queue, token, block)
    return token
  }

  /// The same with a token that there is already.
  package func observe(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ token: NotificationToken, _ block: @escaping (ObjectChange<Self>) -> Void
  ) { RemoteObserving.start(self, observableCore, on: queue, token) { projection, token in projection.register(keyPaths, token, block) } }

  /// Calls `block` whenever what one of the key paths shows is set, and when the object is deleted. Does what
  /// ``observe(keyPaths:on:_:)-([String]?,_,_)`` does with the names of the properties, and stops where that stops.
  /// - Parameters:
  ///   - keyPaths: only changes of these properties count: `\.city`. They are those of the projection; none are all that is projected.
  ///   - queue: serial; the block is called there, with a copy of the projection that belongs to it. Nil is where the realm is used.
  ///   - block: gets the projection with those of its properties that were set.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }

  /// Calls `block` on an actor, with a copy of the projection that belongs to it, when properties that the projection shows are set, and when the
  /// object is deleted. Returns when the observation has begun; the token is of no use if the task is cancelled before, or the object gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let core = observableCore
    orStop(core) { try core.prepareToHandOver() }
    return await RemoteObserving.start(self, core, on: actor, _isolation: _isolation) { actor, projection, token in
      projection.register(keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
    }
  }

  /// Calls `block` on an actor, with a copy of the projection that belongs to it, whenever what one of the key paths shows is set, and when the
  /// object is deleted.
  ///
  /// Does what ``observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` does with the names of the properties: no key path means all. Returns when
  /// the observation has begun; the token is of no use if the task is cancelled before, or the projection gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }

  var observableCore: RealmCore {
    guard let core = projectedObject.core else { stop("Only objects which are managed by a Realm support change notifications") }
    return core
  }

  func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (ObjectChange<Self>) -> Void) {
    let core = observableCore
    orStop(core) {
      let observation = try ProjectionObservation(self, keyPaths) { report in
        switch report {
        case .changed(let changes): block(.change(self, changes))
        case .deleted: block(.deleted)
        }
      }
      core.observe(observation, token)
    }
  }
}
