import RealmStorage

/// What some comparisons ask of one indexed property together: a value between two bounds.
struct ColumnRange {
  enum Bounds {
    /// Of types whose index has the order of the values.
    case bytes(IndexRange)
    /// Their index has another order: narrow ranges are looked up value by value.
    case integers(low: Int64, high: Int64)
  }
  let column: ColumnDescription
  private(set) var bounds: Bounds
  /// Null strings are less than all others (Q5.1).
  private(set) var acceptsNull: Bool
  /// How many comparisons it stands for.
  private(set) var partCount = 1

  /// Of the same column.
  mutating func meet(_ other: ColumnRange) {
    switch (bounds, other.bounds) {
    case (.bytes(let a), .bytes(let b)): bounds = .bytes(a.intersection(b))
    case (.integers(let low, let high), .integers(let otherLow, let otherHigh)):
      bounds = .integers(low: max(low, otherLow), high: min(high, otherHigh))
    // Of one column all are of one kind.
    default: return
    }
    acceptsNull = acceptsNull && other.acceptsNull
    partCount += other.partCount
  }

  /// The index, if it finds out with little effort that few objects lie in the range.
  /// - Parameters:
  ///   - isExact: the range is the whole condition; else every object has to be tested, and there have to be fewer.
  ///   - limit: another selection has that many objects.
  func indexSelection(
    _ table: Table, objectCount: Int, isExact: Bool, below limit: Int = .max, _ cancellation: Cancellation?
  ) throws(StorageError) -> IndexSelection? {
    let text = column.text + " (range)"
    switch bounds {
    case .integers(let low, let high):
      if low > high { return .init(text: text, estimate: 0, isCounted: true, isExact: isExact) { _ in [] } }
      // A look-up takes as long as testing some two thousand objects leaf by leaf.
      let (width, overflows) = high.subtractingReportingOverflow(low)
      guard !overflows, width < objectCount / 2000 else { return nil }
      let selection = try IndexSelection.values(
        Int(width) + 1, of: column, in: table, objectCount: objectCount, isCounted: true, text: text, cancellation
      ) { .int(low + Int64($0)) }
      guard let selection, selection.estimate < limit else { return nil }
      return IndexSelection(text: text, estimate: selection.estimate, isCounted: true, isExact: isExact, fetch: selection.fetch)
    case .bytes(let range):
      // An entry of the index takes as long as some ten objects of a leaf, the attempt is to cost next to nothing.
      let most = min(limit, max(objectCount / (isExact ? 64 : 128), 32))
      var nullCount = 0
      if acceptsNull && column.isNullable { nullCount = try table.indexedCount(column.key, equalTo: .null) }
      guard nullCount <= most, var keys = try table.indexedObjects(column.key, in: range, limit: most - nullCount, cancellation) else { return nil }
      if nullCount > 0 { keys = try (keys + table.indexedObjects(column.key, equalTo: .null, cancellation)).sortedUnique(cancellation) }
      guard keys.count < limit else { return nil }
      return IndexSelection(text: text, estimate: keys.count, isCounted: true, isExact: isExact) { _ in keys }
    }
  }
}
