import RealmStorage

/// Whether and how an index narrows a condition down to few objects.
struct IndexSelection {
  /// Of the property or properties, for explanations.
  let text: String
  /// How many objects come into question at most.
  let estimate: Int
  /// They are exactly the objects that satisfy the condition.
  let isExact: Bool
  /// Their keys, ascending, without repetition.
  let fetch: () throws(StorageError) -> [ObjectKey]
}

extension ConditionPlan {
  /// The best selection that holds every object that satisfies the condition; nil if no index helps.
  func indexSelection(_ table: Table, objectCount: Int) throws(StorageError) -> IndexSelection? {
    switch self {
    case .and(let parts):
      var best: IndexSelection?
      for part in parts {
        guard let selection = try part.indexSelection(table, objectCount: objectCount) else { continue }
        if selection.estimate < best?.estimate ?? .max { best = selection }
      }
      guard let best else { return nil }
      return IndexSelection(text: best.text, estimate: best.estimate, isExact: false, fetch: best.fetch)
    case .or(let parts):
      if parts.isEmpty || parts.count > 64 { return nil }
      var selections: [IndexSelection] = []
      for part in parts {
        guard let selection = try part.indexSelection(table, objectCount: objectCount) else { return nil }
        selections.append(selection)
      }
      let estimate = selections.reduce(0) { $0 + $1.estimate }
      guard estimate * 16 < objectCount else { return nil }
      let isExact = selections.allSatisfy(\.isExact)
      return IndexSelection(text: selections.map(\.text).joined(separator: " or "), estimate: estimate, isExact: isExact) { () throws(StorageError) in
        var keys: [ObjectKey] = []
        for selection in selections { keys += try selection.fetch() }
        return keys.sortedUnique
      }
    case .comparison(let comparison): return try comparison.indexSelection(table, objectCount: objectCount)
    case .fullText(let search) where search.chain.hops.isEmpty: return try search.indexSelection(table)
    default: return nil
    }
  }
}

extension ComparisonPlan {
  /// Equality of an indexed property with one or a few constants, where the index holds much less than the table.
  fileprivate func indexSelection(_ table: Table, objectCount: Int) throws(StorageError) -> IndexSelection? {
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
    var estimate = 0
    for value in wanted { estimate += try table.indexedCount(column.key, equalTo: value) }
    guard estimate * 16 < max(objectCount, 16) else { return nil }
    return IndexSelection(text: column.text, estimate: estimate, isExact: true) { () throws(StorageError) in
      var keys: [ObjectKey] = []
      for value in wanted { keys += try table.indexedObjects(column.key, equalTo: value) }
      return keys.sortedUnique
    }
  }
}

extension FullTextPlan {
  fileprivate func indexSelection(_ table: Table) throws(StorageError) -> IndexSelection? {
    if search.hasOnlyExclusions { return nil }
    let keys = try matchingKeys(table)
    return IndexSelection(text: column.text, estimate: keys.count, isExact: true) { keys }
  }

  /// The objects of `target` whose text satisfies the search, ascending.
  func matchingKeys(_ target: Table) throws(StorageError) -> [ObjectKey] {
    if search.matchesNothing { return [] }
    var found: Set<ObjectKey>?
    for word in search.words { found = FullTextPlan.intersection(found, try target.fullTextObjects(column.key, token: word)) }
    for prefix in search.prefixes { found = FullTextPlan.intersection(found, try target.fullTextObjects(column.key, prefix: prefix)) }
    var result: Set<ObjectKey>
    if let found { result = found } else { result = Set(try target.keys()) }
    for word in search.excluded { result.subtract(try target.fullTextObjects(column.key, token: word)) }
    return result.sorted()
  }

  private static func intersection(_ found: Set<ObjectKey>?, _ keys: [ObjectKey]) -> Set<ObjectKey> {
    found.map { $0.intersection(keys) } ?? Set(keys)
  }
}

extension FullTextSearch {
  var hasOnlyExclusions: Bool { words.isEmpty && prefixes.isEmpty && !matchesNothing }
}

extension ColumnDescription {
  /// Has an index that finds exactly the objects with a value: not Mixed, where equal numbers are filed apart.
  fileprivate var isSearchable: Bool {
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

extension [ObjectKey] {
  fileprivate var sortedUnique: [ObjectKey] {
    var result: [ObjectKey] = []
    result.reserveCapacity(count)
    for key in sorted() where key != result.last { result.append(key) }
    return result
  }
}
