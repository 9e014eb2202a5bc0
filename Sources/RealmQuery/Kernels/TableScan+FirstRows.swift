package import RealmStorage

extension TableScan {
  /// SORT with LIMIT: the first `limit` matches in the order of the columns, without sorting the rest.
  ///
  /// Keeps a few times `limit` candidates. When there are more, they are sorted and cut, and from then on a condition on the first column
  /// keeps out what cannot be among the first any more. The only first one is found without sorting, as far as keys tell rows apart.
  package func firstRows(_ limit: Int, sortedBy columns: [OrderColumn]) throws(StorageError) -> RowOrder {
    let capacity = max(4 * limit, 2048)
    var candidates = RowOrder(table.group.space, cancellation)
    if limit <= 0 { return candidates }
    var bound: LeafCondition?
    try forEachBatch { (batch, masks) throws(StorageError) in
      var masks = masks
      if let bound { try bound.narrow(batch, &masks) }
      if limit == 1 { try masks.keepBest(of: batch, columns) }
      try candidates.append(batch, masks)
      if limit == 1, candidates.count > 16, try candidates.keepBest(columns) { bound = try candidates.bound(columns) }
      if candidates.count > capacity {
        try candidates.cut(limit, columns)
        bound = try candidates.bound(columns)
      }
      return true
    }
    try candidates.sort(by: columns)
    candidates.keepFirst(limit)
    return candidates
  }
}

extension SortKeys {
  /// The key of the rows that come first; nil if there are rows without key, or none.
  fileprivate func best(isAscending: Bool) -> UInt64? {
    guard nulls.isEmpty, notNumbers.isEmpty else { return nil }
    return isAscending ? keys.min() : keys.max()
  }
}

extension [RowMask] {
  /// Takes out the rows of a batch that cannot be the first because another one has a better key in the first column. Does nothing where keys do not
  /// say so: for nulls, and for text, whose keys leave out what all values begin with.
  fileprivate mutating func keepBest(of batch: ClusterBatch, _ columns: [OrderColumn]) throws(StorageError) {
    guard let column = columns.first, case .column(let leaf) = column.source, leaf.kind != .string, leaf.kind != .binary else { return }
    var keys = SortKeys()
    try batch.appendSortKeys(leaf, self, to: &keys)
    guard let best = keys.best(isAscending: column.isAscending) else { return }
    var end = 0
    for index in indices where !self[index].isEmpty {
      let begin = end
      end += self[index].count
      var kept = RowMask.empty
      if keys.keys[begin..<end].contains(best) {
        var position = begin
        self[index].forEach { row in
          if keys.keys[position] == best { kept.insert(row) }
          position += 1
        }
      }
      self[index] = kept
    }
  }
}

extension RowOrder {
  /// Keeps the first rows in the order of the columns, but in the order in which they were appended: ties stay stable.
  fileprivate mutating func cut(_ limit: Int, _ columns: [OrderColumn]) throws(StorageError) {
    var sorted = self
    try sorted.sort(by: columns)
    sorted.keepFirst(limit)
    last = sorted.places.last
    var packed = sorted.places.map { UInt64($0) }
    try sortPacked(&packed, lowestBit: 0, cancellation)
    places = packed.map { UInt32(truncatingIfNeeded: $0) }
    isAscending = true
    forgetOtherClusters()
  }

  /// Drops the rows, in ascending order, that cannot be the first because another one has a better key in the first column.
  /// - Returns: whether the keys say so.
  fileprivate mutating func keepBest(_ columns: [OrderColumn]) throws(StorageError) -> Bool {
    guard let column = columns.first, case .column(let leaf) = column.source else { return false }
    let keys = try sortKeys(leaf)
    guard let best = keys.best(isAscending: column.isAscending) else { return false }
    var kept: [UInt32] = []
    for (position, key) in keys.keys.enumerated() where key == best { kept.append(places[position]) }
    places = kept
    // Whoever is not before this one does not come first.
    last = places.first
    forgetOtherClusters()
    return true
  }

  /// Leaves out the clusters that no row is of.
  private mutating func forgetOtherClusters() {
    var kept: [Cluster] = []
    var newIndex: [Int: UInt32] = [:]
    for position in places.indices {
      let old = Int(places[position] >> 8)
      if newIndex[old] == nil {
        newIndex[old] = UInt32(kept.count)
        kept.append(clusters[old])
      }
    }
    if let place = last { last = (newIndex[Int(place >> 8)] ?? 0) << 8 | place & 0xFF }
    for position in places.indices { places[position] = (newIndex[Int(places[position] >> 8)] ?? 0) << 8 | places[position] & 0xFF }
    clusters = kept
  }

  /// What a later row must satisfy to come before the last candidate; nil if that is no condition on a leaf.
  fileprivate func bound(_ columns: [OrderColumn]) throws(StorageError) -> LeafCondition? {
    guard let last, let column = columns.first, case .column(let leaf) = column.source else { return nil }
    // With further columns, rows with an equal first value may still come before.
    let comparison: ComparisonOperator =
      column.isAscending ? (columns.count > 1 ? .lessOrEqual : .less) : (columns.count > 1 ? .greaterOrEqual : .greater)
    switch (leaf.kind, try value(last, leaf)) {
    case (.int, .int(let number)), (.nullableInt, .int(let number)):
      var test = IntegerTest(comparison, number)
      test.acceptsNull = column.isAscending
      return .integer(leaf, test)
    case (.double, .double(let number)) where !number.isNaN:
      var test = FloatingTest<Double>(direct: comparison, number)
      test.acceptsNull = column.isAscending
      test.acceptsNaN = column.isAscending ? .all : .none
      return .double(leaf, test)
    case (.float, .float(let number)) where !number.isNaN:
      var test = FloatingTest<Float>(direct: comparison, number)
      test.acceptsNull = column.isAscending
      test.acceptsNaN = column.isAscending ? .all : .none
      return .float(leaf, test)
    case (.timestamp, .timestamp(let moment)):
      var test = TimestampTest(comparison, moment)
      test.acceptsNull = column.isAscending
      return .timestamp(leaf, test)
    case (.string, .string(let text)):
      let operation: TextTest.Operation =
        column.isAscending ? (columns.count > 1 ? .lessOrEqual : .less) : (columns.count > 1 ? .greaterOrEqual : .greater)
      return .text(leaf, TextTest(operation, text, acceptsNull: column.isAscending))
    default: return nil
    }
  }
}
