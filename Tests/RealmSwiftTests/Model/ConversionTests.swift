import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// No default value of the stored type has a counterpart.
struct ONonZero: FailableCustomPersistable {
  typealias PersistedType = Int
  var number: Int
  init(_ number: Int) { self.number = number }
  init?(persistedValue: Int) {
    if persistedValue == 0 { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}
class ONoDefault: Unlisted { @Persisted var value: ONonZero }
class OOddDefault: Unlisted {
  @Persisted var value = ONonZero(0)
  @Persisted var list: List<ONonZero>
}
class OWrapped: Unlisted {
  @Persisted var point: OPoint
  @Persisted var map: Map<String, OPoint>
  @Persisted var list: List<OPoint>
}

/// Values that enumerations and custom types have no counterpart for: stored as they are, missed when they are read.
@Suite struct ConversionTests {
  let directory = TestDirectory()
  private static var odd: [String: Any] {
    [
      "even": 3, "evenOpt": 3, "evenList": [3], "evenOptList": [3], "evenSet": [3], "evenOptSet": [3], "evenMap": ["k": 3], "evenOptMap": ["k": 3],
      "numberOpt": 9, "numberList": [9], "numberOptList": [9, 1], "wordOptMap": ["k": "z"],
    ]
  }

  private func check(_ all: OAll) {
    #expect(all.evenOpt == nil)
    #expect(all["evenOpt"] == nil)
    #expect(all.evenList.count == 1)
    #expect(all.evenSet.count == 1)
    #expect(all.evenMap.count == 1)
    #expect(all.evenMap.keys == ["k"])
    #expect(Array(all.evenOptList) == [nil])
    #expect(Array(all.evenOptSet) == [nil])
    #expect(all.evenOptMap["k"] == .some(nil))
    #expect(all.numberOpt == nil)
    #expect(all.numberList.count == 1)
    #expect(Array(all.numberOptList) == [nil, .one])
    #expect(all.wordOptMap["k"] == .some(nil))
  }

  @Test func createStoresWhatHasNoCounterpart() throws {
    let realm = try directory.objectRealm()
    let all = try realm.write { realm.create(OAll.self, value: Self.odd) }
    check(all)
    let stored = try #require(realm.objects(OAll.self).filter("even == 3 AND evenOpt == 3 AND ANY evenList == 3").first)
    #expect(failureText { _ = try stored.dynamicValue("evenOpt", converts: false) } == nil)
    #expect(try stored.dynamicValue("evenOpt", converts: false) as? Int == 3)
    #expect(stored.description.contains("evenOpt = 3;"))
  }

  @Test func unmanagedCollectionsKeepWhatHasNoCounterpart() throws {
    let realm = try directory.objectRealm()
    var values = Self.odd
    values["even"] = 2
    let all = OAll(value: values)
    check(all)
    let copy = OAll()
    copy.evenList = all.evenList
    copy.evenSet = all.evenSet
    copy.evenMap = all.evenMap
    #expect(copy.evenList.count == 1 && copy.evenSet.count == 1 && copy.evenMap.count == 1)
    try realm.write { realm.add(all) }
    check(all)
    #expect(realm.objects(OAll.self).filter("ANY evenList == 3 AND ANY evenSet == 3 AND ANY evenMap == 3").count == 1)
    all.realm?.beginWrite()
    all.evenList.removeAll()
    all.realm?.cancelWrite()
    let other = OAll(value: ["evenList": [3]])
    other.evenList.removeAll()
    other.evenList.append(OEven(1))
    #expect(Array(other.evenList) == [OEven(1)])
  }

  @Test func unmanagedPropertiesRefuseWhatHasNoCounterpart() {
    #expect(OAll().settingFailure("even", 3) == "Could not convert value '3' to type 'OEven'.")
    #expect(OAll().settingFailure("word", "z") == "Could not convert value 'z' to type 'OWord'.")
    #expect(failureText { try OAll().populate(from: ["even": 3]) } == "Could not convert value '3' to type 'OEven'.")
  }

  static let misuses: [Misuse] = [
    Misuse("Failed to convert persisted value '3' to type 'OEven' in a non-optional context.") { realm in
      try realm.write { _ = realm.create(OAll.self, value: ["even": 3]).even }
    },
    Misuse("Failed to convert persisted value '3' to type 'OEven' in a non-optional context.") { realm in
      try realm.write { _ = realm.create(OAll.self, value: ["even": 3])["even"] }
    },
    Misuse("Could not convert value '3' to type 'OEven'.") { realm in
      try realm.write { _ = realm.create(OAll.self, value: ["evenList": [3]]).evenList[0] }
    },
    Misuse("Could not convert value '3' to type 'OEven'.") { realm in
      try realm.write { for _ in realm.create(OAll.self, value: ["evenList": [2, 3]]).evenList {} }
    },
    Misuse("Could not convert value '3' to type 'OEven'.") { realm in
      try realm.write { _ = realm.create(OAll.self, value: ["evenSet": [3]]).evenSet.first }
    },
    Misuse("Could not convert value '3' to type 'OEven'.") { realm in
      try realm.write { _ = realm.create(OAll.self, value: ["evenMap": ["k": 3]]).evenMap["k"] }
    },
    Misuse("Could not convert value '3' to type 'OEven'.") { _ in _ = OAll(value: ["evenList": [3]]).evenList[0] },
    Misuse("Could not convert value '3' to type 'OEven'.") { _ in _ = OAll(value: ["evenSet": [3]]).evenSet.first },
    Misuse("Could not convert value '3' to type 'OEven'.") { _ in _ = OAll(value: ["evenMap": ["k": 3]]).evenMap["k"] },
    Misuse(
      "Failed to default construct a ONonZero using the default value for persisted type Int. This conversion must either succeed, "
        + "the property must be optional, or you must explicitly specify a default value for the property."
    ) { _ in _ = ONoDefault().value },
  ]

  @Test(.endsProcesses, arguments: misuses.indices) func readingWhatHasNoCounterpartStops(_ index: Int) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try ConversionTests.misuses[index].perform()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(Self.misuses[index].text), "\(text)")
  }

  @Test func readingByNameWhatHasNoCounterpartCanBeThrown() throws {
    let realm = try directory.objectRealm()
    let all = try realm.write { realm.create(OAll.self, value: ["even": 3, "evenOpt": 3]) }
    for read in [{ try all.throwing.value(forKey: "even") }, { try all.throwing.value(forKeyPath: "even") }] {
      #expect { _ = try read() } throws: {
        $0.localizedDescription == "Failed to convert persisted value '3' to type 'OEven' in a non-optional context."
      }
    }
    #expect(try all.throwing.value(forKey: "evenOpt") == nil)
    try realm.write { all.even = OEven(2) }
    #expect(try all.throwing.value(forKey: "even") as? Int == 4)
  }

  @MainActor @Test func observersAreToldOfWhatHasNoCounterpart() throws {
    let realm = try directory.objectRealm()
    let all = try realm.write { realm.create(OAll.self) }
    var told: [String: Int] = [:]
    let token = all.observe { (change: ObjectChange<OAll>) in
      if case .change(_, let changes) = change { for change in changes { told[change.name] = change.newValue as? Int } }
    }
    try realm.write {
      try all.throwing.setValue(3, forKey: "even")
      try all.throwing.setValue(5, forKey: "evenOpt")
    }
    realm.refresh()
    #expect(told == ["even": 3, "evenOpt": 5])
    token.invalidate()
  }

  @Test func defaultsAreStoredWhetherTheyCanBeReadOrNot() throws {
    let realm = try Realm(configuration: directory.configuration([ONoDefault.self, OOddDefault.self]))
    try realm.write {
      realm.create(OOddDefault.self)
      realm.add(OOddDefault())
      realm.create(ONoDefault.self, value: [7])
    }
    #expect(realm.objects(OOddDefault.self).filter("value == 0").count == 2)
    #expect(realm.objects(ONoDefault.self).first?.value.number == 7)
  }

  @Test func nullReadsAsTheDefaultOfATypeOverAnEmbeddedClass() throws {
    let realm = try Realm(configuration: directory.configuration([OWrapped.self, OPointData.self]))
    let null = NSNull()
    for values in [["point": null, "map": ["a": null]] as [String: Any], ["point": OPoint?.none as Any, "map": ["a": OPoint?.none]]] {
      let unmanaged = OWrapped(value: values)
      #expect(unmanaged.point == OPoint(1, 2))
      #expect(unmanaged.map["a"] == OPoint(1, 2))
      unmanaged["point"] = nil
      #expect(unmanaged.point == OPoint(1, 2))
      try realm.write {
        let managed = realm.create(OWrapped.self, value: values)
        #expect(managed.point == OPoint(1, 2))
        #expect(managed.map["a"] == OPoint(1, 2))
        managed["point"] = nil
        #expect(managed.point == OPoint(1, 2))
        managed.map.setValue(null, forKey: "b")
        #expect(managed.map["b"] == OPoint(1, 2))
      }
    }
    #expect(failureText { try OWrapped().populate(from: ["list": [null]]) } != nil)
    #expect(realm.creationFailure(OWrapped.self, ["list": [null]]) != nil)
  }
}
