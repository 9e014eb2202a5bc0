import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What cannot be observed stops with the SDK's texts.
@Suite(.mustEnd) struct ObserveMisuseTests {
  let directory = TestDirectory()

  @Test(.endsProcesses) func unmanagedThingsRefuse() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dog().observe { (_: ObjectChange<Dog>) in }
    }
    #expect(result?.stopped(with: "Only objects which are managed by a Realm support change notifications") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Person().dogs.observe { _ in } }
    #expect(result?.stopped(with: "Change notifications are only supported on managed collections.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Person().ratings.observe { _ in } }
    #expect(result?.stopped(with: "Change notifications are only supported on managed collections.") == true)
  }

  @Test(.endsProcesses) func frozenThingsRefuse() async {
    let text = "Frozen Realms do not change and do not have change notifications."
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      _ = realm.objects(Dog.self).freeze().observe { _ in }
    }
    #expect(result?.stopped(with: text) == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
      _ = dog.freeze().observe { (_: ObjectChange<Dog>) in }
    }
    #expect(result?.stopped(with: text) == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      _ = realm.freeze().observe { _, _ in }
    }
    #expect(result?.stopped(with: text) == true)
  }

  @Test(.endsProcesses) func readOnlyRealmsRefuse() async throws {
    let existing = directory.configuration()
    try otherThread { _ = try Realm(configuration: existing) }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      configuration.readOnly = true
      let realm = try await Realm(configuration: configuration)
      _ = realm.objects(Dog.self).observe { _ in }
    }
    #expect(result?.stopped(with: "Read-only Realms do not change and do not have change notifications.") == true)
  }

  @Test(.endsProcesses) func aThreadWithoutRunLoopRefuses() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try otherThread {
        let realm = try Realm(configuration: TestDirectory.configuration(in: path))
        _ = realm.objects(Dog.self).observe { _ in }
      }
    }
    #expect(result?.stopped(with: "Can only add notification blocks from within runloops.") == true)
  }

  @Test(.endsProcesses) func anotherThreadRefuses() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let queue = DispatchQueue(label: "other")
      let realm = try queue.sync { try Realm(configuration: TestDirectory.configuration(in: path), queue: queue) }
      // SAFETY: that the other thread may not use it is what is tested.
      nonisolated(unsafe) let dogs = queue.sync { realm.objects(Dog.self) }
      try otherThread { _ = dogs.observe { _ in } }
    }
    #expect(result?.stoppedOnAWrongThread() == true)
  }

  @Test(.endsProcesses) func deletedThingsRefuse() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
      try realm.write { realm.delete(dog) }
      _ = dog.observe { (_: ObjectChange<Dog>) in }
    }
    #expect(result?.stopped(with: "Object has been deleted or invalidated.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let person = try realm.write { realm.create(Person.self, value: ["name": "Ada"]) }
      let dogs = person.dogs
      try realm.write { realm.delete(person) }
      _ = dogs.observe { _ in }
    }
    let text = "List is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."
    #expect(result?.stopped(with: text) == true)
  }

  @Test(.endsProcesses) func unknownKeyPathsRefuse() async {
    for (path, name, type) in [("nothing", "nothing", "Dog"), ("owners.nothing", "nothing", "Person"), ("", "", "Dog")] {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor [directory = directory.path as String, path = path as String] in
        let realm = try await Realm(configuration: TestDirectory.configuration(in: directory))
        _ = realm.objects(Dog.self).observe(keyPaths: [path]) { _ in }
      }
      #expect(result?.stopped(with: "Invalid property name: property '\(name)' not found in object of type '\(type)'") == true)
    }
  }
}
