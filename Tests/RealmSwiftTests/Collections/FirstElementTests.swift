import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

/// What is asked of a collection without its elements being found out.
@Suite struct FirstElementTests {
  let directory = TestDirectory()

  @Test func collectionsAreAskedThemselvesRightAfterAChange() throws {
    let realm = try directory.objectRealm()
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let holder = try realm.write { realm.create(OHolder.self) }
    var (ints, tags): ([Int], [Int]) = ([], [])
    try realm.write {
      for step in 0..<600 {
        if Int.random(in: 0..<5, using: &random) < 3 {
          let place = Int.random(in: 0...ints.count, using: &random)
          holder.ints.insert(step, at: place)
          ints.insert(step, at: place)
          holder.tags.append(realm.create(OTag.self, value: ["id": step, "text": step % 3 == 0 ? "third" : "other"]))
          tags.append(step)
          holder.intSet.insert(step)
        } else if !ints.isEmpty {
          holder.intSet.remove(ints.last!)
          holder.intSet.insert(ints.last!)
          #expect(holder.ints.first == ints.first, "seed \(seed)")
          holder.ints.removeFirst()
          ints.removeFirst()
          if Bool.random(using: &random) { realm.delete(holder.tags[0]) } else { holder.tags.removeFirst() }
          tags.removeFirst()
        }
        let (anyInts, anyTags) = (AnyRealmCollection(holder.ints), AnyRealmCollection(holder.tags))
        #expect(holder.ints.first == ints.first && anyInts.first == ints.first && holder.ints.isEmpty == ints.isEmpty, "seed \(seed), step \(step)")
        #expect(anyInts.count == ints.count && anyInts.last == ints.last && anyTags.count == tags.count, "seed \(seed), step \(step)")
        #expect(holder.tags.first?.id == tags.first && anyTags.first?.id == tags.first && anyTags.isEmpty == tags.isEmpty, "seed \(seed)")
        let thirds = holder.tags.where { $0.text == "third" }
        #expect(thirds.first?.id == tags.first { $0 % 3 == 0 } && thirds.isEmpty == !tags.contains { $0 % 3 == 0 }, "seed \(seed), step \(step)")
        #expect(holder.intSet.first == holder.intSet.min() && holder.intSet.isEmpty == (holder.intSet.count == 0), "seed \(seed), step \(step)")
        if !ints.isEmpty {
          let place = Int.random(in: 0..<ints.count, using: &random)
          #expect(anyInts[place] == ints[place], "seed \(seed), step \(step)")
        }
      }
    }
    let frozen = holder.freeze()
    #expect(frozen.ints.first == ints.first && AnyRealmCollection(frozen.tags).first?.id == tags.first)
  }

  @Test func aConditionOverAListFindsItsFirstBehindManyThatDoNotSatisfyIt() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(OHolder.self)
      for id in 0..<500 { holder.tags.append(realm.create(OTag.self, value: ["id": id, "text": id < 490 ? "a" : "b"])) }
      #expect(holder.tags.where { $0.text == "b" }.first?.id == 490)
      #expect(!holder.tags.where { $0.text == "b" }.isEmpty && holder.tags.where { $0.text == "c" }.isEmpty)
      #expect(holder.tags.where { $0.text == "c" }.first == nil)
      #expect(holder.tags.where { $0.text == "a" }.sorted(byKeyPath: "id", ascending: false).first?.id == 489)
      #expect(holder.tags.where { $0.text == "b" }.distinct(by: ["text"]).first?.id == 490)
    }
  }

  @Test func theEntriesOfAMapComeWithTheirValues() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self) }
    try realm.write {
      for number in 0..<2500 { holder.intMap["key \(number)"] = number }
      for number in 0..<2500 where number % 3 == 0 { holder.intMap["key \(number)"] = nil }
    }
    let expected = (0..<2500).filter { $0 % 3 != 0 }
    #expect(holder.intMap.map { "\($0.key) \($0.value)" }.sorted() == expected.map { "key \($0) \($0)" }.sorted())
    #expect(holder.intMap.values.sorted() == expected)
    #expect(zip(holder.intMap.keys, holder.intMap.values).allSatisfy { $0 == "key \($1)" })
    for (key, value) in holder.intMap.asKeyValueSequence() where key != "key \(value)" { Issue.record("\(key) has \(value)") }
  }

  @Test func theGreatestOfMixedElementsIsNoCollection() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self) }
    try realm.write { holder.anyList.append(objectsIn: [.int(1), .double(2.5), .string("s"), .list(of: [.int(3)])]) }
    let max: AnyRealmValue? = holder.anyList.max()
    #expect(max == .string("s"))
  }
}

extension AnyRealmValue {
  fileprivate static func list(of elements: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: elements)
    return .list(list)
  }
}
