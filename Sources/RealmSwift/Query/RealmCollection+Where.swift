import RealmQuery

extension RealmCollection {
  /// The elements for which a condition holds.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    orStop(results?.core) {
      try filtered(managedResults.query(isIncluded(Query()).node))
    }
  }

  /// The position of the first element for which a condition holds. Of an unmanaged collection it searches copies of the elements.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    orStop(results?.core) {
      let className = results?.className ?? Element._shape.objectType?.className() ?? ""
      return try position { try QueryTree.query(isIncluded(Query()).node, results?.core, className: className, about: $0) }
    }
  }
}
