/// A registration for notifications; they stop when it is invalidated or released.
public final class NotificationToken: @unchecked Sendable {
  // SAFETY: the realm is only compared, and used by code that runs in its confinement.
  /// Kept alive: an observed realm stays open.
  private(set) var core: RealmCore?
  let identifier: UInt64

  init(_ core: RealmCore, _ identifier: UInt64) {
    self.core = core
    self.identifier = identifier
  }
  deinit {
    guard invalidate() else { return }
    Logger.shared.log(
      .warn,
      "NotificationToken released without unregistering a notification. Hold on to the token returned from observe() and call "
        + "invalidate() when you no longer wish to receive Realm notifications.")
  }

  /// - Returns: whether anything was stopped.
  @discardableResult public func invalidate() -> Bool {
    guard let core else { return false }
    self.core = nil
    return core.observers.remove(identifier)
  }
}

/// The blocks that `Realm.observe` registered.
final class RealmObservers {
  private var blocks: [(identifier: UInt64, block: NotificationBlock)] = []
  private var lastIdentifier: UInt64 = 0
  private(set) var isDelivering = false
  var isEmpty: Bool { blocks.isEmpty }

  func add(_ core: RealmCore, _ block: @escaping NotificationBlock) -> NotificationToken {
    lastIdentifier += 1
    blocks.append((lastIdentifier, block))
    return NotificationToken(core, lastIdentifier)
  }

  func remove(_ identifier: UInt64) -> Bool {
    guard let index = blocks.firstIndex(where: { $0.identifier == identifier }) else { return false }
    blocks.remove(at: index)
    return true
  }

  /// Tells all but some that the realm shows another version. A commit made by one of them does not tell them again.
  func didChange(_ core: RealmCore, except tokens: [NotificationToken] = []) { tell(.didChange, core, except: tokens) }

  func tell(_ notification: Realm.Notification, _ core: RealmCore, except tokens: [NotificationToken] = []) {
    if blocks.isEmpty || isDelivering { return }
    isDelivering = true
    let skipped = Set(tokens.map(\.identifier))
    for (identifier, block) in blocks where !skipped.contains(identifier) {
      if blocks.contains(where: { $0.identifier == identifier }) { block(notification, Realm(core)) }
    }
    isDelivering = false
    // A block may have run its thread's loop, in which the realm cannot advance.
    core.catchUp()
  }
}

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

  /// Calls `block` whenever this realm has advanced to another version: by a commit of its own, by `refresh()`, when a write begins, or by
  /// itself after a commit of somebody else; and when somebody else has committed while `autorefresh` is off.
  /// - Returns: a token that keeps the observation alive.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    orStop(core) {
      try core.verifyThread()
      if core.configuration.readOnly { throw RealmFailure.misuse("Read-only Realms do not change and do not have change notifications.") }
      if core.isFrozen { throw RealmFailure.misuse("Frozen Realms do not change and do not have change notifications.") }
      guard Scheduler(core.confinement) != nil else { throw RealmFailure.misuse("Can only add notification blocks from within runloops.") }
      core.startListening()
      return core.observers.add(core, block)
    }
  }
}
