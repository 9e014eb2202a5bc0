import Synchronization

/// A registration for notifications; they stop when it is invalidated or released, on any thread.
public final class NotificationToken: Sendable {
  private let observed: Mutex<Observed>
  let identifier: UInt64

  /// - SAFETY: the realm is compared, kept, and asked for its observers, which any thread may use; nothing else of it is touched here.
  private struct Observed: @unchecked Sendable {
    /// Kept alive: an observed realm stays open.
    var core: RealmCore?
  }

  init(_ core: RealmCore, _ identifier: UInt64) {
    observed = Mutex(Observed(core: core))
    self.identifier = identifier
  }
  deinit {
    guard invalidate() else { return }
    Logger.shared.log(
      .warn,
      "NotificationToken released without unregistering a notification. Hold on to the token returned from observe() and call "
        + "invalidate() when you no longer wish to receive Realm notifications.")
  }

  /// Stops the notifications. One that is being delivered on another thread comes to its end.
  /// - Returns: whether anything was stopped.
  @discardableResult public func invalidate() -> Bool {
    // Let go of outside of the lock: the realm may end here.
    let ended = observed.withLock { observed in
      defer { observed.core = nil }
      return observed
    }
    return ended.core?.observers.remove(identifier) ?? false
  }

  func isOf(_ core: RealmCore) -> Bool { observed.withLock { $0.core === core } }
}

/// The blocks that `Realm.observe` registered: added and called in the realm's confinement, taken out on any thread.
final class RealmObservers {
  private let registry = Mutex(Registry())
  /// In the confinement only.
  private(set) var isDelivering = false
  var isEmpty: Bool { registry.withLock { $0.entries.isEmpty } }

  private struct Registry {
    var entries: [Entry] = []
    var lastIdentifier: UInt64 = 0
  }

  /// - SAFETY: the block is called in the confinement only; others may be the last to let go of it.
  private struct Entry: @unchecked Sendable {
    let identifier: UInt64
    let block: NotificationBlock
  }

  func add(_ core: RealmCore, _ block: @escaping NotificationBlock) -> NotificationToken {
    let identifier = registry.withLock { registry in
      registry.lastIdentifier += 1
      return registry.lastIdentifier
    }
    let entry = Entry(identifier: identifier, block: block)
    registry.withLock { $0.entries.append(entry) }
    return NotificationToken(core, identifier)
  }

  /// - Returns: whether it was there.
  func remove(_ identifier: UInt64) -> Bool {
    // What a block has captured may end with it, and do anything: not under the lock.
    let removed = registry.withLock { registry -> Entry? in
      registry.entries.firstIndex { $0.identifier == identifier }.map { registry.entries.remove(at: $0) }
    }
    return removed != nil
  }

  private func contains(_ identifier: UInt64) -> Bool { registry.withLock { $0.entries.contains { $0.identifier == identifier } } }

  /// Tells all but some that the realm shows another version. A commit made by one of them does not tell them again.
  func didChange(_ core: RealmCore, except tokens: [NotificationToken] = []) { tell(.didChange, core, except: tokens) }

  func tell(_ notification: Realm.Notification, _ core: RealmCore, except tokens: [NotificationToken] = []) {
    if isDelivering { return }
    let entries = registry.withLock { $0.entries }
    if entries.isEmpty { return }
    isDelivering = true
    let skipped = Set(tokens.map(\.identifier))
    for entry in entries where !skipped.contains(entry.identifier) && contains(entry.identifier) { entry.block(notification, Realm(core)) }
    isDelivering = false
    // A block may have run its thread's loop, in which the realm cannot advance.
    core.catchUp()
  }
}
