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
}
