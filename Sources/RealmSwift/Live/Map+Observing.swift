public import Dispatch
import Foundation
import RealmStorage

extension Map {
  /// Calls `block` once with `.initial`, and then with `.update` whenever entries come, go or are changed. See `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    let core = observableCore
    if let queue {
      orStop(core) { try core.prepareToHandOver() }
      return RemoteObserving.start(self, core, on: queue) { map, token in map.register(keyPaths, token, block) }
    }
    let token = NotificationToken()
    register(keyPaths, token, block)
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

  var observableCore: RealmCore {
    guard let managed else { stop("Change notifications are only supported on managed collections.") }
    return managed.core
  }

  func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (RealmMapChange<Map>) -> Void) {
    guard let managed, let box = _resultsBox else { return }
    orStop(managed.core) {
      let observation = try MapObservation(managed, box.core, keyPaths) { changes in
        guard let changes else { return block(.initial(self)) }
        func keys(_ texts: [String]) -> [Key] { texts.map { Key(_text: $0) } }
        block(
          .update(
            self, deletions: keys(changes.deletions), insertions: keys(changes.insertions), modifications: keys(changes.modifications)))
      }
      managed.core.observe(observation, token)
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
