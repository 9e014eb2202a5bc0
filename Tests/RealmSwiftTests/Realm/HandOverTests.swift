import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite(.mustEnd) struct HandOverTests {
  let directory = TestDirectory()

  @Test func objectsAndCollectionsCross() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let person = try realm.write {
      realm.create(
        Person.self,
        value: [
          "name": "Ada", "dogs": [["Rex", 1], ["Bella", 2]], "scores": [1, 2], "nicknames": ["a"], "ratings": ["x": 1], "home": ["street": "Main"],
        ] as [String: Any])
    }
    let object = ThreadSafeReference(to: person)
    let home = ThreadSafeReference(to: person.home!)
    let dogs = ThreadSafeReference(to: person.dogs)
    let scores = ThreadSafeReference(to: person.scores)
    let nicknames = ThreadSafeReference(to: person.nicknames)
    let ratings = ThreadSafeReference(to: person.ratings)
    let all = ThreadSafeReference(to: realm.objects(Dog.self))
    let owners = ThreadSafeReference(to: person.dogs[0].owners)
    let erased = ThreadSafeReference(to: AnyRealmCollection(person.dogs))
    #expect(!object.isInvalidated)
    try otherThread {
      let realm = try Realm(configuration: configuration)
      let person = try #require(realm.resolve(object))
      #expect(person.name == "Ada")
      #expect(person.realm == realm)
      #expect(realm.resolve(home)?.street == "Main")
      #expect(realm.resolve(dogs)?.map(\.name) == ["Rex", "Bella"])
      #expect(realm.resolve(scores).map { Array($0) } == [1, 2])
      #expect(realm.resolve(nicknames).map { Array($0) } == ["a"])
      #expect(realm.resolve(ratings)?["x"] == 1)
      #expect(realm.resolve(all)?.count == 2)
      #expect(realm.resolve(owners)?.first == person)
      #expect(realm.resolve(erased)?.count == 2)
    }
    #expect(object.isInvalidated)
  }

  @Test func erasedCollectionsOfADeletedOwnerAreNone() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let person = try realm.write { realm.create(Person.self, value: ["dogs": [["Rex", 1]]]) }
    let erased = ThreadSafeReference(to: AnyRealmCollection(person.dogs))
    let projected = ThreadSafeReference(to: person.dogs.projectTo.name)
    let filtered = ThreadSafeReference(to: AnyRealmCollection(person.dogs.where { $0.age == 1 }))
    try realm.write { realm.delete(person) }
    try otherThread {
      let realm = try Realm(configuration: configuration)
      #expect(realm.isEmpty == false, "reads the newest version")
      #expect(realm.resolve(erased) == nil)
      #expect(realm.resolve(projected) == nil)
      #expect(realm.resolve(filtered)?.count == 0)
    }
  }

  @Test func anObjectHandedOverAsOneOfAnyClassIsOfItsOwn() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let dog: Object = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
    let reference = ThreadSafeReference(to: dog)
    try otherThread {
      let realm = try Realm(configuration: configuration)
      #expect((realm.resolve(reference) as? Dog)?.name == "Rex")
    }
  }

  @Test func sortedAndFilteredResultsKeepTheirSteps() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { for age in 0..<5 { realm.add(Dog(value: ["dog \(age)", age])) } }
    let reference = ThreadSafeReference(to: realm.objects(Dog.self).filter("age > 1").sorted(byKeyPath: "age", ascending: false))
    let ages = try otherThread { try #require(Realm(configuration: configuration).resolve(reference)).map(\.age) }
    #expect(ages == [4, 3, 2])
  }

  @Test func viewsCross() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { for age in 0..<4 { realm.add(Dog(value: ["dog \(age)", age % 2])) } }
    let person = try realm.write { realm.create(Person.self, value: ["name": "Ada", "dogs": Array(realm.objects(Dog.self))] as [String: Any]) }
    let sections = realm.objects(Dog.self).sectioned(by: \.age, ascending: true)
    let projection = ThreadSafeReference(to: KennelProjection(projecting: person))
    let names = ThreadSafeReference(to: KennelProjection(projecting: person).dogNames)
    let sectioned = ThreadSafeReference(to: sections)
    let section = ThreadSafeReference(to: sections[1])
    try otherThread {
      let realm = try Realm(configuration: configuration)
      #expect(realm.resolve(projection)?.name == "Ada")
      #expect(realm.resolve(names).map { Array($0) } == ["dog 0", "dog 1", "dog 2", "dog 3"])
      #expect(realm.resolve(sectioned)?.allKeys == [0, 1])
      #expect(realm.resolve(section)?.map(\.name) == ["dog 1", "dog 3"])
    }
  }

  @Test func aRealmThatReadsNothingStartsAtTheVersionOfTheReference() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
    let reference = ThreadSafeReference(to: dog)
    try realm.write { realm.delete(dog) }
    try otherThread {
      let realm = try Realm(configuration: configuration)
      #expect(realm.resolve(reference)?.name == "Rex")
      #expect(realm.refresh())
      #expect(realm.objects(Dog.self).isEmpty)
    }
  }

  @Test func anOlderRealmIsRefreshedAndANewerOneStays() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let started = DispatchSemaphore(value: 0)
    let ready = DispatchSemaphore(value: 0)
    let box = Handed<ThreadSafeReference<Dog>>()
    let finished = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let realm = try! Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).isEmpty)
      started.signal()
      ready.wait()
      #expect(realm.objects(Dog.self).isEmpty)
      #expect(realm.resolve(box.value!)?.name == "Rex")
      #expect(realm.objects(Dog.self).count == 1)
      finished.signal()
    }
    started.wait()
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
    box.value = ThreadSafeReference(to: dog)
    ready.signal()
    finished.wait()
    // A deleted object is nil for a newer realm.
    let gone = ThreadSafeReference(to: dog)
    let list = try realm.write { realm.create(Person.self, value: ["name": "Ada", "scores": [1]] as [String: Any]) }
    let scores = ThreadSafeReference(to: list.scores)
    try realm.write { realm.deleteAll() }
    #expect(realm.resolve(gone) == nil)
    #expect(realm.resolve(scores)?.isInvalidated == true)
  }

  @Test func aReferenceMadeInATransactionLeadsToWhatItCommits() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    #expect(realm.isEmpty)
    var reference: ThreadSafeReference<Dog>?
    try realm.write { reference = ThreadSafeReference(to: realm.create(Dog.self, value: ["Rex", 1])) }
    let sent = try #require(reference)
    #expect(try otherThread { try Realm(configuration: configuration).resolve(sent)?.name } == "Rex")
  }

  @Test func referencesAreResolvedInsideWritesToo() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let reference = ThreadSafeReference(to: try realm.write { realm.create(Dog.self, value: ["Rex", 1]) })
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.delete(realm.resolve(reference)!) }
    }
    realm.refresh()
    #expect(realm.isEmpty)
  }

  @Test(.endsProcesses) func misuseStops() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: Dog())
    }
    #expect(result?.stopped(with: "Cannot construct reference to unmanaged object, which can be passed across threads directly") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      let dog = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
      try realm.write { realm.delete(dog) }
      _ = ThreadSafeReference(to: dog)
    }
    #expect(result?.stopped(with: "Cannot construct reference to invalidated object") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      configuration.fileURL = URL(fileURLWithPath: path + "/b.realm")
      let realm = try Realm(configuration: configuration, queue: nil)
      let reference = ThreadSafeReference(to: realm.objects(Dog.self))
      _ = realm.resolve(reference)
      _ = realm.resolve(reference)
    }
    #expect(result?.stopped(with: "Can only resolve a thread safe reference once.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      configuration.fileURL = URL(fileURLWithPath: path + "/c.realm")
      let realm = try Realm(configuration: configuration, queue: nil)
      realm.beginWrite()
      let person = realm.create(Person.self, value: ["name": "Ada"])
      _ = ThreadSafeReference(to: person.dogs.sorted(byKeyPath: "age"))
    }
    #expect(
      result?.stopped(
        with: "Cannot create a ThreadSafeReference to Results backed by a collection of objects inside the write transaction which created "
          + "the collection.") == true)
  }

  // MARK: @ThreadSafe

  // SAFETY: `@ThreadSafe` has a lock of its own.
  private final class Holder: @unchecked Sendable {
    @ThreadSafe var dog: Dog?
    init(_ dog: Dog?) { _dog = ThreadSafe(wrappedValue: dog) }
  }

  @Test func aThreadSafeCollectionWhoseOwnerIsGoneIsNil() throws {
    let realm = try Realm(configuration: directory.configuration())
    let values: [String: Any] = ["dogs": [["Rex", 1]], "scores": [1], "nicknames": ["R"], "ratings": ["a": 1]]
    let person = try realm.write { realm.create(Person.self, value: values) }
    let (dogs, scores, names, ratings) = (
      ThreadSafe(wrappedValue: person.dogs), ThreadSafe(wrappedValue: person.scores), ThreadSafe(wrappedValue: person.nicknames),
      ThreadSafe(wrappedValue: person.ratings)
    )
    let old = ThreadSafe(wrappedValue: person.dogs.filter("age > 0"))
    #expect(dogs.wrappedValue?.count == 1 && scores.wrappedValue?.count == 1 && old.wrappedValue?.count == 1)
    try realm.write { realm.delete(person) }
    for _ in 0..<2 {
      #expect(dogs.wrappedValue == nil && scores.wrappedValue == nil && names.wrappedValue == nil && ratings.wrappedValue == nil)
      #expect(old.wrappedValue?.first == nil)
    }
  }

  @Test func aThreadSafePropertyCanBeReadAnywhere() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
    let holder = Holder(dog)
    for _ in 0..<3 {
      try otherThread {
        #expect(holder.dog?.name == "Rex")
        let dog = try #require(holder.dog)
        try dog.realm?.write { dog.age += 1 }
      }
    }
    #expect(holder.dog?.isSameObject(as: dog) == true)
    realm.refresh()
    #expect(dog.age == 4)
    try realm.write { realm.delete(dog) }
    #expect(holder.dog == nil)
    holder.dog = try realm.write { realm.create(Dog.self, value: ["Bella", 1]) }
    #expect(try otherThread { holder.dog?.name } == "Bella")
    holder.dog = nil
    #expect(holder.dog == nil)
  }

  /// Reading it brings the realm to a newer version, of which observers are told before the reading ends.
  @MainActor @Test func anObserverMayReadTheThreadSafePropertyWhoseReadingCalledIt() async throws {
    let realm = try Realm(configuration: directory.configuration(), queue: nil)
    let holder = Holder(try realm.write { realm.create(Dog.self, value: ["Rex", 1]) })
    var ages: [Int?] = []
    var isReading = false
    let token = realm.objects(Dog.self).observe { _ in
      #expect(isReading != ages.isEmpty, "the second report comes while the property is read")
      ages.append(holder.dog?.age)
    }
    #expect(try await eventually { ages == [1] })
    try otherThread {
      let dog = try #require(holder.dog)
      try dog.realm?.write { dog.age = 2 }
      holder.dog = dog
    }
    isReading = true
    #expect(holder.dog?.age == 2)
    #expect(ages == [1, 2])
    token.invalidate()
  }

  @Test(.endsProcesses) func onlyManagedValuesCanBeWrapped() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Holder(Dog()) }
    #expect(result?.stopped(with: "Only managed objects may be wrapped as thread safe.") == true)
  }
}

final class KennelProjection: Projection<Person> {
  @Projected(\Person.name) var name
  @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
}
