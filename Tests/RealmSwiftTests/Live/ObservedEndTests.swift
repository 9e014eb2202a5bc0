import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Objects that are deleted while they, or what they hold, are observed; realms that are invalidated.
@Suite(.mustEnd) struct ObservedEndTests {
  let directory = TestDirectory()
  private let log = ReportLog()

  @MainActor private func open() throws -> Realm { try Realm(configuration: directory.configuration()) }

  @discardableResult private func addPerson(_ realm: Realm, dogs names: String...) throws -> Person {
    try realm.write {
      let dogs = (names.isEmpty ? ["a", "b"] : names).map { Dog(value: ["name": $0]) }
      return realm.create(
        Person.self,
        value: ["name": "Ada", "dogs": dogs, "scores": [1, 2, 3], "nicknames": ["x"], "ratings": ["k": 1], "places": [["street": "Main"]]])
    }
  }

  @MainActor @Test func aDeletedObjectIsReportedOnce() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let token = person.observe { (change: ObjectChange<Person>) in log.note(change) }
    try realm.write {
      person.age = 1
      realm.delete(person)
    }
    realm.refresh()
    #expect(log.take() == ["deleted"])
    try addPerson(realm, dogs: "x", "y")
    realm.refresh()
    #expect(log.take() == [])
    token.invalidate()
  }

  @MainActor @Test func withTheirObjectCollectionsLoseAllOnce() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let tokens = [
      person.dogs.observe { log.note($0) }, person.scores.observe { log.note($0) }, person.nicknames.observe { log.note($0) },
      person.ratings.observe { log.note($0) }, person.places.observe { log.note($0) }, person.pets.observe { log.note($0) },
    ]
    realm.refresh()
    #expect(log.take().count == 6)
    try realm.write { realm.delete(person) }
    realm.refresh()
    // The empty map says nothing.
    let all = ["-[0, 1, 2] +[] ~[]", "-[0, 1] +[] ~[]", "-[0] +[] ~[]", "-[0] +[] ~[]", "-[\"k\"] +[] ~[]"]
    #expect(log.take().sorted() == all.sorted())
    try addPerson(realm, dogs: "x", "y")
    realm.refresh()
    #expect(log.take() == [])
    tokens.forEach { $0.invalidate() }
  }

  @MainActor @Test func aListOfADeletedObjectGoneBeforeTheFirstReportIsSilentAfterIt() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let token = person.scores.observe { log.note($0) }
    try directory.commitElsewhere { $0.delete($0.objects(Person.self)) }
    realm.refresh()
    #expect(log.take() == ["initial"])
    try addPerson(realm, dogs: "x", "y")
    realm.refresh()
    #expect(log.take() == [])
    token.invalidate()
  }

  @MainActor @Test func resultsOfADeletedListAreEmptied() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let tokens = [person.dogs.sorted(byKeyPath: "name").observe { log.note($0) }, person.dogs.filter("age > 5").observe { log.note($0) }]
    realm.refresh()
    #expect(log.take() == ["initial", "initial"])
    try realm.write { realm.delete(person) }
    realm.refresh()
    #expect(log.take() == ["-[0, 1] +[] ~[]"])
    tokens.forEach { $0.invalidate() }
  }

  @MainActor @Test func anEmbeddedObjectGoesWithItsParent() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let place = person.places[0]
    let token = place.observe { (change: ObjectChange<Address>) in log.note(change) }
    try realm.write { place.street = "Side" }
    realm.refresh()
    try realm.write { person.places[0] = Address(value: ["street": "Other"]) }
    realm.refresh()
    #expect(log.take() == ["street: nil -> Side", "deleted"])
    token.invalidate()
  }

  @MainActor @Test func deletedTargetsLeaveCollectionsAndLinks() throws {
    let realm = try open()
    let person = try addPerson(realm)
    try realm.write {
      person.favourite = person.dogs[0]
      person.pets["p"] = person.dogs[0]
    }
    let tokens = [
      person.dogs.observe { log.note($0) }, person.pets.observe { log.note($0) },
      person.observe { (change: ObjectChange<Person>) in log.note(change) },
    ]
    realm.refresh()
    #expect(log.take() == ["initial", "initial"])
    try directory.commitElsewhere { $0.delete($0.objects(Dog.self)[0]) }
    realm.refresh()
    let object = "favourite: a deleted dog -> null, dogs: null -> null, pets: null -> null"
    #expect(log.take().sorted() == ["-[0] +[] ~[]", "-[] +[] ~[\"p\"]", object])
    tokens.forEach { $0.invalidate() }
  }

  // MARK: Invalidating the realm

  @MainActor @Test func anInvalidatedRealmEndsWhatItsAccessorsObserve() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let tokens = [
      realm.objects(Dog.self).observe { log.note($0) }, person.scores.observe { log.note($0) },
      person.observe { (change: ObjectChange<Person>) in log.note(change) },
    ]
    realm.refresh()
    #expect(log.take() == ["initial", "initial"])
    realm.invalidate()
    #expect(log.take() == [])
    // Nothing stops when the realm goes on.
    try realm.write { realm.add(Dog(value: ["name": "c"])) }
    realm.refresh()
    #expect(realm.objects(Dog.self).count == 3)
    tokens.forEach { $0.invalidate() }
  }

  /// Of what a first report would hand out nothing could be read.
  @MainActor @Test func aRealmThatIsInvalidatedBeforeTheFirstReportGivesNone() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let tokens = [
      realm.objects(Dog.self).observe { log.note($0) }, realm.objects(Dog.self).filter("age > 1").observe { log.note($0) },
      person.scores.observe { log.note($0) }, person.pets.observe { log.note($0) },
      realm.objects(Dog.self).sectioned(by: \.age).observe { _ in log.add("sections") },
    ]
    realm.invalidate()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    #expect(log.take() == ["initial"])
    try realm.write { realm.add(Dog(value: ["name": "c"])) }
    realm.refresh()
    #expect(log.take() == ["-[] +[2] ~[]"])
    (tokens + [token]).forEach { $0.invalidate() }
  }

  @MainActor @Test func copiesDoNotDisturbObservers() throws {
    let realm = try open()
    let person = try addPerson(realm)
    let token = person.scores.observe { log.note($0) }
    realm.refresh()
    let frozen = person.scores.freeze()
    try realm.write { person.scores.append(4) }
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[3] ~[]"])
    #expect(frozen.count == 3)
    // A thawed copy is observed like any other.
    let thawed = try #require(frozen.thaw())
    let other = thawed.observe { log.note($0) }
    realm.refresh()
    try realm.write { thawed.remove(at: 0) }
    realm.refresh()
    #expect(log.take() == ["initial", "-[0] +[] ~[]", "-[0] +[] ~[]"])
    [token, other].forEach { $0.invalidate() }
  }

  @MainActor @Test func aRealmInMemoryIsObserved() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self, Person.self, Address.self])
    let realm = try Realm(configuration: configuration)
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    }
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[0] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func compactionAndOtherHandlesLoseNoChange() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    for round in 0..<50 {
      // Old versions are freed meanwhile, but not the one that was told last.
      try directory.commitElsewhere { $0.add(Dog(value: ["name": "\(round)"])) }
      if round % 10 == 9 { realm.refresh() }
    }
    #expect(log.take() == ["initial"] + (0..<5).map { "-[] +\(Array($0 * 10..<$0 * 10 + 10)) ~[]" })
    token.invalidate()
  }
}
