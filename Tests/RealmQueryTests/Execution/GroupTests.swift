import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Groups of objects against a loop over them.
@Suite(.mustEnd) struct GroupTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  private static let functions: [AggregateFunction] = [.sum, .min, .max, .average]

  /// Groups made one object after the other, by comparing values.
  private func expected(
    _ keys: [ObjectKey], _ columns: [ColumnDescription], _ aggregates: [(function: AggregateFunction, column: ColumnDescription)]
  ) throws -> [ObjectGroup] {
    var groups: [(values: [Value], keys: [ObjectKey])] = []
    for key in keys {
      let row = try sample.people.row(key)
      let values = try columns.map { try row.value($0) }
      let known = groups.firstIndex { group in zip(group.values, values).allSatisfy { Value.compare($0, $1) == 0 } }
      if let known { groups[known].keys.append(key) } else { groups.append((values, [key])) }
    }
    groups.sort { a, b in
      for (x, y) in zip(a.values, b.values) where Value.compare(x, y) != 0 { return Value.compare(x, y) < 0 }
      return false
    }
    return try groups.map { group in
      let results = try aggregates.map { aggregate in
        try PropertyAggregate(sample.people, aggregate.column).compute(aggregate.function, over: .keys(group.keys)).value
      }
      return ObjectGroup(values: group.values, count: group.keys.count, aggregates: results)
    }
  }

  private func text(_ groups: [ObjectGroup]) -> [String] { groups.map { "\($0.values) \($0.count) \($0.aggregates)" } }

  @Test(
    arguments: [
      ["age"], ["name"], ["height"], ["speed"], ["isGood"], ["born"], ["price"], ["token"], ["extra"], ["dog"], ["id"], ["age", "isGood"],
      ["name", "isGood", "extra"],
    ], ["TRUEPREDICATE", "isGood == true", "age == 5", "age > 20 && name != NULL SORT(id DESC)", "TRUEPREDICATE DISTINCT(age)", "age < 0"])
  func groupsAgreeWithALoop(_ names: [String], _ query: String) throws {
    let columns = try names.map { try sample.people.column(named: $0) }
    var aggregates: [(function: AggregateFunction, column: ColumnDescription)] = []
    for name in ["age", "height", "speed", "price", "extra", "born"] {
      let aggregate = try PropertyAggregate(sample.people, name)
      for function in Self.functions where aggregate.supports(function) { aggregates.append((function, aggregate.column)) }
    }
    var plan = try Query(query).bind(sample.people, in: sample.group)
    let wanted = text(try expected(plan.execute(), columns, aggregates))
    #expect(try text(plan.grouped(by: columns, aggregates)) == wanted)
    plan.options = .evaluatesEachObject
    #expect(try text(plan.grouped(by: columns, aggregates)) == wanted)
    plan.options = .ignoresIndexes
    #expect(try text(plan.grouped(by: columns, aggregates)) == wanted)
  }

  @Test func withoutPropertiesAllObjectsAreOneGroup() throws {
    let plan = try Query("age < 3").bind(sample.people, in: sample.group)
    let groups = try plan.grouped(by: [], [(.sum, sample.people.column(named: "age"))])
    #expect(groups.map(\.count) == [15] && text(groups).first?.contains("15") == true)
    let none = try Query("age < 0").bind(sample.people, in: sample.group).grouped(by: [], [])
    #expect(none.map(\.count) == [0])
  }

  @Test func manyDistinctNumbersAndTextsAreTold() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    var wanted: [Int64: Int64] = [:]
    let numbers = (0..<5000).map { Int64($0 % 1700) &* 7_919_000_003 &- 5_000_000 }
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_A")
      let number = try table.addColumn(ColumnDefinition("n", .int, .nullable))
      let text = try table.addColumn(ColumnDefinition("t", .string))
      for value in numbers {
        let object = try table.createObject()
        try table.set(object, number, .int(value))
        try table.set(object, text, Value("a text that is longer than fifteen bytes \(value)"))
        wanted[value, default: 0] &+= value
      }
    }
    let group = try database.snapshot().openGroup()
    let table = try #require(try group.table(named: "class_A"))
    let plan = try Query("TRUEPREDICATE").bind(table, in: group)
    let number = try table.column(named: "n")
    let byNumber = try plan.grouped(by: [number], [(.sum, number)])
    #expect(byNumber.count == 1700)
    for found in byNumber {
      guard case .int(let key)? = found.values.first, case .int(let sum)? = found.aggregates.first else {
        Issue.record("\(found)")
        return
      }
      #expect(wanted[key] == sum)
    }
    let byText = try plan.grouped(by: [table.column(named: "t")], [])
    #expect(byText.count == 1700 && byText.map(\.count).reduce(0, +) == 5000)
  }

  @Test(
    arguments: ["TRUEPREDICATE", "isGood == true", "age == 5", "age > 20 SORT(name ASC)", "TRUEPREDICATE LIMIT(7)", "age < 0"], [0, 1, 7, 10_000])
  func objectsOneByOneAreThoseOfTheResult(_ query: String, _ limit: Int) throws {
    let plan = try Query(query).bind(sample.people, in: sample.group)
    let all = try plan.execute()
    var found: [ObjectKey] = []
    let hasMore = try plan.forEachKey(limit: limit) { (key) throws(StorageError) in found.append(key) }
    #expect(found == Array(all.prefix(limit)))
    #expect(hasMore == (all.count > limit))
  }
}
