import RealmQuery

extension RealmKeyedCollection {
  /// The objects in the map for which a condition holds: live. Stops for an unmanaged map and one of values that are no objects, and if the condition
  /// compares what cannot be compared.
  /// - Parameter isIncluded: called once, with what stands for an object; returns the condition.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    orStop(_resultsBox?.core.core) {
      try filtered(managedResults.query(isIncluded(Query()).node))
    }
  }
}
