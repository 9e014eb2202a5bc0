import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What was made of a realm before `invalidate()`.
@Suite(.mustEnd) struct InvalidationTests {
  let directory = TestDirectory()

  private func open() throws -> Realm {
    let realm = try Realm(configuration: directory.configuration())
    try realm.write {
      let person = Person(value: ["name": "Ann"])
      person.dogs.append(objectsIn: [Dog(value: ["Rex", 1]), Dog(value: ["Ace", 2])])
      person.scores.append(objectsIn: [1, 2])
      realm.add(person)
    }
    return realm
  }

  /// Results of every source and step.
  private func allResults(_ realm: Realm) -> [ResultsCore?] {
    let (dogs, person) = (realm.objects(Dog.self), realm.objects(Person.self).first!)
    return [
      dogs, dogs.filter("age > 0"), dogs.where { $0.age > 0 }, dogs.sorted(byKeyPath: "age"), dogs.distinct(by: ["age"]),
      dogs.filter("age > 0").sorted(byKeyPath: "age"), person.dogs.filter("age > 0"), person.dogs.sorted(byKeyPath: "age"),
    ].map(\.results) + [person.scores.sorted().results, realm.objects(Dog.self).first!.owners.results]
  }

  @Test func allResultsAreInvalidAlike() throws {
    let realm = try open()
    let results = allResults(realm)
    // Some were evaluated before, some not.
    for core in results.prefix(5) { _ = try core?.contents() }
    realm.invalidate()
    for (place, core) in results.enumerated() {
      let core = try #require(core)
      #expect(core.isInvalidated, "\(place)")
      for body in [{ _ = try core.count() }, { _ = try core.contents() }, { _ = try core.value(at: 0) }] as [() throws -> Void] {
        #expect(throws: RealmFailure.misuse("Access to invalidated Results objects"), "\(place)") { try body() }
      }
    }
    for core in results.prefix(8) {
      #expect(throws: RealmFailure.misuse("Access to invalidated Results objects")) { try core?.sorted([SortDescriptor(keyPath: "age")]) }
      #expect(throws: RealmFailure.misuse("Access to invalidated Results objects")) { try core?.distinct(["age"]) }
      #expect(throws: RealmFailure.misuse("Access to invalidated Results objects")) { try core?.frozen() }
      #expect(throws: RealmFailure.misuse("Access to invalidated Results objects")) { try core?.aggregate(.sum, slot: 1) }
    }
    #expect(realm.objects(Dog.self).count == 2)
  }

  @Test(
    .endsProcesses,
    arguments: [
      ("results", "Cannot modify managed objects outside of a write transaction."), ("resultsInWrite", "Access to invalidated Results objects"),
      ("object", "Object has been deleted or invalidated."), ("objectInWrite", "Object has been deleted or invalidated."),
      ("list", "List is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."),
      ("deleteInWrite", "Access to invalidated Results objects"), ("commit", "Can't commit a non-existing write transaction"),
      (
        "add",
        "Can only add, remove, or create objects in a Realm in a write transaction - call beginWrite on a Realm instance first."
      ),
    ])
  func aWriteHasTheTextOfTheOriginal(_ kind: String, _ text: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [
        path = directory.path as String, kind = kind as String
      ] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      try realm.write {
        realm.create(Person.self, value: ["dogs": [["Rex", 1]]])
      }
      let (person, dogs) = (realm.objects(Person.self).first!, realm.objects(Dog.self))
      let list = person.dogs
      if kind == "commit" || kind == "add" { realm.beginWrite() }
      realm.invalidate()
      if kind.hasSuffix("InWrite") { realm.beginWrite() }
      switch kind {
      case "results", "resultsInWrite": dogs.setValue(3, forKey: "age")
      case "object", "objectInWrite": person.name = "Bob"
      case "list": list.append(Dog())
      case "deleteInWrite": realm.delete(dogs)
      case "commit": do { try realm.commitWrite() } catch { stop(error.localizedDescription) }
      default: realm.add(Dog())
      }
    }
    #expect(result?.stopped(with: text) == true, "\(result?.standardError.suffix(300) ?? "")")
  }
}
