import Foundation
import Randomness
import RealmStorage
import Synchronization
import TestSupport
import Testing

@testable import RealmQuery

/// Counts the questions of an evaluation and says yes from one of them on.
private final class Probe: Sendable {
  private let counter = Atomic(0)
  private let limit: Int
  init(yesFrom limit: Int = .max) { self.limit = limit }

  var count: Int { counter.load(ordering: .relaxed) }
  var cancellation: Cancellation { Cancellation { self.counter.add(1, ordering: .relaxed).newValue >= self.limit } }
}

/// 24 clusters of items, 12 of teams; every item links to team 0, some to others too.
private final class Wide: Sendable {
  static let itemCount = 6000, teamCount = 3000
  static let itemClusters = (itemCount + 255) / 256, teamClusters = (teamCount + 255) / 256
  static let shared = Result { try make() }

  private static func make() throws -> Database {
    // The file needs no name once it is open.
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      let team = try group.addTable("class_Team")
      try team.addColumn(ColumnDefinition("size", .int))
      try team.addIndex(team.addColumn(ColumnDefinition("code", .string)))
      let item = try group.addTable("class_Item")
      for (name, type, attributes) in [
        ("plain", .int, []), ("score", .double, []), ("long", .string, []), ("price", .decimal, .nullable), ("extra", .mixed, .nullable),
        ("values", .int, .list),
      ] as [(String, ColumnType, ColumnAttributes)] {
        try item.addColumn(ColumnDefinition(name, type, attributes))
      }
      try item.addFullTextIndex(item.addColumn(ColumnDefinition("text", .string)))
      for (name, type) in [("number", .int), ("name", .string)] as [(String, ColumnType)] {
        try item.addIndex(item.addColumn(ColumnDefinition(name, type)))
      }
      try item.addColumn(ColumnDefinition("team", .link, .nullable, target: team.key))
      try item.addColumn(ColumnDefinition("home", .link, .nullable, target: team.key))
      try item.addColumn(ColumnDefinition("teams", .link, .list, target: team.key))
      var teams: [ObjectKey] = []
      for number in 0..<teamCount {
        let key = try team.createObject()
        teams.append(key)
        try team.set(key, team.column(named: "size").key, .int(Int64(number)))
        try team.set(key, team.column(named: "code").key, Value("code \(number)"))
      }
      for number in 0..<itemCount {
        let key = try item.createObject()
        func set(_ name: String, _ value: Value) throws(StorageError) { try item.set(key, item.column(named: name).key, value) }
        let mixed = number * 7919 % itemCount
        try set("plain", .int(Int64(mixed)))
        try set("score", .double(Double(mixed) / 3))
        try set("long", Value("all of these begin with the same words and differ late \(mixed)"))
        // More digits than a sort key holds.
        try set("price", .decimal(Decimal128(isNegative: false, coefficient: 10_000_000_000_000_000 + UInt128(mixed), exponent: -4)))
        try set("extra", mixed % 2 == 0 ? .int(Int64(mixed)) : Value("text \(mixed)"))
        try set("text", Value("every word \(mixed % 10)"))
        try set("number", .int(Int64(mixed)))
        try set("name", Value("n\(mixed)"))
        try set("team", .link(teams[0]))
        try set("home", .link(teams[mixed % teamCount]))
        try item.collection(key, item.column(named: "values").key).append(.int(Int64(mixed)))
        try item.collection(key, item.column(named: "teams").key).append(.link(teams[mixed % teamCount]))
      }
    }
    return database
  }
}

@Suite(.mustEnd) struct CancellationTests {
  let snapshot: Snapshot
  let group: Group
  let items: Table
  let teams: Table
  init() throws {
    snapshot = try Wide.shared.get().snapshot()
    group = try snapshot.openGroup()
    items = try #require(try group.table(named: "class_Item"))
    teams = try #require(try group.table(named: "class_Team"))
  }

  private func plan(_ text: String, _ table: Table? = nil, _ options: QueryPlan.Options = []) throws -> QueryPlan {
    var plan = try Query(text).bind(table ?? items, in: group)
    plan.options = options
    return plan
  }

  /// Lets an evaluation run to its end, and then be given up at its first, its last and some other questions.
  /// - Parameter least: how often it has to ask: once for each leaf and each block that is moved about.
  private func check<Answer: Equatable>(
    _ plan: QueryPlan, asksAtLeast least: Int, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ evaluate: (QueryPlan) throws -> Answer
  ) throws {
    var plan = plan
    let options = plan.options
    plan.options.insert(.ignoresCancellation)
    let nobody = Probe(yesFrom: 1)
    plan.cancellation = nobody.cancellation
    let expected = try evaluate(plan)
    #expect(nobody.count == 0, "an evaluation that ignores cancellation asked", sourceLocation: sourceLocation)

    plan.options = options
    let patient = Probe()
    plan.cancellation = patient.cancellation
    #expect(try evaluate(plan) == expected, what, sourceLocation: sourceLocation)
    let total = patient.count
    #expect(total >= least, what, sourceLocation: sourceLocation)
    if total == 0 { return }
    var random = SeededGenerator(seed: testSeed)
    for limit in [1, 2, total] + (0..<(isFullRun ? 20 : 2)).map({ _ in 1 + random.below(total) }) where limit <= total {
      let probe = Probe(yesFrom: limit)
      plan.cancellation = probe.cancellation
      #expect(throws: QueryError.cancelled, "\(what): question \(limit) of \(total), seed \(testSeed)", sourceLocation: sourceLocation) {
        try evaluate(plan)
      }
      #expect(probe.count == limit, "\(what): went on after a yes", sourceLocation: sourceLocation)
    }
  }

  // MARK: Conditions

  private static let clusters = Wide.itemClusters
  static let conditions: [(text: String, least: Int)] = [
    ("plain >= 3000", clusters), ("plain == -5", clusters), ("score > 100", clusters), ("long CONTAINS 'words'", clusters),
    ("long ENDSWITH '7' || plain < 100", clusters), ("NOT (plain < 100 && score > 5)", clusters), ("plain * 2 > 6000", clusters),
    ("extra > 5", clusters), ("price > 3", clusters),
    // Conditions on other classes, which are evaluated for all their objects.
    ("home.size >= 1000", clusters + Wide.teamClusters), ("home.code ENDSWITH '7'", clusters + Wide.teamClusters),
    ("ANY teams.size > 2000", clusters + Wide.teamClusters), ("NONE teams.size == 5", clusters + Wide.teamClusters),
    ("SUBQUERY(teams, $t, $t.size > 3).@count > 0", clusters + Wide.teamClusters),
    // Each collection is asked about on its own.
    ("values.@sum > 100", Wide.itemCount), ("values.@max > 100", Wide.itemCount), ("ALL values > 100", Wide.itemCount),
    ("teams.@max.size > 100", Wide.itemCount), ("teams.@count > 0", clusters),
    ("text TEXT 'word -3'", clusters), ("plain IN {\((0..<5000).map { String($0 * 3) }.joined(separator: ","))}", clusters + 2),
    ("long IN {\((0..<5000).map { "'\($0)'" }.joined(separator: ","))}", clusters),
  ]

  @Test(arguments: sample(Array(conditions.indices)))
  func `a condition is given up at the next leaf`(index: Int) throws {
    let (text, least) = Self.conditions[index]
    let plan = try plan(text, nil, .ignoresIndexes)
    let what = Comment(rawValue: String(text.prefix(80)))
    try check(plan, asksAtLeast: least, what) { try $0.execute() }
    try check(plan, asksAtLeast: least, what) { try $0.count() }
    try check(plan, asksAtLeast: 1, what) { try $0.first() }
    try check(plan, asksAtLeast: 1, what) { try $0.isEmpty() }
    try check(plan, asksAtLeast: least, what) { try $0.explain().resultCount }
  }

  @Test(arguments: ["plain >= 3000", "home.size > 10", "values.@sum > 100", "ANY teams.size > 2000", "SUBQUERY(teams, $t, $t.size > 3).@count > 0"])
  func `object by object, every 256th object asks`(text: String) throws {
    try check(plan(text, nil, .evaluatesEachObject), asksAtLeast: 2 * Self.clusters, "\(text)") { try $0.execute() }
    let keys = try items.keys()
    try check(plan(text), asksAtLeast: Self.clusters, "\(text)") { try $0.execute(.keys(keys)) }
  }

  @Test func `one object with many links asks at every leaf of them`() throws {
    // Team 0 has 6000 backlinks.
    for text in ["@links.Item.team.plain > 3000", "@links.Item.team.@max.plain > 5", "SUBQUERY(@links.Item.team, $i, $i.plain > 3).@count > 5"] {
      let plan = try plan(text, teams, .evaluatesEachObject)
      try check(plan, asksAtLeast: Wide.teamClusters + Wide.itemCount / 256, "\(text)") { try $0.execute() }
      let probe = Probe()
      let team = try teams.row(ObjectKey(teams.keys()[0].rawValue))
      _ = try plan.condition.matches(team, probe.cancellation)
      #expect(probe.count >= Wide.itemCount / 256, "\(text)")
    }
  }

  @Test func `between two questions no condition sees more than one cluster`() throws {
    let rowsSeen = Locked(0)
    let most = Locked(0)
    let cancellation = Cancellation {
      rowsSeen.withLock { seen in
        most.withLock { $0 = max($0, seen) }
        seen = 0
      }
      return false
    }
    let counting = LeafCondition.rows(cost: 50) { (_, mask, _) throws(StorageError) in
      rowsSeen.withLock { $0 += mask.count }
      return mask
    }
    let plain = LeafColumn(try items.column(named: "plain"))
    for condition in [counting, .not(counting), .all([.integer(plain, IntegerTest(.greater, 5)), counting]), .any([counting, .never])] {
      let scan = TableScan(items, condition, cancellation)
      _ = try scan.keys()
      _ = try scan.count()
      _ = try scan.integerTotals(plain)
      var rows = try RowOrder(scan)
      try rows.sort(by: [OrderColumn(items.column(named: "plain"))])
    }
    #expect(most.withLock { $0 } == 256)
  }

  // MARK: Orders

  @Test(
    arguments: sample(
      [
        ("SORT(plain ASC)", 4), ("SORT(score DESC)", 4), ("SORT(long ASC)", 6), ("SORT(price ASC)", 5), ("SORT(extra ASC)", 20),
        ("SORT(home.size ASC)", 5), ("SORT(home.code DESC, plain ASC)", 8), ("SORT(team.size ASC)", 5), ("DISTINCT(plain)", 5),
        ("DISTINCT(home.size, long)", 8), ("DISTINCT(extra)", 20), ("SORT(plain ASC) LIMIT(10)", 1), ("LIMIT(5999)", 1),
        ("SORT(plain DESC) LIMIT(5500) DISTINCT(score)", 8), ("DISTINCT(score) SORT(long ASC)", 8),
      ] as [(String, Int)]))
  func `orders are given up after a few thousand rows`(text: String, blocks: Int) throws {
    let least = Self.clusters + (text.hasPrefix("LIMIT") ? 0 : Self.clusters) + blocks - 1
    try check(plan("TRUEPREDICATE \(text)"), asksAtLeast: text.contains("LIMIT(10)") ? Self.clusters : least, "\(text)") { try $0.execute() }
    try check(plan("plain >= 100 \(text)"), asksAtLeast: Self.clusters, "\(text)") { try $0.execute() }
    let keys = Array(try items.keys().reversed())
    try check(plan("TRUEPREDICATE \(text)"), asksAtLeast: Self.clusters, "\(text)") { try $0.arrange(keys) }
  }

  // MARK: Aggregates

  @Test(arguments: ["plain", "score", "price", "extra"], [AggregateFunction.min, .max, .sum, .average])
  func `aggregates ask at every leaf`(property: String, function: AggregateFunction) throws {
    let aggregate = try PropertyAggregate(items, property)
    for text in ["TRUEPREDICATE", "plain >= 1000", "TRUEPREDICATE LIMIT(5000)"] {
      try check(plan(text), asksAtLeast: Self.clusters - 4, "\(function) of \(property), \(text)") {
        try $0.compute(function, aggregate).value.queryText
      }
    }
    for source in [QueryPlan.Source.table, .keys(try items.keys())] {
      let probe = Probe(yesFrom: 3)
      #expect(throws: StorageError.interrupted) { try aggregate.compute(function, over: source, probe.cancellation) }
      #expect(probe.count == 3)
    }
  }

  // MARK: Indexes

  @Test(
    arguments: [
      ("number == 17", 0), ("number == 17 && plain > 3", 1), ("number IN {\((0..<6).map(String.init).joined(separator: ","))}", 6),
      ("name BEGINSWITH 'n123'", 1), ("name BEGINSWITH 'n123' && plain > 3", 1), ("number == 3 || name == 'n5'", 3), ("home.code == 'code 7'", 1),
      ("home.code BEGINSWITH 'code 77'", 1), ("ANY teams.code == 'code 7'", 1), ("text TEXT 'every'", 2), ("text TEXT 'e* -3'", 2),
    ] as [(String, Int)])
  func `indexes ask for each value and node, and candidates for every 256`(text: String, least: Int) throws {
    let plan = try plan(text)
    #expect(try plan.selectedIndex() != nil, "\(text)")
    try check(plan, asksAtLeast: least, "\(text)") { try $0.execute() }
    try check(plan, asksAtLeast: 0, "\(text)") { try $0.count() }
  }

  // MARK: Tasks

  @Test func `without a task nobody is asked`() async throws {
    #expect(Cancellation.ofCurrentTask != nil)
    let isNone = await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: Cancellation.ofCurrentTask == nil) }.start()
    }
    #expect(isNone)
  }

  @Test func `a task that is cancelled on the way ends its evaluation`() async throws {
    let (outcome, seen) = try await Task {
      let snapshot = try Wide.shared.get().snapshot()
      let items = try #require(try snapshot.openGroup().table(named: "class_Item"))
      var clusterCount = 0
      let rows = LeafCondition.rows(cost: 50) { (_, mask, _) throws(StorageError) in
        clusterCount += 1
        if clusterCount == 5 { withUnsafeCurrentTask { $0?.cancel() } }
        return mask
      }
      do throws(StorageError) { return ("\(try TableScan(items, rows, .ofCurrentTask).count())", 0) } catch { return ("\(error)", clusterCount) }
    }.value
    #expect(outcome == "interrupted")
    #expect(seen == 5)
  }

  // MARK: Sorting

  @Test(arguments: [0, 1, 4095, 4096, 4097, 8192, 12_289, 20_000])
  func `the sort that can be given up sorts like the other`(count: Int) throws {
    var random = SeededGenerator(seed: testSeed)
    let numbers = (0..<count).map { (key: random.below(50), position: $0) }
    var sorted = numbers
    let probe = Probe()
    try sorted.sort(probe.cancellation) { $0.key < $1.key }
    #expect(sorted.map(\.position) == numbers.sorted { ($0.key, $0.position) < ($1.key, $1.position) }.map(\.position), "seed \(testSeed)")
    if count > Cancellation.blockSize { #expect(probe.count >= 2 * count / Cancellation.blockSize) }
    var packed = (0..<count).map { _ in UInt64(random.below(.max)) }
    let expected = packed.sorted()
    try sortPacked(&packed, lowestBit: 0, probe.cancellation)
    #expect(packed == expected)
    let members = packed.map { Int64(bitPattern: $0 &* 2) }
    #expect(try IntegerSet(members, probe.cancellation).members == Set(members).sorted())
  }
}
