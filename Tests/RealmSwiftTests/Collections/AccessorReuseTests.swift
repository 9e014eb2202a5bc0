import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class ReusePlain: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var other: ReusePlain?
}
class ReuseWithState: ReusePlain {
  var note = ""
}
class ReuseWithList: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
}

/// An iterator may hand out the accessor before again, if nobody can tell.
@Suite struct AccessorReuseTests {
  let directory = TestDirectory()

  private func realm() throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: directory.url.appendingPathComponent("reuse.realm"), objectTypes: [ReusePlain.self, ReuseWithState.self, ReuseWithList.self]))
    try realm.write {
      for id in 0..<600 {
        realm.create(ReusePlain.self, value: ["id": id, "name": "n\(id)"] as [String: Any])
        realm.create(ReuseWithState.self, value: [id, "s\(id)"] as [Any])
        realm.create(ReuseWithList.self, value: [id, [id]] as [Any])
      }
    }
    return realm
  }

  @Test func theProbeKnowsTheCountsOfThisRuntime() { #expect(SharingProbe.newObjectCounts != .max) }

  @Test func classesWithoutStateOfTheirOwnAreInterchangeable() throws {
    #expect(try ModelClass.of(ReusePlain.self).isInterchangeable)
    #expect(try !ModelClass.of(ReuseWithState.self).isInterchangeable)
    #expect(try !ModelClass.of(ReuseWithList.self).isInterchangeable)
  }

  @Test func everyElementIsSeenOnce() throws {
    let realm = try realm()
    var ids: [Int] = []
    for object in realm.objects(ReusePlain.self) {
      ids.append(object.id)
      #expect(object.name == "n\(object.id)")
    }
    #expect(ids.sorted() == Array(0..<600))
  }

  @Test func keptElementsStayWhatTheyAre() throws {
    let realm = try realm()
    var kept: [ReusePlain] = []
    for object in realm.objects(ReusePlain.self) where object.id % 3 == 0 { kept.append(object) }
    #expect(kept.map(\.id) == Array(stride(from: 0, to: 600, by: 3)))
    #expect(Set(kept.map { ObjectIdentifier($0) }).count == kept.count)
    #expect(Array(realm.objects(ReusePlain.self)).map(\.id) == Array(0..<600))
  }

  @Test func weakAndUnownedReferencesNeverSeeAnotherElement() throws {
    let realm = try realm()
    weak var before: ReusePlain?
    for object in realm.objects(ReusePlain.self) {
      #expect(before == nil || before?.id == object.id - 1)
      before = object
    }
    #expect(before == nil)
  }

  /// References are counted many at once: as many have to be given back, wherever the iteration ends.
  @Test(arguments: [1, 2, 3, 500, 999, 1000, 1001, 1002, 1999, 2002, 2500]) func nothingIsHeldAfterAnIteration(stoppingAt end: Int) throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "reuse \(end) \(UUID())", objectTypes: [ReusePlain.self]))
    try realm.write { for id in 0..<2500 { realm.add(ReusePlain(value: [id, "n\(id)"] as [Any])) } }
    weak var last: ReusePlain?
    var (seen, keptEarly): (Int, ReusePlain?) = (0, nil)
    autoreleasepool {
      var kept: ReusePlain?
      for object in realm.objects(ReusePlain.self) {
        #expect(object.id == seen)
        seen += 1
        if seen == end / 2 { keptEarly = object }
        if seen == end {
          kept = object
          break
        }
      }
      last = kept
      #expect(kept?.id == end - 1)
    }
    #expect(last == nil)
    #expect(keptEarly.map(\.id) == (end > 1 ? end / 2 - 1 : nil))
    weak let early = keptEarly
    keptEarly = nil
    #expect(early == nil)
  }

  @Test func stateOfAnElementIsNotPassedOn() throws {
    let realm = try realm()
    for object in realm.objects(ReuseWithState.self) {
      #expect(object.note == "")
      object.note = "seen"
    }
    for object in realm.objects(ReuseWithList.self) { #expect(Array(object.numbers) == [object.id]) }
  }

  @Test func elementsMayBeDeletedOnTheWay() throws {
    let realm = try realm()
    try realm.write {
      for object in realm.objects(ReusePlain.self) where object.id % 2 == 0 { realm.delete(object) }
    }
    #expect(realm.objects(ReusePlain.self).count == 300)
    #expect(realm.objects(ReusePlain.self).allSatisfy { $0.id % 2 == 1 })
  }
}
