extension ProjectedCollection {
  /// First `.initial`, and then `.update` whenever objects come or go, or the property that is shown is changed: what `observe` reports, for a loop.
  /// See ``RealmChanges``.
  public var changes: RealmChanges<RealmCollectionChange<ProjectedCollection<Element>>> { source.changes() }
}
