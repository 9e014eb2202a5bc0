import Foundation
import RealmSwift
import TestSupport
import Testing

private final class QWBoxed: Unlisted {
  @Persisted var date = Date(timeIntervalSince1970: 5)
  @Persisted var id = UUID()
  @Persisted var data = Data([1])
  @Persisted var number = 7
}

@Suite struct QueryWiringTests {
  let directory = TestDirectory()

  private func people() throws -> Realm {
    let realm = try Realm(configuration: directory.configuration())
    try realm.write {
      for index in 0..<600 {
        realm.create(
          Person.self,
          value: [
            "name": "user \(index % 10)", "age": index % 50, "scores": [index, index + 1],
            "favourite": index % 2 == 0 ? ["name": "dog \(index)", "age": index % 7] as [String: Any] : nil,
          ] as [String: Any?])
      }
    }
    return realm
  }

  /// What takes the place of `date as CVarArg`, which does not compile on Linux: see `Documentation/Guides/from-apple-platforms.md`.
  @Test func argumentsMayBeObjectsOfFoundation() throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "boxed arguments", objectTypes: [QWBoxed.self]))
    let object = QWBoxed()
    try realm.write { realm.add(object) }
    let matching = [
      NSPredicate(format: "date == %@", object.date as NSDate), NSPredicate(format: "id == %@", object.id as NSUUID),
      NSPredicate(format: "data == %@", object.data as NSData), NSPredicate(format: "number == %@", NSNumber(value: 7)),
      NSPredicate(format: "number IN %@", [6, 7] as NSArray), NSPredicate(format: "id IN %@", [object.id] as NSArray),
    ]
    #expect(matching.map { realm.objects(QWBoxed.self).filter($0).count } == Array(repeating: 1, count: matching.count))
    #expect(realm.objects(QWBoxed.self).filter(NSPredicate(format: "NOT number IN %@", [6, 7] as NSArray)).isEmpty)
  }

  @Test func formatsFilterSortAndFind() throws {
    let realm = try people()
    let all = realm.objects(Person.self)
    #expect(all.filter("age > %@ AND name BEGINSWITH[c] 'USER 1'", 40).count == all.reduce(0) { $0 + ($1.age > 40 && $1.name == "user 1" ? 1 : 0) })
    #expect(all.filter("favourite.age == 3").allSatisfy { $0.favourite?.age == 3 })
    #expect(all.filter("favourite == nil").count == 300)
    #expect(all.filter(NSPredicate(format: "age == %d", 7)).count == 12)
    let sorted = all.sorted(byKeyPath: "age", ascending: false)
    #expect(sorted.first?.age == 49)
    #expect(sorted.last?.age == 0)
    #expect(all.sorted(by: \.age).first?.age == 0)
    #expect(all.distinct(by: ["name"]).count == 10)
    #expect(all.sorted(byKeyPath: "age").filter("age < 3").distinct(by: [\Person.age]).map(\.age) == [0, 1, 2])
    #expect(all.index(matching: "age == 5") == 5)
    let list = try #require(all.first).scores
    #expect(Array(list.sorted(ascending: false)) == [1, 0])
    #expect(all.filter("ANY favourite.owners.age == 1").isEmpty)
  }

  @Test func theFirstThatMatchesIsFoundInResultsOfEveryKind() throws {
    let all = try people().objects(Person.self)
    let some = all.filter("age > 10 AND age != 20")
    for people in [
      some, all.sorted(byKeyPath: "age", ascending: false), some.sorted(by: [.init(keyPath: "name"), .init(keyPath: "age", ascending: false)]),
      some.sorted(byKeyPath: "name").filter("age < 40"), some.distinct(by: ["name"]), all.distinct(by: ["age"]).sorted(byKeyPath: "age"),
      some.freeze(),
    ] {
      let elements = Array(people)
      for (format, matches) in [("age == 33", { $0.age == 33 }), ("name == 'user 7'", { $0.name == "user 7" }), ("age < 5", { $0.age < 5 })]
        as [(String, (Person) -> Bool)]
      {
        #expect(people.index(matching: format) == elements.firstIndex(where: matches), "\(format)")
      }
    }
  }

  // Each of these once overflowed the stack.
  @Test func chainsOfConditionsAreAsLongAsALoopMakesThem() throws {
    let all = try people().objects(Person.self)
    var left = NSPredicate(format: "age == 49"), right = left
    for index in 0..<5000 {
      let next = NSPredicate(format: "age == %@", -1 - index)
      left = NSCompoundPredicate(orPredicateWithSubpredicates: [left, next])
      right = NSCompoundPredicate(orPredicateWithSubpredicates: [next, right])
    }
    #expect(all.filter(left).count == 12)
    #expect(all.filter(right).count == 12)
    #expect(all.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [left, right])).count == 12)
    #expect(all.where { person in (0..<5000).reduce(person.age == 49) { person.age == -1 - $1 || $0 } }.count == 12)
    #expect(all.where { person in (0..<5000).reduce(person.age == 49) { person.age != -1 - $1 && $0 } }.count == 12)
  }

  @Test func conditionsThatAreTooDeepAreRefusedInWords() throws {
    let all = try people().objects(Person.self)
    func nested(_ depth: Int) -> NSPredicate {
      (0..<depth).reduce(NSPredicate(format: "age == 49")) { inner, _ in NSCompoundPredicate(notPredicateWithSubpredicate: inner) }
    }
    #expect(try all.throwing.filter(nested(498)).count == 12)
    let failure = #expect(throws: Realm.Error.self) { try all.throwing.filter(nested(5000)) }
    #expect(failure?.localizedDescription == "The query is nested more than 500 levels deep")
    let format = String(repeating: "(", count: 201) + "age == 49" + String(repeating: ")", count: 201)
    let unparsed = #expect(throws: Realm.Error.self) { try all.throwing.filter(format) }
    #expect(unparsed?.localizedDescription.hasSuffix(": nested more than 200 levels deep") == true, "\(unparsed?.localizedDescription ?? "")")
  }

  @Test func aFilterOfManyFiltersCostsWhatItAdds() throws {
    let realm = try people()
    let time = try threadTime {
      var results = realm.objects(Person.self)
      for index in 0..<1000 { results = results.filter("age != %@", index % 25).sorted(byKeyPath: "age") }
      #expect(results.count == 300 && results.first?.age == 25)
      try realm.write { try #require(results.first).age = 3 }
      #expect(results.count == 299)
    }
    #expect(time < .seconds(30), "when each step was bound with all before it, these took minutes")
  }

  @Test func resultsAreLive() throws {
    let realm = try people()
    let old = realm.objects(Person.self).filter("age == 49")
    #expect(old.count == 12)
    try realm.write {
      let person = try #require(old.first)
      person.age = 3
      #expect(old.count == 11)
    }
    #expect(old.count == 11)
    #expect(old.sum(of: \.age) as Int == 49 * 11)
    #expect(old.average(ofProperty: "age") == 49.0)
  }

  @Test func anEncryptedRealmNeedsItsKey() throws {
    let key = Data((0..<64).map { UInt8($0) })
    var configuration = directory.configuration()
    configuration.encryptionKey = key
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    }
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).first?.name == "Rex")
    }
    configuration.encryptionKey = Data(repeating: 1, count: 64)
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    configuration.encryptionKey = nil
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
  }
}
