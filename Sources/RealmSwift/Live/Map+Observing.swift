public import Dispatch
import Foundation
import RealmStorage

extension Map {
  /// Calls `block` once with `.initial`, and then with `.update` whenever entries come, go or are changed. See `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    let token = NotificationToken(credit: nil)
    observe(keyPaths, on: queue, token, block)
    return token
  }

  /// Calls `block` on an actor, with a copy of the map that belongs to it. See `RealmCollection.observe`.
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
  /// The same with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }

  /// The same with typed key paths.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
