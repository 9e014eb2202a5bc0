import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// The tree that a typed query makes and the format string that it shows find the same objects, and the right ones.
@Suite struct QueryAgreementTests {
  private struct Asked {
    let isIncluded: (Query<QueryPerson>) -> Query<Bool>
    let expected: (QueryPerson) -> Bool
    init(_ isIncluded: @escaping (Query<QueryPerson>) -> Query<Bool>, _ expected: @escaping (QueryPerson) -> Bool) {
      self.isIncluded = isIncluded
      self.expected = expected
    }
  }

  private static func person(_ id: Int, _ friend: QueryPerson?) -> QueryPerson {
    let person = QueryPerson()
    person.id = id
    person.a = id % 7
    person.b = id % 3
    person.i8 = Int8(id)
    person.f = Float(id) / 2
    person.d = Double(id) / 4
    person.dec = Decimal128(value: id)
    person.date = Date(timeIntervalSince1970: Double(id))
    person.s = ["alpha", "Beta", "gamma", "Délta", ""][id % 5]
    person.t = ["a", "B", "gam", "é", "x"][id % 5]
    person.data = Data(repeating: UInt8(id % 4), count: id % 4)
    person.flag = id % 2 == 0
    person.optFlag = id % 3 == 0 ? nil : id % 2 == 0
    person.optA = id % 4 == 0 ? nil : id
    person.optS = id % 3 == 0 ? nil : "s\(id)"
    person.optDate = id % 5 == 0 ? nil : person.date
    person.mixed = [.none, .int(id), .string("s\(id)"), .fromArray([.int(id), .int(2)]), .fromDictionary(["k": .int(id)])][id % 5]
    person.level = id % 2 == 0 ? .low : .high
    person.optLevel = id % 3 == 0 ? nil : .high
    person.colour = id % 2 == 0 ? .red : .green
    person.height = QueryMetres(Double(id) / 10)
    person.pair = QueryPair(left: id % 3, right: id % 2 == 0 ? nil : "r")
    person.friend = friend
    for number in 0..<id % 4 {
      let pet = QueryPet(value: ["name": "pet \(number)", "age": id + number, "isGood": number == 1, "scores": Array(0..<number)] as [String: Any])
      person.pets.append(pet)
      if number == 0 { person.pet = pet }
      person.petMap["p\(number)"] = number == 2 ? .some(nil) : pet
      person.petSet.insert(pet)
      person.pairs.append(QueryPair(left: number, right: nil))
    }
    person.ints.append(objectsIn: (0..<id % 5).map { $0 * id })
    person.optInts.append(objectsIn: id % 3 == 0 ? [nil, id] : [])
    person.strings.append(objectsIn: (0..<id % 3).map { "s\($0)" })
    person.dates.insert(objectsIn: (0..<id % 3).map { Date(timeIntervalSince1970: Double($0)) })
    person.levels.append(objectsIn: id % 4 == 0 ? [] : [person.level])
    for number in 0..<id % 3 { person.map["k\(number)"] = id + number }
    person.optMap["x"] = id % 2 == 0 ? .some(nil) : id
    return person
  }

  /// Checks each query twice against Swift's own answer.
  private static func check(_ asked: [Asked]) throws {
    let directory = TestDirectory()
    let realm = try Realm(configuration: directory.configuration(queryTypes))
    try realm.write {
      var friend: QueryPerson?
      for id in 0..<40 {
        let person = person(id, id % 4 == 0 ? nil : friend)
        realm.add(person)
        friend = person
      }
    }
    let people = realm.objects(QueryPerson.self)
    for asked in asked {
      let (format, arguments) = asked.isIncluded(Query<QueryPerson>())._constructForTesting()
      let expected = Array(people).filter(asked.expected).map(\.id)
      #expect(Array(people.where(asked.isIncluded)).map(\.id) == expected, "where: \(format)")
      #expect(people.filter(NSPredicate(format: format, argumentArray: arguments)).map { $0.id } as [Int] == expected, "filter: \(format)")
      #expect(people.index(matching: asked.isIncluded) == expected.first, "index: \(format)")
    }
  }

  @Test func onSingleValues() throws {
    let date = Date(timeIntervalSince1970: 20)
    try Self.check([
      Asked({ $0.a == 3 }, { $0.a == 3 }),
      Asked({ $0.a != 3 }, { $0.a != 3 }),
      Asked({ $0.i8 >= 30 }, { $0.i8 >= 30 }),
      Asked({ $0.f < 2.5 }, { $0.f < 2.5 }),
      Asked({ $0.d <= 2.5 }, { $0.d <= 2.5 }),
      Asked({ $0.dec > 35 }, { $0.dec > 35 }),
      Asked({ $0.date > date }, { $0.date > date }),
      Asked({ $0.optA == nil }, { $0.optA == nil }),
      Asked({ $0.optA != nil && $0.optA > 35 }, { $0.optA.map { $0 > 35 } ?? false }),
      Asked({ $0.optS == "s4" }, { $0.optS == "s4" }),
      Asked({ $0.a == $0.b }, { $0.a == $0.b }),
      Asked({ $0.flag }, { $0.flag }),
      Asked({ !$0.flag && $0.optFlag == nil }, { !$0.flag && $0.optFlag == nil }),
      Asked({ $0.level == .high || $0.optLevel == nil }, { $0.level == .high || $0.optLevel == nil }),
      Asked({ $0.level.rawValue == 2 }, { $0.level == .high }),
      Asked({ $0.colour == .red }, { $0.colour == .red }),
      Asked({ $0.height.persistableValue >= 3.5 }, { $0.height.value >= 3.5 }),
      Asked({ $0.height > QueryMetres(3.5) }, { $0.height.value > 3.5 }),
      Asked({ $0.a.in([1, 2]) }, { [1, 2].contains($0.a) }),
      Asked({ $0.optA.in([1, nil]) }, { $0.optA == nil || $0.optA == 1 }),
      Asked({ $0.a.contains(1...3) }, { (1...3).contains($0.a) }),
      Asked({ !$0.a.contains(1...3) }, { !(1...3).contains($0.a) }),
      Asked({ $0.a.contains(1..<3) }, { (1..<3).contains($0.a) }),
      Asked({ !($0.a == 1 || !($0.b == 2 && $0.flag)) }, { !($0.a == 1 || !($0.b == 2 && $0.flag)) }),
    ])
  }

  @Test func onText() throws {
    try Self.check([
      Asked({ $0.s.contains("a") }, { $0.s.contains("a") }),
      Asked({ $0.s.contains("A", options: .caseInsensitive) }, { $0.s.lowercased().contains("a") }),
      Asked({ $0.s.starts(with: "B") }, { $0.s.hasPrefix("B") }),
      Asked({ $0.s.starts(with: "de", options: [.caseInsensitive, .diacriticInsensitive]) }, { $0.s == "Délta" }),
      Asked({ $0.s.ends(with: "ta") }, { $0.s.hasSuffix("ta") }),
      Asked({ $0.s.equals("BETA", options: .caseInsensitive) }, { $0.s == "Beta" }),
      Asked({ $0.s.notEquals("Delta", options: .diacriticInsensitive) }, { $0.s != "Délta" }),
      Asked({ $0.s.like("?e*") }, { $0.s == "Beta" }),
      Asked({ $0.s.like("b*", caseInsensitive: true) }, { $0.s == "Beta" }),
      Asked({ $0.s.contains("") }, { _ in false }),
      Asked({ $0.s > "b" }, { $0.s == "gamma" }),
      Asked({ $0.s.contains($0.t) }, { !$0.s.isEmpty && $0.s.contains($0.t) }),
      Asked({ $0.data.contains(Data([3, 3])) }, { $0.data == Data([3, 3, 3]) }),
    ])
  }

  @Test func acrossLinks() throws {
    try Self.check([
      Asked({ $0.friend.a == 3 }, { $0.friend?.a == 3 }),
      Asked({ $0.friend == nil }, { $0.friend == nil }),
      Asked({ $0.friend.friend.optS == "s2" }, { $0.friend?.friend?.optS == "s2" }),
      Asked({ $0.pet.isGood }, { $0.pet?.isGood ?? false }),
      Asked({ $0.friend.pets.count == 3 }, { $0.friend?.pets.count == 3 }),
      Asked({ $0.friend.pets.age > 35 }, { $0.friend?.pets.contains { $0.age > 35 } ?? false }),
      Asked({ $0.pets.owners.a == 3 }, { !$0.pets.isEmpty && $0.a == 3 }),
      Asked({ $0.pair.persistableValue.left == 2 }, { $0.pair.left == 2 }),
    ])
  }

  @Test func acrossCollections() throws {
    try Self.check([
      Asked({ $0.pets.age > 35 }, { $0.pets.contains { $0.age > 35 } }),
      Asked({ $0.petSet.name == "pet 2" }, { $0.petSet.contains { $0.name == "pet 2" } }),
      Asked({ $0.pets.age.in([5, 6]) }, { $0.pets.contains { [5, 6].contains($0.age) } }),
      Asked({ $0.ints == 12 }, { $0.ints.contains(12) }),
      Asked({ $0.ints > 50 }, { $0.ints.contains { $0 > 50 } }),
      Asked({ $0.ints.contains(12) }, { $0.ints.contains(12) }),
      Asked({ !$0.ints.contains(12) }, { !$0.ints.contains(12) }),
      Asked({ $0.ints.containsAny(in: [12, 14]) }, { $0.ints.contains(12) || $0.ints.contains(14) }),
      Asked({ $0.optInts.contains(nil) }, { $0.optInts.contains(nil) }),
      Asked({ $0.strings.contains("s1") }, { $0.strings.contains("s1") }),
      Asked({ $0.levels.contains(.high) }, { $0.levels.contains(.high) }),
      Asked({ $0.ints.contains(0...20) }, { !$0.ints.isEmpty && $0.ints.allSatisfy { (0...20).contains($0) } }),
      Asked({ $0.ints.count >= 3 }, { $0.ints.count >= 3 }),
      Asked({ $0.ints.max > 100 }, { $0.ints.max().map { $0 > 100 } ?? false }),
      Asked({ $0.ints.sum == 6 }, { $0.ints.sum() == 6 }),
      Asked({ $0.optInts.min == nil }, { $0.optInts.allSatisfy { $0 == nil } }),
      Asked({ $0.pets.age.max >= 38 }, { $0.pets.contains { $0.age >= 38 } }),
      Asked({ $0.pets.age.sum == 3 }, { $0.pets.reduce(0) { $0 + $1.age } == 3 }),
      Asked({ $0.dates.count == 2 }, { $0.dates.count == 2 }),
    ])
  }

  @Test func acrossMaps() throws {
    try Self.check([
      Asked({ $0.map["k1"] > 20 }, { $0.map["k1"].map { $0 > 20 } ?? false }),
      Asked({ $0.map.keys == "k1" }, { $0.map.keys.contains("k1") }),
      Asked({ $0.map.keys.ends(with: "0") }, { $0.map.keys.contains("k0") }),
      Asked({ $0.map.values == 20 }, { $0.map.values.contains(20) }),
      Asked({ $0.map.contains(20) }, { $0.map.values.contains(20) }),
      Asked({ $0.map.count == 2 }, { $0.map.count == 2 }),
      Asked({ $0.optMap["x"] == nil }, { $0.id % 2 == 0 }),
      Asked({ $0.petMap.age > 35 }, { $0.petMap.values.contains { $0.map { $0.age > 35 } ?? false } }),
      Asked({ $0.petMap.values.name == "pet 1" }, { $0.petMap.values.contains { $0?.name == "pet 1" } }),
    ])
  }

  @Test func onMixedValues() throws {
    try Self.check([
      Asked({ $0.mixed == .string("s7") }, { $0.mixed == .string("s7") }),
      Asked({ $0.mixed > .int(20) }, { $0.mixed.intValue.map { $0 > 20 } ?? false }),
      Asked({ $0.mixed[0] == .int(8) }, { $0.mixed.listValue?.first == .int(8) }),
      Asked({ $0.mixed.any == .int(2) }, { $0.mixed.listValue != nil || $0.mixed.dictionaryValue?["k"] == .int(2) }),
      Asked({ $0.mixed["k"] >= .int(20) }, { ($0.mixed.dictionaryValue?["k"]?.intValue ?? 0) >= 20 }),
      Asked({ $0.mixed.contains(.string("3")) }, { $0.mixed.stringValue?.contains("3") ?? false }),
    ])
  }

  @Test func inSubqueries() throws {
    try Self.check([
      Asked({ ($0.pets.age > 10 && $0.pets.isGood).count == 1 }, { $0.pets.filter { $0.age > 10 && $0.isGood }.count == 1 }),
      Asked({ (!$0.pets.isGood).count == 2 }, { $0.pets.filter { !$0.isGood }.count == 2 }),
      Asked({ ($0.pets.scores == 1).count > 0 }, { $0.pets.contains { $0.scores.contains(1) } }),
      Asked({ ($0.petSet.age.contains(10...20)).count >= 2 }, { $0.petSet.filter { (10...20).contains($0.age) }.count >= 2 }),
      Asked({ ($0.friend.pets.name == "pet 1").count > 0 }, { $0.friend?.pets.contains { $0.name == "pet 1" } ?? false }),
    ])
  }

  @Test func embeddedCustomTypesAreComparedByMembers() throws {
    let directory = TestDirectory()
    let realm = try Realm(configuration: directory.configuration(queryTypes))
    try realm.write { for id in 0..<12 { realm.add(Self.person(id, nil)) } }
    let people = realm.objects(QueryPerson.self)
    #expect(people.where { $0.pair == QueryPair(left: 1, right: "r") }.map(\.id) == [1, 7])
    #expect(people.where { $0.pair != QueryPair(left: 1, right: "r") }.count == 10)
    #expect(people.where { $0.pairs == QueryPair(left: 2, right: nil) }.map(\.id) == [3, 7, 11])
    #expect(people.where { $0.pairs != QueryPair(left: 2, right: nil) }.map(\.id) == [1, 2, 5, 6, 9, 10])
  }
}
