import RealmStorage

extension ProjectionObservable {
  /// `.change` whenever properties that the projection shows are set, and `.deleted` at the end: what `observe` reports, for a loop. See
  /// ``RealmChanges``.
  public var changes: RealmChanges<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// `.change` whenever some properties that the projection shows are set, and `.deleted` at the end: what `observe` reports, for a loop. ``changes``
  /// is about all that is projected; see ``RealmChanges``. Stops for an unmanaged object.
  /// - Parameter keyPaths: names in the projected class. None or nil are all that is projected.
  public func changes(keyPaths: [String]?) -> RealmChanges<ObjectChange<Self>> {
    let core = observableCore
    return RealmChanges { ChangeStream(core) { token, report in self.register(keyPaths, token, report) } }
  }
}
