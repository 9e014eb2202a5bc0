import Foundation
import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery
@testable import RealmSwift

class AggregateLeaf: Unlisted {
  @Persisted(indexed: true) var team: Int
  @Persisted var flag: Bool
  @Persisted var int: Int
  @Persisted var intOpt: Int?
  @Persisted var float: Float
  @Persisted var floatOpt: Float?
  @Persisted var double: Double
  @Persisted var doubleOpt: Double?
  @Persisted var decimal: RealmSwift.Decimal128
  @Persisted var decimalOpt: RealmSwift.Decimal128?
  @Persisted var date: Date
  @Persisted var dateOpt: Date?
  @Persisted var any: AnyRealmValue
  @Persisted var next: AggregateLeaf?
}
class AggregateOwner: Unlisted {
  @Persisted var rows: List<AggregateLeaf>
}

/// Aggregates and counts of results, which are computed leaf by leaf, against a loop over the objects.
@Suite(.mustEnd) struct ResultsAggregateTests {
  let directory = TestDirectory()

  private func realm(rows: Int, seed: UInt64) throws -> Realm {
    var random = SeededGenerator(test: seed)
    let realm = try Realm(configuration: directory.configuration([AggregateLeaf.self, AggregateOwner.self]))
    let floats: [Double] = [0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude]
    func double() -> Double { random.below(30) == 0 ? floats[random.below(floats.count)] : Double(random.below(2_000_001) - 1_000_000) / 64 }
    func int() -> Int { random.below(40) == 0 ? [.max, .min, 0][random.below(3)] : random.below(2000) - 1000 }
    func decimal() -> RealmSwift.Decimal128 {
      random.below(50) == 0
        ? (try? RealmSwift.Decimal128(string: "NaN")) ?? 0 : RealmSwift.Decimal128(floatLiteral: Double(random.below(20_000) - 10_000) / 100)
    }
    try realm.write {
      let owner = realm.create(AggregateOwner.self)
      var last: AggregateLeaf?
      for _ in 0..<rows {
        let row = AggregateLeaf()
        row.team = random.below(40)
        row.flag = random.below(2) == 0
        row.int = int()
        row.intOpt = random.below(3) == 0 ? nil : int()
        row.double = double()
        row.doubleOpt = random.below(3) == 0 ? nil : double()
        row.float = Float(random.below(1000)) / 8
        row.floatOpt = random.below(3) == 0 ? nil : random.below(20) == 0 ? .nan : Float(random.below(1000)) / 8
        row.decimal = decimal()
        row.decimalOpt = random.below(3) == 0 ? nil : decimal()
        row.date = Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000)))
        row.dateOpt = random.below(3) == 0 ? nil : Date(timeIntervalSinceReferenceDate: -Double(random.below(1_000_000)))
        row.any = [.none, .int(random.below(100)), .double(0.25), .string("text"), .bool(true), .decimal128(3)][random.below(6)]
        row.next = random.below(3) == 0 ? nil : last
        realm.add(row)
        if random.below(4) == 0 { owner.rows.append(row) }
        last = row
      }
    }
    return realm
  }

  private static let numbers = ["int", "intOpt", "float", "floatOpt", "double", "doubleOpt", "decimal", "decimalOpt", "any"]

  /// Checks all aggregates and the count of one collection.
  /// - Parameter isSummedInOrder: sums of floating-point numbers have to be the same to the last bit.
  private func check(_ results: Results<AggregateLeaf>, isSummedInOrder: Bool, _ comment: Testing.Comment) throws {
    let core = results.base
    let binding = try #require(core.target)
    // Before anything is evaluated.
    let fresh = ResultsCore(core.core, core.source, target: core.target, step: core.step)
    let count = try fresh.count()
    let objects = Array(results)
    #expect(count == objects.count, comment)
    for name in Self.numbers + ["date", "dateOpt"] {
      let values = try objects.map { try $0.dynamicValue(name).flatMap { DynamicInput.engineValue($0) } ?? .null }
      let functions: [AggregateFunction] = name.hasPrefix("date") ? [.min, .max] : [.min, .max, .sum, .average]
      for function in functions {
        let expected = ValueAggregate.compute(function, values, isMixed: name == "any")
        let slot = try #require(binding.slot(name))
        for results in [ResultsCore(core.core, core.source, target: core.target, step: core.step), core] {
          let value = try results.aggregate(function, slot: slot)
          #expect(
            Self.agree(value, expected, isExact: isSummedInOrder),
            "\(name) \(function): \(String(describing: value)), not \(String(describing: expected)); \(comment)")
        }
      }
    }
  }

  private static func agree(_ a: Value?, _ b: Value?, isExact: Bool) -> Bool {
    switch (a, b) {
    case (nil, nil): return true
    case (.double(let x)?, .double(let y)?):
      if x == y || x.isNaN && y.isNaN { return true }
      // Infinities of both signs, or an overflow on the way, make the order of additions visible.
      return !isExact && (abs(x - y) <= 1e-9 * Swift.max(abs(x), abs(y), 1e300) || !x.isFinite || !y.isFinite)
    case (let x?, let y?): return x.typeName == y.typeName && Value.compare(x, y) == 0
    default: return false
    }
  }

  @Test(arguments: sample([(0, 1), (700, 2), (3000, 3), (9000, 4)] as [(Int, UInt64)]))
  func aggregatesAgreeWithALoop(rows: Int, _ number: UInt64) throws {
    let seed = testSeed &+ number
    let realm = try realm(rows: rows, seed: seed)
    let all = realm.objects(AggregateLeaf.self)
    let isInOrder = rows <= 4096
    func check(_ results: Results<AggregateLeaf>, _ what: String) throws {
      try self.check(results, isSummedInOrder: isInOrder, "\(what), seed \(seed)")
    }
    try check(all, "all")
    for team in [3, 77] { try check(all.where { $0.team == team }, "an indexed property") }
    try check(all.where { $0.flag && $0.int > 0 }, "two conditions")
    try check(all.where { $0.flag }.where { $0.intOpt != nil }.where { $0.double < 5 }, "conditions one after the other")
    try check(all.where { $0.next.flag }, "over a link")
    try check(all.filter("team < 0"), "nothing")
    try self.check(all.where { $0.flag }.sorted(byKeyPath: "int"), isSummedInOrder: false, "sorted, seed \(seed)")
    try check(all.where { $0.flag }.distinct(by: ["team"]), "distinct")
    let owner = try #require(realm.objects(AggregateOwner.self).first)
    try check(owner.rows.where { $0.flag }, "of a list")
    #expect(owner.rows.sum(of: \.intOpt) == owner.rows.reduce(0) { $0 &+ ($1.intOpt ?? 0) })
    try check(all.freeze().where { $0.flag }, "frozen")
    realm.beginWrite()
    for row in Array(all.prefix(100)) { row.int = 5 }
    realm.delete(Array(all.suffix(3)))
    try check(all.where { $0.int == 5 }, "in a write transaction")
    realm.cancelWrite()
    try check(all.where { $0.int == 5 }, "after a rollback")
  }

  @Test func conditionsComeBeforeDistinctHoweverTheyWereAdded() throws {
    let realm = try realm(rows: 500, seed: 9)
    let all = realm.objects(AggregateLeaf.self)
    let early = all.filter("int > 0").distinct(by: ["team"])
    let late = all.distinct(by: ["team"]).filter("int > 0")
    #expect(late.map(\.team) == early.map(\.team))
    #expect(late.map(\.int) == early.map(\.int))
    #expect(late.count == early.count)
    #expect(early.allSatisfy { $0.int > 0 })
    // A later sort is primary, the earlier one breaks ties, and conditions between them do not matter.
    let sorted = all.sorted(byKeyPath: "int").filter("flag == true").sorted(byKeyPath: "team", ascending: false).filter("int != 5")
    let expected = all.filter { $0.flag && $0.int != 5 }.sorted { ($1.team, $0.int) < ($0.team, $1.int) }
    #expect(sorted.map(\.team) == expected.map(\.team))
    #expect(sorted.map(\.int) == expected.map(\.int))
  }

  @Test @MainActor func whatCannotThrowAnswersInACancelledTask() async throws {
    let realm = try realm(rows: 600, seed: 5)
    let task = Task { @MainActor in
      while !Task.isCancelled { await Task.yield() }
      let all = realm.objects(AggregateLeaf.self)
      let positive = all.where { $0.int > 0 && $0.decimal > -1000 }
      let sum: Int = positive.sum(of: \.team)
      let list = try #require(realm.objects(AggregateOwner.self).first).rows.where { $0.flag }
      return [positive.count, Array(positive).count, sum, list.count]
    }
    task.cancel()
    let numbers = try await task.value
    #expect(numbers[0] > 0 && numbers[0] == numbers[1] && numbers[2] > 0 && numbers[3] > 0)
  }
}
