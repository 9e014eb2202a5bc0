/// The blocks that `Realm.observe` registered: added and called in the realm's confinement, taken out on any thread.
final class RealmObservers {
  let registry = ObserverRegistry<NotificationBlock>()
  /// In the confinement only.
  private(set) var isDelivering = false
  var isEmpty: Bool { registry.isEmpty }

  /// Tells all but some that the realm shows another version. A commit made by one of them does not tell them again.
  func didChange(_ core: RealmCore, except tokens: [NotificationToken] = []) { tell(.didChange, core, except: tokens) }

  func tell(_ notification: Realm.Notification, _ core: RealmCore, except tokens: [NotificationToken] = []) {
    if isDelivering { return }
    let entries = registry.all
    if entries.isEmpty { return }
    isDelivering = true
    let skipped = Set(tokens.map(\.identifier))
    for entry in entries where !skipped.contains(entry.identifier) && registry.contains(entry.identifier) {
      entry.content(notification, Realm(core))
    }
    isDelivering = false
    // A block may have run its thread's loop, in which the realm cannot advance.
    core.catchUp()
  }
}
