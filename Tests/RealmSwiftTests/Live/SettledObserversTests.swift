import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

private final class Leaf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
}

private final class Branch: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var leaf: Leaf?
  @Persisted var leaves: List<Leaf>
  @Persisted var numbers: List<Int>
}

private final class Stone: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
}

/// Observers are asked only about changes that may concern them, and miss none of those.
@MainActor @Suite(.mustEnd) struct SettledObserversTests {
  /// Counts how often it is asked.
  private final class Asked: Observation {
    var count = 0
    let interests: ObservationInterest?

    init(_ core: RealmCore, _ interests: ObservationInterest?) {
      self.interests = interests
      super.init(core)
    }

    override func interest(_ group: Group) -> ObservationInterest? { interests }
    override func advance(_ step: VersionStep) -> (() -> Void)? {
      count += 1
      return nil
    }
  }

  private let directory = TestDirectory()
  private let realm: Realm

  init() throws {
    realm = try Realm(configuration: directory.configuration([Leaf.self, Branch.self, Stone.self]))
    try realm.write { [realm] in
      for id in 0..<20 {
        let leaf = realm.create(Leaf.self, value: ["id": id, "number": id])
        let branch = realm.create(Branch.self, value: ["id": id, "number": id])
        branch.leaf = leaf
        branch.leaves.append(leaf)
        realm.create(Stone.self, value: ["id": id, "number": id])
      }
    }
  }

  private func table(_ type: Object.Type) throws -> TableKey { try realm.core.binding(of: type).tableKey }
  private func observe(_ interests: ObservationInterest?) throws -> (Asked, NotificationToken) {
    try realm.core.prepareToObserve()
    let (asked, token) = (Asked(realm.core, interests), NotificationToken(credit: nil))
    realm.core.observe(asked, token)
    return (asked, token)
  }

  @Test func nobodyIsAskedAboutWhatDoesNotConcernThem() throws {
    let stone = try #require(realm.object(ofType: Stone.self, forPrimaryKey: 3))
    let place = ObjectLink(table: try table(Stone.self), key: stone.key)
    let (ofStones, a) = try observe(ObservationInterest(tables: [table(Stone.self)]))
    let (ofOneStone, b) = try observe(ObservationInterest(objects: [place]))
    let (ofLeaves, c) = try observe(ObservationInterest(tables: [table(Leaf.self)]))
    let (ofAnything, d) = try observe(nil)
    realm.refresh()
    try realm.write { realm.object(ofType: Stone.self, forPrimaryKey: 4)?.number += 1 }
    realm.refresh()
    #expect([ofStones, ofOneStone, ofLeaves, ofAnything].map(\.count) == [1, 0, 0, 1])
    try realm.write { stone.number += 1 }
    realm.refresh()
    #expect([ofStones, ofOneStone, ofLeaves, ofAnything].map(\.count) == [2, 1, 0, 2])
    try realm.write { realm.delete(stone) }
    realm.refresh()
    #expect([ofStones, ofOneStone, ofLeaves, ofAnything].map(\.count) == [3, 2, 0, 3])
    try realm.write { realm.create(Leaf.self, value: ["id": 100]) }
    realm.refresh()
    #expect([ofStones, ofOneStone, ofLeaves, ofAnything].map(\.count) == [3, 2, 1, 4])
    [a, b, c, d].forEach { $0.invalidate() }
  }

  /// Each of these was not asked about some commits before the one that concerns it.
  @Test func whoWasNotAskedForAWhileIsToldOfWhatConcernsThem() throws {
    let branch = try #require(realm.object(ofType: Branch.self, forPrimaryKey: 1))
    var told: [String] = []
    let tokens = [
      realm.objects(Leaf.self).where { $0.number > 5 }.observe { if case .update = $0 { told.append("results") } },
      realm.objects(Leaf.self).observe { if case .update = $0 { told.append("class") } },
      branch.leaves.observe { if case .update = $0 { told.append("list") } },
      branch.numbers.observe { if case .update = $0 { told.append("numbers") } },
      branch.observe { (_: ObjectChange<Branch>) in told.append("object") },
      realm.objects(Branch.self).sorted(byKeyPath: "leaf.number").observe { if case .update = $0 { told.append("by link") } },
    ]
    realm.refresh()
    func commit(_ block: () -> Void) throws -> [String] {
      told = []
      for _ in 0..<3 { try realm.write { realm.object(ofType: Stone.self, forPrimaryKey: 0)?.number += 1 } }
      #expect(told.isEmpty)
      try realm.write(block)
      realm.refresh()
      return told.sorted()
    }
    #expect(try commit { realm.object(ofType: Leaf.self, forPrimaryKey: 9)?.number = 10 } == ["by link", "class", "results"])
    #expect(try commit { realm.object(ofType: Leaf.self, forPrimaryKey: 1)?.number = 2 } == ["by link", "class", "list"])
    #expect(try commit { branch.numbers.append(3) } == ["by link", "numbers", "object"])
    #expect(try commit { branch.leaves.removeAll() } == ["by link", "list", "object"])
    #expect(try commit { realm.delete(branch) } == ["by link", "numbers", "object"])
    tokens.forEach { $0.invalidate() }
  }

  @Test func resultsThatNothingConcernedAreNotLookedForAgain() throws {
    let results = realm.objects(Leaf.self).where { $0.number > 5 }
    let token = results.observe { _ in }
    realm.refresh()
    for _ in 0..<3 { try realm.write { realm.object(ofType: Stone.self, forPrimaryKey: 0)?.number += 1 } }
    realm.refresh()
    #expect(results.base.presentContents?.count == 14)
    try realm.write { realm.object(ofType: Leaf.self, forPrimaryKey: 9)?.number = 0 }
    #expect(results.count == 13)
    token.invalidate()
  }

  /// The version that those hold who have nothing to say goes with the last of them, and with each commit.
  @Test func noVersionIsHeldBack() throws {
    let token = realm.objects(Leaf.self).observe { _ in }
    realm.refresh()
    for _ in 0..<20 { try realm.write { realm.object(ofType: Stone.self, forPrimaryKey: 0)?.number += 1 } }
    #expect(realm.core.file.database.numberOfVersions <= 3)
    token.invalidate()
  }

  @Test func aThousandObserversThatComeAndGoLeaveNothingBehind() throws {
    for _ in 0..<5 {
      let tokens = realm.objects(Branch.self).flatMap { branch in (0..<20).map { _ in branch.leaves.observe { _ in } } }
      realm.refresh()
      try realm.write { realm.object(ofType: Leaf.self, forPrimaryKey: 0)?.number += 1 }
      tokens.forEach { $0.invalidate() }
      try realm.write { realm.object(ofType: Leaf.self, forPrimaryKey: 0)?.number += 1 }
    }
    #expect(realm.core.liveObservers.listedCount == 0)
  }
}
