import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// The rows of the table on `.all` and `.modified`, for dictionaries and for unmanaged instances.
@Suite struct UpdatePolicyTests {
  let directory = TestDirectory()

  private func holder(_ realm: Realm) -> OHolder {
    realm.create(
      OHolder.self,
      value: [
        "id": 1, "name": "old", "tag": ["id": 1, "text": "tag"], "plain": ["text": "plain", "number": 1], "part": ["text": "part", "number": 1],
        "ints": [1, 2, 3], "plains": [["p0", 10], ["p1", 11]], "parts": [["e0", 20], ["e1", 21]], "intSet": [1, 2, 3],
        "intMap": ["a": 1, "b": 2], "partMap": ["a": ["m", 5] as [Any]], "any": 5,
      ] as [String: Any])
  }

  @Test(arguments: [Realm.UpdatePolicy.all, .modified]) func whatADictionaryDoesNotNameStays(_ policy: Realm.UpdatePolicy) throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      let same = realm.create(OHolder.self, value: ["id": 1, "name": "new"] as [String: Any], update: policy)
      #expect(same.isSameObject(as: holder))
      #expect(holder.name == "new")
      #expect(Array(holder.ints) == [1, 2, 3])
      #expect(holder.part?.number == 1)
      #expect(holder.any == .int(5))
    }
  }

  @Test func allRefillsListsSetsAndMaps() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      realm.create(OHolder.self, value: ["id": 1, "ints": [1, 7], "intSet": [3, 4], "intMap": ["b": 20, "c": 3]] as [String: Any], update: .all)
      #expect(Array(holder.ints) == [1, 7])
      #expect(Array(holder.intSet) == [3, 4])
      #expect(holder.intMap.keys.sorted() == ["b", "c"])
    }
  }

  @Test func modifiedComparesListsUnitesSetsAndMergesMaps() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      realm.create(
        OHolder.self, value: ["id": 1, "ints": [1, 7], "intSet": [3, 4], "intMap": ["b": 20, "c": 3]] as [String: Any], update: .modified)
      #expect(Array(holder.ints) == [1, 7])
      #expect(Array(holder.intSet) == [1, 2, 3, 4])
      #expect(holder.intMap.keys.sorted() == ["a", "b", "c"])
      #expect(holder.intMap["b"] == 20)
      realm.create(OHolder.self, value: ["id": 1, "ints": [1, 7, 8, 9]] as [String: Any], update: .modified)
      #expect(Array(holder.ints) == [1, 7, 8, 9])
    }
  }

  @Test func allReplacesObjectsWithoutKey() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      let (plain, part, element, embedded) = (holder.plain!, holder.part!, holder.plains[0], holder.parts[0])
      realm.create(
        OHolder.self,
        value: ["id": 1, "plain": ["number": 2], "part": ["number": 2], "plains": [["number": 30]], "parts": [["number": 40]]] as [String: Any],
        update: .all)
      #expect(!plain.isInvalidated)
      #expect(plain.text == "plain")
      #expect(holder.plain?.text == "new")
      #expect(holder.plain?.number == 2)
      #expect(part.isInvalidated)
      #expect(holder.part?.text == "new")
      #expect(!element.isInvalidated)
      #expect(holder.plains.map(\.number) == [30])
      #expect(holder.plains[0].text == "new")
      #expect(embedded.isInvalidated)
      #expect(holder.parts.map(\.number) == [40])
      #expect(realm.objects(OPlain.self).count == 5)
    }
  }

  @Test func modifiedUpdatesObjectsWithoutKeyInPlace() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      let (plain, part, element, embedded) = (holder.plain!, holder.part!, holder.plains[0], holder.parts[0])
      let inMap = try #require(holder.partMap["a"]!)
      realm.create(
        OHolder.self,
        value: [
          "id": 1, "plain": ["number": 2], "part": ["number": 2], "plains": [["number": 30]], "parts": [["number": 40]],
          "partMap": ["a": ["number": 50]],
        ] as [String: Any], update: .modified)
      #expect(holder.plain?.isSameObject(as: plain) == true)
      #expect(plain.text == "plain")
      #expect(plain.number == 2)
      #expect(part.number == 2)
      #expect(part.text == "part")
      #expect(element.number == 30)
      #expect(element.text == "p0")
      #expect(embedded.number == 40)
      #expect(embedded.text == "e0")
      #expect(holder.plains.count == 1)
      #expect(holder.parts.count == 1)
      #expect(inMap.number == 50)
      #expect(inMap.text == "m")
      #expect(realm.objects(OPlain.self).count == 3)
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.all, .modified]) func nullEmptiesCollectionsAndLinks(_ policy: Realm.UpdatePolicy) throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      let part = holder.part!
      let null = NSNull()
      realm.create(
        OHolder.self,
        value: ["id": 1, "ints": null, "intSet": null, "intMap": null, "parts": null, "tag": null, "part": null, "any": null] as [String: Any],
        update: policy)
      #expect(holder.ints.isEmpty)
      #expect(holder.intSet.isEmpty)
      #expect(holder.intMap.count == 0)
      #expect(holder.parts.isEmpty)
      #expect(holder.tag == nil)
      #expect(holder.part == nil)
      #expect(part.isInvalidated)
      #expect(holder.any == .none)
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.all, .modified]) func thePolicyReachesNestedObjectsWithAKey(_ policy: Realm.UpdatePolicy) throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      let tag = holder.tag!
      realm.create(
        OHolder.self, value: ["id": 2, "tag": ["id": 1, "number": 50], "tags": [["id": 1, "text": "again"]]] as [String: Any], update: policy)
      #expect(tag.number == 50)
      #expect(tag.text == "again")
      #expect(realm.objects(OTag.self).count == 1)
      #expect(tag.singles.count == 2)
    }
  }

  // MARK: Unmanaged instances

  private func instance() -> OHolder {
    OHolder(
      value: [
        "id": 1, "tag": ["id": 1, "number": 9], "plain": ["number": 2], "part": ["number": 2], "ints": [1, 7], "plains": [["number": 30]],
        "parts": [["number": 40]], "intSet": [3, 4], "intMap": ["b": 20, "c": 3], "partMap": ["a": ["number": 50]], "any": 6,
      ] as [String: Any])
  }

  @Test func addingWithAllWritesEverything() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      let (plain, part, embedded) = (holder.plain!, holder.part!, holder.parts[0])
      let new = instance()
      let newPlain = new.plain!
      realm.add(new, update: .all)
      #expect(new.isSameObject(as: holder))
      #expect(holder.name == nil)
      #expect(holder.tag?.text == "new")
      #expect(realm.objects(OTag.self).count == 1)
      #expect(holder.plain?.isSameObject(as: newPlain) == true)
      #expect(!plain.isSameObject(as: newPlain))
      #expect(plain.number == 1)
      #expect(part.isInvalidated)
      #expect(embedded.isInvalidated)
      #expect(Array(holder.ints) == [1, 7])
      #expect(Array(holder.intSet) == [3, 4])
      #expect(holder.intMap.keys.sorted() == ["b", "c"])
      #expect(holder.any == .int(6))
      #expect(realm.objects(OHolder.self).count == 1)
    }
  }

  @Test func addingWithModifiedWritesWhatDiffers() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = holder(realm)
      let (plain, part, element, embedded) = (holder.plain!, holder.part!, holder.plains[0], holder.parts[0])
      let inMap = try #require(holder.partMap["a"]!)
      let new = instance()
      let (newPlain, newElement, newPart) = (new.plain!, new.plains[0], new.parts[0])
      realm.add(new, update: .modified)
      #expect(new.isSameObject(as: holder))
      #expect(holder.name == nil)
      #expect(holder.tag?.number == 9)
      #expect(newPlain.isSameObject(as: plain))
      #expect(plain.number == 2)
      #expect(plain.text == "new")
      #expect(part.number == 2)
      #expect(holder.part?.isSameObject(as: part) == true)
      #expect(newElement.isSameObject(as: element))
      #expect(element.number == 30)
      #expect(newPart.isSameObject(as: embedded))
      #expect(embedded.number == 40)
      #expect(inMap.number == 50)
      #expect(holder.plains.count == 1)
      #expect(holder.parts.count == 1)
      #expect(Array(holder.ints) == [1, 7])
      #expect(Array(holder.intSet) == [1, 2, 3, 4])
      #expect(holder.intMap.keys.sorted() == ["a", "b", "c"])
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.all, .modified]) func addingANewParentUpdatesExistingChildren(_ policy: Realm.UpdatePolicy) throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let tag = realm.create(OTag.self, value: ["id": 1])
      let new = OHolder(value: ["id": 5, "tag": ["id": 1, "text": "x"], "tags": [["id": 1, "text": "y"]], "plain": ["text": "p"]] as [String: Any])
      realm.add(new, update: policy)
      #expect(tag.text == "y")
      #expect(realm.objects(OTag.self).count == 1)
      #expect(new.plain?.text == "p")
    }
  }
}
