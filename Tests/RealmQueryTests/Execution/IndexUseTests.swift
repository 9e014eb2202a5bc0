import Foundation
import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Indexes for ranges, prefixes and properties behind links, against the plain scan.
@Suite struct IndexUseTests {
  private static let rowCount = 12_000
  private static let shared = Result { try make() }

  private static func make() throws -> Database {
    // The file needs no name once it is open.
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      // The same objects in every run: which index is worth it depends on how many have a value.
      var random = SeededGenerator(seed: 4)
      let team = try group.addTable("class_Team")
      for (name, type) in [("name", .string), ("size", .int)] as [(String, ColumnType)] {
        try team.addIndex(team.addColumn(ColumnDefinition(name, type, .nullable)))
      }
      let item = try group.addTable("class_Item")
      for (name, type, attributes) in [
        ("name", .string, .nullable), ("word", .string, []), ("number", .int, []), ("optional", .int, .nullable), ("id", .objectID, []),
        ("token", .uuid, .nullable),
      ] as [(String, ColumnType, ColumnAttributes)] {
        try item.addIndex(item.addColumn(ColumnDefinition(name, type, attributes)))
      }
      try item.addColumn(ColumnDefinition("plain", .int))
      try item.addColumn(ColumnDefinition("team", .link, .nullable, target: team.key))
      try item.addColumn(ColumnDefinition("teams", .link, .list, target: team.key))
      try item.addColumn(ColumnDefinition("named", .link, [.dictionary, .nullable], target: team.key))
      try item.addColumn(ColumnDefinition("parent", .link, .nullable, target: item.key))
      var teams: [ObjectKey] = []
      for number in 0..<400 {
        let key = try team.createObject()
        teams.append(key)
        if number % 9 != 0 { try team.set(key, team.column(named: "name").key, Value("team \(number % 150)")) }
        if number % 7 != 0 { try team.set(key, team.column(named: "size").key, .int(Int64(number % 90))) }
      }
      var last: [ObjectKey] = []
      for _ in 0..<rowCount {
        let key = try item.createObject()
        func set(_ name: String, _ value: Value) throws(StorageError) { try item.set(key, item.column(named: name).key, value) }
        func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        if number(50) != 0 { try set("name", Value("n" + String(number(90_000), radix: 36))) }
        try set("word", Value(String((0..<number(6)).map { _ in ["X", "a", "b", "é", "\0"][number(5)] }.joined())))
        try set("number", .int(Int64(number(40_000)) - 20_000))
        if number(4) != 0 { try set("optional", .int(Int64(number(5000)))) }
        try set("id", .objectID(ObjectID(high: UInt64(number(500)) << 40, low: UInt32(number(100)))))
        if number(5) != 0 { try set("token", .uuid(UUIDBytes(high: random.next(), low: 7))) }
        try set("plain", .int(Int64(number(10))))
        if number(5) != 0 { try set("team", .link(teams[number(400)])) }
        if let parent = last.last, number(3) != 0 { try set("parent", .link(number(2) == 0 ? parent : last[number(last.count)])) }
        for _ in 0..<number(3) { try item.collection(key, item.column(named: "teams").key).append(.link(teams[number(400)])) }
        if number(6) == 0 { try item.collection(key, item.column(named: "named").key).set(key: Array("k".utf8), .link(teams[number(400)])) }
        last.append(key)
      }
    }
    try database.snapshot().openGroup().check()
    return database
  }

  let snapshot: Snapshot
  let group: Group
  let items: Table
  init() throws {
    snapshot = try Self.shared.get().snapshot()
    group = try snapshot.openGroup()
    items = try #require(try group.table(named: "class_Item"))
  }

  private func plan(_ text: String) throws -> QueryPlan { try Query(text).bind(items, in: group) }

  /// Compares with the scan.
  /// - Returns: what the index was asked, nil if it was not.
  @discardableResult private func check(_ text: String) throws -> String? {
    var plan = try plan(text)
    let used = try plan.selectedIndex()
    let keys = try plan.execute()
    let (count, first) = (try plan.count(), try plan.first())
    let aggregate = try PropertyAggregate(items, "plain")
    let sum = try plan.compute(.sum, aggregate).value
    let explanation = try plan.explain()
    #expect(explanation.resultCount == keys.count, "\(text)")
    if let used { #expect(explanation.steps[0].text == "index of \(used.text)") }
    plan.options = .ignoresIndexes
    #expect(try plan.execute() == keys, "\(text)")
    #expect(count == keys.count && first == keys.first, "\(text)")
    #expect(try plan.compute(.sum, aggregate).value.queryText == sum.queryText, "\(text)")
    return used?.text
  }

  @Test(
    arguments: sample(
      [
        ("name BEGINSWITH 'n1f0'", "name (range)"), ("name BETWEEN {'n1f0', 'n1f4'}", "name (range)"), ("name < 'n1'", nil),
        ("name > 'nzz'", "name (range)"),
        ("name >= 'n1f0' && name < 'n1f1'", "name (range)"), ("name >= 'n'", nil), ("name BEGINSWITH 'n'", nil), ("name BEGINSWITH ''", nil),
        ("name BEGINSWITH 'n1f0' && plain == 3", "name (range)"), ("name BEGINSWITH[c] 'N1F0'", nil), ("name ENDSWITH 'n1f0'", nil),
        ("number BETWEEN {5, 8}", "number (range)"), ("number > 5 && number < 9", "number (range)"), ("number > 5", nil),
        ("number > 5 && number < 5", "number (range)"),
        ("id > oid(0001f2000000000000000000)", "id (range)"), ("id < oid(0001f2000000000000000000)", nil),
        ("name BEGINSWITH 'n1f0' || name BEGINSWITH 'n2f0'", "name (range) or name (range)"), ("NOT name BEGINSWITH 'n1f0'", nil),
        ("team.name == 'team 149'", "team.name, and links back"), ("team.name == NULL", nil), ("team.name == 'none'", "team.name, and links back"),
        ("ANY teams.name == 'team 149'", "teams.name, and links back"), ("ALL teams.name == 'team 149'", nil), ("NONE teams.name == 'team 149'", nil),
        ("named.name == 'team 149'", "named.name, and links back"), ("team.size == 3", "team.size, and links back"), ("team.size != 3", nil),
        ("parent.name BEGINSWITH 'n1f0'", "parent.name (range), and links back"),
        ("parent.parent.name BEGINSWITH 'n1f0'", "parent.parent.name (range), and links back"),
        ("parent.team.name == 'team 149'", "parent.team.name, and links back"),
        ("team.name == 'team 149' && plain == 3", "team.name, and links back"),
        ("parent.name < 'n01'", "parent.name (range), and links back"), ("parent.name <= 'n1'", "parent.name (range), and links back"),
        ("parent.name <= NULL", nil),
      ] as [(String, String?)]))
  func `an index is used where it names few objects`(text: String, index: String?) throws {
    #expect(try check(text) == index)
  }

  @Test func `ranges and links have the answers of the scan`() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    func text() -> String { "'n" + String(String(number(90_000), radix: 36).prefix(1 + number(4))) + "'" }
    func word() -> String {
      "B64\"" + Data((0..<number(7)).map { _ in [0x58, 0x61, 0x62, 0xC3, 0xA9, 0, 0x57][number(7)] }).base64EncodedString() + "\""
    }
    func relation() -> String { ["<", "<=", ">", ">="][number(4)] }
    func part() -> String {
      switch number(11) {
      case 0: "name \(relation()) \(text())"
      case 1: "name BEGINSWITH \(text())"
      case 2: "word \(relation()) \(word())"
      case 3: "word BEGINSWITH \(word())"
      case 4: "word BETWEEN {\(word()), \(word())}"
      case 5: "number \(relation()) \(number(40_000) - 20_000)"
      case 6: "optional BETWEEN {\(number(5000)), \(number(5000))}"
      case 7: "id \(relation()) oid(0000\(String(0x1000 + number(0x1000), radix: 16))0000000000000000)"
      case 8: "token \(relation()) uuid(\(String(0x1000_0000 + number(0xEFFF_FFFF), radix: 16))-0000-0000-0000-000000000007)"
      case 9: "team.name \(["==", "<", "BEGINSWITH"][number(3)]) 'team \(number(150))'"
      default: "ANY teams.size \(relation()) \(number(90))"
      }
    }
    var used = 0
    for _ in 0..<max(60, trials(full: 1500, tenth: 150)) {
      var condition = part()
      for _ in 0..<number(3) { condition = "\(condition) \(["&&", "||"][number(2)]) \(number(8) == 0 ? "NOT " : "")\(part())" }
      if try check(condition) != nil { used += 1 }
    }
    #expect(used > 0, "seed \(seed)")
  }
}
