import Foundation
import Observation
import TestSupport
import Testing

@testable import RealmSwift

class TrackedPerson: Object, Observable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var height: Double?
  @Persisted var token: UUID
  @Persisted var friend: TrackedPerson?
  @Persisted var scores: List<Int>
}

/// Properties of managed objects that are tracked by `withObservationTracking`.
@Suite(.mustEnd) @MainActor struct TrackingTests {
  let directory = TestDirectory()
  private let log = ReportLog()
  private let realm: Realm
  private let person: TrackedPerson

  init() throws {
    let realm = try Realm(configuration: directory.configuration([TrackedPerson.self, Dog.self, Person.self, Address.self]))
    person = try realm.write { realm.create(TrackedPerson.self, value: ["name": "Ada", "friend": ["name": "Eve"]]) }
    self.realm = realm
  }

  private func track(_ name: String, _ read: () -> Void) { withObservationTracking(read) { [log] in log.add(name) } }

  /// Returns when whatever was to be told before was told.
  private func passATurn() async throws {
    let last = ReportLog()
    let token = realm.objects(Dog.self).observe { _ in last.add("told") }
    #expect(try await eventually { !last.all.isEmpty })
    token.invalidate()
  }

  @Test func whatWasReadIsTracked() async throws {
    track("name") { _ = person.name }
    track("age") { _ = person.age }
    try realm.write { person.name = "Grace" }
    #expect(try await eventually { !log.all.isEmpty })
    try await passATurn()
    #expect(log.take() == ["name"])
    try realm.write { person.age = 1 }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["age"])
    try realm.write { (person.name, person.age) = ("Ada", 2) }
    try await passATurn()
    #expect(log.take() == [], "whoever tracks is told once")
  }

  @Test func allKindsOfPropertiesAreTracked() async throws {
    track("height") { _ = person.height }
    track("token") { _ = person.token }
    track("friend") { _ = person.friend }
    track("friend's name") { _ = person.friend?.name }
    track("scores") { _ = person.scores.count }
    try realm.write { person.height = 1 }
    try realm.write { person.token = UUID() }
    try await passATurn()
    #expect(log.take() == ["height", "token"])
    try realm.write { person.scores.append(1) }
    try realm.write { person.friend?.name = "Bob" }
    try await passATurn()
    #expect(Set(log.take()) == ["scores", "friend's name"])
    try realm.write { person.friend = nil }
    try await passATurn()
    #expect(log.take() == ["friend"])
  }

  @Test func commitsOfOthersAreTold() async throws {
    track("name") { _ = person.name }
    let (configuration, id) = (realm.configuration, person._id)
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.object(ofType: TrackedPerson.self, forPrimaryKey: id)?.name = "Grace" }
    }
    #expect(try await eventually { log.all == ["name"] })
    #expect(person.name == "Grace")
  }

  @Test func otherInstancesOfTheRowAreTheSame() async throws {
    track("name") { _ = realm.objects(TrackedPerson.self).where { $0.name == "Ada" }.first?.name }
    try realm.write { person.name = "Grace" }
    #expect(try await eventually { log.all == ["name"] })
  }

  @Test func aDeletedObjectIsTold() async throws {
    track("name") { _ = person.name }
    try realm.write { realm.delete(person) }
    #expect(try await eventually { log.all == ["name"] })
  }

  @Test func whoeverTracksAgainIsToldAgain() async throws {
    for age in 1...3 {
      track("\(age)") { _ = person.age }
      try realm.write { person.age = age }
      #expect(try await eventually { log.all == ["\(age)"] })
      _ = log.take()
    }
  }

  @Test func manyTrackersOfOnePropertyAreAllTold() async throws {
    for index in 0..<3 { track("\(index)") { _ = person.age } }
    try realm.write { person.age = 1 }
    #expect(try await eventually { log.all.count == 3 })
    #expect(Set(log.take()) == ["0", "1", "2"])
  }

  @Test func nothingIsObservedWhileNobodyTracks() async throws {
    for _ in 0..<100 { _ = (person.name, person.age, person.friend?.name, person.scores.count) }
    #expect(realm.core.liveObservers.isEmpty)
    track("name") { _ = person.name }
    #expect(!realm.core.liveObservers.isEmpty)
    try realm.write { person.name = "Grace" }
    #expect(try await eventually { log.all == ["name"] })
    #expect(realm.core.liveObservers.isEmpty)
  }

  @Test func classesThatDoNotAskForItAreNotTracked() throws {
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    track("dog") { _ = (dog.name, dog.age) }
    #expect(realm.core.liveObservers.isEmpty)
  }

  @Test func frozenAndUnmanagedObjectsAreReadAsBefore() {
    let (frozen, unmanaged) = (person.freeze(), TrackedPerson(value: ["name": "Bob"]))
    track("name") { #expect(frozen.name == "Ada" && unmanaged.name == "Bob") }
    #expect(realm.core.liveObservers.isEmpty)
  }

  @Test func loopsOverTrackedObjectsGiveEachItsValues() async throws {
    try realm.write { for index in 0..<50 { realm.create(TrackedPerson.self, value: ["name": "\(index)", "age": 100 + index]) } }
    let people = realm.objects(TrackedPerson.self).where { $0.age >= 100 }.sorted(by: \.age)
    var ages: [Int] = []
    track("ages") { for person in people { ages.append(person.age) } }
    #expect(ages == Array(100..<150))
    try realm.write { people[20].name = "changed" }
    try await passATurn()
    #expect(log.take() == [])
    try realm.write { people[30].age = 130 }
    #expect(try await eventually { log.all == ["ages"] })
  }
}
