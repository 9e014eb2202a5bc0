import RealmStorage

extension ResultsSection {
  /// First `.initial`, and then `.update` whenever elements of this section come, go or are changed: what `observe` reports, for a loop. See
  /// ``RealmChanges``.
  public var changes: RealmChanges<SectionedResultsChange<Self>> { changes(keyPaths: nil) }

  /// First `.initial`, and then `.update` whenever elements of this section come or go, or some of their properties are changed: what `observe`
  /// reports, for a loop. ``changes`` is about all properties; see ``RealmChanges``.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func changes(keyPaths: [String]?) -> RealmChanges<SectionedResultsChange<Self>> {
    RealmChanges { ChangeStream(base.results.core) { token, report in self.register(keyPaths, token, report) } }
  }
}
