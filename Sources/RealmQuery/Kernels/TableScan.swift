package import RealmStorage

/// Evaluates a condition over all objects of a table, a batch of leaves at a time; nothing is evaluated before it is asked for.
///
/// How a plan uses it:
/// 1. bind the predicate to a `LeafCondition`; 2. make a `TableScan`; 3. ask for `count()`, `first()`, `keys()`, aggregates, or `rows()`,
/// which `RowOrder` sorts, makes distinct and cuts; `firstRows(_:sortedBy:)` is SORT with LIMIT in one.
/// All answers are in key order. `cancellation` is asked at every leaf, also while conditions on other tables are evaluated: everything throws
/// `.interrupted` when it says so.
package struct TableScan {
  package let table: Table
  package let condition: LeafCondition
  package let cancellation: Cancellation?

  package init(_ table: Table, _ condition: LeafCondition, _ cancellation: Cancellation? = nil) {
    self.table = table
    self.condition = condition.arranged()
    self.cancellation = cancellation
  }

  /// Calls `body` with every batch and the masks of its matching rows, until it returns false; batches without match are left out.
  /// - Parameter startsSmall: begin with one cluster and double, for callers that may stop soon.
  package func forEachBatch(
    startsSmall: Bool = false, _ body: (ClusterBatch, [RowMask]) throws(StorageError) -> Bool
  ) throws(StorageError) {
    if case .never = condition { return }
    var limit = startsSmall ? 1 : ClusterBatch.limit
    var masks: [RowMask] = []
    var walk = table.clusterWalk()
    var batch = ClusterBatch(walk.space, cancellation)
    while try batch.advance(&walk, limit: limit) {
      // A condition need not read anything.
      try cancellation?.check()
      batch.fill(&masks)
      try condition.narrow(batch, &masks)
      if !ClusterBatch.isEmpty(masks), try !body(batch, masks) { return }
      limit = min(limit * 2, ClusterBatch.limit)
    }
  }

  /// The number of matches, without materialising anything.
  package func count() throws(StorageError) -> Int {
    if case .integer(let column, let test) = condition, column.kind == .int { return try count(column, test) }
    if case .always = condition { return try table.count() }
    var count = 0
    try forEachBatch { (_, masks) throws(StorageError) in
      count &+= ClusterBatch.count(masks)
      return true
    }
    return count
  }

  private func count(_ column: LeafColumn, _ test: IntegerTest) throws(StorageError) -> Int {
    var count = 0
    var walk = table.clusterWalk()
    var batch = ClusterBatch(walk.space, cancellation)
    while try batch.advance(&walk) { count &+= try batch.count(column, test) }
    return count
  }

  /// The first match in key order.
  package func first() throws(StorageError) -> ObjectKey? {
    var result: ObjectKey?
    try forEachBatch(startsSmall: true) { (batch, masks) throws(StorageError) in
      for index in masks.indices {
        if let row = masks[index].first {
          result = batch.clusters[index].key(row)
          return false
        }
      }
      return true
    }
    return result
  }

  /// The keys of all matches, or of the first `limit`.
  package func keys(limit: Int = .max) throws(StorageError) -> KeySequence {
    var result = KeySequence(isInKeyOrder: true)
    if limit <= 0 { return result }
    try forEachBatch(startsSmall: limit < KeySequence.chunkLimit) { (batch, masks) throws(StorageError) in
      var chunk: [ObjectKey] = []
      chunk.reserveCapacity(ClusterBatch.count(masks))
      try batch.appendKeys(masks, to: &chunk)
      let room = limit - result.count
      if chunk.count > room { chunk.removeLast(chunk.count - room) }
      result.append(chunk)
      return result.count < limit
    }
    return result
  }

  // MARK: Aggregates

  /// Sum (wrapping), count and extremes of an Int column over the matches, without nulls.
  /// - Parameters:
  ///   - sums: whether `sum` is wanted; `count` is always right.
  ///   - extremes: whether `low` and `high` are wanted; they stay `low > high` where there is no value.
  package func integerTotals(_ column: LeafColumn, sums: Bool = true, extremes: Bool = true) throws(StorageError) -> IntegerTotals {
    var totals = IntegerTotals()
    try forEachBatch { (batch, masks) throws(StorageError) in
      try batch.add(to: &totals, column, masks, sums: sums, extremes: extremes)
      return true
    }
    return totals
  }

  /// Sum, count and extremes of a Float or Double column over the matches, without nulls and NaNs. `count` is right if `sums` is set.
  /// - Parameters:
  ///   - sums: whether `sum` is wanted.
  ///   - lows: whether `low` is wanted.
  ///   - highs: whether `high` is wanted.
  package func floatingTotals(
    _ column: LeafColumn, sums: Bool = true, lows: Bool = true, highs: Bool = true
  ) throws(StorageError) -> FloatingTotals {
    var totals = FloatingTotals()
    try forEachBatch { (batch, masks) throws(StorageError) in
      try batch.add(to: &totals, column, masks, sums: sums, lows: lows, highs: highs)
      return true
    }
    return totals
  }

  /// Calls `body` with the value of a column for every match in key order: aggregates of the other types.
  package func forEachValue(_ column: LeafColumn, _ body: (Value) throws(StorageError) -> Void) throws(StorageError) {
    try forEachBatch { (batch, masks) throws(StorageError) in
      try batch.forEachValue(column, masks, body)
      return true
    }
  }
}
