import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

private final class PersonProjection: Projection<Person> {
  @Projected(\Person.name) var firstName
  @Projected(\Person.home?.city) var homeCity
  @Projected(\Person.favourite?.name) var favouriteName
  @Projected(\Person.dogs.projectTo.name) var dogNames
  @Projected(\Person.dogs.projectTo.age) var dogAges
  @Projected(\Person.dogs) var allDogs
}

private final class ObservedProjection: Projection<Person> {
  @Projected(\Person.favourite) var favouriteDog
  @Projected(\Person.home?.city) var homeCity
  @Projected(\Person.dogs) var everyDog
  @Projected(\Person.born) var born
}

private class DogBase: Projection<Dog> {
  @Projected(\Dog.name) var name
}
private final class DogProjection: DogBase {
  @Projected(\Dog.age) var years
}

private final class BrokenProjection: Projection<Dog> {
  @Projected(\Dog.shade) var shade
}
extension Dog {
  fileprivate var shade: Int { 1 }
}

@Suite(.mustEnd) struct ProjectionTests {
  let directory = TestDirectory()

  private func realm() throws -> Realm {
    let realm = try Realm(configuration: directory.configuration())
    guard realm.isEmpty else { return realm }
    try realm.write {
      realm.create(
        Person.self,
        value: [
          "_id": ObjectId.generate(), "name": "Ada", "home": ["street": "Main", "city": "Paris"], "dogs": [["Rex", 3], ["Bella", 5]],
          "favourite": ["name": "Tom", "age": 1] as [String: Any],
        ] as [String: Any])
    }
    return realm
  }

  @Test func projectedPropertiesShowThoseOfTheRootObject() throws {
    let realm = try realm()
    let results = realm.objects(PersonProjection.self)
    #expect(results.count == 1)
    let ada = try #require(results.first)
    #expect(ada.firstName == "Ada")
    #expect(ada.homeCity == "Paris")
    #expect(ada.favouriteName == "Tom")
    #expect(Array(ada.dogNames) == ["Rex", "Bella"])
    #expect(ada.allDogs.count == 2)
    #expect(ada.rootObject.name == "Ada")
    #expect(ada.realm == realm)
    for projection in results { #expect(projection.firstName == "Ada") }
  }

  @Test func writablePropertiesWriteThrough() throws {
    let realm = try realm()
    let ada = realm.objects(PersonProjection.self)[0]
    try realm.write {
      ada.firstName = "Grace"
      ada.dogAges[1] = 6
    }
    #expect(ada.rootObject.name == "Grace")
    #expect(ada.dogAges.map { $0 } == [3, 6])
    #expect(ada.dogAges.index(of: 6) == 1)
    #expect(ada.dogAges.index(matching: NSPredicate(format: "name == %@", "Bella")) == 1)
  }

  @Test func unmanagedObjectsCanBeProjected() {
    let person = Person(value: ["name": "Ada", "dogs": [["Rex", 3]]] as [String: Any])
    let ada = PersonProjection(projecting: person)
    #expect(ada.firstName == "Ada")
    #expect(ada.homeCity == nil)
    #expect(Array(ada.dogNames) == ["Rex"])
    ada.firstName = "Bob"
    #expect(person.name == "Bob")
    #expect(ada.realm == nil)
  }

  @Test func keyPathsAreNamedByWhatTheyShow() {
    #expect(_name(for: \PersonProjection.firstName) == "name")
    #expect(_name(for: \PersonProjection.homeCity) == "home.city")
    #expect(_name(for: \PersonProjection.dogNames) == "dogs.name")
    #expect(_name(for: \PersonProjection.allDogs) == "dogs")
    #expect(_name(for: \DogProjection.years) == "age")
    #expect(SortDescriptor(keyPath: \PersonProjection.firstName, ascending: false) == SortDescriptor(keyPath: "name", ascending: false))
  }

  @Test func equalityAndHashFollowTheRootObject() throws {
    let realm = try realm()
    let person = realm.objects(Person.self)[0]
    let (a, b) = (PersonProjection(projecting: person), PersonProjection(projecting: person))
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    let dogs = realm.objects(DogProjection.self)
    #expect(dogs[0] != dogs[1])
    #expect(dogs.index(of: dogs[1]) == 1)
  }

  @Test func baseClassesContributeTheirProperties() throws {
    let dog = try #require(realm().objects(DogProjection.self).where { $0.name == "Rex" }.first)
    #expect(dog.name == "Rex")
    #expect(dog.years == 3)
    let lines = dog.description.split(separator: "\n")
    #expect(lines.first?.hasPrefix("DogProjection<Dog> <0x") == true)
    #expect(lines.dropFirst() == ["\t\tname(\\.name) = Rex;", "\tyears(\\.age) = 3;", "}"])
  }

  @Test func frozenProjectionsKeepTheirVersion() throws {
    let realm = try realm()
    let ada = realm.objects(PersonProjection.self)[0]
    let frozen = ada.freeze()
    let ages = ada.dogAges.freeze()
    try realm.write {
      ada.firstName = "Grace"
      ada.dogAges[0] = 9
    }
    #expect(frozen.isFrozen)
    #expect(frozen.firstName == "Ada")
    #expect(ages.map { $0 } == [3, 5])
    #expect(frozen.thaw()?.firstName == "Grace")
    let thawed = try #require(ages.thaw())
    #expect(thawed.first == 9)
    try realm.write { realm.deleteAll() }
    #expect(ada.isInvalidated)
  }

  @Test func whatIsHandedOverAsAProjectionIsOfItsOwnClass() throws {
    let realm = try realm()
    let projection: Projection<Person> = try #require(realm.objects(PersonProjection.self).first)
    let (own, frozen) = (ThreadSafeReference(to: projection), projection.freeze())
    let (configuration, name) = (realm.configuration, projection.rootObject.name)
    #expect((frozen as? PersonProjection)?.firstName == name)
    try otherThread {
      let resolved = try Realm(configuration: configuration).resolve(own)
      #expect((resolved as? PersonProjection)?.firstName == name)
    }
  }

  @Test func aBaseClassIsObservedOnAQueueByItsOwnClass() async throws {
    let realm = try realm()
    let projection: Projection<Person> = try #require(realm.objects(PersonProjection.self).first)
    let queue = DispatchQueue(label: "observing")
    let told = Locked<[String]>([])
    let token = projection.observe(on: queue) { change in
      guard case .change(let projection, let properties) = change, let projection = projection as? PersonProjection else { return }
      told.withLock { $0.append("\(properties.map(\.name)) \(projection.firstName)") }
    }
    queue.sync {}
    try realm.write { projection.rootObject.name = "Grace" }
    #expect(try await eventually { told.withLock { !$0.isEmpty } })
    token.invalidate()
    #expect(told.withLock { $0 } == [#"["firstName"] Grace"#])
  }

  @Test(arguments: [
    ("favourite.age", ["favouriteDog"]), ("favourite.*", ["favouriteDog"]), ("*.age", ["everyDog", "favouriteDog"]), ("*", ["born", "homeCity"]),
    ("dogs", []), ("dogs.age", ["everyDog"]), ("home", ["homeCity"]), ("born", ["born"]), ("scores", []),
  ]) func whatAKeyPathLeadsToIsTold(_ keyPath: String, _ names: [String]) async throws {
    let realm = try realm()
    let ada = try #require(realm.objects(ObservedProjection.self).first)
    let queue = DispatchQueue(label: "observing")
    let told = Locked<[String: String]>([:])
    let token = ada.observe(keyPaths: [keyPath], on: queue) { change in
      guard case .change(_, let properties) = change else { return }
      told.withLock { told in for property in properties { told[property.name] = "\(property.newValue is NSNull)" } }
    }
    queue.sync {}
    try realm.write {
      let person = ada.rootObject
      person.favourite?.age = 7
      person.home?.city = "Rome"
      person.dogs[0].age = 8
      person.born = nil
      person.height = 2
      person.scores.append(1)
    }
    if names.isEmpty { try await Task.sleep(for: .milliseconds(100)) } else { #expect(try await eventually { told.withLock { !$0.isEmpty } }) }
    token.invalidate()
    #expect(told.withLock { $0.keys.sorted() } == names)
    if names.contains("born") { #expect(told.withLock { $0["born"] } == "true", "nil is NSNull") }
  }

  @Test func projectedCollectionsDescribeThemselves() throws {
    let ada = try realm().objects(PersonProjection.self)[0]
    #expect(ada.dogNames.description == "ProjectedCollection<String> {\n\t[0] Rex\n\t[1] Bella\n}")
  }

  @Test func descriptionsNameTheCollectionThatElementsAreProjectedOf() throws {
    let text = try realm().objects(PersonProjection.self)[0].description
    #expect(text.contains("\tdogNames(\\.dogs) = ProjectedCollection<String> {\n\t[0] Rex\n\t[1] Bella\n};"))
    #expect(text.contains("\thomeCity(\\.home.city) = Optional(\"Paris\");"))
  }

  @Test func descriptionsShowWhereTheRootObjectIsInMemory() throws {
    let dog = try realm().objects(DogProjection.self)[0]
    let address = String(UInt(bitPattern: ObjectIdentifier(dog.rootObject)), radix: 16)
    #expect(dog.description.hasPrefix("DogProjection<Dog> <0x\(address)> {"))
  }

  @Test func projectionsAreQueriedByRootProperties() throws {
    let (text, _) = (Query<PersonProjection>().name == "Ada" && Query<PersonProjection>().dogs.age > 3)._constructForTesting()
    #expect(text == "((name == %@) && (ANY dogs.age > %@))")
    let results = try realm().objects(PersonProjection.self)
    #expect(results.where { $0.name == "Ada" && $0.dogs.age > 4 }.map(\.firstName) == ["Ada"])
    #expect(results.filter("name == 'Bob'").isEmpty)
    #expect(results.index(matching: { $0.home.city == "Paris" }) == 0)
  }

  @Test func projectionsAreSortedByWhatTheyShow() throws {
    let dogs = try realm().objects(DogProjection.self)
    #expect(dogs.sorted(by: \.years, ascending: false).map(\.name) == ["Bella", "Rex", "Tom"])
    #expect(dogs.sorted(by: \.name).map(\.years) == [5, 3, 1])
  }

  @Test(.endsProcesses) func whatIsNoStoredPropertyCannotBeProjected() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = BrokenProjection(projecting: Dog()) }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("@Projected property 'shade' must be a part of Realm object"))
  }

  @Test(.endsProcesses) func readOnlyKeyPathsCannotBeSet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PersonProjection(projecting: Person()).homeCity = "Rome"
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("KeyPath is not writable"))
  }
}
