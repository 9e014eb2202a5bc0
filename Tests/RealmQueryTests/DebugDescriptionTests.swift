import RealmStorage
import Testing

@testable import RealmQuery

/// What debuggers and failing tests show of queries, plans, rows and keys.
@Suite struct DebugDescriptionTests {
  private let sample: QuerySample
  init() throws { sample = try QuerySample() }

  private func plan(_ text: String, _ arguments: [QueryArgument] = []) throws -> QueryPlan {
    try Query(text, arguments: arguments).bind(sample.people, in: sample.group)
  }

  @Test(arguments: [
    ("age > 5 && NOT (name == 'Ann' || name ==[c] 'bob')", "age > 5 && NOT (name == \"Ann\" || name ==[c] \"bob\")"),
    ("age BETWEEN {1, 2}", "age BETWEEN {1, 2}"), ("ANY dogs.age > 3", "ANY dogs.age > 3"),
  ])
  func conditionsShowAsRQL(text: String, shown: String) throws {
    #expect(String(reflecting: try Query(text).condition) == shown)
  }

  @Test(arguments: [
    ("age > 5.0", "age > 5 [direct]"), ("name == NULL", "name == NULL [direct]"), ("dog.age < 3", "dog.age < 3"),
    ("ALL dogs.name BEGINSWITH[c] 'R'", "ALL dogs.name BEGINSWITH[c] \"R\""), ("dogs.@count == 2", "dogs.@count == 2"),
    ("dogs.@max.age > 1 && tags.@size != 0", "dogs.@max.age > 1 && tags.@count != 0"), ("map['k1'] == 3", "map['k1'] == 3"),
    ("SUBQUERY(dogs, $d, $d.age > 3).@count > 1", "SUBQUERY(dogs, age > 3 [direct]).@count > 1"),
    ("age + 1 == 3 || extra.@type == 'int'", "(age + 1) == 3 || extra.@type overlaps 2"), ("TRUEPREDICATE", "TRUEPREDICATE"),
  ])
  func boundConditionsShowTheirPathsAndConstants(text: String, shown: String) throws {
    #expect(String(reflecting: try plan(text).condition) == shown)
  }

  @Test func rangesOfFormatsShowBothBounds() throws {
    let plan = try PredicateFormat.parse("age BETWEEN {1, 7}", arguments: []).bind(sample.people, in: sample.group)
    #expect(String(reflecting: plan.condition) == "age BETWEEN {1, 7} [direct]")
  }

  @Test func plansShowTheClassTheConditionAndTheOrder() throws {
    let plan = try plan("age > 5 SORT(name DESC, age ASC) DISTINCT(age) LIMIT(3)")
    #expect(String(reflecting: plan) == "Person: age > 5, SORT(name DESC, age ASC), DISTINCT(age), LIMIT(3)")
    #expect(plan.stages.map { String(reflecting: $0) } == ["SORT(name DESC, age ASC)", "DISTINCT(age)", "LIMIT(3)"])
  }

  @Test func longListsShowTheirBeginningAndTheirLength() throws {
    let numbers = QueryArgument.list((0..<50_000).map { .int(Int64($0)) })
    let condition = String(reflecting: try plan("age IN $0", [numbers]).condition)
    #expect(condition.hasPrefix("age IN {0, 1, 2,") || condition.hasPrefix("age == {0, 1, 2,"), "\(condition)")
    #expect(condition.hasSuffix("19, … (50000)} [direct]"))
    let many = Query(.or((0..<1000).map { .compare(.path("age"), .equal, .value(.int($0))) }), dialect: .rql)
    #expect(String(reflecting: many).hasSuffix("age == 19 || … (1000)"))
    #expect(String(reflecting: try many.bind(sample.people, in: sample.group).condition).hasSuffix("|| … (1000)"))
  }

  @Test func longTextsAreCut() throws {
    let text = Query(.compare(.path("name"), .equal, .value(Value(String(repeating: "é", count: 10_000)))), dialect: .rql)
    #expect(String(reflecting: text).utf8.count < 1100)
    #expect(String(reflecting: text.condition).utf8.count < 1100)
    #expect(String(reflecting: try text.bind(sample.people, in: sample.group)).utf8.count < 1100)
    #expect(String(reflecting: try text.bind(sample.people, in: sample.group).condition).utf8.count < 1100)
  }

  @Test func conditionsOfLeavesShowTheirTests() {
    let ages = LeafColumn(sample.people.publicColumns[2])
    let condition = LeafCondition.all([
      .integer(ages, IntegerTest(.greater, 5)), .not(.integer(ages, .null)), .text(ages, TextTest(.beginsWith, Array("A".utf8))),
      .rows(cost: 60) { _, mask, _ in mask },
    ])
    let leaf = "leaf \(ages.leafIndex)"
    #expect(
      String(reflecting: condition)
        == "(\(leaf) in 6...9223372036854775807 && NOT \(leaf) in 1...0 or null && \(leaf) beginsWith {\"A\"} && test of each object (cost 60))")
  }

  @Test func rowsShowAsRuns() {
    var mask = RowMask(first: 3)
    mask.insert(7)
    mask.insert(255)
    #expect(String(reflecting: mask) == "{0...2, 7, 255}")
    #expect(String(reflecting: RowMask.empty) == "{}")
    var scattered = RowMask.empty
    for row in stride(from: 0, to: 256, by: 2) { scattered.insert(row) }
    #expect(String(reflecting: scattered).hasSuffix("38, … (128 rows)}"))
  }

  @Test func ordersShowTheirFirstKeys() throws {
    let keys = (0..<30).map { ObjectKey(Int64($0)) }
    let sequence = KeySequence(keys, isInKeyOrder: true)
    #expect(String(reflecting: sequence).hasPrefix("30 keys, ascending: 0, 1, 2,"))
    #expect(String(reflecting: sequence).hasSuffix(", 19, …"))
    let existing = try plan("TRUEPREDICATE LIMIT(3)").execute()
    let order = try RowOrder(sample.people, existing.reversed())
    #expect(String(reflecting: order) == "3 rows of 1 clusters: " + existing.reversed().map { "\($0.rawValue)" }.joined(separator: ", "))
    #expect(String(reflecting: OrderColumn(sample.people.publicColumns[0], isAscending: false)).hasSuffix(" descending"))
  }
}
