import RealmStorage

extension RealmCollection {
  /// First `.initial`, and then `.update` whenever elements come, go or are changed: what `observe` reports, for a loop. See ``RealmChanges``.
  public var changes: RealmChanges<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

  /// First `.initial`, and then `.update` whenever elements come or go, or some of their properties are changed: what `observe` reports, for a loop.
  /// ``changes`` is about all properties; see ``RealmChanges``. Stops for an unmanaged collection.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func changes(keyPaths: [String]?) -> RealmChanges<RealmCollectionChange<Self>> {
    let core = observableCore
    return RealmChanges { ChangeStream(core) { token, report in self.register(keyPaths, token, report) } }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// First `.initial`, and then `.update` whenever elements come or go, or what one of the key paths leads to is changed: what `observe` reports, for
  /// a loop. See ``RealmChanges``. Stops for an unmanaged collection.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `\.owner?.name`. None are all.
  public func changes(keyPaths: [PartialKeyPath<Element>]) -> RealmChanges<RealmCollectionChange<Self>> {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }
}
