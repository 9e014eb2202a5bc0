package import RealmStorage

extension QueryPlan {
  /// An aggregate of one property over the result (Q11.2), leaf by leaf unless objects are dropped after the condition.
  /// - Parameter aggregate: of the queried table.
  /// - Returns: the value, null for minimum, maximum or average of nothing; and how many values took part, where 1 may stand for any number of
  ///   them in the case of a minimum or maximum.
  package func compute(_ function: AggregateFunction, _ aggregate: PropertyAggregate) throws(QueryError) -> (value: Value, count: Int) {
    let cancellation = effectiveCancellation
    let keys: [ObjectKey]
    if onlySorts, !options.contains(.evaluatesEachObject), aggregate.supports(function) {
      guard let selection = try selectedIndex(cancellation) else { return try computeByLeaves(function, aggregate.column, cancellation) }
      keys = try self.keys(of: selection, cancellation)
    } else {
      keys = try self.keys(.table, cancellation).array()
    }
    return try storage { () throws(StorageError) in try aggregate.compute(function, over: .keys(keys), cancellation) }
  }

  private func computeByLeaves(
    _ function: AggregateFunction, _ column: ColumnDescription, _ cancellation: Cancellation?
  ) throws(QueryError) -> (value: Value, count: Int) {
    let leaf = LeafColumn(column)
    let isExtreme = function == .min || function == .max
    switch column.type {
    case .int:
      let totals = try scanned(cancellation) { (scan) throws(StorageError) in try scan.integerTotals(leaf, sums: !isExtreme, extremes: isExtreme) }
      switch function {
      case .sum: return (.int(totals.sum), totals.count)
      case .average: return (totals.count == 0 ? .null : .double(Double(totals.sum) / Double(totals.count)), totals.count)
      case .min: return (totals.low > totals.high ? .null : .int(totals.low), totals.count)
      case .max: return (totals.low > totals.high ? .null : .int(totals.high), totals.count)
      }
    case .double, .float:
      let totals = try scanned(cancellation) { (scan) throws(StorageError) in
        try scan.floatingTotals(leaf, sums: !isExtreme, lows: function == .min, highs: function == .max)
      }
      func value(_ number: Double) -> Value { column.type == .float ? .float(Float(number)) : .double(number) }
      switch function {
      case .sum: return (.double(totals.sum), totals.count)
      case .average: return (totals.count == 0 ? .null : .double(totals.sum / Double(totals.count)), totals.count)
      case .min, .max:
        if totals.isWithoutExtremes { return (.null, 0) }
        return (value(function == .min ? totals.low : totals.high), max(totals.count, 1))
      }
    default:
      var accumulator = Accumulator(function, ValueType(column), wraps: true)
      try scanned(cancellation) { (scan) throws(StorageError) in
        try scan.forEachValue(leaf) { (value) throws(StorageError) in accumulator.add(value) }
      }
      return (accumulator.result, accumulator.count)
    }
  }
}
