import RealmQuery

extension RealmKeyedCollection {
  /// The values for which a condition holds.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    orStop(_resultsBox?.core.core) {
      try filtered(managedResults.query(isIncluded(Query()).node))
    }
  }
}
