import RealmStorage

/// Whether and how an index narrows a condition down to few objects.
package struct IndexSelection {
  /// Of the property or properties, for explanations.
  package let text: String
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

extension IndexSelection {
  /// The objects with some values, if they are few: fewer than a sixteenth of the table's.
  ///
  /// Looks at the values scattered over the list, and at no more of them as soon as those show that they are too many.
  /// - Parameter value: by position; nil if no object can have it.
  static func values(
    _ count: Int, of column: ColumnDescription, in table: Table, objectCount: Int, isCounted: Bool, text: String? = nil,
    _ cancellation: Cancellation?, _ value: (Int) -> Value?
  ) throws(StorageError) -> IndexSelection? {
    let lookup = try table.indexLookup(column)
    var sampling = Sampling(of: count, below: (max(objectCount, 16) + 15) / 16)
    var found: [IndexMatches] = []
    while let position = sampling.next() {
      try cancellation?.check()
      guard let value = value(position) else { continue }
      let matches = try lookup.matches(value)
      if matches.count == 0 { continue }
      found.append(matches)
      guard sampling.add(matches.count) else { return nil }
    }
    return IndexSelection(text: text ?? column.text, estimate: sampling.total, isCounted: isCounted, isExact: true) {
      (cancellation) throws(StorageError) in
      var keys: [ObjectKey] = []
      for matches in found { try matches.append(to: &keys, lookup.space, cancellation) }
      return try keys.sortedUnique(cancellation)
    }
  }
}

/// A sum over many things, each of which takes some work to find out, that only matters below a limit: given up as soon as those that were
/// looked at, scattered over all, exceed it or would if the others were like them.
struct Sampling {
  private let count: Int
  private let limit: Int
  private let stride: Int
  private var position = 0
  private var done = 0
  private(set) var total = 0

  /// - Parameter limit: the sum has to be less.
  init(of count: Int, below limit: Int) {
    (self.count, self.limit) = (count, limit)
    // The golden section scatters best; without a common divisor every position comes once.
    func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
    var stride = max(count * 618 / 1000, 1)
    while count > 1 && divisor(count, stride) > 1 { stride += 1 }
    self.stride = stride
  }

  /// The next one to look at; nil if all were.
  mutating func next() -> Int? {
    if done == count { return nil }
    defer {
      done += 1
      position = (position + stride) % count
    }
    return position
  }

  /// - Returns: false if the limit is or will be exceeded.
  mutating func add(_ number: Int) -> Bool {
    total += number
    if total >= limit { return false }
    // The first one says nothing, two or three say little.
    return done < 2 || total < (done < 4 ? 2 : 1) * limit * done / count
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
  /// How many objects are compared with a long list leaf by leaf in about ten times the time of looking one value up: what a list that turns
  /// out to be too much at its end costs more than the scan alone.
  fileprivate var lookupCost: Int {
    switch type {
    case .int, .bool: 1000
    case .string: 50
    default: 500
    }
  }

  func isWorthLooking(up constantCount: Int, objectCount: Int) -> Bool { constantCount <= 1 || constantCount * lookupCost <= objectCount }

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
