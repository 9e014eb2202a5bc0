package import RealmStorage

/// A query bound to a table of one snapshot or write transaction; stays good while that is open and the schema unchanged, also when
/// objects change. Confined to the group's thread.
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
  }

  package let table: Table
  let condition: ConditionPlan
  let stages: [OrderStage]
  package var options: Options = []

  /// What was bound.
  private let query: Query

  init(table: Table, condition: ConditionPlan, stages: [OrderStage], query: Query) {
    self.table = table
    self.condition = condition
    self.stages = stages
    self.query = query
  }

  // MARK: Texts for explanations

  var conditionText: String { Query(query.condition, arguments: query.arguments, dialect: query.dialect).description }
  /// Of the parts of a conjunction.
  var partTexts: [String] {
    guard case .and(let parts) = query.condition else { return [] }
    return parts.map { Query($0, arguments: query.arguments, dialect: query.dialect).description }
  }
  /// One for each stage: neighbouring sorts are one.
  var stageTexts: [String] {
    var texts: [String] = []
    var isBehindSort = false
    for descriptor in query.descriptors {
      let text = String(Query(.constant(true), [descriptor], arguments: query.arguments, dialect: .rql).description.dropFirst(14))
      let isSort: Bool = if case .sort = descriptor { true } else { false }
      if isSort && isBehindSort { texts[texts.count - 1] = text + " then " + texts[texts.count - 1] } else { texts.append(text) }
      isBehindSort = isSort
    }
    return texts
  }

  /// Whether an object satisfies the condition; descriptors have no say.
  /// - Throws: `.storage`, also for an object that does not exist.
  package func matches(_ key: ObjectKey) throws(QueryError) -> Bool {
    try storage { () throws(StorageError) in try condition.matches(table.row(key)) }
  }
  package func matches(_ row: Row) throws(QueryError) -> Bool {
    try storage { () throws(StorageError) in try condition.matches(row) }
  }

  /// The objects, in the order of the source unless descriptors say otherwise.
  /// - Throws: `.cancelled` when the task is; it is looked after once for each batch of leaves.
  package func keys(_ source: Source = .table) throws(QueryError) -> KeySequence {
    switch source {
    case .table: return try tableKeys()
    case .keys(let keys): return try ordered(filter(keys), isAscending: false)
    case .collection(let collection):
      let values = try storage { () throws(StorageError) in try collection.all() }
      return try ordered(filter(values.compactMap(\.liveLink)), isAscending: false)
    }
  }

  package func execute(_ source: Source = .table) throws(QueryError) -> [ObjectKey] { try keys(source).array() }

  package func count(_ source: Source = .table) throws(QueryError) -> Int {
    guard case .table = source, !options.contains(.evaluatesEachObject), stages.allSatisfy(\.isSort) else { return try keys(source).count }
    if let count = try indexedCount() { return count }
    if let keys = try indexedKeys() { return keys.count }
    return try scanned { (scan) throws(ScanError) in try scan.count() }
  }

  /// The first object of the result.
  package func first(_ source: Source = .table) throws(QueryError) -> ObjectKey? {
    guard case .table = source, !options.contains(.evaluatesEachObject), stages.isEmpty else { return try keys(source).first }
    if let keys = try indexedKeys() { return keys.first }
    return try scanned { (scan) throws(ScanError) in try scan.first() }
  }

  /// Orders and thins out keys by the descriptors alone.
  package func arrange(_ keys: [ObjectKey]) throws(QueryError) -> [ObjectKey] { try ordered(keys, isAscending: false).array() }

  // MARK: Selection

  private func tableKeys() throws(QueryError) -> KeySequence {
    if options.contains(.evaluatesEachObject) {
      return try ordered(filter(storage { () throws(StorageError) in try table.keys() }), isAscending: true)
    }
    if let keys = try indexedKeys() { return try ordered(keys, isAscending: true) }
    return try scanned { (scan) throws(ScanError) in
      switch (stages.first, stages.dropFirst().first) {
      case (nil, _): return try scan.keys()
      case (.limit(let count), nil): return try scan.keys(limit: count)
      case (.sort(let paths), .limit(let count)) where count <= 100_000 && !paths.contains(where: \.isMixed):
        return try arranged(scan.firstRows(count, sortedBy: paths.map { $0.column(of: table) }), stages.dropFirst(2))
      default: return try arranged(RowOrder(scan), stages[...])
      }
    }
  }

  private func arranged(_ order: RowOrder, _ stages: ArraySlice<OrderStage>) throws(ScanError) -> KeySequence {
    var order = order
    do throws(StorageError) { for stage in stages { try stage.apply(&order, of: table) } } catch { throw .storage(error) }
    return order.keys()
  }

  private func ordered(_ keys: [ObjectKey], isAscending: Bool) throws(QueryError) -> KeySequence {
    if stages.isEmpty { return KeySequence(keys, isInKeyOrder: isAscending) }
    return try storage { () throws(StorageError) in
      var order = try RowOrder(table, keys)
      for stage in stages { try stage.apply(&order, of: table) }
      return order.keys()
    }
  }

  func scanned<Result>(_ body: (TableScan) throws(ScanError) -> Result) throws(QueryError) -> Result {
    do throws(ScanError) { return try body(TableScan(table, LeafCompiler(table: table).compile(condition))) } catch {
      switch error {
      case .storage(let error): throw .storage(error)
      case .cancelled: throw .cancelled
      }
    }
  }

  /// Those of the keys that exist and satisfy the condition, in their order.
  private func filter(_ keys: [ObjectKey]) throws(QueryError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    for (index, key) in keys.enumerated() {
      if index & 255 == 0 && Task.isCancelled { throw .cancelled }
      let isSelected = try storage { () throws(StorageError) in
        guard let place = try table.cluster(of: key) else { return false }
        return try condition.matches(Row(table, place.cluster, place.row))
      }
      if isSelected { result.append(key) }
    }
    return result
  }

  // MARK: Indexes

  /// The index that the query is answered by; nil for a scan.
  func selectedIndex() throws(QueryError) -> IndexSelection? {
    if options.contains(.ignoresIndexes) { return nil }
    return try storage { () throws(StorageError) in
      let objectCount = try table.count()
      guard let selection = try condition.indexSelection(table, objectCount: objectCount) else { return nil }
      // A test of one object costs as much as that of hundreds in a leaf.
      return selection.isExact || selection.estimate <= 32 || selection.estimate * 128 < objectCount ? selection : nil
    }
  }

  private func indexedKeys() throws(QueryError) -> [ObjectKey]? {
    guard let selection = try selectedIndex() else { return nil }
    let keys = try storage { () throws(StorageError) in try selection.fetch() }
    return selection.isExact ? keys : try filter(keys)
  }

  /// The count of one value of an indexed property needs no keys.
  private func indexedCount() throws(QueryError) -> Int? {
    guard let selection = try selectedIndex(), selection.isExact, case .comparison(let comparison) = condition, !comparison.right.isList else {
      return nil
    }
    return selection.estimate
  }
}

extension Query {
  /// Resolves names and checks types.
  /// - Parameters:
  ///   - table: whose objects are asked; belongs to `group`.
  ///   - names: aliases of properties and classes.
  /// - Throws: `.invalid` for everything that section 14 lists; nothing is read of any object.
  package func bind(_ table: Table, in group: Group, names: any NameMapping = StoredNames()) throws(QueryError) -> QueryPlan {
    var binder = Binder(group: group, names: names, arguments: arguments, dialect: dialect)
    let condition = try binder.bind(condition, in: table)
    return QueryPlan(table: table, condition: condition, stages: try binder.bind(descriptors, in: table), query: self)
  }
}
