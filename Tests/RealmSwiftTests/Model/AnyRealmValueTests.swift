import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct AnyRealmValueTests {
  let directory = TestDirectory()

  private static var scalars: [AnyRealmValue] {
    [
      .none, .int(3), .bool(true), .float(1.5), .double(2.5), .string("s"), .data(Data([1])), .date(Date(timeIntervalSince1970: 1)),
      .objectId(ObjectId("0123456789abcdef01234567")), .decimal128(7.25), .uuid(UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89")!),
    ]
  }

  @Test func everyKindIsStoredEverywhere() throws {
    let realm = try directory.objectRealm()
    let holder = OHolder()
    holder.anyList.append(objectsIn: Self.scalars)
    holder.anySet.insert(objectsIn: Self.scalars)
    for (index, value) in Self.scalars.enumerated() { holder.anyMap["\(index)"] = value }
    #expect(Array(holder.anyList) == Self.scalars)
    try realm.write { realm.add(holder) }
    #expect(Array(holder.anyList) == Self.scalars)
    #expect(Set(holder.anySet) == Set(Self.scalars))
    for (index, value) in Self.scalars.enumerated() {
      #expect(holder.anyMap["\(index)"] == value)
      #expect(holder.anySet.contains(value))
      #expect(holder.anyList.index(of: value) == index)
      try realm.write { holder.any = value }
      #expect(holder.any == value)
    }
  }

  @Test func accessorsConvertNothing() {
    #expect(AnyRealmValue() == .none)
    #expect(AnyRealmValue.int(1).intValue == 1)
    #expect(AnyRealmValue.int(1).doubleValue == nil)
    #expect(AnyRealmValue.bool(true).boolValue == true)
    #expect(AnyRealmValue.bool(true).intValue == nil)
    #expect(AnyRealmValue.float(1).floatValue == 1)
    #expect(AnyRealmValue.float(1).doubleValue == nil)
    #expect(AnyRealmValue.string("x").stringValue == "x")
    #expect(AnyRealmValue.none.stringValue == nil)
    #expect(AnyRealmValue.none.object(OTag.self) == nil)
    #expect(AnyRealmValue.none.dynamicObject == nil)
    #expect(AnyRealmValue.none.hashValue == AnyRealmValue.none.hashValue)
    #expect(AnyRealmValue.fromArray([.int(1)]) == .fromArray([.int(1)]))
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]) == .fromDictionary(["a": .int(1)]))
  }

  @Test func objectsAreAddedAndRead() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1]) }
    let tag = OTag(value: [1])
    try realm.write { holder.any = .object(tag) }
    #expect(tag.realm == realm)
    #expect(holder.any.object(OTag.self) == tag)
    #expect(holder.any.object(OPlain.self) == nil)
    #expect(holder.any.dynamicObject?.id as? Int == 1)
    #expect(holder.any == .object(tag))
    try realm.write {
      let loose = OTag(value: [5])
      let copied = realm.create(OHolder.self, value: ["id": 2, "any": loose, "anyList": [loose.text, OTag(value: [6])]] as [String: Any])
      #expect(loose.realm == nil)
      #expect(copied.any.object(OTag.self)?.id == 5)
      #expect(copied.anyList[1].object(OTag.self)?.id == 6)
    }
  }

  @Test func objectsOfUnknownClassesAreDynamic() throws {
    do {
      let realm = try Realm(configuration: directory.configuration([OLoose.self] + objectTypes))
      try realm.write { realm.create(OLoose.self, value: ["id": 1, "any": OTag(value: [1, "t"] as [Any])] as [String: Any]) }
    }
    let realm = try Realm(configuration: directory.configuration([OLoose.self]))
    let holder = try #require(realm.objects(OLoose.self).first)
    #expect(holder.any.object(OTag.self) == nil)
    #expect(holder.any.dynamicObject?.text as? String == "t")
    #expect(holder.freeze().any.dynamicObject?.text as? String == "t")
  }

  // MARK: Collections

  @Test func nestedCollectionsAreLive() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1])
      holder.any = .fromArray([.int(1), .fromDictionary(["k": .fromArray([.string("deep")])])])
      let list = try #require(holder.any.listValue)
      #expect(list.realm == realm)
      #expect(list[0] == .int(1))
      #expect(list[1].dictionaryValue?["k"]?.listValue?[0] == .string("deep"))
      list.append(.bool(true))
      list[1].dictionaryValue?["k"]?.listValue?.append(.int(9))
      list[1].dictionaryValue?["new"] = .double(0.5)
      #expect(holder.any.listValue?.count == 3)
      #expect(list.map { $0.dictionaryValue?.count } == [nil, 2, nil])
      #expect(holder.any.listValue?[1].dictionaryValue?["k"]?.listValue.map(Array.init) == [.string("deep"), .int(9)])
      #expect(holder.any == holder.any)
      holder.any = holder.any
      #expect(holder.any.listValue?.count == 3)
      holder.any = .fromDictionary(["a": .int(1)])
      #expect(list.isInvalidated)
      #expect(holder.any.listValue == nil)
      let map = try #require(holder.any.dictionaryValue)
      map["b"] = .fromArray([])
      #expect(map.keys.sorted() == ["a", "b"])
      #expect(map["b"]?.listValue?.isEmpty == true)
      holder.any = .none
      #expect(map.isInvalidated)
    }
  }

  @Test func collectionsInCollections() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(
        OHolder.self,
        value: ["id": 1, "anyList": [[1, 2], ["k": [3]]] as [Any], "anyMap": ["l": [1], "d": ["x": 1]] as [String: Any]] as [String: Any])
      #expect(holder.anyList[0].listValue.map(Array.init) == [.int(1), .int(2)])
      #expect(holder.anyList[1].dictionaryValue?["k"]?.listValue?[0] == .int(3))
      #expect(holder.anyMap["l"]?.listValue?.count == 1)
      holder.anyMap["l"]?.listValue?.append(.int(2))
      #expect(holder.anyMap["l"]?.listValue?.count == 2)
      holder.anyList[0] = .fromDictionary(["z": .none])
      #expect(holder.anyList[0].dictionaryValue?.keys == ["z"])
      holder.anyList.insert(.fromArray([.int(7)]), at: 0)
      #expect(holder.anyList[0].listValue?[0] == .int(7))
      var total = 0
      for value in holder.anyList { total += value.listValue?.count ?? value.dictionaryValue?.count ?? 0 }
      #expect(total == 3)
      let copy = realm.create(OHolder.self, value: ["id": 2, "any": holder.anyList] as [String: Any])
      #expect(copy.any.listValue?.count == 3)
    }
  }

  @Test func aHundredLevelsAreTheLimit() throws {
    func nested(_ depth: Int) -> AnyRealmValue {
      var value = AnyRealmValue.fromArray([])
      for _ in 1..<depth { value = .fromArray([value]) }
      return value
    }
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1]) }
    try realm.write { holder.any = nested(100) }
    var depth = 0
    var list = holder.any.listValue
    while let current = list {
      depth += 1
      list = current.first?.listValue
    }
    #expect(depth == 100)
    #expect(realm.creationFailure(OHolder.self, ["id": 2, "any": nested(101)] as [String: Any]) == "Max nesting level reached")
    #expect(
      realm.creationFailure(OHolder.self, ["id": 2, "any": Set([1])] as [String: Any]) == "Set nested in Mixed is not supported")
    #expect(
      realm.creationFailure(OHolder.self, ["id": 2, "any": [MutableSet<Int>()]] as [String: Any]) == "Set nested in Mixed is not supported")
  }
}

/// Leads to classes that its realm need not know.
class OLoose: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue
}
