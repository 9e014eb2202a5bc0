package import Dispatch

extension ObjectBase {
  /// What `observe` does, with a token that there is already.
  package final func observe<T: ObjectBase>(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ token: NotificationToken, _ block: @escaping (ObjectChange<T>) -> Void
  ) {
    switch self {
    case let object as Object: ObjectRegistration.start(object, keyPaths, queue, token, block)
    case let object as EmbeddedObject: ObjectRegistration.start(object, keyPaths, queue, token, block)
    default: stop("Only objects which are managed by a Realm support change notifications")
    }
  }

  /// A property of a managed object is read.
  @inline(never) final func noteAccess(_ key: UInt32) {
    guard let core, let binding, !core.isFrozen else { return }
    orStop(core) { try core.verifyThread() }
    core.rowTracking.noteAccess(core, binding, self.key, Int(key) - 1)
  }
}
