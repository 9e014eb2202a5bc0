import RealmStorage

extension ProjectionObservable {
  /// `.change` whenever properties that the projection shows are set, and `.deleted` at the end: what `observe` reports, for a loop. See
  /// `RealmChanges`.
  public var changes: RealmChanges<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The same, for some properties only.
  /// - Parameter keyPaths: names in the projected class. Nil are all that is projected.
  public func changes(keyPaths: [String]?) -> RealmChanges<ObjectChange<Self>> {
    let core = observableCore
    return RealmChanges { ChangeStream(core) { token, report in self.register(keyPaths, token, report) } }
  }
}
