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

extension ComparisonPlan {
  /// For an indexed property of the object itself and `<`, `<=`, `>`, `>=`, `BETWEEN` or `BEGINSWITH` with constants of its type.
  var columnRange: ColumnRange? {
    guard case .column(let column) = left.plan, case .constants(let constants) = right.plan, !right.isList, let constant = constants.first,
      column.isSearchable
    else { return nil }
    switch test {
    case .order(let relation):
      if column.type == .int {
        guard case .int(let number) = constant, relation.isOrder else { return nil }
        let interval = IntegerTest(relation.comparisonOperator, number)
        return ColumnRange(column: column, bounds: .integers(low: interval.low, high: interval.high), acceptsNull: false)
      }
      guard let bytes = constant.orderedBytes(as: column), let range = IndexRange(relation, bytes) else { return nil }
      let isBelow = relation == .less || relation == .lessOrEqual
      return ColumnRange(column: column, bounds: .bytes(range), acceptsNull: isDirect && isBelow && column.type == .string)
    case .range(let high):
      if case .int(let low) = constant, case .int(let high) = high, column.type == .int {
        return ColumnRange(column: column, bounds: .integers(low: low, high: high), acceptsNull: false)
      }
      guard let low = constant.orderedBytes(as: column), let high = high.orderedBytes(as: column) else { return nil }
      let range = IndexRange(low: .init(low, isIncluded: true), high: .init(high, isIncluded: true))
      return ColumnRange(column: column, bounds: .bytes(range), acceptsNull: false)
    case .text(let relation):
      guard relation.kind == .beginsWith, relation.options.isEmpty, column.type == .string, case .string(let prefix) = constant, !prefix.isEmpty
      else {
        return nil
      }
      return ColumnRange(column: column, bounds: .bytes(IndexRange(prefix: prefix)), acceptsNull: false)
    case .typeOverlap: return nil
    }
  }
}

extension IndexRange {
  fileprivate init?(_ relation: OrderRelation, _ bytes: [UInt8]) {
    switch relation {
    case .less: self.init(high: Bound(bytes, isIncluded: false))
    case .lessOrEqual: self.init(high: Bound(bytes, isIncluded: true))
    case .greater: self.init(low: Bound(bytes, isIncluded: false))
    case .greaterOrEqual: self.init(low: Bound(bytes, isIncluded: true))
    case .equal, .notEqual: return nil
    }
  }
}

extension OrderRelation {
  fileprivate var isOrder: Bool { self != .equal && self != .notEqual }
}

extension Value {
  /// The index bytes of a constant of the column's type, if they have the order of the values.
  fileprivate func orderedBytes(as column: ColumnDescription) -> [UInt8]? {
    switch (self, column.type) {
    case (.string(let bytes), .string): return bytes
    case (.objectID, .objectID), (.uuid, .uuid):
      var bytes: [UInt8] = []
      guard let value = IndexBytes(self), value.append(to: &bytes) else { return nil }
      return bytes
    default: return nil
    }
  }
}
