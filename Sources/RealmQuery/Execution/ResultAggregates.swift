package import RealmStorage

/// Aggregates of a result over one property (Q11.2).
package struct PropertyAggregate {
  package let table: Table
  package let column: ColumnDescription

  /// - Throws: `.noSuchColumn`.
  package init(_ table: Table, _ property: String) throws(StorageError) {
    self.table = table
    column = try table.column(named: property)
  }

  package init(_ table: Table, _ column: ColumnDescription) { (self.table, self.column) = (table, column) }

  /// Whether the function exists for the property's type.
  package func supports(_ function: AggregateFunction) -> Bool {
    if column.isCollection { return false }
    switch column.type {
    case .int, .float, .double, .decimal, .mixed: return true
    case .timestamp: return function == .min || function == .max
    default: return false
    }
  }

  /// - Returns: the value, null for minimum, maximum or average of nothing; and how many values took part.
  /// - Throws: `.interrupted`, asked at every cluster, or for every 256 keys.
  package func compute(
    _ function: AggregateFunction, over source: QueryPlan.Source, _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> (value: Value, count: Int) {
    guard supports(function) else { throw .typeMismatch(reason: "'\(column.text)' has no \(function.rawValue)") }
    var accumulator = Accumulator(function, ValueType(column), wraps: true)
    switch source {
    case .table:
      try table.forEachCluster { (cluster) throws(StorageError) in
        try cancellation?.check()
        for row in 0..<cluster.count { accumulator.add(try Row(table, cluster, row).value(column)) }
        return true
      }
    case .keys(let keys):
      try add(keys, to: &accumulator, cancellation)
    case .collection(let collection):
      try add(collection.all(cancellation).compactMap(\.liveLink), to: &accumulator, cancellation)
    }
    return (accumulator.result, accumulator.count)
  }

  private func add(_ keys: [ObjectKey], to accumulator: inout Accumulator, _ cancellation: Cancellation?) throws(StorageError) {
    for (index, key) in keys.enumerated() {
      if index & 255 == 0 { try cancellation?.check() }
      accumulator.add(try table.row(key).value(column))
    }
  }
}
