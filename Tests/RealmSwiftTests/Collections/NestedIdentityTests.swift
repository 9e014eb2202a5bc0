import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct NestedIdentityTests {
  let directory = TestDirectory()

  private func values(_ list: List<AnyRealmValue>) -> [AnyRealmValue] { Array(list) }

  private func holder(_ realm: Realm) throws -> OHolder {
    try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1])
      holder.any = .fromArray([.fromArray([.int(0)]), .fromDictionary(["k": .fromArray([.int(1)])]), .fromArray([])])
      holder.anyList.append(objectsIn: [.fromArray([.string("x")]), .int(5), .fromDictionary(["a": .int(9)])])
      return holder
    }
  }

  @Test func aNestedCollectionStaysItselfWhenElementsAreInsertedBeforeIt() throws {
    let realm = try directory.objectRealm()
    let holder = try holder(realm)
    let outer = try #require(holder.any.listValue)
    let (first, map, empty) = (try #require(outer[0].listValue), try #require(outer[1].dictionaryValue), try #require(outer[2].listValue))
    let inner = try #require(map["k"]?.listValue)
    let (listed, entry) = (try #require(holder.anyList[0].listValue), try #require(holder.anyList[2].dictionaryValue))
    try realm.write {
      outer.insert(.fromArray([.string("new")]), at: 0)
      outer.insert(.int(7), at: 2)
      holder.anyList.insert(contentsOf: [.int(1), .int(2)], at: 0)
    }
    #expect(values(first) == [.int(0)])
    #expect(values(inner) == [.int(1)])
    #expect(empty.isEmpty && !empty.isInvalidated)
    #expect(values(listed) == [.string("x")])
    #expect(entry["a"] == .int(9))
    #expect(first == outer[1].listValue)
    try realm.write {
      first.append(.int(10))
      inner.append(.int(11))
      empty.append(.int(12))
      listed.append(.int(13))
      entry["b"] = .int(14)
      outer.move(from: 4, to: 0)
    }
    #expect(outer.count == 5)
    #expect(outer[0].listValue.map(values) == [.int(12)])
    #expect(outer[2].listValue.map(values) == [.int(0), .int(10)])
    #expect(outer[4].dictionaryValue?["k"]?.listValue.map(values) == [.int(1), .int(11)])
    #expect(holder.anyList[2].listValue.map(values) == [.string("x"), .int(13)])
    #expect(holder.anyList[4].dictionaryValue?["b"] == .int(14))
    try realm.write { outer.remove(at: 0) }
    #expect(empty.isInvalidated)
    #expect(!first.isInvalidated)
  }

  @Test func iterationAndSortingReachTheRightCollections() throws {
    let realm = try directory.objectRealm()
    let holder = try holder(realm)
    var seen: [List<AnyRealmValue>] = []
    try realm.write {
      for element in holder.anyList {
        if let list = element.listValue { seen.append(list) }
        holder.anyList.insert(.bool(true), at: 0)
      }
    }
    #expect(seen.map(values) == [[AnyRealmValue.string("x")]])
    let sorted = holder.anyList.sorted(by: [SortDescriptor(keyPath: "self", ascending: false)])
    #expect(sorted.compactMap { $0.listValue }.map(values) == [[AnyRealmValue.string("x")]])
    #expect(sorted.compactMap { $0.dictionaryValue }.first?["a"] == .int(9))
  }

  @Test func aFrozenCollectionAndAReferenceNameTheSameCollection() throws {
    let realm = try directory.objectRealm()
    let holder = try holder(realm)
    let nested = try #require(holder.anyList[2].dictionaryValue)
    let frozen = nested.freeze()
    let reference = ThreadSafeReference(to: nested)
    try realm.write { holder.anyList.insert(.int(0), at: 0) }
    #expect(frozen["a"] == .int(9))
    #expect(frozen.thaw()?["a"] == .int(9))
    #expect(realm.resolve(reference)?["a"] == .int(9))
  }

  @Test func aCollectionUnderAKeyIsGoneWhenAnotherTakesItsPlace() throws {
    let realm = try directory.objectRealm()
    let holder = try holder(realm)
    let map = try #require(holder.any.listValue?[1].dictionaryValue)
    let (first, sorted) = (try #require(map["k"]?.listValue), map.sorted())
    try realm.write { map["k"] = .int(5) }
    #expect(first.isInvalidated)
    try realm.write { map["k"] = .fromArray([.int(6)]) }
    let second = try #require(map["k"]?.listValue)
    #expect(first.isInvalidated && values(second) == [.int(6)])
    #expect(sorted.first?.listValue == second && map.values.first?.listValue == second)
    let (frozen, reference) = (second.freeze(), ThreadSafeReference(to: second))
    try realm.write {
      map["a"] = .fromArray([.int(7)])
      second.append(.int(8))
    }
    #expect(values(second) == [.int(6), .int(8)] && values(frozen) == [.int(6)])
    #expect(frozen.thaw().map(values) == [.int(6), .int(8)] && realm.resolve(reference).map(values) == [.int(6), .int(8)])
    try realm.write {
      map.removeObject(for: "k")
      map["k"] = .fromArray([.int(10)])
    }
    #expect(second.isInvalidated && values(frozen) == [.int(6)])
    #expect(frozen.thaw()?.isInvalidated != false)
    #expect(map["k"]?.listValue.map(values) == [.int(10)])
  }

  /// What a transaction begins with has the same version after one that was cancelled.
  @Test func aCollectionOfACancelledTransactionIsNotTheNextOneInItsPlace() throws {
    let realm = try directory.objectRealm()
    let holder = try holder(realm)
    try realm.write {
      holder.any = .none
      holder.anyMap.removeAll()
    }
    func fill() -> [List<AnyRealmValue>] {
      holder.any = .fromArray([.int(1)])
      holder.anyList[1] = .fromArray([.int(2)])
      holder.anyMap["k"] = .fromArray([.int(3)])
      return [holder.any.listValue, holder.anyList[1].listValue, holder.anyMap["k"]?.listValue].compactMap { $0 }
    }
    realm.beginWrite()
    let before = fill()
    realm.cancelWrite()
    #expect(before.count == 3 && before.allSatisfy { $0.isInvalidated })
    let after = try realm.write { fill() }
    #expect(before.map(\.isInvalidated) == [true, true, true])
    #expect(after.map(values) == [[.int(1)], [.int(2)], [.int(3)]])
  }
}
