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

  init(table: Table, condition: ConditionPlan, stages: [OrderStage]) {
    self.table = table
    self.condition = condition
    self.stages = stages
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
  /// - Throws: `.cancelled` when the task is; it is looked after once for each cluster.
  package func execute(_ source: Source = .table) throws(QueryError) -> [ObjectKey] {
    var keys = try select(source, limit: stages.isEmpty ? .max : leadingLimit)
    for stage in stages { keys = try storage { () throws(StorageError) in try stage.apply(keys, of: table) } }
    return keys
  }

  package func count(_ source: Source = .table) throws(QueryError) -> Int {
    try stages.isEmpty ? select(source, limit: .max).count : execute(source).count
  }

  /// The first object of the result.
  package func first(_ source: Source = .table) throws(QueryError) -> ObjectKey? {
    try stages.isEmpty ? select(source, limit: 1).first : execute(source).first
  }

  /// Orders and thins out keys by the descriptors alone.
  package func arrange(_ keys: [ObjectKey]) throws(QueryError) -> [ObjectKey] {
    var keys = keys
    for stage in stages { keys = try storage { () throws(StorageError) in try stage.apply(keys, of: table) } }
    return keys
  }

  private var leadingLimit: Int { if case .limit(let count)? = stages.first { count } else { .max } }

  // MARK: Selection

  private func select(_ source: Source, limit: Int) throws(QueryError) -> [ObjectKey] {
    switch source {
    case .table: return try scan(limit: limit)
    case .keys(let keys): return try filter(keys, limit: limit)
    case .collection(let collection):
      let values = try storage { () throws(StorageError) in try collection.all() }
      return try filter(values.compactMap(\.liveLink), limit: limit)
    }
  }

  private func filter(_ keys: [ObjectKey], limit: Int) throws(QueryError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    for (index, key) in keys.enumerated() {
      if index & 255 == 0 && Task.isCancelled { throw .cancelled }
      if result.count >= limit { break }
      let isSelected = try storage { () throws(StorageError) in
        guard try table.contains(key) else { return false }
        return try condition.matches(table.row(key))
      }
      if isSelected { result.append(key) }
    }
    return result
  }

  private func scan(limit: Int) throws(QueryError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    var isCancelled = false
    try storage { () throws(StorageError) in
      try table.forEachCluster { (cluster) throws(StorageError) in
        isCancelled = Task.isCancelled
        if isCancelled { return false }
        for row in 0..<cluster.count {
          if result.count >= limit { return false }
          let row = Row(table, cluster, row)
          if try condition.matches(row) { result.append(row.key) }
        }
        return true
      }
    }
    if isCancelled { throw .cancelled }
    return result
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
    return QueryPlan(table: table, condition: condition, stages: try binder.bind(descriptors, in: table))
  }
}
