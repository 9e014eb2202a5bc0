import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Observing that begins inside of a write transaction.
@Suite(.mustEnd) struct ObservingInWritesTests {
  let directory = TestDirectory()
  private let log = ReportLog()
  private static let text = "Cannot create asynchronous query after making changes in a write transaction."

  @MainActor private func open() throws -> Realm { try Realm(configuration: directory.configuration()) }

  @MainActor @Test func beforeTheFirstChangeItIsAllowed() throws {
    let realm = try open()
    realm.beginWrite()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    #expect(log.all == [])
    realm.add(Dog(value: ["name": "Rex"]))
    try realm.commitWrite()
    realm.refresh()
    #expect(log.take().first == "initial")
    try realm.write { realm.add(Dog(value: ["name": "Bella"])) }
    realm.refresh()
    #expect(log.take() == ["-[] +[1] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func afterACancelledTransactionItGoesOn() throws {
    let realm = try open()
    realm.beginWrite()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.add(Dog(value: ["name": "Rex"]))
    realm.cancelWrite()
    realm.refresh()
    #expect(log.take() == ["initial"])
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    realm.refresh()
    #expect(log.take() == ["-[] +[0] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func anObjectMayBeObservedAfterChanges() throws {
    let realm = try open()
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    realm.beginWrite()
    dog.age = 1
    let token = dog.observe { (change: ObjectChange<Dog>) in log.note(change) }
    try realm.commitWrite()
    realm.refresh()
    #expect(log.take() == ["age: nil -> 1"])
    token.invalidate()
  }

  @MainActor @Test func anObjectOfACancelledTransactionIsGone() throws {
    let realm = try open()
    realm.beginWrite()
    let dog = realm.create(Dog.self, value: ["name": "Rex"])
    let token = dog.observe { (change: ObjectChange<Dog>) in log.note(change) }
    realm.cancelWrite()
    realm.refresh()
    try realm.write { realm.create(Dog.self, value: ["name": "Bella"]).age = 3 }
    realm.refresh()
    #expect(!log.take().contains { $0.contains("age") })
    token.invalidate()
  }

  @Test(.endsProcesses) func afterTheFirstChangeCollectionsRefuse() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      realm.beginWrite()
      realm.add(Dog(value: ["name": "Rex"]))
      _ = realm.objects(Dog.self).observe { _ in }
    }
    #expect(result?.stopped(with: Self.text) == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let person = try realm.write { realm.create(Person.self, value: ["name": "Ada"]) }
      realm.beginWrite()
      person.age = 3
      _ = person.ratings.observe { _ in }
    }
    #expect(result?.stopped(with: Self.text) == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      realm.beginWrite()
      realm.add(Dog(value: ["name": "Rex"]))
      _ = realm.objects(Dog.self).sectioned(by: \.age).observe { _ in }
    }
    #expect(result?.stopped(with: Self.text) == true)
  }
}
