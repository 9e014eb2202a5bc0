// Rows by the value of a column: each row gets the number of its group, and totals are added up by group.

extension ClusterBatch {
  /// Room for the group of each row of a batch: row `r` of cluster `i` is at `i * 256 + r`.
  package static var emptyGroups: [UInt32] { [UInt32](repeating: 0, count: limit * 256) }

  /// Finds the groups of the masked rows by their values in a column.
  package func number(
    _ numbers: inout GroupNumbers, _ column: LeafColumn, _ masks: [RowMask], into groups: inout [UInt32]
  ) throws(StorageError) {
    let space = space
    try forEachLeaf(column, masks) { (index, ref, mask, count) throws(StorageError) in
      try numbers.add(space, ref, column.kind, enumKeys: column.enumKeys, mask, count: count, into: &groups, at: index << 8)
    }
  }

  /// Adds an Int column, by group. Totals must have a place for each group.
  /// - Parameter wraps: becomes true when a sum leaves the range of 64 bits.
  package func add(
    to totals: inout [IntegerTotals], _ column: LeafColumn, _ masks: [RowMask], groups: [UInt32], extremes: Bool, wraps: inout Bool
  ) throws(StorageError) {
    let space = space
    let isNullable = column.kind == .nullableInt
    try forEachLeaf(column, masks) { (index, ref, mask, count) throws(StorageError) in
      let leaf = try space.integers(at: ref)
      // Element 0 of a nullable leaf stands for null.
      let start = isNullable ? 1 : 0
      guard leaf.count >= count + start else { return false }
      let null = isNullable ? leaf.element(unchecked: 0) : nil
      leaf.add(to: &totals, mask, count: count, start: start, null: null, groups: groups, at: index << 8, extremes: extremes, wraps: &wraps)
      return true
    }
  }

  /// Adds a Double or Float column, by group, each in the order of its rows.
  package func add(
    to totals: inout [FloatingTotals], _ column: LeafColumn, _ masks: [RowMask], groups: [UInt32], extremes: Bool
  ) throws(StorageError) {
    if column.kind == .float { return try add(FloatLeaf.self, to: &totals, column, masks, groups: groups, extremes: extremes) }
    try add(DoubleLeaf.self, to: &totals, column, masks, groups: groups, extremes: extremes)
  }

  @inline(__always) private func add<Number>(
    _ type: FloatingLeaf<Number>.Type, to totals: inout [FloatingTotals], _ column: LeafColumn, _ masks: [RowMask], groups: [UInt32], extremes: Bool
  ) throws(StorageError) {
    let space = space
    try forEachLeaf(column, masks) { (index, ref, mask, count) throws(StorageError) in
      let leaf = try FloatingLeaf<Number>(space, ref)
      guard leaf.count >= count else { return false }
      leaf.add(to: &totals, mask, count: count, groups: groups, at: index << 8, extremes: extremes)
      return true
    }
  }

  /// Counts the masked rows, by group.
  package func count(to counts: inout [Int], _ masks: [RowMask], groups: [UInt32]) {
    for index in clusters.indices {
      let mask = masks[index]
      if mask == RowMask(first: clusters[index].count) {
        var counts = counts.mutableSpan
        let groups = groups.span.extracting(index << 8..<index << 8 + clusters[index].count)
        for row in groups.indices { counts[Int(groups[row])] &+= 1 }
      } else {
        mask.forEach { counts[Int(groups[index << 8 &+ $0])] &+= 1 }
      }
    }
  }

  /// Calls `body` with the value of every masked row and its group, for the types that have no faster way.
  package func forEachValue(
    _ column: LeafColumn, _ masks: [RowMask], groups: [UInt32], _ body: (Value, Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    for index in clusters.indices where !masks[index].isEmpty {
      try cancellation?.check()
      let reader = try LeafReader(space, clusters[index].column(column.leafIndex), column.kind, enumKeys: column.enumKeys)
      try masks[index].forEach { (row) throws(StorageError) in try body(reader.value(row), Int(groups[index << 8 &+ row])) }
    }
  }
}
