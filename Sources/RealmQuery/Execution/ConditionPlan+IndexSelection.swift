import RealmStorage

extension ConditionPlan {
  /// The best selection that holds every object that satisfies the condition; nil if no index helps.
  func indexSelection(_ table: Table, objectCount: Int, _ cancellation: Cancellation?) throws(StorageError) -> IndexSelection? {
    switch self {
    case .and(let parts): return try ConditionPlan.conjunction(parts, table, objectCount: objectCount, cancellation)
    case .or(let parts):
      if parts.isEmpty || parts.count > 64 { return nil }
      var selections: [IndexSelection] = []
      for part in parts {
        guard let selection = try part.indexSelection(table, objectCount: objectCount, cancellation) else { return nil }
        selections.append(selection)
      }
      let estimate = selections.reduce(0) { $0 + $1.estimate }
      guard estimate * 16 < objectCount else { return nil }
      let isExact = selections.allSatisfy(\.isExact)
      return IndexSelection(text: selections.map(\.text).joined(separator: " or "), estimate: estimate, isExact: isExact) {
        (cancellation) throws(StorageError) in
        var keys: [ObjectKey] = []
        for selection in selections { keys += try selection.fetch(cancellation) }
        return try keys.sortedUnique(cancellation)
      }
    case .comparison(let comparison):
      guard case .column = comparison.left.plan else { return try comparison.linkedIndexSelection(objectCount: objectCount, cancellation) }
      if comparison.isOrderEquality { return try comparison.indexSelection(table, objectCount: objectCount, cancellation) }
      return try comparison.columnRange?.indexSelection(table, objectCount: objectCount, isExact: true, cancellation)
    case .fullText(let search) where search.chain.hops.isEmpty: return try search.indexSelection(table, cancellation)
    default: return nil
    }
  }

  /// Ranges of one property meet before its index is walked, and only if nothing else selects less.
  private static func conjunction(
    _ parts: [ConditionPlan], _ table: Table, objectCount: Int, _ cancellation: Cancellation?
  ) throws(StorageError) -> IndexSelection? {
    var best: IndexSelection?
    var ranges: [ColumnRange] = []
    for part in parts {
      if case .comparison(let comparison) = part, !comparison.isOrderEquality, let range = comparison.columnRange {
        if let index = ranges.firstIndex(where: { $0.column.key == range.column.key }) { ranges[index].meet(range) } else { ranges.append(range) }
        continue
      }
      guard let selection = try part.indexSelection(table, objectCount: objectCount, cancellation) else { continue }
      if selection.estimate < best?.estimate ?? .max { best = selection }
    }
    var isExact = false
    for range in ranges {
      let isWhole = range.partCount == parts.count
      let limit = best?.estimate ?? .max
      guard let selection = try range.indexSelection(table, objectCount: objectCount, isExact: isWhole, below: limit, cancellation) else { continue }
      (best, isExact) = (selection, isWhole)
    }
    guard let best else { return nil }
    return IndexSelection(text: best.text, estimate: best.estimate, isCounted: isExact && best.isCounted, isExact: isExact, fetch: best.fetch)
  }
}

extension ComparisonPlan {
  fileprivate var isOrderEquality: Bool { if case .order(.equal) = test { true } else { false } }

  /// Equality of an indexed property with one or a few constants, where the index holds much less than the table.
  fileprivate func indexSelection(_ table: Table, objectCount: Int, _ cancellation: Cancellation?) throws(StorageError) -> IndexSelection? {
    guard case .column(let column) = left.plan, column.isSearchable, case .constants(let constants) = right.plan,
      !right.isList || right.quantifier ?? .any == .any
    else { return nil }
    guard column.isWorthLooking(up: constants.count, objectCount: objectCount) else { return nil }
    if column.type == .int {
      // Which integer it equals is left to the comparison.
      for constant in constants { if case .decimal = constant { return nil } }
    }
    return try IndexSelection.values(
      constants.count, of: column, in: table, objectCount: objectCount, isCounted: constants.count <= 1, cancellation
    ) { constants[$0].indexable(as: column) }
  }
}

extension Value {
  /// The value as the index of a column holds it; nil if no object can have it.
  fileprivate func indexable(as column: ColumnDescription) -> Value? {
    switch (self, column.type) {
    case (.null, _): column.isNullable ? .null : nil
    case (.int, .int), (.bool, .bool), (.string, .string), (.timestamp, .timestamp), (.objectID, .objectID), (.uuid, .uuid): self
    case (.double(let number), .int): Int64(exactly: number).map { .int($0) }
    case (.float(let number), .int): Int64(exactly: number).map { .int($0) }
    default: nil
    }
  }
}
