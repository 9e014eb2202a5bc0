import Dispatch
import RealmStorage

/// What the overloads of `observe` of objects do.
enum ObjectRegistration {
  static func observableCore(_ object: ObjectBase) -> RealmCore {
    guard let core = object.core else { stop("Only objects which are managed by a Realm support change notifications") }
    return core
  }

  static func start<Observed: ObjectBase & ThreadConfined, T: ObjectBase>(
    _ object: Observed, _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let token = NotificationToken(credit: nil)
    start(object, keyPaths, queue, token, block)
    return token
  }

  static func start<Observed: ObjectBase & ThreadConfined, T: ObjectBase>(
    _ object: Observed, _ keyPaths: [String]?, _ queue: DispatchQueue?, _ token: NotificationToken, _ block: @escaping (ObjectChange<T>) -> Void
  ) { RemoteObserving.start(object, observableCore(object), on: queue, token) { object, token in register(object, keyPaths, token, block) } }

  static func start<Observed: ObjectBase & ThreadConfined, A: Actor, T: ObjectBase>(
    _ object: Observed, _ keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    let core = observableCore(object)
    orStop(core) { try core.prepareToHandOver() }
    return await RemoteObserving.start(object, core, on: actor, _isolation: _isolation) { actor, object, token in
      register(object, keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
    }
  }

  static func register<T: ObjectBase>(
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
}
