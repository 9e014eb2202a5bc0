import RealmStorage

/// Whether and how an index narrows a condition down to few objects.
struct IndexSelection {
  /// Of the property or properties, for explanations.
  let text: String
  /// How many objects come into question at most.
  let estimate: Int
  /// That is their number.
  var isCounted = false
  /// They are exactly the objects that satisfy the condition.
  let isExact: Bool
  /// Their keys, ascending, without repetition.
  let fetch: (Cancellation?) throws(StorageError) -> [ObjectKey]
}

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
      if let selection = try comparison.indexSelection(table, objectCount: objectCount, cancellation) { return selection }
      if let range = comparison.columnRange { return try range.indexSelection(table, objectCount: objectCount, isExact: true, cancellation) }
      return try comparison.linkedIndexSelection(objectCount: objectCount, cancellation)
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
      if case .comparison(let comparison) = part, let range = comparison.columnRange {
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
  /// Equality of an indexed property with one or a few constants, where the index holds much less than the table.
  fileprivate func indexSelection(_ table: Table, objectCount: Int, _ cancellation: Cancellation?) throws(StorageError) -> IndexSelection? {
    guard case .column(let column) = left.plan, case .constants(let constants) = right.plan, column.isSearchable,
      case .order(.equal) = test, !right.isList || right.quantifier ?? .any == .any
    else { return nil }
    // Each look-up costs about as much as testing fifty objects.
    guard constants.count * 50 <= max(objectCount, 50) else { return nil }
    var wanted: [Value] = []
    for constant in constants {
      // Which integer it equals is left to the comparison.
      if case .decimal = constant, column.type == .int { return nil }
      guard let value = constant.indexable(as: column) else { continue }
      wanted.append(value)
    }
    return try IndexSelection.values(wanted, of: column, in: table, objectCount: objectCount, isCounted: wanted.count <= 1, cancellation)
  }
}

extension IndexSelection {
  /// The objects with some values.
  static func values(
    _ wanted: [Value], of column: ColumnDescription, in table: Table, objectCount: Int, isCounted: Bool, text: String? = nil,
    _ cancellation: Cancellation?
  ) throws(StorageError) -> IndexSelection? {
    var estimate = 0
    for value in wanted {
      try cancellation?.check()
      estimate += try table.indexedCount(column.key, equalTo: value)
    }
    guard estimate * 16 < max(objectCount, 16) else { return nil }
    return IndexSelection(text: text ?? column.text, estimate: estimate, isCounted: isCounted, isExact: true) { (cancellation) throws(StorageError) in
      var keys: [ObjectKey] = []
      for value in wanted {
        try cancellation?.check()
        keys += try table.indexedObjects(column.key, equalTo: value, cancellation)
      }
      return try keys.sortedUnique(cancellation)
    }
  }
}

extension FullTextPlan {
  fileprivate func indexSelection(_ table: Table, _ cancellation: Cancellation?) throws(StorageError) -> IndexSelection? {
    if search.hasOnlyExclusions { return nil }
    let keys = try matchingKeys(table, cancellation)
    return IndexSelection(text: column.text, estimate: keys.count, isExact: true) { _ in keys }
  }

  /// The objects of `target` whose text satisfies the search, ascending.
  func matchingKeys(_ target: Table, _ cancellation: Cancellation?) throws(StorageError) -> [ObjectKey] {
    if search.matchesNothing { return [] }
    var found: [ObjectKey]?
    func narrow(_ keys: [ObjectKey]) throws(StorageError) {
      let keys = try keys.sortedUnique(cancellation)
      if let known = found { found = try known.filtered(by: keys, keepsCommon: true, cancellation) } else { found = keys }
    }
    for word in search.words { try narrow(target.fullTextObjects(column.key, token: word, cancellation)) }
    for prefix in search.prefixes { try narrow(target.fullTextObjects(column.key, prefix: prefix, cancellation)) }
    var result: [ObjectKey]
    if let found { result = found } else { result = try TableScan(target, .always, cancellation).keys().array() }
    for word in search.excluded {
      let keys = try target.fullTextObjects(column.key, token: word, cancellation).sortedUnique(cancellation)
      result = try result.filtered(by: keys, keepsCommon: false, cancellation)
    }
    return result
  }
}

extension [ObjectKey] {
  /// The keys that `other` has too, or those that it lacks; both ascend.
  fileprivate func filtered(by other: [ObjectKey], keepsCommon: Bool, _ cancellation: Cancellation?) throws(StorageError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    var next = 0
    for begin in stride(from: 0, to: count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, count)
      for key in self[block] {
        while next < other.count && other[next] < key { next += 1 }
        if (next < other.count && other[next] == key) == keepsCommon { result.append(key) }
      }
    }
    return result
  }
}

extension FullTextSearch {
  var hasOnlyExclusions: Bool { words.isEmpty && prefixes.isEmpty && !matchesNothing }
}

extension ColumnDescription {
  /// Has an index that finds exactly the objects with a value: not Mixed, where equal numbers are filed apart.
  var isSearchable: Bool {
    !indexRef.isNull && !isCollection && !attributes.contains(.fullTextIndexed) && type != .mixed && type != .link
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
