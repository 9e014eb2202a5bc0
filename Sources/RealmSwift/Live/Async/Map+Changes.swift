import RealmStorage

extension Map {
  /// First `.initial`, and then `.update` whenever entries come, go or are changed: what `observe` reports, for a loop. See ``RealmChanges``.
  public var changes: RealmChanges<RealmMapChange<Map>> { changes(keyPaths: nil) }

  /// First `.initial`, and then `.update` whenever entries come or go, or some properties of the values are changed: what `observe` reports, for a
  /// loop. ``changes`` is about all properties; see ``RealmChanges``. Stops for an unmanaged map.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them. None or nil are all.
  public func changes(keyPaths: [String]?) -> RealmChanges<RealmMapChange<Map>> {
    let core = observableCore
    return RealmChanges { ChangeStream(core) { token, report in self.register(keyPaths, token, report) } }
  }
}
