import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

@Suite(.mustEnd) struct BulkListTests {
  let directory = TestDirectory()

  private func holder(_ realm: Realm) throws -> OHolder { try realm.write { realm.create(OHolder.self, value: ["id": 1]) } }

  @Test func bulkOperationsMatchThoseOfAnArray() throws {
    let realm = try directory.objectRealm()
    let list = try holder(realm).ints
    var model: [Int] = []
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    try realm.write {
      for round in 0..<120 {
        let new = (0..<Int(random.next() % 40)).map { _ in Int(random.next() % 1000) }
        let low = Int(random.next() % UInt64(model.count + 1))
        let high = low + Int(random.next() % UInt64(model.count - low + 1))
        switch round % 6 {
        case 0, 1:
          list.append(objectsIn: new)
          model.append(contentsOf: new)
        case 2:
          list.insert(contentsOf: new, at: low)
          model.insert(contentsOf: new, at: low)
        case 3:
          list.replaceSubrange(low..<high, with: new)
          model.replaceSubrange(low..<high, with: new)
        case 4:
          list.removeSubrange(low..<min(high, low + 10))
          model.removeSubrange(low..<min(high, low + 10))
        default:
          let offsets = IndexSet(model.indices.filter { _ in random.next() % 7 == 0 })
          list.remove(atOffsets: offsets)
          for offset in offsets.reversed() { model.remove(at: offset) }
        }
        #expect(Array(list) == model, "seed \(seed), round \(round)")
      }
    }
    #expect(Array(list) == model)
    #expect(list.sum() == model.reduce(0, +))
  }

  @Test func aListCanBeAppendedToItself() throws {
    let realm = try directory.objectRealm()
    let list = try holder(realm).ints
    try realm.write {
      list.append(objectsIn: [1, 2])
      list.append(objectsIn: list)
      list.append(objectsIn: list.lazy.map { $0 * 10 })
      list.append(objectsIn: [])
    }
    #expect(Array(list) == [1, 2, 1, 2, 10, 20, 10, 20])
  }

  @Test func linksAndEmbeddedObjectsKeepTheirOtherSides() throws {
    let realm = try directory.objectRealm()
    let holder = try holder(realm)
    let tags = (0..<5).map { OTag(value: [$0]) }
    try realm.write {
      holder.tags.append(objectsIn: tags + [tags[0]])
      holder.parts.append(objectsIn: (0..<4).map { OPart(value: ["text": "\($0)"]) })
      holder.anyList.append(objectsIn: [.object(tags[1]), .fromArray([.int(1)]), .int(2), .int(3)])
    }
    #expect(tags[0].holders.count == 2)
    #expect(realm.objects(OTag.self).count == 5)
    try realm.write {
      holder.tags.removeSubrange(0..<2)
      holder.parts.removeSubrange(1...2)
      holder.anyList.remove(atOffsets: [0, 2])
    }
    #expect(tags[0].holders.count == 1)
    #expect(tags[1].holders.count == 0)
    #expect(holder.parts.map(\.text) == ["0", "3"])
    #expect(holder.anyList.count == 2 && holder.anyList[1] == .int(3))
    try realm.write {
      holder.tags.removeAll()
      holder.tags.insert(contentsOf: tags, at: 0)
      holder.tags.move(fromOffsets: [0, 1], toOffset: 5)
      holder.tags.replaceSubrange(0..<1, with: [OTag(value: [9])])
    }
    #expect(holder.tags.map(\.id) == [9, 3, 4, 0, 1])
    #expect(tags[2].holders.isEmpty)
  }

  @Test(.endsProcesses) func misuseOfBulkOperationsStopsWithTheKnownTexts() async {
    await #expect(processExitsWith: .failure) {
      try Misuse("") { realm in
        let list = try realm.write { realm.create(OHolder.self, value: ["id": 1]) }.ints
        list.append(objectsIn: [1])
      }.perform()
    }
    await #expect(processExitsWith: .failure) {
      try Misuse("") { realm in
        let list = try realm.write { realm.create(OHolder.self, value: ["id": 1]) }.ints
        realm.beginWrite()
        list.remove(atOffsets: [0])
      }.perform()
    }
  }
}
