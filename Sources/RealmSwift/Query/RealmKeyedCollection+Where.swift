import RealmQuery

extension RealmKeyedCollection {
  /// The values for which a condition holds.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    orStop(_resultsBox?.core.core) {
      let results = try managedResults
      try results.requireObjects("dictionaries")
      return Results(try results.filtered(results.query(isIncluded(Query()).node)))
    }
  }
}
