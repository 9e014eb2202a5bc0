import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite(.mustEnd) struct ObjectLifeTests {
  let directory = TestDirectory()

  // MARK: States

  @Test func anObjectKnowsItsState() throws {
    let realm = try directory.objectRealm()
    let tag = OTag(value: [1, "x"] as [Any])
    #expect(tag.realm == nil)
    #expect(!tag.isInvalidated)
    #expect(!tag.isFrozen)
    #expect(tag.objectSchema.className == "OTag")
    try realm.write { realm.add(tag) }
    #expect(tag.realm == realm)
    #expect(!tag.isInvalidated)
    let other = try #require(realm.object(ofType: OTag.self, forPrimaryKey: 1))
    try realm.write {
      realm.delete(tag)
      #expect(tag.isInvalidated)
      #expect(tag.realm == nil)
      #expect(other.isInvalidated)
      #expect(other.realm == realm)
    }
    #expect(other.description == "[invalid object]")
  }

  @Test func objectsOfSeveralClassesAreDeletedTogetherWithWhatTheyOwn() throws {
    let realm = try directory.objectRealm()
    let (holders, tags) = try realm.write {
      let tags = (0..<4).map { realm.create(OTag.self, value: [$0]) }
      let holders = (0..<2).map { realm.create(OHolder.self, value: ["id": $0, "tags": tags, "parts": [["text": "p"]]] as [String: Any]) }
      return (holders, tags)
    }
    let part = holders[0].parts[0]
    let sameTag = try #require(realm.object(ofType: OTag.self, forPrimaryKey: 1))
    try realm.write {
      // One object by two accessors, and one that goes with its owner.
      realm.delete([tags[3], holders[0], tags[1], part, sameTag] as [ObjectBase])
      for object in [tags[3], holders[0], tags[1], part, sameTag] as [ObjectBase] { #expect(object.isInvalidated && object.realm == nil) }
      #expect(holders[1].tags.map(\.id) == [0, 2])
      #expect(realm.objects(OTag.self).count == 2 && realm.objects(OHolder.self).count == 1)
      #expect(holders[1].parts.count == 1)
    }
    try realm.write {
      // Nothing goes if one of them is no object of the realm.
      let objects = [tags[0], OTag(value: [7])]
      #expect(failureText { try realm.core.delete(objects) } == "Can only delete an object from the Realm it belongs to.")
      #expect(!tags[0].isInvalidated)
    }
  }

  @Test func invalidatingTheRealmInvalidatesItsObjects() throws {
    let realm = try directory.objectRealm()
    let tag = try realm.write { realm.create(OTag.self, value: [1]) }
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": [1]] as [String: Any]) }
    let ints = holder.ints
    realm.invalidate()
    #expect(tag.isInvalidated)
    #expect(tag.realm == realm)
    #expect(ints.isInvalidated)
    #expect(realm.object(ofType: OTag.self, forPrimaryKey: 1)?.isInvalidated == false)
    #expect(failureText { _ = try tag.locate() } == "Object has been deleted or invalidated.")
  }

  @Test func objectsOfACancelledTransactionAreInvalid() throws {
    let realm = try directory.objectRealm()
    let kept = try realm.write { realm.create(OTag.self, value: [1, "before"] as [Any]) }
    realm.beginWrite()
    let created = realm.create(OTag.self, value: [2])
    let added = OHolder(value: ["id": 1, "ints": [1, 2]] as [String: Any])
    realm.add(added)
    let ints = added.ints
    kept.text = "changed"
    realm.cancelWrite()
    #expect(created.isInvalidated)
    #expect(added.isInvalidated)
    #expect(ints.isInvalidated)
    #expect(kept.text == "before")
    // Keys may be given again: old accessors must not show new objects.
    let next = try realm.write { realm.create(OTag.self, value: [3]) }
    #expect(created.isInvalidated)
    #expect(!next.isInvalidated)
    #expect(!created.isSameObject(as: next))
  }

  @Test func addingMakesTheWholeGraphManaged() throws {
    let realm = try directory.objectRealm()
    let (first, second) = (OPlain(), OPlain())
    first.next = second
    second.next = first
    let holder = OHolder()
    holder.plain = first
    let plains = holder.plains
    plains.append(second)
    let part = OPart(value: ["text": "part", "tag": ["id": 4]] as [String: Any])
    holder.part = part
    let tag = try #require(part.tag)
    holder.any = .object(OTag(value: [9]))
    holder.anyList.append(.object(first))
    holder.plainMap["a"] = second
    try realm.write { realm.add(holder) }
    #expect(first.realm == realm)
    #expect(second.realm == realm)
    #expect(first.next?.next?.isSameObject(as: first) == true)
    #expect(plains === holder.plains)
    #expect(plains.realm == realm)
    #expect(part.realm == realm)
    #expect(holder.part?.isSameObject(as: part) == true)
    #expect(tag.realm == realm)
    #expect(holder.any.object(OTag.self)?.id == 9)
    #expect(holder.anyList[0].object(OPlain.self)?.isSameObject(as: first) == true)
    #expect(realm.objects(OPlain.self).count == 2)
    try realm.write { realm.add(holder) }
    #expect(realm.objects(OHolder.self).count == 1)
  }

  // MARK: Identity

  @Test func objectsWithAKeyAreEqualByRow() throws {
    let realm = try directory.objectRealm()
    let tag = try realm.write { realm.create(OTag.self, value: [1]) }
    let again = try #require(realm.object(ofType: OTag.self, forPrimaryKey: 1))
    #expect(tag !== again)
    #expect(tag == again)
    #expect(tag.hashValue == again.hashValue)
    #expect(tag.isSameObject(as: again))
    #expect(!tag.isSameObject(as: nil))
    let (a, b) = (OTag(value: [1]), OTag(value: [1]))
    #expect(a != b)
    #expect(a == a)
    #expect(!a.isSameObject(as: b))
    #expect(a.isSameObject(as: a))
    #expect(a.hashValue == b.hashValue)
    #expect(Set([tag, again]).count == 1)
    #expect(tag.freeze() != tag)
    #expect(tag.freeze() == again.freeze())
  }

  @Test func objectsWithoutKeyAreEqualByInstance() throws {
    let realm = try directory.objectRealm()
    let plain = try realm.write { realm.create(OPlain.self) }
    let again = try #require(realm.objects(OPlain.self).first)
    #expect(plain != again)
    #expect(plain.isSameObject(as: again))
    #expect(plain.freeze() == again.freeze())
    #expect(plain.freeze().hashValue == again.freeze().hashValue)
    try realm.write { realm.delete(plain) }
    #expect(!plain.isSameObject(as: again))
  }

  @Test func identifiersForListsOfViewsAreThoseOfRows() throws {
    let realm = try directory.objectRealm()
    let tag = try realm.write { realm.create(OIdentified.self, value: ["x"]) }
    #expect(tag.id == realm.objects(OIdentified.self).first?.id)
    let (a, b) = (OIdentified(), OIdentified())
    #expect(a.id == a.id)
    #expect(a.id != b.id)
  }

  // MARK: Links and deletion

  @Test func deletingATargetFollowsTheTable() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let tag = realm.create(OTag.self, value: [1])
      let other = realm.create(OTag.self, value: [2])
      let holder = realm.create(
        OHolder.self,
        value: [
          "id": 1, "tag": tag, "tags": [tag, other, tag], "tagSet": [tag, other], "tagMap": ["a": tag, "b": other], "any": tag,
          "anyList": [tag, 1, tag] as [Any], "anySet": [tag, 1] as [Any], "anyMap": ["a": tag, "b": 1] as [String: Any],
        ] as [String: Any])
      #expect(tag.holders.count == 2)
      #expect(tag.singles.count == 1)
      realm.delete(tag)
      #expect(holder.tag == nil)
      #expect(holder.tags.map(\.id) == [2])
      #expect(holder.tagSet.map(\.id) == [2])
      #expect(holder.tagMap.keys.sorted() == ["a", "b"])
      #expect(holder.tagMap["a"] == .some(nil))
      #expect(holder.any == .none)
      #expect(Array(holder.anyList) == [.int(1)])
      #expect(Array(holder.anySet) == [.int(1)])
      #expect(holder.anyMap["a"] == AnyRealmValue.none)
      #expect(holder.anyMap["b"] == .int(1))
      realm.delete(other)
      #expect(holder.tags.isEmpty)
      #expect(!holder.isInvalidated)
    }
  }

  @Test func deletingCollectionsDeletesTheTargets() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(
        OHolder.self, value: ["id": 1, "tags": [[1], [2]], "tagSet": [[3]], "tagMap": ["a": [4]], "plains": [[], []] as [[Any]]] as [String: Any])
      realm.delete(holder.tags)
      #expect(holder.tags.isEmpty)
      #expect(realm.objects(OTag.self).count == 2)
      realm.delete(holder.tagSet)
      realm.delete(holder.tagMap)
      #expect(realm.objects(OTag.self).isEmpty)
      holder.plains.removeAll()
      #expect(realm.objects(OPlain.self).count == 2)
      realm.delete(Array(realm.objects(OPlain.self)))
      #expect(realm.objects(OPlain.self).isEmpty)
    }
  }

  @Test func settingALinkAddsUnmanagedObjects() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1])
      let tag = OTag(value: [1])
      holder.tag = tag
      #expect(tag.realm == realm)
      holder.tag = holder.tag
      #expect(holder.tag == tag)
      #expect(tag.singles.first == holder)
      holder.tag = nil
      #expect(tag.singles.isEmpty)
      let byName = OTag(value: [2])
      holder["tag"] = byName
      #expect(byName.realm == realm)
      holder["tags"] = [tag, OTag(value: [3])]
      #expect(holder.tags.map(\.id) == [1, 3])
    }
  }

  @Test func linkingObjectsAreLive() throws {
    let realm = try directory.objectRealm()
    let tag = OTag(value: [1])
    #expect(tag.holders.isEmpty)
    #expect(tag.holders.realm == nil)
    try realm.write {
      realm.add(tag)
      let holders = tag.holders
      let holder = realm.create(OHolder.self, value: ["id": 1, "tags": [tag, tag]] as [String: Any])
      #expect(holders.count == 2)
      #expect(holders[0] == holder)
      #expect(holders.first?.id == 1)
      #expect(holders.index(of: holder) == 0)
      #expect(holders == tag.holders)
      holder.tags.removeLast()
      #expect(holders.count == 1)
      realm.delete(tag)
      #expect(holders.isInvalidated)
    }
  }

  // MARK: Embedded objects

  @Test func embeddedObjectsBelongToOneSlot() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1])
      let part = OPart(value: ["text": "a"])
      holder.part = part
      #expect(part.realm == realm)
      #expect(holder.part?.isSameObject(as: part) == true)
      #expect(part.parents.first == holder)
      holder.part = part
      #expect(!part.isInvalidated)
      holder.part = OPart(value: ["text": "b"])
      #expect(part.isInvalidated)
      let second = holder.part!
      second.parts.append(OLeaf(value: ["leaf"]))
      let leaf = second.parts[0]
      holder.part = nil
      #expect(second.isInvalidated)
      #expect(leaf.isInvalidated)

      holder.parts.append(objectsIn: [OPart(value: ["0"]), OPart(value: ["1"]), OPart(value: ["2"])])
      let parts = Array(holder.parts)
      holder.parts.move(from: 0, to: 2)
      holder.parts.swapAt(0, 1)
      #expect(holder.parts.map(\.text) == ["2", "1", "0"])
      #expect(parts.allSatisfy { !$0.isInvalidated })
      holder.parts[0] = holder.parts[0]
      #expect(!parts[2].isInvalidated)
      holder.parts[0] = OPart(value: ["new"])
      #expect(parts[2].isInvalidated)
      holder.parts.remove(at: 1)
      #expect(parts[1].isInvalidated)
      realm.delete(parts[0])
      #expect(holder.parts.map(\.text) == ["new"])
      holder.partMap["a"] = OPart(value: ["in map"])
      let inMap = try #require(holder.partMap["a"]!)
      #expect(inMap.text == "in map")
      holder.partMap["a"] = OPart(value: ["other"])
      #expect(inMap.isInvalidated)
      let last = holder.parts[0]
      realm.delete(holder)
      #expect(last.isInvalidated)
    }
  }

  @Test func assigningACollectionOfEmbeddedObjectsMakesThemManaged() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1])
      let list = List<OPart>()
      let part = OPart(value: ["a"])
      list.append(part)
      holder.parts = list
      #expect(part.realm == realm)
      #expect(holder.parts[0].isSameObject(as: part))
      #expect(list.realm == nil)
      let byName = OPart(value: ["b"])
      holder["parts"] = [byName]
      #expect(byName.realm == realm)
      #expect(part.isInvalidated)
      holder["part"] = ["text": "c"]
      #expect(holder.part?.text == "c")
      let direct = OPart(value: ["d"])
      holder["part"] = direct
      #expect(direct.realm == realm)
    }
  }

  // MARK: Frozen objects

  /// Whoever freezes one object after the other makes one realm, and none outlives the version that its realm shows.
  @Test func aFrozenRealmStaysUntilItsRealmGoesOn() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "name": "a"]) }
    weak let first = holder.freeze().core
    #expect(first != nil)
    #expect(first === holder.freeze().core)
    let pinned = try Realm.pinnedVersions(for: realm.configuration).filter { $0.holder == .frozenRealm }
    #expect(pinned.map(\.version).count == 1)
    try realm.write { holder.name = "b" }
    #expect(first == nil)
    #expect(try Realm.pinnedVersions(for: realm.configuration).allSatisfy { $0.holder != .frozenRealm })
    #expect(holder.freeze().name == "b")
    realm.invalidate()
    #expect(try Realm.pinnedVersions(for: realm.configuration).allSatisfy { $0.holder != .frozenRealm })
  }

  @Test func frozenObjectsAreSnapshots() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "name": "a", "tag": [1], "ints": [1]] as [String: Any]) }
    let frozen = holder.freeze()
    #expect(frozen.isFrozen)
    #expect(frozen.realm?.isFrozen == true)
    #expect(frozen.freeze() === frozen)
    #expect(frozen.tag?.isFrozen == true)
    try realm.write {
      holder.name = "b"
      holder.ints.append(2)
    }
    #expect(frozen.name == "a")
    #expect(Array(frozen.ints) == [1])
    #expect(frozen.ints.isFrozen)
    #expect(frozen.thaw()?.name == "b")
    #expect(frozen.ints.thaw()?.count == 2)
    try realm.write { realm.delete(holder) }
    #expect(frozen.thaw() == nil)
    #expect(frozen.name == "a")
    #expect(failureText { _ = try OTag().frozenAccessor() } == "Unmanaged objects cannot be frozen.")
    #expect(failureText { _ = try OTag().thawedAccessor() } == "Unmanaged objects cannot be thawed.")
    #expect(failureText { _ = try holder.frozenAccessor() } == "Object has been deleted or invalidated.")
    realm.beginWrite()
    let new = realm.create(OTag.self, value: [5])
    #expect(
      failureText { _ = try new.frozenAccessor() }
        == "Cannot freeze an object in the same write transaction as it was created in.")
    realm.cancelWrite()
  }

  @Test func frozenObjectsAreReadOnAnyThread() async throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "name": "a", "ints": [1, 2]] as [String: Any]) }
    // SAFETY: frozen objects may be read anywhere; that they can is what is tested.
    nonisolated(unsafe) let frozen = holder.freeze()
    let sum = await Task.detached { frozen.ints.sum() + (frozen.name?.count ?? 0) }.value
    #expect(sum == 4)
  }
}

class OIdentified: Unlisted, ObjectKeyIdentifiable { @Persisted var name: String }
