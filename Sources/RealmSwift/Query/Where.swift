import RealmQuery

extension ResultsCore {
  /// What a typed query asks of these results.
  func query(_ node: QueryNode) throws -> RealmQuery.Query { try QueryTree.query(node, core, className: className) }

  fileprivate func requireObjects(_ word: String) throws {
    if target == nil { throw RealmFailure.misuse("Querying is currently only implemented for \(word) of Realm Objects") }
  }
}

extension RealmCollection {
  /// The elements for which a condition holds.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    orStop(results?.core) {
      let results = managedResults
      try results.requireObjects(Self._kindName == "MutableSet" ? "sets" : "arrays")
      return Results(try results.filtered(results.query(isIncluded(Query()).node)))
    }
  }

  /// The position of the first element for which a condition holds.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    orStop(results?.core) {
      let results = managedResults
      try results.requireObjects("arrays")
      return try results.index(matching: results.query(isIncluded(Query()).node))
    }
  }
}

extension MutableSet {
  /// - Note: Not available: a set has no order to rely on.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? { stop("index(matching:) is not available on MutableSet") }
}

extension RealmKeyedCollection {
  /// The values for which a condition holds.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    orStop(_resultsBox?.core.core) {
      let results = managedResults
      try results.requireObjects("dictionaries")
      return Results(try results.filtered(results.query(isIncluded(Query()).node)))
    }
  }
}
