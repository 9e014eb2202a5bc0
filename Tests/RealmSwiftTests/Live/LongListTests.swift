import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

final class LongListItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var note = 0
}

final class LongList: Object {
  @Persisted var items: List<LongListItem>
  @Persisted var others: MutableSet<LongListItem>
}

/// In lists so long that the places of elements are noted, changed elements are told of at their places.
@Suite(.mustEnd) struct LongListTests {
  private let directory = TestDirectory(inMemory: true)

  @MainActor @Test(arguments: 1...2) func changedElementsAreFoundWhereTheyAre(_ number: UInt64) throws {
    let seed = testSeed &+ number
    var random = SeededGenerator(seed: seed)
    let realm = try Realm(configuration: directory.configuration([LongListItem.self, LongList.self]))
    let objectCount = 5000
    let list = try realm.write {
      for id in 0..<objectCount { realm.create(LongListItem.self, value: ["id": id]) }
      let owner = realm.create(LongList.self)
      // In no order, and some more than once.
      for _ in 0..<5000 { owner.items.append(objectsIn: [realm.objects(LongListItem.self)[random.below(objectCount)]]) }
      return owner.items
    }
    var reported: (deletions: [Int], insertions: [Int], modifications: [Int])?
    let token = list.observe { change in
      if case .update(_, let deletions, let insertions, let modifications) = change { reported = (deletions, insertions, modifications) }
    }
    realm.refresh()
    var ids = Array(list.map(\.id))
    var modifiedCount = 0
    for step in 0..<trials(full: 5000, tenth: 200) {
      var changed: Set<Int> = []
      try realm.write {
        if step % 3 == 0 { for _ in 0...random.below(4) { edit(list, realm, &random) } }
        if step % 50 == 24, list.count < objectCount { for _ in 0..<400 { edit(list, realm, &random, appends: true) } }
        if step % 50 == 49 { list.removeSubrange(100..<500) }
        for _ in 0..<random.below(step % 40 == 39 ? 900 : 3) {
          let id = random.below(objectCount)
          guard let item = realm.object(ofType: LongListItem.self, forPrimaryKey: id) else { continue }
          item.note += 1
          changed.insert(id)
        }
      }
      reported = nil
      realm.refresh()
      let next = Array(list.map(\.id))
      guard let reported else {
        #expect(ids == next && changed.isDisjoint(with: ids), "seed \(seed), step \(step): nothing reported")
        ids = next
        continue
      }
      // Elements that stay, with their old positions.
      var kept = Array(ids.indices)
      for position in reported.deletions.reversed() { kept.remove(at: position) }
      for position in reported.insertions { kept.insert(-1, at: position) }
      #expect(kept.count == next.count, "seed \(seed), step \(step)")
      var expected: Set<Int> = []
      // What was set to another object counts as changed, too.
      for (position, old) in kept.enumerated() where old >= 0 {
        if changed.contains(next[position]) || ids[old] != next[position] { expected.insert(old) }
      }
      // An element may be set to what it was.
      let isExact = step % 3 != 0
      #expect(isExact ? expected.sorted() == reported.modifications : expected.isSubset(of: reported.modifications), "seed \(seed), step \(step)")
      modifiedCount += expected.count
      ids = next
    }
    #expect(modifiedCount > trials(full: 100, tenth: 100) / 4)
    token.invalidate()
  }

  private func edit(_ list: List<LongListItem>, _ realm: Realm, _ random: inout SeededGenerator, appends: Bool = false) {
    guard let item = realm.object(ofType: LongListItem.self, forPrimaryKey: random.below(5000)) else { return }
    switch appends ? 0 : random.below(5) {
    case 0: list.append(item)
    case 1: list.insert(item, at: random.below(list.count))
    case 2: list.remove(at: random.below(list.count))
    case 3: list[random.below(list.count)] = item
    default: list.move(from: random.below(list.count), to: random.below(list.count))
    }
  }

  @MainActor @Test func changedMembersOfASetAreFound() throws {
    let realm = try Realm(configuration: directory.configuration([LongListItem.self, LongList.self]))
    let set = try realm.write {
      for id in 0..<5000 { realm.create(LongListItem.self, value: ["id": id]) }
      let owner = realm.create(LongList.self)
      owner.others.insert(objectsIn: realm.objects(LongListItem.self).filter { $0.id.isMultiple(of: 2) })
      return owner.others
    }
    var reported: [[Int]] = []
    let token = set.observe { change in if case .update(_, _, _, let modifications) = change { reported.append(modifications) } }
    realm.refresh()
    for _ in 0..<30 {
      try realm.write { for id in [0, 1, 2, 4000, 4999] { realm.object(ofType: LongListItem.self, forPrimaryKey: id)?.note += 1 } }
      realm.refresh()
    }
    #expect(reported == [[Int]](repeating: [0, 1, 2000], count: 30))
    token.invalidate()
  }
}
