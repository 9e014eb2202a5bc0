import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct AggregateTests {
  let directory = TestDirectory()

  private func rows(_ realm: Realm) throws -> Results<OAll> {
    try realm.write {
      for value in [1, 2, 6] {
        realm.create(
          OAll.self,
          value: [
            "int": value, "intOpt": value == 2 ? NSNull() : value as Any, "double": Double(value) / 2, "float": Float(value), "decimal": value,
            "date": Date(timeIntervalSince1970: Double(value)), "number": value == 6 ? 3 : value, "string": "s",
          ] as [String: Any])
      }
    }
    return realm.objects(OAll.self)
  }

  @Test func numbersOfResults() throws {
    let realm = try directory.objectRealm()
    let all = try rows(realm)
    #expect(all.min(ofProperty: "int") == 1)
    #expect(all.max(of: \.int) == 6)
    #expect(all.sum(of: \.int) == 9)
    #expect(all.average(of: \.int) == 3)
    #expect(all.average(ofProperty: "int") as Double? == 3)
    #expect(all.sum(ofProperty: "intOpt") == 7)
    #expect(all.min(of: \.intOpt) == 1)
    #expect(all.average(ofProperty: "intOpt") as Double? == 3.5)
    #expect(all.sum(of: \.double) == 4.5)
    #expect(all.sum(of: \.float) == 9)
    #expect(all.max(of: \.decimal) == 6)
    #expect(all.sum(of: \.decimal) == 9)
    #expect(all.average(of: \.decimal) == 3)
    #expect(all.min(of: \.date) == Date(timeIntervalSince1970: 1))
    #expect(all.max(of: \.number) == .three)
  }

  @Test func nothingHasNoExtremesAndNoAverage() throws {
    let realm = try directory.objectRealm()
    let all = realm.objects(OAll.self)
    #expect(all.min(of: \.int) == nil)
    #expect(all.max(ofProperty: "date") as Date? == nil)
    #expect(all.sum(of: \.double) == 0)
    #expect(all.average(of: \.int) == nil)
    try realm.write { realm.create(OAll.self) }
    #expect(all.min(of: \.intOpt) == nil)
    #expect(all.sum(of: \.intOpt) == 0)
    #expect(all.average(ofProperty: "intOpt") as Double? == nil)
  }

  @Test func numbersOfCollections() throws {
    let realm = try directory.objectRealm()
    let unmanaged = OAll(
      value: [
        "intList": [3, 1, 2], "intOptList": [3, nil, 1] as [Int?], "doubleSet": [0.5, 1.5], "decimalMap": ["a": 1, "b": 2],
        "dateList": [Date(timeIntervalSince1970: 2), Date(timeIntervalSince1970: 1)], "floatList": [1.5, 2.5],
      ] as [String: Any])
    let managed = try realm.write { realm.create(OAll.self, value: unmanaged) }
    for all in [unmanaged, managed] {
      #expect(all.intList.min() == 1)
      #expect(all.intList.max() == 3)
      #expect(all.intList.sum() == 6)
      #expect(all.intList.average() == 2.0)
      #expect(all.intOptList.sum() == 4)
      #expect(all.intOptList.min() == 1)
      #expect(all.intOptList.average() as Double? == 2)
      #expect(all.doubleSet.sum() == 2)
      #expect(all.doubleSet.max() == 1.5)
      #expect(all.decimalMap.sum() == 3)
      #expect(all.decimalMap.min() == 1)
      #expect(all.decimalMap.average() as Decimal128? == 1.5)
      #expect(all.dateList.min() == Date(timeIntervalSince1970: 1))
      #expect(all.floatList.average() == 2.0)
      #expect(all.intSet.min() == nil)
      #expect(all.intSet.sum() == 0)
      #expect(all.intMap.average() as Double? == nil)
    }
  }

  @Test func numbersOfObjectsInCollections() throws {
    let realm = try directory.objectRealm()
    let unmanaged = OHolder(value: ["id": 1, "plains": [["a", 1], ["b", 5]], "tagMap": ["x": [1, "t", 4], "y": [2, "u", 6]]] as [String: Any])
    let managed = try realm.write { realm.create(OHolder.self, value: unmanaged) }
    for holder in [unmanaged, managed] {
      #expect(holder.plains.sum(of: \.number) == 6)
      #expect(holder.plains.max(ofProperty: "number") == 5)
      #expect(holder.plains.average(of: \.number) == 3)
      #expect(holder.tagMap.sum(of: \.number) == 10)
      #expect(holder.tagMap.min(ofProperty: "number") == 4)
    }
  }

  @Test func mixedValuesHaveAnOrderAndSumAsDecimals() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1, "anyList": [3, 1.5, NSNull(), "text", 2] as [Any]] as [String: Any])
      #expect(holder.anyList.sum() == .decimal128(6.5))
      #expect(holder.anyList.min() == .double(1.5))
      #expect(holder.anyList.max() == .string("text"))
    }
  }

  /// Floats with seven digits, doubles with 15; NaN of a double takes part, that of a decimal does not.
  @Test func mixedValuesOfCollectionsAddUpLikeThoseOfProperties() throws {
    let realm = try directory.objectRealm()
    let lists: [[AnyRealmValue]] = [
      [.float(0.1), .float(0.2)], [.double(0.1 + 0.2), .int(1)], [.double(.nan), .int(1)], [.decimal128("nan"), .int(1)],
      [.float(.nan), .string("a")], [.none, .string("a")],
    ]
    for list in lists {
      try realm.write {
        realm.deleteAll()
        for (id, value) in list.enumerated() { realm.create(OHolder.self, value: ["id": id, "any": value]) }
        let properties = realm.objects(OHolder.self).where { $0.id < list.count }
        let values = realm.create(OHolder.self, value: ["id": list.count, "anyList": list]).anyList
        func expectSame(_ a: AnyRealmValue?, _ b: AnyRealmValue?) { #expect("\(String(describing: a))" == "\(String(describing: b))", "\(list)") }
        expectSame(values.sum(), properties.sum(of: \.any))
        expectSame(values.average(), properties.average(ofProperty: "any"))
        expectSame(values.min(), properties.min(of: \.any))
        expectSame(values.max(), properties.max(of: \.any))
      }
    }
    let holder = OHolder(value: ["id": 1, "anyList": lists[0]])
    #expect(holder.anyList.sum() == .decimal128("0.3"))
  }

  @Test func wrongPropertiesAreNamed() throws {
    let realm = try directory.objectRealm()
    let all = try rows(realm)
    func text(_ property: String) -> String? { failureText { _ = try Aggregation(all).value(.min, property) as Int? } }
    #expect(text("nope") == "Property 'OAll.nope' does not exist")
    #expect(text("string") == "Operation 'min' not supported for string property 'OAll.string'")
    #expect(text("stringOpt") == "Operation 'min' not supported for string? property 'OAll.stringOpt'")
    let list = all[0].intList
    #expect(
      failureText { _ = try Aggregation(list).value(.sum, "x") as Int? }
        == "Arrays of 'int' can only be aggregated on \"self\"")
    let strings = all[0].stringList
    #expect(
      failureText { _ = try Aggregation(strings).value(.average, "self") as Int? }
        == "Operation 'average' not supported for string list 'OAll.stringList'")
    #expect(
      failureText { _ = try Aggregation(all).value(.sum, "date") as Int? }
        == "Operation 'sum' not supported for date property 'OAll.date'")
  }

  // MARK: Key-value coding

  @Test func valuesByKey() throws {
    let realm = try directory.objectRealm()
    let unmanaged = OHolder(
      value: ["id": 1, "plains": [["a", 1], ["b", 5], ["a", 3]], "ints": [1, 2], "tags": [[1], [2]]] as [String: Any])
    let managed = try realm.write { realm.create(OHolder.self, value: unmanaged) }
    for holder in [unmanaged, managed] {
      let texts: [AnyObject] = holder.plains.value(forKey: "text")
      #expect(texts as? [String] == ["a", "b", "a"])
      let plains: any RealmCollection = holder.plains
      func value(_ keyPath: String) -> Any? { plains.value(forKeyPath: keyPath) }
      #expect(value("text") as? [String] == ["a", "b", "a"])
      #expect(value("@count") as? Int == 3)
      #expect(value("@sum.number") as? Int == 9)
      #expect(value("@min.number") as? Int == 1)
      #expect(value("@max.number") as? Int == 5)
      #expect(value("@avg.number") as? Double == 3)
      #expect(value("@unionOfObjects.text") as? [String] == ["a", "b", "a"])
      #expect(value("@distinctUnionOfObjects.text") as? [String] == ["a", "b"])
      #expect((value("next") as? [Any])?.allSatisfy { $0 is NSNull } == true)
      #expect((value("self") as? [OPlain])?.count == 3)
    }
    let holders: any RealmCollection = realm.objects(OHolder.self)
    #expect(holders.value(forKeyPath: "@unionOfArrays.ints") as? [Int] == [1, 2])
    #expect(holders.value(forKeyPath: "plains.@sum.number") as? [Int] == [9])
    #expect((holders.value(forKeyPath: "tags.id") as? [[Int]]) == [[1, 2]])
    try realm.write { managed.plains.setValue("z", forKey: "text") }
    #expect(managed.plains.map(\.text) == ["z", "z", "z"])
    unmanaged.plains.setValue(4, forKey: "number")
    #expect(unmanaged.plains.map(\.number) == [4, 4, 4])
  }
}
