import RealmQuery

extension RealmCollection {
  /// The elements for which a condition holds: live, in the same order. Stops for an unmanaged collection and one of values, and if the condition
  /// compares what cannot be compared.
  /// - Parameter isIncluded: called once, with what stands for an element; returns the condition.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    orStop(results?.core) {
      try filtered(managedResults.query(isIncluded(Query()).node))
    }
  }

  /// The position of the first element for which a condition holds; nil if there is none. Of an unmanaged collection it searches copies of the
  /// elements. Stops for a managed collection of values, and if the condition compares what cannot be compared.
  /// - Parameter isIncluded: called once, with what stands for an element; returns the condition.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    orStop(results?.core) {
      let className = results?.className ?? Element._shape.objectType?.className() ?? ""
      return try position { try QueryTree.query(isIncluded(Query()).node, results?.core, className: className, about: $0) }
    }
  }
}
