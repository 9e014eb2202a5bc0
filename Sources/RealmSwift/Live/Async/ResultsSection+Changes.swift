import RealmStorage

extension ResultsSection {
  /// First `.initial`, and then `.update` whenever elements of this section come, go or are changed: what `observe` reports, for a loop. See
  /// `RealmChanges`.
  public var changes: RealmChanges<SectionedResultsChange<Self>> { changes(keyPaths: nil) }

  /// The same, for changes of some properties of the elements only. Nil are all.
  public func changes(keyPaths: [String]?) -> RealmChanges<SectionedResultsChange<Self>> {
    RealmChanges { ChangeStream(base.results.core) { token, report in self.register(keyPaths, token, report) } }
  }
}
