package import Dispatch
import RealmStorage

extension RealmKeyedCollection {
  var observableCore: RealmCore {
    guard let box = _resultsBox else { stop("Change notifications are only supported on managed collections.") }
    return box.core.core
  }

  /// What `observe` does, with a token that there is already.
  package func observe(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ token: NotificationToken, _ block: @escaping (RealmMapChange<Self>) -> Void
  ) { RemoteObserving.start(self, observableCore, on: queue, token) { map, token in map.register(keyPaths, token, block) } }

  func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (RealmMapChange<Self>) -> Void) {
    guard let box = _resultsBox, case .collection(let managed) = box.core.source else { return }
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
