import RealmStorage

extension RealmCollection {
  /// First `.initial`, and then `.update` whenever elements come, go or are changed: what `observe` reports, for a loop. See `RealmChanges`.
  public var changes: RealmChanges<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

  /// The same, for changes of some properties of the elements only.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. Nil are all.
  public func changes(keyPaths: [String]?) -> RealmChanges<RealmCollectionChange<Self>> {
    let core = observableCore
    return RealmChanges { ChangeStream(core) { token, report in self.register(keyPaths, token, report) } }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The same with typed key paths.
  public func changes(keyPaths: [PartialKeyPath<Element>]) -> RealmChanges<RealmCollectionChange<Self>> {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }
}
