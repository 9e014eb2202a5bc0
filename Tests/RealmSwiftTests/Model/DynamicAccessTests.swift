import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct DynamicAccessTests {
  let directory = TestDirectory()

  private func makeHolder(_ realm: Realm) throws -> OHolder {
    try realm.write {
      realm.create(
        OHolder.self,
        value: [
          "id": 1, "name": "n", "tag": [1, "t"] as [Any], "part": ["p"], "ints": [1, 2], "tags": [[1], [2]], "tagSet": [[1]], "intSet": [5],
          "intMap": ["a": 1], "tagMap": ["k": [1]], "any": 7, "parts": [["x"]],
        ] as [String: Any], update: .modified)
    }
  }

  @Test func propertiesAreReadByName() throws {
    let realm = try directory.objectRealm()
    let holder = try makeHolder(realm)
    #expect(holder["id"] as? Int == 1)
    #expect(holder["name"] as? String == "n")
    #expect((holder["tag"] as? OTag)?.text == "t")
    #expect((holder["part"] as? OPart)?.text == "p")
    #expect((holder["ints"] as? List<Int>).map(Array.init) == [1, 2])
    #expect("\(realm.dynamicObjects("OTag"))".hasPrefix("Results<OTag> <"))
    #expect(holder["tags"].map { "\($0)" }?.hasPrefix("List<OTag> <") == true)
    #expect(holder["tagSet"].map { "\($0)" }?.hasPrefix("MutableSet<OTag> <") == true)
    #expect(holder["tagMap"].map { "\($0)" }?.hasPrefix("Map<string, OTag> <") == true)
    #expect(holder["any"] as? Int == 7)
    #expect(holder["plain"] == nil)
    #expect(holder.value(forKey: "name") as? String == "n")
    #expect(holder.value(forKeyPath: "tag.text") as? String == "t")
    #expect(holder.value(forKeyPath: "ints.@sum.self") as? Int == 3)
    #expect(holder.value(forKeyPath: "tags.id") as? [Int] == [1, 2])
    let unmanaged = OHolder(value: holder)
    #expect(unmanaged["name"] as? String == "n")
    #expect((unmanaged["ints"] as? List<Int>)?.count == 2)
    #expect(failureText { _ = try holder.dynamicValue("nope") } == "Invalid property name 'nope' for class 'OHolder'.")
    #expect(failureText { _ = try OTag().dynamicValue("nope") } == "Invalid property name 'nope' for class 'OTag'.")
  }

  /// Collections of objects hold dynamic ones; a link leads to an object of its class.
  @Test func dynamicObjectsGiveDynamicCollectionsAndStoredValues() throws {
    let realm = try directory.objectRealm()
    _ = try makeHolder(realm)
    let holder = try #require(realm.dynamicObjects("OHolder").first)
    #expect((holder["tags"] as? List<DynamicObject>)?.map { $0["id"] as? Int } == [1, 2])
    #expect((holder.tags as? List<DynamicObject>)?.count == 2)
    #expect((holder["parts"] as? List<DynamicObject>)?.first?["text"] as? String == "x")
    #expect((holder["tagSet"] as? MutableSet<DynamicObject>)?.count == 1)
    #expect((holder["tagMap"] as? Map<String, DynamicObject?>)?["k"] != nil)
    #expect((holder["ints"] as? List<Int>).map(Array.init) == [1, 2])
    #expect((holder["intMap"] as? Map<String, Int>)?["a"] == 1)
    #expect((holder["tag"] as? OTag)?.text == "t")
    try realm.write { realm.create(OAll.self, value: ["even": 3, "word": "z", "number": 99]) }
    let all = try #require(realm.dynamicObjects("OAll").first)
    #expect(all["even"] as? Int == 3)
    #expect(all["word"] as? String == "z")
    #expect((all["evenList"] as? List<Int>)?.count == 0)
  }

  @Test func propertiesAreSetByName() throws {
    let realm = try directory.objectRealm()
    let holder = try makeHolder(realm)
    try realm.write {
      holder["name"] = "m"
      holder.setValue([3, 4], forKey: "ints")
      holder["tag"] = nil
      holder["part"] = ["text": "q"]
      holder["intMap"] = ["b": 2]
      holder["any"] = [1, "x"] as [Any]
    }
    #expect(holder.name == "m")
    #expect(Array(holder.ints) == [3, 4])
    #expect(holder.tag == nil)
    #expect(holder.part?.text == "q")
    #expect(holder.intMap.keys == ["b"])
    #expect(holder.any.listValue.map(Array.init) == [.int(1), .string("x")])
    realm.beginWrite()
    #expect(holder.settingFailure("id", 5) == "Primary key can't be changed to '5' after an object is inserted.")
    #expect(holder.settingFailure("nope", 5) == "Invalid property name 'nope' for class 'OHolder'.")
    #expect(holder.tags[0].settingFailure("holders", []) == "LinkingObjects properties are read-only")
    #expect(
      failureText { try holder.store(at: 0, .int(9)) } == "Primary key can't be changed after an object is inserted.")
    realm.cancelWrite()
    let outside =
      "Attempting to modify object outside of a write transaction - call beginWrite on a Realm instance first."
    #expect(holder.settingFailure("name", "x") == outside)
    #expect(
      holder.freeze().settingFailure("name", "x") == "Attempting to modify a frozen object - call thaw on the Object instance first.")
    let unmanaged = OHolder()
    unmanaged["name"] = "u"
    unmanaged["ints"] = [1]
    unmanaged["tag"] = ["id": 3]
    unmanaged["id"] = 8
    #expect(unmanaged.name == "u")
    #expect(unmanaged.tag?.id == 3)
    #expect(unmanaged.id == 8)
  }

  @Test func dynamicObjectsReachEverything() throws {
    let realm = try directory.objectRealm()
    _ = try makeHolder(realm)
    let holder = try #require(realm.dynamicObject(ofType: "OHolder", forPrimaryKey: 1))
    #expect(holder.name as? String == "n")
    #expect(holder["id"] as? Int == 1)
    let tag = try #require(holder.tag as? OTag)
    #expect(tag.text == "t")
    #expect((holder.ints as? List<Int>).map(Array.init) == [1, 2])
    #expect((holder.tags as? List<DynamicObject>)?.count == 2)
    #expect((holder.tagMap as? Map<String, DynamicObject?>)?["k"]??.id as? Int == 1)
    #expect((holder.tagSet as? MutableSet<DynamicObject>)?.count == 1)
    #expect(holder.dynamicList("tags").count == 2)
    #expect((holder.intMap as? Map<String, Int>)?["a"] == 1)
    #expect(tag.holders.count == 1)
    #expect((realm.dynamicObjects("OTag").first?.holders as? LinkingObjects<OHolder>)?.count == 1)
    #expect((holder.part as? OPart)?.text == "p")
    #expect(holder.any as? Int == 7)
    try realm.write {
      holder.name = "changed"
      holder.dynamicList("tags").append(realm.dynamicCreate("OTag", value: [7]))
      holder.dynamicList("tags")[0].text = "first"
      holder.part = ["text": "dict"]
    }
    let typed = try #require(realm.object(ofType: OHolder.self, forPrimaryKey: 1))
    #expect(typed.name == "changed")
    #expect(typed.tags.map(\.id) == [1, 2, 7])
    #expect(typed.tags[0].text == "first")
    #expect(typed.part?.text == "dict")
    #expect(holder.objectSchema.className == "OHolder")
    #expect(realm.dynamicObjects("OTag").count == 3)
  }

  @Test func untypedCollectionsOfTypedObjects() throws {
    let realm = try directory.objectRealm()
    let holder = try makeHolder(realm)
    #expect(holder.dynamicList("tags").map { $0["id"] as? Int } == [1, 2])
    #expect(holder.dynamicMutableSet("tagSet").count == 1)
    let map: Map<String, DynamicObject?> = holder.dynamicMap("tagMap")
    #expect(map["k"]??["id"] as? Int == 1)
    #expect(holder.part?.dynamicList("parts").isEmpty == true)
  }

  @Test func enumerationsAndCustomTypesShowWhatIsStored() throws {
    let realm = try directory.objectRealm()
    let all = OAll(value: ["number": 2, "cents": 150, "evenOpt": 4] as [String: Any])
    func check() {
      #expect(all["number"] as? Int == 2)
      #expect(all["cents"] as? Int == 150)
      #expect(all["evenOpt"] as? Int == 4)
      #expect(all["wordOpt"] == nil)
    }
    check()
    try realm.write { realm.add(all) }
    check()
    try realm.write {
      all["number"] = 3
      all["cents"] = OCents(7)
    }
    #expect(all.number == .three)
    #expect(all.cents == OCents(7))
  }

  @Test func keyPathsHaveNames() {
    #expect(_name(for: \OHolder.tag?.text) == "tag.text")
    #expect(_name(for: \OHolder.tags[0].text) == "tags.text")
    #expect(_name(for: \OHolder.tags) == "tags")
    #expect(_name(for: \OHolder.ints) == "ints")
    #expect(_name(for: \OHolder.part?.tag?.number) == "part.tag.number")
    #expect(_name(for: \OHolder.tagMap["x"]??.id) == "tagMap.id")
    #expect(_name(for: \OHolder.any) == "any")
    #expect(_name(for: \OTag.holders[0].name) == "holders.name")
    #expect(_name(for: \OHolder.tagSet[0].id) == "tagSet.id")
    #expect(_name(for: \OPlain.next?.next?.text) == "next.next.text")
    #expect(_name(for: \OHolder.isInvalidated) == "")
    #expect(_name(for: \OAll.number) == "number")
    #expect(_name(for: \OAll.evenOpt) == "evenOpt")
    #expect(_name(for: \OPlaces.point) == "point")
    #expect(SortDescriptor(keyPath: \OHolder.tag?.text, ascending: false) == SortDescriptor(keyPath: "tag.text", ascending: false))
    #expect(_name(for: \ODerived.base) == "base")
    #expect(_name(for: \ODerived.own) == "own")
  }

  // MARK: Classes

  @Test func inheritedPropertiesComeFirst() throws {
    let realm = try Realm(configuration: directory.configuration([OBase.self, ODerived.self, OGenericChild.self, OOuter.ONested.self, OMain.self]))
    try realm.write {
      let derived = realm.create(ODerived.self, value: ["b", "o"])
      #expect(derived.base == "b")
      #expect(derived.own == "o")
      #expect(derived.objectSchema.properties.map(\.name) == ["base", "own"])
      realm.add(OGenericChild(value: ["values": [1, 2], "extra": "x"] as [String: Any]))
      realm.create(OOuter.ONested.self, value: ["n"])
    }
    #expect(realm.objects(OBase.self).isEmpty)
    #expect(realm.objects(ODerived.self).count == 1)
    #expect(Array(realm.objects(OGenericChild.self)[0].values) == [1, 2])
    #expect(realm.objects(OOuter.ONested.self)[0].name == "n")
    #expect(OOuter.ONested.className() == "ONested")
  }

  @MainActor @Test func modelsMayBelongToTheMainActor() throws {
    let realm = try Realm(configuration: directory.configuration([OMain.self]))
    let object = OMain()
    object.count = 3
    try realm.write { realm.add(object) }
    #expect(realm.objects(OMain.self).first?.count == 3)
  }

  @Test func renamedClassesAndColumns() throws {
    let realm = try Realm(configuration: directory.configuration([ORenamed.self]))
    try realm.write { realm.create(ORenamed.self, value: ["first": "k", "second": 2] as [String: Any]) }
    let object = try #require(realm.object(ofType: ORenamed.self, forPrimaryKey: "k"))
    #expect(object.second == 2)
    #expect(object["second"] as? Int == 2)
    #expect(ORenamed.className() == "Stored")
    #expect(realm.dynamicObjects("Stored").first?.second as? Int == 2)
    #expect(realm.schema["Stored"]?["second"]?.columnName == "zwei")
  }
}

class OBase: Unlisted { @Persisted var base: String }
class ODerived: OBase { @Persisted var own: String }
class OGeneric<T: RealmCollectionValue>: Unlisted { @Persisted var values: List<T> }
class OGenericChild: OGeneric<Int> { @Persisted var extra: String }
enum OOuter { class ONested: Unlisted { @Persisted var name: String } }
@MainActor class OMain: Object {
  @Persisted var count: Int
  nonisolated override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
class ORenamed: Unlisted {
  override class func _realmObjectName() -> String? { "Stored" }
  override class func propertiesMapping() -> [String: String] { ["second": "zwei"] }
  override class func primaryKey() -> String? { "first" }
  @Persisted var first: String
  @Persisted var second: Int
}
