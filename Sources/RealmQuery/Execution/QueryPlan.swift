package import RealmStorage

/// A query bound to a table of one snapshot or write transaction; stays good while that is open and the schema unchanged, also when
/// objects change, as long as it `isCurrent`. Confined to the group's thread.
package struct QueryPlan {
  /// Where the objects come from that are asked.
  package enum Source {
    /// All objects of the table, ascending by key.
    case table
    /// In this order; an object may occur more than once. Keys of objects that do not exist any more are passed over.
    case keys([ObjectKey])
    /// A list or set of links, or the values of a dictionary of links, in its order.
    case collection(ObjectCollection)
  }

  /// Ways of execution that must not change any answer.
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let ignoresIndexes = Options(rawValue: 1)
    /// Without kernels, index and other shortcuts.
    package static let evaluatesEachObject = Options(rawValue: 2)
    /// Goes on when the task is cancelled: for callers that cannot say that they have no answer.
    package static let ignoresCancellation = Options(rawValue: 4)
  }

  package let table: Table
  let condition: ConditionPlan
  let stages: [OrderStage]
  package var options: Options = []
  /// Asked whether to give an evaluation up; nil is that of the task that evaluates.
  package var cancellation: Cancellation?

  /// What was bound, one after the other.
  private let queries: [Query]
  private let enumerationStamp: Int

  /// False once a write transaction has added to the distinct values of an enumerated column since: the query has to be bound anew then.
  package var isCurrent: Bool { enumerationStamp == table.group.enumerationStamp }

  init(table: Table, condition: ConditionPlan, stages: [OrderStage], query: Query) {
    self.init(table: table, condition: condition, stages: stages, queries: [query])
  }
  private init(table: Table, condition: ConditionPlan, stages: [OrderStage], queries: [Query]) {
    self.table = table
    self.condition = condition
    self.stages = stages
    self.queries = queries
    enumerationStamp = table.group.enumerationStamp
  }

  /// The plan of results of results: what both conditions select goes through these stages and then through those of `next`; neighbouring
  /// sorts become one, of which the later is primary (Q18.1).
  ///
  /// - Parameter next: of the same table; without condition if this plan has a limit.
  package func followed(by next: QueryPlan) -> QueryPlan {
    var stages = stages
    for stage in next.stages {
      if case .sort(let earlier)? = stages.last, case .sort(let later) = stage {
        stages[stages.count - 1] = .sort(later + earlier)
      } else {
        stages.append(stage)
      }
    }
    let parts = condition.conjuncts + next.condition.conjuncts
    var plan = QueryPlan(
      table: table, condition: parts.count == 1 ? parts[0] : .and(parts), stages: stages, queries: queries + next.queries)
    plan.options = options
    plan.cancellation = cancellation
    return plan
  }

  package var hasLimit: Bool { stages.contains { if case .limit = $0 { true } else { false } } }

  package var dependencies: QueryDependencies { QueryDependencies(self) }

  /// The results are in the order of their source, and all that satisfy the condition.
  package var keepsOrder: Bool { stages.isEmpty }

  /// The number of results follows from the condition alone.
  package var onlySorts: Bool { stages.allSatisfy(\.isSort) }

  // MARK: Texts for explanations

  func conditionText(isBrief: Bool = false) -> String {
    let texts = queries.compactMap { $0.isUnconditional ? nil : $0.text(of: $0.condition, isBrief: isBrief) }
    return texts.count == 1 ? texts[0] : texts.isEmpty ? "TRUEPREDICATE" : texts.map { "(\($0))" }.joined(separator: " and ")
  }
  /// Of the parts of a conjunction.
  var partTexts: [String] {
    queries.flatMap { query in
      if case .and(let parts) = query.condition { return parts.map { query.text(of: $0) } }
      return query.isUnconditional ? [] : [query.text(of: query.condition)]
    }
  }
  /// One for each stage: neighbouring sorts are one.
  func stageTexts(isBrief: Bool = false) -> [String] {
    var texts: [String] = []
    var isBehindSort = false
    for query in queries {
      for descriptor in query.descriptors {
        var printer = query.printer(isBrief)
        let text = printer.text(of: descriptor)
        let isSort: Bool = if case .sort = descriptor { true } else { false }
        if isSort && isBehindSort { texts[texts.count - 1] = text + " then " + texts[texts.count - 1] } else { texts.append(text) }
        isBehindSort = isSort
      }
    }
    return texts
  }

  /// Whether an object satisfies the condition; descriptors have no say.
  /// - Throws: `.storage`, also for an object that does not exist; `.cancelled`.
  package func matches(_ key: ObjectKey) throws(QueryError) -> Bool {
    try storage { () throws(StorageError) in try condition.matches(table.row(key), effectiveCancellation) }
  }
  package func matches(_ row: Row) throws(QueryError) -> Bool {
    try storage { () throws(StorageError) in try condition.matches(row, effectiveCancellation) }
  }

  /// The objects, in the order of the source unless descriptors say otherwise.
  /// - Throws: `.cancelled`, at the next leaf that is read, or after a few thousand keys that were moved about.
  package func keys(_ source: Source = .table) throws(QueryError) -> KeySequence { try keys(source, effectiveCancellation) }

  func keys(_ source: Source, _ cancellation: Cancellation?) throws(QueryError) -> KeySequence {
    switch source {
    case .table: return try tableKeys(cancellation)
    case .keys(let keys): return try ordered(filter(keys, cancellation), isAscending: false, cancellation)
    case .collection(let collection):
      let values = try storage { () throws(StorageError) in try collection.all(cancellation) }
      return try ordered(filter(values.compactMap(\.liveLink), cancellation), isAscending: false, cancellation)
    }
  }

  package func execute(_ source: Source = .table) throws(QueryError) -> [ObjectKey] { try keys(source).array() }

  package func count(_ source: Source = .table) throws(QueryError) -> Int {
    guard case .table = source, !options.contains(.evaluatesEachObject), onlySorts else { return try keys(source).count }
    let cancellation = effectiveCancellation
    if let count = try indexedCount(cancellation) { return count }
    return try scanned(cancellation) { (scan) throws(StorageError) in try scan.count() }
  }

  /// How many objects satisfy the condition, if an index is asked.
  private func indexedCount(_ cancellation: Cancellation?) throws(QueryError) -> Int? {
    guard let selection = try selectedIndex(cancellation) else { return nil }
    return selection.isExact && selection.isCounted ? selection.estimate : try keys(of: selection, cancellation).count
  }

  /// Whether no object of the table is in the result: nothing behind the first one is looked at.
  package func isEmpty() throws(QueryError) -> Bool {
    if hasLimit || options.contains(.evaluatesEachObject) { return try count() == 0 }
    let cancellation = effectiveCancellation
    // Orders do not matter, and of equals one stays.
    if let count = try indexedCount(cancellation) { return count == 0 }
    return try scanned(cancellation) { (scan) throws(StorageError) in try scan.first() } == nil
  }

  /// Calls `body` with the objects of the result, in its order: as they are found, unless an index gives them or the query orders them.
  /// - Parameter limit: so many at most; nothing is looked for behind them.
  /// - Returns: whether there are more.
  package func forEachKey(limit: Int = .max, _ body: (ObjectKey) throws(StorageError) -> Void) throws(QueryError) -> Bool {
    let cancellation = effectiveCancellation
    let isScan = stages.isEmpty && !options.contains(.evaluatesEachObject)
    guard isScan, try selectedIndex(cancellation) == nil else {
      let keys = try (limit == .max ? self : limited(to: limit + 1)).keys()
      try storage { () throws(StorageError) in for index in 0..<min(limit, keys.count) { try body(keys[index]) } }
      return keys.count > limit
    }
    var count = 0
    var hasMore = false
    try scanned(cancellation) { (scan) throws(StorageError) in
      try scan.forEachBatch(startsSmall: limit != .max) { (batch, masks) throws(StorageError) in
        var keys: [ObjectKey] = []
        try batch.appendKeys(masks, to: &keys)
        for key in keys {
          hasMore = count == limit
          if hasMore { return false }
          try body(key)
          count += 1
        }
        return true
      }
    }
    return hasMore
  }

  private func limited(to count: Int) -> QueryPlan {
    var plan = QueryPlan(table: table, condition: condition, stages: stages + [.limit(count)], queries: queries)
    plan.options = options
    plan.cancellation = cancellation
    return plan
  }

  /// The first object of the result. Without an order nothing behind it is looked at.
  package func first(_ source: Source = .table) throws(QueryError) -> ObjectKey? {
    guard case .table = source, !options.contains(.evaluatesEachObject) else { return try keys(source).first }
    guard stages.isEmpty else { return try limited(to: 1).keys().first }
    let cancellation = effectiveCancellation
    if let keys = try indexedKeys(cancellation) { return keys.first }
    return try scanned(cancellation) { (scan) throws(StorageError) in try scan.first() }
  }

  /// Orders and thins out keys by the descriptors alone.
  package func arrange(_ keys: [ObjectKey]) throws(QueryError) -> [ObjectKey] { try ordered(keys, isAscending: false, effectiveCancellation).array() }

  // MARK: Selection

  private func tableKeys(_ cancellation: Cancellation?) throws(QueryError) -> KeySequence {
    if options.contains(.evaluatesEachObject) {
      let keys = try storage { () throws(StorageError) in try TableScan(table, .always, cancellation).keys().array() }
      return try ordered(filter(keys, cancellation), isAscending: true, cancellation)
    }
    if let keys = try indexedKeys(cancellation) { return try ordered(keys, isAscending: true, cancellation) }
    return try scanned(cancellation) { (scan) throws(StorageError) in
      switch (stages.first, stages.dropFirst().first) {
      case (nil, _): return try scan.keys()
      case (.limit(let count), nil): return try scan.keys(limit: count)
      case (.sort(let paths), .limit(let count)) where count <= 100_000 && !paths.contains(where: \.isMixed):
        return try arranged(scan.firstRows(count, sortedBy: paths.map { $0.column(of: table) }), stages.dropFirst(2))
      default: return try arranged(RowOrder(scan), stages[...])
      }
    }
  }

  private func arranged(_ order: RowOrder, _ stages: ArraySlice<OrderStage>) throws(StorageError) -> KeySequence {
    var order = order
    for stage in stages { try stage.apply(&order, of: table) }
    return try order.keys()
  }

  private func ordered(_ keys: [ObjectKey], isAscending: Bool, _ cancellation: Cancellation?) throws(QueryError) -> KeySequence {
    if stages.isEmpty { return KeySequence(keys, isInKeyOrder: isAscending) }
    return try storage { () throws(StorageError) in try arranged(RowOrder(table, keys, cancellation), stages[...]) }
  }

  /// What one evaluation asks.
  var effectiveCancellation: Cancellation? {
    options.contains(.ignoresCancellation) ? nil : cancellation ?? .ofCurrentTask
  }

  func scanned<Result>(
    _ cancellation: Cancellation?, _ body: (TableScan) throws(StorageError) -> Result
  ) throws(QueryError) -> Result {
    try storage { () throws(StorageError) in
      let leaves = try LeafCompiler(table: table, cancellation: cancellation).compile(condition)
      return try body(TableScan(table, leaves, cancellation))
    }
  }

  // MARK: Indexes

  /// The index that the query is answered by; nil for a scan.
  package func selectedIndex(_ cancellation: Cancellation? = nil) throws(QueryError) -> IndexSelection? {
    if options.contains(.ignoresIndexes) { return nil }
    return try storage { () throws(StorageError) in
      let objectCount = try table.count()
      guard let selection = try condition.indexSelection(table, objectCount: objectCount, cancellation) else { return nil }
      // A test of one object costs as much as that of hundreds in a leaf.
      return selection.isExact || selection.estimate <= 32 || selection.estimate * 128 < objectCount ? selection : nil
    }
  }

  private func indexedKeys(_ cancellation: Cancellation?) throws(QueryError) -> [ObjectKey]? {
    guard let selection = try selectedIndex(cancellation) else { return nil }
    return try keys(of: selection, cancellation)
  }

  /// Those of an index that satisfy the condition.
  func keys(of selection: IndexSelection, _ cancellation: Cancellation?) throws(QueryError) -> [ObjectKey] {
    let keys = try storage { () throws(StorageError) in try selection.fetch(cancellation) }
    return selection.isExact ? keys : try filter(keys, cancellation)
  }
}

extension ConditionPlan {
  /// The parts of a conjunction; none for what every object satisfies.
  fileprivate var conjuncts: [ConditionPlan] {
    switch self {
    case .constant(true): []
    case .and(let parts): parts
    default: [self]
    }
  }
}

extension Query {
  fileprivate var isUnconditional: Bool { if case .constant(true) = condition { true } else { false } }
  fileprivate func printer(_ isBrief: Bool) -> QueryPrinter {
    isBrief ? .brief(arguments) : QueryPrinter(arguments: arguments, usesKeyPathArguments: false)
  }
  fileprivate func text(of condition: Condition, isBrief: Bool = false) -> String {
    var printer = printer(isBrief)
    return printer.text(of: condition)
  }
}
