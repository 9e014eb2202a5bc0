public import Dispatch
import Foundation
import RealmStorage

extension RealmCollection {
  /// Calls `block` once with `.initial`, and then with `.update` whenever elements come, go or are changed.
  ///
  /// An object counts as changed if one of its properties is set, or one of an object at most three links away. Stops for collections that are
  /// unmanaged, frozen or gone, in a read-only realm, and on a thread without run loop.
  /// - Parameters:
  ///   - keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  ///   - queue: serial; the block is called there, with a copy of the collection that belongs to it. Nil is where the realm is used.
  ///   - block: gets the collection with what happened to it.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let token = NotificationToken(credit: nil)
    observe(keyPaths, on: queue, token, block)
    return token
  }

  /// The same with a token that there is already.
  package func observe(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ token: NotificationToken, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) { RemoteObserving.start(self, observableCore, on: queue, token) { collection, token in collection.register(keyPaths, token, block) } }

  /// Calls `block` on an actor, with a copy of the collection that belongs to it. Returns when the observation has begun; the token is of no
  /// use if the task is cancelled before, or the collection gone.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    let core = observableCore
    orStop(core) { try core.prepareToHandOver() }
    return await RemoteObserving.start(self, core, on: actor, _isolation: _isolation) { actor, collection, token in
      collection.register(keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
    }
  }

  var observableCore: RealmCore {
    guard let results else { stop("Change notifications are only supported on managed collections.") }
    return results.core
  }

  func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (RealmCollectionChange<Self>) -> Void) {
    orStop(results?.core) {
      let results = try managedResults
      let observation = try results.observation(keyPaths) { changes in
        guard let changes else { return block(.initial(self)) }
        block(.update(self, deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications))
      }
      results.core.observe(observation, token)
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Calls `block` once with `.initial`, and then with `.update` whenever elements come or go, or what one of the key paths leads to is changed. Does
  /// what ``RealmCollection/observe(keyPaths:on:_:)-([String]?,_,_)`` does with the names of the properties, and stops where that stops.
  /// - Parameters:
  ///   - keyPaths: only changes of these properties count, or of what lies behind them: `\.owner?.name`. None are all.
  ///   - queue: serial; the block is called there, with a copy of the collection that belongs to it. Nil is where the realm is used.
  ///   - block: gets the collection with what happened to it.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }

  /// Calls `block` on an actor, with a copy of the collection that belongs to it, once with `.initial`, and then with `.update` whenever elements
  /// come or go, or what one of the key paths leads to is changed.
  ///
  /// Does what ``RealmCollection/observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` does with the names of the properties: no key path means all.
  /// Returns when the observation has begun; the token is of no use if the task is cancelled before, or the collection gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
