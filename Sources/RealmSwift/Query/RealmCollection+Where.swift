import RealmQuery

extension RealmCollection {
  /// The elements for which a condition holds.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    orStop(results?.core) {
      let results = try managedResults
      try results.requireObjects(Self._kindName == "MutableSet" ? "sets" : "arrays")
      return Results(try results.filtered(results.query(isIncluded(Query()).node)))
    }
  }

  /// The position of the first element for which a condition holds.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    orStop(results?.core) {
      let results = try managedResults
      try results.requireObjects("arrays")
      return try results.index(matching: results.query(isIncluded(Query()).node))
    }
  }
}
