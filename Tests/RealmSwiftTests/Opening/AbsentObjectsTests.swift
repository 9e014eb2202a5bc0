import Foundation
import Randomness
import RealmStorage
import RealmSwift
import TestSupport
import Testing

class Acquaintance: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var friends: List<Acquaintance>
  @Persisted var circle: MutableSet<Acquaintance>
  @Persisted var byName: Map<String, Acquaintance?>
  @Persisted var best: Acquaintance?
  @Persisted var anything: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

/// Links of files that synchronise to objects that are not there, or not yet: lists and sets do not show them.
@Suite(.mustEnd) struct AbsentObjectsTests {
  let directory = TestDirectory()

  private func realm(absent: Set<Int64>) throws -> Realm {
    let file = try SyncFile(in: directory)
    try file.database.setFileIdent(3, salt: 5)
    try file.write { group in
      let table = try group.addTable("class_Acquaintance")
      try table.setPrimaryKey(table.addColumn(RealmStorage.ColumnDefinition("id", .int)))
      let friends = try table.addColumn(RealmStorage.ColumnDefinition("friends", .link, .list, target: table.key))
      let circle = try table.addColumn(RealmStorage.ColumnDefinition("circle", .link, .set, target: table.key))
      let byName = try table.addColumn(RealmStorage.ColumnDefinition("byName", .link, .dictionary, target: table.key))
      let best = try table.addColumn(RealmStorage.ColumnDefinition("best", .link, .nullable, target: table.key))
      let any = try table.addColumn(RealmStorage.ColumnDefinition("anything", .mixed))
      let anys = try table.addColumn(RealmStorage.ColumnDefinition("anys", .mixed, .list))
      let keys = try (0..<6).map { try table.createObject(primaryKey: Int64($0)) }
      for key in keys.dropFirst() {
        try table.collection(keys[0], friends).append(.link(key))
        _ = try table.collection(keys[0], circle).insert(.link(key))
        try table.collection(keys[0], anys).append(.typedLink(ObjectLink(table: table.key, key: key)))
        try table.collection(keys[0], byName).set(key: Array("k\(key.rawValue)".utf8), .link(key))
      }
      try table.set(keys[0], best, .link(keys[2]))
      try table.set(keys[0], any, .typedLink(ObjectLink(table: table.key, key: keys[2])))
    }
    // The name of the class, and EraseObject for each number.
    let erasures: [UInt8] = absent.sorted().flatMap { [3, 0, 1, UInt8($0)] as [UInt8] }
    try file.receiveKnowing([0x3f, 0, 12] + Array("Acquaintance".utf8) + erasures, serverVersion: 1)
    return try Realm(configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: file.closed()), objectTypes: [Acquaintance.self]))
  }

  @Test func listsAndSetsShowWhatIsThere() throws {
    let realm = try realm(absent: [2, 4])
    let object = try #require(realm.object(ofType: Acquaintance.self, forPrimaryKey: 0))
    #expect(object.friends.count == 3 && object.circle.count == 3)
    #expect((0..<3).map { object.friends[$0].id } == [1, 3, 5])
    #expect(Array(object.friends).map(\.id) == [1, 3, 5])
    #expect(Set(object.circle.map(\.id)) == [1, 3, 5])
    #expect(object.friends.first?.id == 1 && object.friends.last?.id == 5)
    #expect(object.friends.freeze().map(\.id) == [1, 3, 5])
    #expect(object.friends.sorted(byKeyPath: "id", ascending: false).map(\.id) == [5, 3, 1])
    // Entries of maps are there, without an object.
    #expect(object.byName.count == 5 && object.byName.filter { $0.value == nil }.count == 2)
    #expect(object.best == nil && object.anything == .none)
    #expect(object.anys.count == 5 && object.anys[1] == .none && object.anys.filter { $0 == .none }.count == 2)
    #expect(realm.objects(Acquaintance.self).filter("best == nil").count == 4)
    #expect(realm.objects(Acquaintance.self).filter("anything == nil").count == 4)
    // What was missing comes by itself.
    try realm.write { realm.add(Acquaintance(value: ["id": 4])) }
    #expect(object.friends.map(\.id) == [1, 3, 4, 5])
    #expect(Set(object.circle.map(\.id)) == [1, 3, 4, 5])
    #expect(object.byName.filter { $0.value == nil }.count == 1)
    try realm.write { realm.add(Acquaintance(value: ["id": 2])) }
    #expect(object.best?.id == 2 && object.anything.object(Acquaintance.self)?.id == 2)
    #expect(object.anys.compactMap { $0.object(Acquaintance.self)?.id } == [1, 2, 3, 4, 5])
  }

  /// Whatever is done to a list, its elements are those of an array to which the same is done.
  @Test(arguments: [[1], [5], [1, 2], [2, 4], [4, 5], [1, 3, 5], [1, 2, 3, 4, 5]] as [Set<Int64>])
  func positionsAreThoseOfWhatIsThere(_ absent: Set<Int64>) throws {
    let realm = try realm(absent: absent)
    let list = try #require(realm.object(ofType: Acquaintance.self, forPrimaryKey: 0)).friends
    var model = (1...5).filter { !absent.contains(Int64($0)) }
    #expect(list.map(\.id) == model)
    var random = SeededGenerator(test: 31)
    let objects = Array(realm.objects(Acquaintance.self))
    for object in objects { #expect(list.index(of: object) == model.firstIndex(of: object.id)) }
    try realm.write {
      for _ in 0..<60 {
        let new = objects[random.below(objects.count)]
        let (index, other) = (random.below(max(model.count, 1)), random.below(max(model.count, 1)))
        switch model.isEmpty ? 0 : random.below(9) {
        case 0, 1:
          list.insert(new, at: index)
          model.insert(new.id, at: index)
        case 2:
          list.append(new)
          model.append(new.id)
        case 3:
          list[index] = new
          model[index] = new.id
        case 4:
          list.remove(at: index)
          model.remove(at: index)
        case 5:
          list.move(from: index, to: other)
          model.insert(model.remove(at: index), at: other)
        case 6:
          list.swapAt(index, other)
          model.swapAt(index, other)
        case 7:
          list.removeSubrange(min(index, other)..<max(index, other))
          model.removeSubrange(min(index, other)..<max(index, other))
        default:
          list.insert(contentsOf: [new, new], at: index)
          model.insert(contentsOf: [new.id, new.id], at: index)
        }
        #expect(list.count == model.count)
        #expect((0..<list.count).map { list[$0].id } == model)
      }
    }
    // The links that wait are still there.
    for id in absent { try realm.write { realm.add(Acquaintance(value: ["id": Int(id)])) } }
    let back: [Int64] = list.map { Int64($0.id) }
    #expect(back.filter(absent.contains).sorted() == absent.sorted())
    try realm.write { list.removeAll() }
    #expect(list.isEmpty)
  }

  @MainActor @Test func reportsHavePositionsOfWhatIsThere() throws {
    let realm = try realm(absent: [1, 4])
    let list = try #require(realm.object(ofType: Acquaintance.self, forPrimaryKey: 0)).friends
    var reports: [(deletions: [Int], insertions: [Int], modifications: [Int])] = []
    let token = list.observe { change in
      if case .update(_, let deletions, let insertions, let modifications) = change { reports.append((deletions, insertions, modifications)) }
    }
    realm.refresh()
    try realm.write {
      list.remove(at: 0)
      list.append(try #require(realm.object(ofType: Acquaintance.self, forPrimaryKey: 3)))
    }
    realm.refresh()
    try realm.write { realm.add(Acquaintance(value: ["id": 4])) }
    realm.refresh()
    token.invalidate()
    #expect(reports.map(\.deletions) == [[0], []])
    #expect(reports.map(\.insertions) == [[2], [1]])
    #expect(reports.map(\.modifications) == [[], []])
  }
}
