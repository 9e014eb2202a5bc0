extension Realm {
  /// `.didChange` and `.refreshRequired` as `observe` reports them, for a loop. Of several that come while the loop is busy it gets the last. See
  /// ``RealmChanges``.
  public var changes: RealmChanges<Notification> {
    let core = core
    return RealmChanges {
      ChangeStream(core) { token, report in
        orStop(core) {
          try core.prepareToObserve()
          if token.attach(core) { core.observers.registry.add(token.identifier) { notification, _ in report(notification) } }
        }
      }
    }
  }
}
