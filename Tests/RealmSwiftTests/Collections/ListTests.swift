import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Each test runs on an unmanaged and on a managed list.
@Suite struct ListTests {
  let directory = TestDirectory()

  private func inBoth(_ body: (OHolder) throws -> Void) throws {
    let unmanaged = OHolder()
    try body(unmanaged)
    let realm = try directory.objectRealm()
    try realm.write { try body(realm.create(OHolder.self, value: ["id": 1])) }
  }

  @Test func elementsAreInsertedReplacedAndRemoved() throws {
    try inBoth { holder in
      let list = holder.ints
      list.append(3)
      list.append(objectsIn: [4, 5])
      list.insert(1, at: 0)
      list.insert(contentsOf: [8, 9], at: 1)
      #expect(Array(list) == [1, 8, 9, 3, 4, 5])
      list[0] = 2
      list.replace(index: 1, object: 7)
      #expect(Array(list) == [2, 7, 9, 3, 4, 5])
      list.remove(at: 2)
      list.removeFirst()
      list.removeLast()
      #expect(Array(list) == [7, 3, 4])
      list.append(objectsIn: 10..<15)
      list.removeFirst(2)
      list.removeLast(2)
      #expect(Array(list) == [4, 10, 11, 12])
      list.removeSubrange(1..<3)
      list.removeSubrange(1...)
      #expect(Array(list) == [4])
      list.replaceSubrange(0..<1, with: [1, 2, 3, 4])
      list.remove(atOffsets: [0, 2])
      #expect(Array(list) == [2, 4])
      list[0..<2] = Slice(base: makeList([9, 8]), bounds: 0..<2)
      #expect(Array(list) == [9, 8])
      list.removeAll()
      #expect(list.isEmpty)
      #expect(list.first == nil)
      #expect(list.last == nil)
    }
  }

  private func makeList(_ values: [Int]) -> List<Int> {
    let list = List<Int>()
    list.append(objectsIn: values)
    return list
  }

  @Test func elementsMove() throws {
    try inBoth { holder in
      var list = holder.ints
      list.append(objectsIn: [0, 1, 2, 3, 4])
      list.move(from: 0, to: 3)
      #expect(Array(list) == [1, 2, 3, 0, 4])
      list.move(from: 4, to: 0)
      #expect(Array(list) == [4, 1, 2, 3, 0])
      list.swapAt(0, 4)
      #expect(Array(list) == [0, 1, 2, 3, 4])
      list.move(fromOffsets: [0, 3], toOffset: 2)
      #expect(Array(list) == [1, 0, 3, 2, 4])
      list.move(fromOffsets: [0, 1], toOffset: 5)
      #expect(Array(list) == [3, 2, 4, 1, 0])
      list.move(fromOffsets: [3, 4], toOffset: 0)
      #expect(Array(list) == [1, 0, 3, 2, 4])
      list.sort()
      #expect(Array(list) == [0, 1, 2, 3, 4])
      list.reverse()
      #expect(Array(list) == [4, 3, 2, 1, 0])
    }
  }

  @Test func elementsAreFound() throws {
    try inBoth { holder in
      let list = holder.ints
      list.append(objectsIn: [5, 6, 7, 6])
      #expect(list.index(of: 6) == 1)
      #expect(list.index(of: 9) == nil)
      #expect(list.contains(7))
      #expect(list.first == 5)
      #expect(list.last == 6)
      #expect(list.objects(at: [0, 2]) == [5, 7])
      #expect(Array(list[1..<3]) == [6, 7])
      #expect(list.map { $0 * 2 } == [10, 12, 14, 12])
      #expect(list.count == 4)
      #expect(Array(list.reversed()) == [6, 7, 6, 5])
    }
  }

  @Test func objectsInAListAreFoundByRow() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1, "plains": [["a"], ["b"]]] as [String: Any])
      let second = realm.objects(OPlain.self)[1]
      #expect(holder.plains.index(of: second) == 1)
      #expect(realm.objects(OPlain.self).index(of: holder.plains[1]) == 1)
      #expect(holder.plains.index(of: OPlain()) == nil)
      holder.plains.remove(at: 1)
      #expect(holder.plains.index(of: second) == nil)
    }
  }

  @Test func assignmentCopiesContents() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let first = realm.create(OHolder.self, value: ["id": 1, "ints": [1, 2], "intSet": [1], "intMap": ["a": 1]] as [String: Any])
      let second = realm.create(OHolder.self, value: ["id": 2, "ints": [9]] as [String: Any])
      let (list, set, map) = (first.ints, first.intSet, first.intMap)
      first.ints = first.ints
      first.intSet = first.intSet
      first.intMap = first.intMap
      #expect(Array(list) == [1, 2])
      #expect(Array(set) == [1])
      #expect(map["a"] == 1)
      first.ints = realm.object(ofType: OHolder.self, forPrimaryKey: 1)!.ints
      #expect(Array(list) == [1, 2])
      second.ints = first.ints
      second.intSet = first.intSet
      second.intMap = first.intMap
      #expect(Array(second.ints) == [1, 2])
      #expect(Array(second.intSet) == [1])
      #expect(second.intMap["a"] == 1)
      second.ints.append(3)
      #expect(Array(first.ints) == [1, 2])
      #expect(first.ints === list)
      first.ints = makeList([7])
      #expect(first.ints === list)
      #expect(Array(list) == [7])
      first["ints"] = second.ints
      #expect(Array(list) == [1, 2, 3])
      let tags = List<OTag>()
      let tag = OTag(value: [5])
      tags.append(tag)
      first.tags = tags
      #expect(tag.realm == realm)
      #expect(tags.realm == nil)
      list.append(objectsIn: list)
      #expect(Array(list) == [1, 2, 3, 1, 2, 3])
    }
    let unmanaged = OHolder()
    let list = unmanaged.ints
    unmanaged.ints = makeList([1])
    #expect(unmanaged.ints === list)
    #expect(Array(list) == [1])
    unmanaged.ints = list
    #expect(Array(list) == [1])
  }

  @Test func listsAreEqualByPlaceOrContents() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": [1], "anyList": [1]] as [String: Any]) }
    let again = try #require(realm.object(ofType: OHolder.self, forPrimaryKey: 1))
    #expect(holder.ints == again.ints)
    #expect(holder.ints !== again.ints)
    #expect(holder.ints != makeList([1]))
    #expect(makeList([1]) == makeList([1]))
    #expect(List<Int>() == List<Int>())
    #expect(holder.intSet == again.intSet)
    #expect(holder.intMap == again.intMap)
  }

  @Test func aListOfADeletedParentIsInvalid() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1, "ints": [1], "intSet": [1], "intMap": ["a": 1]] as [String: Any])
      let (list, set, map) = (holder.ints, holder.intSet, holder.intMap)
      #expect(!list.isInvalidated)
      realm.delete(holder)
      #expect(list.isInvalidated)
      #expect(set.isInvalidated)
      #expect(map.isInvalidated)
      func text(_ word: String) -> String {
        "\(word) is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."
      }
      #expect(failureText { _ = try list.managed!.count() } == text("List"))
      #expect(failureText { _ = try set.managed!.count() } == text("Set"))
      #expect(failureText { _ = try map.managed!.count() } == text("Dictionary"))
    }
  }

  @Test func iterationGoesThroughTheElementsOfItsStart() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1, "ints": Array(0..<10)] as [String: Any])
      var seen: [Int] = []
      for value in holder.ints {
        seen.append(value)
        holder.ints.remove(at: 0)
      }
      #expect(seen == Array(0..<10))
      #expect(holder.ints.isEmpty)
    }
  }

  @Test func typeErasedCollectionsBehaveAsTheirBase() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1, "ints": [3, 4], "tags": [[1], [2]]] as [String: Any])
      let erased = AnyRealmCollection(holder.ints)
      #expect(Array(erased) == [3, 4])
      #expect(erased == AnyRealmCollection(holder.ints))
      holder.ints.append(5)
      #expect(erased.count == 3)
      #expect(erased.sum() == 12)
      #expect(AnyRealmCollection(holder.tags)[1].id == 2)
      #expect(AnyRealmCollection(realm.objects(OTag.self)).count == 2)
      #expect(erased.realm == realm)
      let unmanaged = List<Int>()
      unmanaged.append(1)
      #expect(Array(AnyRealmCollection(unmanaged)) == [1])
    }
  }
}
