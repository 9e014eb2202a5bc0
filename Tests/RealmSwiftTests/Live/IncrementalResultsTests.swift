import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

final class LiveNode: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 0
  @Persisted var text: String?
  @Persisted var real: Double?
  @Persisted var next: LiveNode?
}

/// Results that are kept up to date object by object are those that asking all objects gives.
@Suite(.mustEnd) struct IncrementalResultsTests {
  private let directory = TestDirectory(inMemory: true)

  private func open() throws -> Realm { try Realm(configuration: directory.configuration([LiveNode.self])) }

  private func queries(_ realm: Realm) -> [Results<LiveNode>] {
    let all = realm.objects(LiveNode.self)
    return [
      all.filter("number > 50"), all.filter("next.number > 50 OR text == 'b'"), all.filter("next.next.number < 30"),
      all.sorted(byKeyPath: "number"), all.sorted(byKeyPath: "number", ascending: false), all.sorted(byKeyPath: "text"),
      all.filter("number < 70").sorted(byKeyPath: "real", ascending: false), all.sorted(byKeyPath: "next.number"),
      all.sorted(by: [SortDescriptor(keyPath: "text", ascending: false), SortDescriptor(keyPath: "number")]),
      all.sorted(byKeyPath: "text").sorted(byKeyPath: "number", ascending: false), all.distinct(by: ["number"]).sorted(byKeyPath: "text"),
      all.sorted(byKeyPath: "text").distinct(by: ["text", "real"]), all.filter("next.text == 'a'").sorted(byKeyPath: "number"),
    ]
  }

  @MainActor @Test(arguments: 1...3) func resultsAreThoseOfAskingAnew(_ number: UInt64) throws {
    let seed = testSeed &+ number
    var random = SeededGenerator(seed: seed)
    let realm = try open()
    try realm.write {
      for id in 0..<700 { fill(realm.create(LiveNode.self, value: ["id": id]), realm, &random) }
    }
    var previous = [[Int]](repeating: [], count: queries(realm).count)
    var tokens: [NotificationToken] = []
    for (index, results) in queries(realm).enumerated() {
      tokens.append(
        results.observe { change in
          let ids = Array(results.map(\.id))
          if case .update(_, let deletions, let insertions, _) = change {
            var copy = previous[index]
            for position in deletions.reversed() { copy.remove(at: position) }
            for position in insertions { copy.insert(ids[position], at: position) }
            #expect(copy == ids, "seed \(seed), query \(index)")
          }
          previous[index] = ids
        })
    }
    realm.refresh()
    var (nextID, incrementalCount) = (700, 0)
    for step in 0..<max(20, trials(full: 2000, tenth: 60)) {
      let before = previous
      try realm.write {
        for _ in 0..<random.below(3) + 1 {
          let objects = realm.objects(LiveNode.self)
          switch random.below(8) {
          case 0:
            fill(realm.create(LiveNode.self, value: ["id": nextID]), realm, &random)
            nextID += 1
          case 1: realm.delete(objects[random.below(objects.count)])
          default: change(objects[random.below(objects.count)], realm, &random)
          }
        }
      }
      realm.refresh()
      if before != previous { incrementalCount += 1 }
      for (index, results) in queries(realm).enumerated() {
        let ids = Array(results.map(\.id))
        if ids != previous[index] {
          Issue.record("seed \(seed), step \(step), query \(index): \(previous[index].count) instead of \(ids.count) objects, or others")
          return
        }
      }
    }
    #expect(incrementalCount > 0)
    for token in tokens { token.invalidate() }
  }

  private func fill(_ node: LiveNode, _ realm: Realm, _ random: inout SeededGenerator) { for _ in 0..<5 { change(node, realm, &random) } }

  private func change(_ node: LiveNode, _ realm: Realm, _ random: inout SeededGenerator) {
    switch random.below(4) {
    case 0: node.number = random.below(100)
    case 1: node.text = [nil, "", "a", "b", "ab", "B"][random.below(6)]
    case 2: node.real = [nil, 0, -0.0, 1.5, .nan, -.infinity][random.below(6)]
    default:
      let all = realm.objects(LiveNode.self)
      node.next = random.below(5) == 0 ? nil : all[random.below(all.count)]
    }
  }
}
