/// Called with what happened and the realm that it happened to.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

extension Realm {
  /// What has happened to an observed realm.
  public enum Notification: String, Sendable {
    /// The realm shows another version than before.
    case didChange = "RLMRealmDidChangeNotification"
    /// Somebody committed, and the realm does not refresh itself.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// Calls `block` whenever this realm has advanced to another version: by a commit of its own, by `refresh()`, when a write begins, or by itself
  /// after a commit of somebody else; and when somebody else has committed while `autorefresh` is off. Stops on a wrong thread, on one without run
  /// loop, and for a frozen or read-only realm.
  /// - Returns: a token that keeps the observation alive.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    let token = NotificationToken(credit: nil)
    observe(token, block)
    return token
  }

  /// The same with a token that there is already.
  package func observe(_ token: NotificationToken, _ block: @escaping NotificationBlock) {
    orStop(core) {
      try core.prepareToObserve()
      if token.attach(core) { core.observers.registry.add(token.identifier, block) }
    }
  }
}
