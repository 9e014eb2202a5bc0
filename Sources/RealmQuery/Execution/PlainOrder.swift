package import RealmStorage

/// The order of a plan that sorts by plain properties, for comparing single objects: says what sorting all of them says. What a plan takes out of the
/// order changes nothing about the order of the rest.
///
/// Properties whose values have rules of their own in an order (NaN, decimals, Mixed) and such behind links are left to sorting.
package struct PlainOrder {
  private let table: Table
  private let columns: [(column: ColumnDescription, isAscending: Bool)]

  /// - Returns: nil if the order is another one.
  package init?(_ plan: QueryPlan) {
    var paths: [SortPath] = []
    // A later sort comes first.
    for case .sort(let columns) in plan.stages { paths = columns + paths }
    guard paths.allSatisfy(\.isPlain) else { return nil }
    table = plan.table
    columns = paths.map { ($0.column, $0.isAscending) }
  }

  private init(_ table: Table, _ columns: [(column: ColumnDescription, isAscending: Bool)]) { (self.table, self.columns) = (table, columns) }

  /// The same order in another version of the table.
  /// - Throws: `.storage` if a property is not there.
  package func over(_ table: Table) throws(QueryError) -> PlainOrder {
    try storage { () throws(StorageError) in
      var columns = columns
      for index in columns.indices { columns[index].column = try table.column(columns[index].column.key) }
      return PlainOrder(table, columns)
    }
  }

  /// An object and what it is sorted by.
  package struct Place {
    fileprivate let key: ObjectKey
    fileprivate let values: [Value]
  }

  /// - Throws: `.storage`, also for an object that does not exist.
  package func place(of key: ObjectKey) throws(QueryError) -> Place {
    try storage { () throws(StorageError) in
      let row = try table.row(key)
      var values: [Value] = []
      values.reserveCapacity(columns.count)
      for column in columns { values.append(try row.value(column.column)) }
      return Place(key: key, values: values)
    }
  }

  /// Whether an object stands before another: of equal ones the older. Reads no more of it than decides.
  /// - Throws: `.storage`, also for an object that does not exist.
  package func precedes(_ key: ObjectKey, _ other: Place) throws(QueryError) -> Bool {
    try storage { () throws(StorageError) in
      let row = try table.row(key)
      for (column, value) in zip(columns, other.values) {
        let order = Value.compare(try row.value(column.column), value)
        if order != 0 { return (order < 0) == column.isAscending }
      }
      return key < other.key
    }
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
