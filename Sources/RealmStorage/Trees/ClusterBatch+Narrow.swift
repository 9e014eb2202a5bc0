// One loop over the leaves of a batch for each kind of condition: everything below it is specialised and inlined.

extension ClusterBatch {
  @inline(__always)
  private func narrow(
    _ masks: inout [RowMask], _ column: LeafColumn,
    _ body: (Ref, RowMask, Int) throws(StorageError) -> RowMask?
  ) throws(StorageError) {
    try warm(masks, column)
    let cancellation = cancellation
    for index in clusters.indices {
      let mask = masks[index]
      if mask.isEmpty { continue }
      try cancellation?.check()
      let cluster = clusters[index]
      guard let result = try body(cluster.column(column.leafIndex), mask, cluster.count) else { throw Self.tooShort(cluster, column) }
      masks[index] = result
    }
  }

  /// Int, Bool and link columns. A link tests as key + 1; tombstones count as null.
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: IntegerTest) throws(StorageError) {
    let space = space
    switch column.kind {
    case .nullableInt:
      try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
        let leaf = try NullableIntegerLeaf(space, ref)
        return leaf.count < count ? nil : leaf.rows(test, count: count) & mask
      }
    case .bool:
      try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
        let leaf = try space.integers(at: ref)
        return leaf.count < count ? nil : leaf.boolRows(test, count: count) & mask
      }
    default:
      let nullThrough: Int64? = column.kind == .link ? 0 : nil
      try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
        let leaf = try space.integers(at: ref)
        return leaf.count < count ? nil : leaf.rows(test, nullThrough: nullThrough, count: count) & mask
      }
    }
  }

  /// The number of rows that satisfy a test of a required Int column: what `narrow` and counting give, but faster.
  package func count(_ column: LeafColumn, _ test: IntegerTest) throws(StorageError) -> Int {
    // A leaf takes about thirty nanoseconds: even a question that nobody answers would show among them.
    if let cancellation { return try count(column, test, asking: cancellation) }
    var (matches, rows) = (0, 0)
    let leaves = try integerLeaves(column)
    for index in leaves.indices {
      let count = clusters[index].count
      matches &+= leaves[index].countRows(from: test.low, through: test.high, count: count)
      rows &+= count
    }
    return test.isNegated ? rows - matches : matches
  }

  @inline(never)
  private func count(_ column: LeafColumn, _ test: IntegerTest, asking cancellation: Cancellation) throws(StorageError) -> Int {
    var (matches, rows) = (0, 0)
    let leaves = try integerLeaves(column)
    for index in leaves.indices {
      try cancellation.check()
      let count = clusters[index].count
      matches &+= leaves[index].countRows(from: test.low, through: test.high, count: count)
      rows &+= count
    }
    return test.isNegated ? rows - matches : matches
  }

  /// `IN` for Int and link columns; the members for links are keys + 1.
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ set: IntegerSet) throws(StorageError) {
    let space = space
    switch column.kind {
    case .nullableInt:
      try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
        let leaf = try NullableIntegerLeaf(space, ref)
        if leaf.count < count { return nil }
        let nulls = leaf.nullRows(count: count)
        var result = leaf.node.rows(in: set, start: 1, count: count, among: mask.subtracting(nulls))
        if set.acceptsNull { result |= mask & nulls }
        return set.isNegated ? mask.subtracting(result) : result
      }
    default:
      let isLink = column.kind == .link
      try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
        let leaf = try space.integers(at: ref)
        if leaf.count < count { return nil }
        var result = leaf.rows(in: set, count: count, among: mask)
        if set.acceptsNull && isLink { result |= mask & leaf.rows(from: .min, through: 0, count: count) }
        return set.isNegated ? mask.subtracting(result) : result
      }
    }
  }

  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: FloatingTest<Double>) throws(StorageError) {
    let space = space
    try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
      let leaf = try DoubleLeaf(space, ref)
      return leaf.count < count ? nil : leaf.rows(test, count: count) & mask
    }
  }
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: FloatingTest<Float>) throws(StorageError) {
    let space = space
    try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
      let leaf = try FloatLeaf(space, ref)
      return leaf.count < count ? nil : leaf.rows(test, count: count) & mask
    }
  }
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: TimestampTest) throws(StorageError) {
    let space = space
    try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
      let leaf = try TimestampLeaf(space, ref)
      return leaf.count < count ? nil : leaf.rows(test, count: count) & mask
    }
  }
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: BoundsTest<Decimal128>) throws(StorageError) {
    let space = space
    try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
      let leaf = try DecimalLeaf(space, ref)
      return leaf.count < count ? nil : try leaf.rows(test, among: mask)
    }
  }
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: BoundsTest<ObjectID>) throws(StorageError) {
    let space = space
    try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
      let leaf = try FixedBytesLeaf(space, ref, .objectID)
      return leaf.count < count ? nil : try leaf.rows(test, among: mask)
    }
  }
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: BoundsTest<UUIDBytes>) throws(StorageError) {
    let space = space
    try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
      let leaf = try FixedBytesLeaf(space, ref, .uuid)
      return leaf.count < count ? nil : try leaf.rows(test, among: mask)
    }
  }

  /// String and Binary columns.
  package func narrow(_ masks: inout [RowMask], _ column: LeafColumn, _ test: PreparedTextTest) throws(StorageError) {
    let space = space
    if column.kind == .binary {
      return try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
        let leaf = try BinaryLeaf(space, ref)
        return leaf.count < count ? nil : try test.rows(leaf, mask, count: count)
      }
    }
    try narrow(&masks, column) { (ref, mask, count) throws(StorageError) in
      let leaf = try StringLeaf(space, ref, enumKeys: column.enumKeys)
      return leaf.count < count ? nil : try test.rows(leaf, mask, count: count)
    }
  }

  // MARK: Aggregates

  /// Int columns; for links and Bools the stored numbers.
  package func add(
    to totals: inout IntegerTotals, _ column: LeafColumn, _ masks: [RowMask], sums: Bool, extremes: Bool
  ) throws(StorageError) {
    let space = space
    let isNullable = column.kind == .nullableInt
    try forEachLeaf(column, masks) { (_, ref, mask, count) throws(StorageError) in
      if isNullable {
        let leaf = try NullableIntegerLeaf(space, ref)
        if leaf.count < count { return false }
        leaf.node.add(to: &totals, mask, count: count, start: 1, null: leaf.sentinel, sums: sums, extremes: extremes)
      } else {
        let leaf = try space.integers(at: ref)
        if leaf.count < count { return false }
        leaf.add(to: &totals, mask, count: count, null: nil, sums: sums, extremes: extremes)
      }
      return true
    }
  }

  /// Double and Float columns.
  package func add(
    to totals: inout FloatingTotals, _ column: LeafColumn, _ masks: [RowMask], sums: Bool, lows: Bool, highs: Bool
  ) throws(StorageError) {
    let space = space
    let isFloat = column.kind == .float
    var extremes = FloatingExtremes()
    defer { extremes.add(to: &totals) }
    try forEachLeaf(column, masks) { (_, ref, mask, count) throws(StorageError) in
      if isFloat {
        let leaf = try FloatLeaf(space, ref)
        if leaf.count < count { return false }
        leaf.add(to: &totals, mask)
      } else {
        let leaf = try DoubleLeaf(space, ref)
        if leaf.count < count { return false }
        leaf.add(to: &totals, &extremes, mask, count: count, sums: sums, lows: lows, highs: highs)
      }
      return true
    }
  }

  /// Calls `body` with the value of every masked row, for the types that have no faster way.
  package func forEachValue(
    _ column: LeafColumn, _ masks: [RowMask], _ body: (Value) throws(StorageError) -> Void
  ) throws(StorageError) {
    for index in clusters.indices where !masks[index].isEmpty {
      try cancellation?.check()
      let cluster = clusters[index]
      let reader = try LeafReader(space, cluster.column(column.leafIndex), column.kind, enumKeys: column.enumKeys)
      try masks[index].forEach { (row) throws(StorageError) in try body(reader.value(row)) }
    }
  }
}
