package import RealmStorage

/// The order of a plan that sorts by plain properties, for comparing single objects: says what sorting all of them says. What a plan takes out of the
/// order changes nothing about the order of the rest.
///
/// Properties whose values have rules of their own in an order (NaN, decimals, Mixed) and such behind links are left to sorting.
package struct PlainOrder {
  private let table: Table
  private let paths: [SortPath]

  /// - Returns: nil if the order is another one.
  package init?(_ plan: QueryPlan) {
    var paths: [SortPath] = []
    // A later sort comes first.
    for case .sort(let columns) in plan.stages { paths = columns + paths }
    guard paths.allSatisfy(\.isPlain) else { return nil }
    (table, self.paths) = (plan.table, paths)
  }

  /// What an object is sorted by.
  /// - Throws: `.storage`, also for an object that does not exist.
  package func values(of key: ObjectKey) throws(QueryError) -> [Value] {
    try storage { () throws(StorageError) in
      let row = try table.row(key)
      var values: [Value] = []
      values.reserveCapacity(paths.count)
      for path in paths { values.append(try row.value(path.column)) }
      return values
    }
  }

  /// Whether one object stands before another: of equal ones the older.
  package func precedes(_ a: (values: [Value], key: ObjectKey), _ b: (values: [Value], key: ObjectKey)) -> Bool {
    for (index, path) in paths.enumerated() {
      let order = Value.compare(a.values[index], b.values[index])
      if order != 0 { return (order < 0) == path.isAscending }
    }
    return a.key < b.key
  }
}

extension SortPath {
  fileprivate var isPlain: Bool {
    guard chain.hops.isEmpty, entry == nil, !column.isCollection else { return false }
    return switch column.type {
    case .int, .bool, .string, .binary, .timestamp, .objectID, .uuid: true
    default: false
    }
  }
}
