import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct SetAndMapTests {
  let directory = TestDirectory()

  private func makeSet(_ values: [Int]) -> MutableSet<Int> {
    let set = MutableSet<Int>()
    set.insert(objectsIn: values)
    return set
  }

  @Test func setsHoldEachElementOnce() throws {
    let realm = try directory.objectRealm()
    for set in [MutableSet<Int>(), try realm.write { realm.create(OHolder.self, value: ["id": 1]).intSet }] {
      try realm.write {
        set.insert(5)
        set.insert(objectsIn: [1, 5, 3])
        #expect(set.count == 3)
        #expect(set.contains(3))
        #expect(!set.contains(4))
        #expect(set.sorted(by: <) == [1, 3, 5])
        set.remove(3)
        set.remove(99)
        #expect(set.count == 2)
        set.removeAll()
        #expect(set.isEmpty)
        #expect(set.first == nil)
      }
    }
  }

  @Test func managedSetsAreInTheOrderOfTheirValues() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let set = realm.create(OHolder.self, value: ["id": 1, "intSet": [3, 1, 2]] as [String: Any]).intSet
      #expect(Array(set) == [1, 2, 3])
      #expect(set[0] == 1)
      #expect(set.first == 1)
      #expect(set.last == 3)
    }
  }

  @Test func setAlgebra() throws {
    let realm = try directory.objectRealm()
    realm.beginWrite()
    let (a, b) = (
      realm.create(OHolder.self, value: ["id": 1, "intSet": [1, 2, 3]] as [String: Any]).intSet,
      realm.create(OHolder.self, value: ["id": 2, "intSet": [2, 3, 4]] as [String: Any]).intSet
    )
    #expect(a.intersects(b))
    #expect(!a.isSubset(of: b))
    a.formIntersection(b)
    #expect(Array(a) == [2, 3])
    #expect(a.isSubset(of: b))
    a.formUnion(b)
    #expect(Array(a) == [2, 3, 4])
    a.subtract(b)
    #expect(a.isEmpty)
    b.formUnion(b)
    b.formIntersection(b)
    #expect(b.count == 3)
    realm.cancelWrite()
    let (x, y) = (makeSet([1, 2, 3]), makeSet([2, 3, 4]))
    x.formIntersection(y)
    #expect(Set(x) == [2, 3])
    x.formUnion(y)
    x.subtract(makeSet([3]))
    #expect(Set(x) == [2, 4])
    #expect(x.isSubset(of: y))
    #expect(makeSet([1, 2]) == makeSet([2, 1]))
  }

  @Test func askingASetForAForeignObjectAddsNothing() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1, "tagSet": [[1]], "anySet": [1]] as [String: Any])
      #expect(!holder.tagSet.contains(OTag(value: [2])))
      #expect(!holder.anySet.contains(.object(OTag(value: [2]))))
      #expect(realm.objects(OTag.self).count == 1)
      holder.tagSet.insert(OTag(value: [3]))
      #expect(holder.tagSet.count == 2)
      #expect(holder.tagSet.contains(realm.object(ofType: OTag.self, forPrimaryKey: 3)!))
    }
  }

  // MARK: Maps

  @Test func mapsHoldOneValueForAKey() throws {
    let realm = try directory.objectRealm()
    for map in [Map<String, Int>(), try realm.write { realm.create(OHolder.self, value: ["id": 1]).intMap }] {
      try realm.write {
        map["b"] = 2
        map.updateValue(1, forKey: "a")
        #expect(map.count == 2)
        #expect(map["a"] == 1)
        #expect(map["z"] == nil)
        #expect(map.keys.sorted() == ["a", "b"])
        #expect(map.values.sorted() == [1, 2])
        map["b"] = 3
        map["a"] = nil
        #expect(map.count == 1)
        map.merge([(key: "b", value: 10), (key: "c", value: 20)]) { $0 + $1 }
        #expect(map["b"] == 13)
        #expect(map["c"] == 20)
        let other = Map<String, Int>()
        other["c"] = 1
        map.merge(other) { _, new in new }
        #expect(map["c"] == 1)
        #expect(map.contains { key, value in key == "c" && value == 1 })
        #expect(!map.contains { _, value in value == 99 })
        var pairs: [String: Int] = [:]
        for entry in map { pairs[entry.key] = entry.value }
        #expect(pairs == ["b": 13, "c": 1])
        #expect(Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, $0.value) }) == pairs)
        map.setValue(5, forKey: "d")
        map.setValue(nil, forKey: "b")
        #expect(map.value(forKey: "d") as? Int == 5)
        #expect(map.object(forKey: "d" as AnyObject) as? Int == 5)
        #expect(map.value(forKeyPath: "@sum.self") as? Int == 6)
        map.removeObject(for: "d")
        map.removeAll()
        #expect(map.count == 0)
      }
    }
  }

  // "é" composed and decomposed: one text for `String`, two keys in a file.
  private static let twoForms = ["\u{E9}", "e\u{301}"]

  private func expectTwoForms(_ map: Map<String, Int>, _ any: AnyRealmValue, _ sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(map.count == 2, sourceLocation: sourceLocation)
    #expect(Self.twoForms.map { map[$0] } == [1, 2], sourceLocation: sourceLocation)
    #expect(any.dictionaryValue?.count == 2, sourceLocation: sourceLocation)
    #expect(Self.twoForms.map { any.dictionaryValue?[$0] } == [.int(1), .int(2)], sourceLocation: sourceLocation)
  }

  @Test func keysAreToldFromEachOtherByTheirBytes() throws {
    let object = OHolder()
    object.any = .fromDictionary([:])
    for (index, key) in Self.twoForms.enumerated() {
      object.intMap[key] = index + 1
      try #require(object.any.dictionaryValue)[key] = .int(index + 1)
    }
    expectTwoForms(object.intMap, object.any)
    let (realm, other) = (try directory.objectRealm(), try TestDirectory().objectRealm())
    try realm.write { realm.add(object) }
    expectTwoForms(object.intMap, object.any)
    // A copy in memory, one in another realm, one by update, and by name.
    let copy = OHolder(value: object)
    expectTwoForms(copy.intMap, copy.any)
    let far = try other.write { other.create(OHolder.self, value: object) }
    expectTwoForms(far.intMap, far.any)
    try realm.write {
      copy.id = 2
      realm.add(copy)
      copy.intMap = object.intMap
      copy["any"] = object["any"]
      copy["intMap"] = object["intMap"]
    }
    expectTwoForms(copy.intMap, copy.any)
    try other.write { _ = other.create(OHolder.self, value: object, update: .modified) }
    expectTwoForms(far.intMap, far.any)
    #expect(Self.twoForms.map { object.value(forKeyPath: "intMap." + $0) as? Int } == [1, 2])
    copy.intMap.realm.map { realm in try? realm.write { copy.intMap[Self.twoForms[0]] = nil } }
    #expect(copy.intMap.keys.map { Array($0.utf8) } == [Array(Self.twoForms[1].utf8)])
  }

  @Test func keysOfEnumerationsAreToldFromEachOtherByTheirBytes() throws {
    let realm = try directory.objectRealm()
    let object = try realm.write { realm.create(OAll.self) }
    try realm.write { for key in Self.twoForms { object.wordMap[key] = .a } }
    let copy = OAll(value: object)
    #expect(copy.wordMap.count == 2)
    #expect(Self.twoForms.map { copy.wordMap[$0] } == [.a, .a])
    #expect(copy.wordMap.values == [.a, .a])
  }

  @Test func mapsOfObjectsMayHoldNull() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let map = realm.create(OHolder.self, value: ["id": 1]).tagMap
      map["a"] = OTag(value: [1])
      map["b"] = .some(nil)
      #expect(map.count == 2)
      #expect(map["a"]??.id == 1)
      #expect(map["b"] == .some(nil))
      map.setValue(NSNull(), forKey: "a")
      #expect(map["a"] == .some(nil))
      map["a"] = nil
      #expect(map.count == 1)
      #expect(realm.objects(OTag.self).count == 1)
    }
  }

  @Test func keysHaveRules() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let map = realm.create(OHolder.self, value: ["id": 1]).intMap
      map["in$side"] = 1
      map[""] = 2
      #expect(map.keys.sorted() == ["", "in$side"])
    }
    for (key, text) in [
      ("a.b", "Dictionary::insert: key must not contain '.'"), ("$a", "Dictionary::insert: key must not start with '$'"),
    ] {
      #expect(failureText { try DictionaryKey.check(key) } == text)
      #expect(realm.creationFailure(OHolder.self, ["id": 2, "intMap": [key: 1]] as [String: Any]) == text)
      #expect(realm.creationFailure(OHolder.self, ["id": 2, "any": [key: 1]] as [String: Any]) == text)
      #expect(OHolder().settingFailure("intMap", [key: 1]) == text)
    }
  }

  @Test func entriesAreEqualByValue() {
    let entry = SingleMapEntry<String, Int>(key: "a", value: 1)
    #expect(entry == SingleMapEntry(key: "b", value: 1))
    #expect(entry != SingleMapEntry(key: "a", value: 2))
  }

  @Test func aSetHoldsNaNOnce() throws {
    let realm = try Realm(configuration: directory.configuration([ONumberSets.self]))
    func fill(_ sets: ONumberSets) {
      for value in [Double.nan, 0, -.nan, -0.0, 1, .signalingNaN] {
        sets.doubles.insert(value)
        sets.floats.insert(Float(value))
        sets.optionals.insert(value)
      }
      sets.optionals.insert(nil)
    }
    func check(_ sets: ONumberSets) {
      #expect((sets.doubles.count, sets.floats.count, sets.optionals.count) == (3, 3, 4))
      #expect(sets.doubles.contains(.nan) && sets.floats.contains(.nan) && sets.optionals.contains(.nan) && sets.optionals.contains(nil))
      sets.doubles.remove(.nan)
      sets.floats.remove(.nan)
      sets.optionals.remove(.nan)
      #expect((sets.doubles.count, sets.floats.count, sets.optionals.count) == (2, 2, 3))
      #expect(!sets.doubles.contains(.nan) && !sets.floats.contains(.nan) && !sets.optionals.contains(.nan))
    }
    let unmanaged = ONumberSets()
    fill(unmanaged)
    check(unmanaged)
    try realm.write {
      let managed = realm.create(ONumberSets.self)
      fill(managed)
      check(managed)
      fill(unmanaged)
      realm.add(unmanaged)
      check(unmanaged)
    }
  }

  @Test func unmanagedSetsGrowWhateverBecomesOfTheirObjects() throws {
    let realm = try directory.objectRealm()
    func fill(_ set: MutableSet<OTag>) { for id in 100..<200 { set.insert(OTag(value: ["id": id])) } }
    let (changed, holder) = (OTag(), OHolder(value: ["id": 1]))
    for id in 1...20 {
      changed.id = id
      holder.tagSet.insert(changed)
    }
    fill(holder.tagSet)
    try realm.write { realm.add(holder) }
    #expect(holder.tagSet.count == 101)
    // Objects that are gone have no primary key any more.
    let deleted = MutableSet<OTag>()
    try realm.write {
      deleted.insert(objectsIn: realm.objects(OTag.self))
      realm.delete(realm.objects(OTag.self))
    }
    fill(deleted)
    #expect(deleted.count == 201)
  }

  @Test func frozenCollectionsKeepTheirContents() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": [1], "intSet": [1], "intMap": ["a": 1]] as [String: Any]) }
    let (list, set, map) = (holder.ints.freeze(), holder.intSet.freeze(), holder.intMap.freeze())
    let results = realm.objects(OHolder.self).freeze()
    try realm.write {
      holder.ints.append(2)
      holder.intSet.insert(2)
      holder.intMap["b"] = 2
      realm.create(OHolder.self, value: ["id": 2])
    }
    #expect(list.isFrozen && set.isFrozen && map.isFrozen && results.isFrozen)
    #expect((list.count, set.count, map.count, results.count) == (1, 1, 1, 1))
    #expect(list.thaw()?.count == 2)
    #expect(set.thaw()?.count == 2)
    #expect(map.thaw()?.count == 2)
    #expect(results.thaw()?.count == 2)
    #expect(results[0].isFrozen)
  }
}

class ONumberSets: Unlisted {
  @Persisted var doubles: MutableSet<Double>
  @Persisted var floats: MutableSet<Float>
  @Persisted var optionals: MutableSet<Double?>
}
