public import Dispatch
import Foundation
import RealmStorage

extension Map {
  /// Calls `block` once with `.initial`, and then with `.update` whenever entries come, go or are changed.
  ///
  /// An object counts as changed if one of its properties is set, or one of an object at most three links away. Stops for maps that are unmanaged,
  /// frozen or gone, in a read-only realm, and on a thread without run loop.
  /// - Parameters:
  ///   - keyPaths: only changes of these properties of the values count, or of what lies behind them: `owner.name`. None or nil are all.
  ///   - queue: serial; the block is called there, with a copy of the map that belongs to it. Nil is where the realm is used.
  ///   - block: gets the map with what happened to it.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    let token = NotificationToken(credit: nil)
    observe(keyPaths, on: queue, token, block)
    return token
  }

  /// Calls `block` on an actor, with a copy of the map that belongs to it, once with `.initial`, and then with `.update` whenever entries come, go or
  /// are changed. Returns when the observation has begun; the token is of no use if the task is cancelled before, or the map gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    let core = observableCore
    orStop(core) { try core.prepareToHandOver() }
    return await RemoteObserving.start(self, core, on: actor, _isolation: _isolation) { actor, map, token in
      map.register(keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
    }
  }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// Calls `block` once with `.initial`, and then with `.update` whenever entries come or go, or what one of the key paths leads to is changed. Does
  /// what ``observe(keyPaths:on:_:)-([String]?,_,_)`` does with the names of the properties, and stops where that stops.
  /// - Parameters:
  ///   - keyPaths: only changes of these properties count, or of what lies behind them: `\.owner?.name`. None are all.
  ///   - queue: serial; the block is called there, with a copy of the map that belongs to it. Nil is where the realm is used.
  ///   - block: gets the map with what happened to it.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }

  /// Calls `block` on an actor, with a copy of the map that belongs to it, once with `.initial`, and then with `.update` whenever entries come or go,
  /// or what one of the key paths leads to is changed.
  ///
  /// Does what ``observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` does with the names of the properties: no key path means all. Returns when
  /// the observation has begun; the token is of no use if the task is cancelled before, or the map gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
