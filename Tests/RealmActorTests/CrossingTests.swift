import Foundation
import RealmSwift
import TestSupport
import Testing

/// What goes from one actor to another.
@Suite(.mustEnd) struct CrossingTests {
  let directory = TestDirectory()

  // MARK: References

  @MainActor @Test func aReferenceGoesToAnotherActor() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread"]) }
    let office = try await Office(directory.configuration)
    try await office.finish(ThreadSafeReference(to: errand))
    await realm.asyncRefresh()
    #expect(errand.status == "done")
    let reference = ThreadSafeReference(to: errand)
    #expect(!reference.isInvalidated)
    try await office.deleteAtOnce(directory.configuration, reference)
    #expect(reference.isInvalidated)
    await realm.asyncRefresh()
    #expect(errand.isInvalidated && realm.objects(Errand.self).isEmpty)
  }

  @MainActor @Test func aReferenceComesFromAnotherActor() async throws {
    let office = try await Office(directory.configuration)
    try await office.add("Buy bread", owner: "Sam")
    let realm = try await Realm(configuration: directory.configuration)
    let reference = try #require(await office.reference(to: "Buy bread"))
    let errand = try #require(realm.resolve(reference))
    #expect(errand.owner == "Sam")
    #expect(await errand._id == office.identifier(of: "Buy bread"))
    #expect(errand.realm == realm)
  }

  @MainActor @Test func aWrappedObjectIsUsedOnAnyThread() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread"]) }
    let shared = ThreadSafe(wrappedValue: errand)
    try otherThread {
      let errand = shared.wrappedValue
      try errand?.realm?.write { errand?.status = "done" }
    }
    await realm.asyncRefresh()
    #expect(errand.status == "done")
    @ThreadSafe var property = errand
    #expect(property == errand)
  }

  @Test(.endsProcesses) func aReferenceIsResolvedOnce() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let errand = try realm.write { realm.create(Errand.self) }
      let reference = ThreadSafeReference(to: errand)
      precondition(realm.resolve(reference) != nil)
      _ = realm.resolve(reference)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Fatal error: Can only resolve a thread safe reference once.\n"))
  }

  // MARK: Values

  @Test func valuesStandForObjects() async throws {
    let office = try await Office(directory.configuration)
    try await office.add("Buy bread", owner: "Sam")
    #expect(await office.owner(of: "Buy bread") == "Sam")
    let values = try #require(await office.values(of: "Buy bread"))
    #expect(values.name == "Buy bread" && values.status == "new")
  }

  @Background private func create(_ name: String, in configuration: Realm.Configuration) async throws -> ObjectId {
    let realm = try await Realm(configuration: configuration, actor: Background.shared)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": name]) }
    return errand._id
  }

  @MainActor @Test func aPrimaryKeyFindsTheObjectOnAnotherActor() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let id = try await create("Buy bread", in: directory.configuration)
    await realm.asyncRefresh()
    #expect(realm.object(ofType: Errand.self, forPrimaryKey: id)?.name == "Buy bread")
  }

  @MainActor @Test func frozenObjectsAreReadOnAnyThread() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread"]) }
    let frozen = Handed(errand.freeze())
    #expect(try otherThread { frozen.value?.name } == "Buy bread")
  }

  @Test func theseTypesMayCrossActors() {
    func crosses<T: Sendable>(_ type: T.Type) -> Bool { true }
    #expect(crosses(ObjectId.self) && crosses(Decimal128.self) && crosses(Realm.Configuration.self) && crosses(ErrandValues.self))
    #expect(crosses(ThreadSafeReference<Errand>.self) && crosses(ThreadSafe<Errand>.self) && crosses(NotificationToken.self))
    #expect(crosses(Schema.self) && crosses(ObjectSchema.self) && crosses(Property.self) && crosses(RealmSwift.SortDescriptor.self))
    #expect(crosses(Realm.AsyncOpenTask.self) && crosses(SyncSession.Progress.self) && crosses(Realm.Error.self))
  }
}
