import RealmQuery
import RealmStorage

/// Queries over the table of people, as the plan of a query calls the kernels: on one thread, in one read transaction each.
extension EngineStore {
  private func scan(_ table: Table, _ condition: LeafCondition) -> TableScan { TableScan(table, condition) }
  private func leaf(_ table: Table, _ name: String) throws -> LeafColumn { LeafColumn(try table.column(named: name)) }

  // MARK: Counting

  /// People of an age.
  public func count(age: Int64) throws -> Int {
    try read { try scan($0, .integer(leaf($0, "age"), IntegerTest(.equal, age))).count() }
  }
  /// People whose `created` is in the range.
  public func count(created: ClosedRange<Int64>) throws -> Int {
    try read { try scan($0, .integer(leaf($0, "created"), IntegerTest(created.lowerBound, created.upperBound))).count() }
  }
  /// People with a lower score.
  public func count(scoreBelow limit: Double) throws -> Int {
    try read { try scan($0, .double(leaf($0, "score"), FloatingTest(direct: .less, limit))).count() }
  }
  /// People with a name, found without an index.
  public func scanCount(name: [UInt8]) throws -> Int {
    try read { try scan($0, .text(leaf($0, "name"), TextTest(.equal, name))).count() }
  }
  /// People in whose name a text occurs.
  /// - Parameter ignoresCase: as queries with `[c]` do.
  public func count(nameContains text: [UInt8], ignoresCase: Bool) throws -> Int {
    try read { try scan($0, .text(leaf($0, "name"), TextTest(.contains, text, ignoresCase: ignoresCase))).count() }
  }
  /// People for whom all three conditions hold.
  public func count(ageAbove age: Int64, scoreBelow score: Double, createdAfter created: Int64) throws -> Int {
    try read { table in
      try scan(
        table,
        .all([
          .integer(leaf(table, "age"), IntegerTest(.greater, age)), .double(leaf(table, "score"), FloatingTest(direct: .less, score)),
          .integer(leaf(table, "created"), IntegerTest(.greater, created)),
        ])
      ).count()
    }
  }
  /// People whose `created` is one of the values.
  public func count(createdAmong values: [Int64]) throws -> Int {
    try read { try scan($0, .integers(leaf($0, "created"), IntegerSet(values))).count() }
  }
  /// People whose department has an id in the range.
  public func count(department ids: ClosedRange<Int64>) throws -> Int {
    try read { table in
      guard let departments = try table.group.table(named: Self.department) else { throw StorageError.noSuchTable(name: Self.department) }
      let condition = LeafCondition.integer(try leaf(departments, "id"), IntegerTest(ids.lowerBound, ids.upperBound))
      return try scan(table, .linked(LinkedCondition(leaf(table, "department"), target: departments, condition, acceptsNull: false))).count()
    }
  }
  /// The number of people with each name, by the index of names, all added up.
  public func indexedCount(names: [[UInt8]]) throws -> Int {
    try read { table in
      let name = try table.column(named: "name").key
      var count = 0
      for text in names { count += try table.indexedCount(name, equalTo: .string(text)) }
      return count
    }
  }

  // MARK: Aggregates

  /// The sum of all ages, as an aggregate of a query that selects everybody.
  public func sumOfAgesByQuery() throws -> Int64 {
    try read { try scan($0, .always).integerTotals(leaf($0, "age"), extremes: false).sum }
  }
  /// The sum of the scores of each age that somebody has, by ascending age.
  public func sumsOfScoresByAge() throws -> [(age: Int64, sum: Double)] {
    try read { table in
      let aggregate: (function: AggregateFunction, column: ColumnDescription) = (.sum, try table.column(named: "score"))
      let groups = try Query.all.bind(table, in: table.group).grouped(by: [table.column(named: "age")], [aggregate])
      return groups.compactMap { group in
        guard case .int(let age)? = group.values.first, case .double(let sum)? = group.aggregates.first else { return nil }
        return (age, sum)
      }
    }
  }
  /// The average of all scores.
  public func averageOfScores() throws -> Double {
    try read { table in
      let totals = try scan(table, .always).floatingTotals(leaf(table, "score"), lows: false, highs: false)
      return totals.sum / Double(totals.count)
    }
  }
  /// The smallest `created` of all people.
  public func smallestCreated() throws -> Int64 {
    try read { try scan($0, .always).integerTotals(leaf($0, "created"), sums: false).low }
  }
  /// The largest score of all people.
  public func largestScore() throws -> Double {
    try read { try scan($0, .always).floatingTotals(leaf($0, "score"), sums: false, lows: false).high }
  }

  // MARK: Orders

  /// What people are sorted by, ascending.
  public enum SortProperty: String, Sendable { case created, name, score }

  /// The primary keys of all people in an order; `body` gets them one by one.
  public func forEachKey(sortedBy property: SortProperty, limit: Int? = nil, _ body: (Int64) -> Void) throws {
    try read { table in
      let all = scan(table, .always)
      let column = OrderColumn(try table.column(named: property.rawValue))
      let rows: RowOrder
      if let limit {
        rows = try all.firstRows(limit, sortedBy: [column])
      } else {
        var order = try RowOrder(all)
        try order.sort(by: [column])
        rows = order
      }
      // People are created in the order of their ids, so that the object keys are the ids.
      try rows.keys().forEach { body($0.rawValue) }
    }
  }

  // MARK: Texts

  /// How many people a query selects.
  public func count(query text: String, ignoringIndexes: Bool = false) throws -> Int {
    try withPlan(text, ignoringIndexes) { try $0.count() }
  }
  /// The same by handing out their keys.
  public func keyCount(query text: String, ignoringIndexes: Bool = false) throws -> Int {
    try withPlan(text, ignoringIndexes) { try $0.execute().count }
  }

  private func withPlan<Result>(_ text: String, _ ignoresIndexes: Bool, _ body: (QueryPlan) throws -> Result) throws -> Result {
    try read { table in
      var plan = try RealmQuery.Query(text).bind(table, in: table.group)
      if ignoresIndexes { plan.options.insert(.ignoresIndexes) }
      return try body(plan)
    }
  }
}
