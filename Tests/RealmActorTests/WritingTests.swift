import Dispatch
import RealmSwift
import TestSupport
import Testing

/// Reading and writing on actors.
@Suite(.mustEnd) struct WritingTests {
  let directory = TestDirectory()

  @Test func anOfficeAddsUpdatesAndDeletes() async throws {
    let office = try await Office(directory.configuration)
    try await office.add("Buy bread", owner: "Sam")
    let id = try #require(await office.identifier(of: "Buy bread"))
    try await office.update(id, status: "done")
    #expect(await office.values(of: "Buy bread")?.status == "done")
    #expect(await office.owner(of: "Buy bread") == "Sam", "what is not named stays as it was")
    try await office.delete(id)
    #expect(await office.count == 0)
  }

  /// Runs on the office, and so may use its realm without waiting.
  private func addAtOnce(_ name: String, in office: isolated Office) throws -> Int {
    try office.realm.write { office.realm.create(Errand.self, value: ["name": name, "owner": "Frodo", "status": "new"]) }
    return office.realm.objects(Errand.self).count
  }

  @Test func functionsOfAnActorUseItsRealmAtOnce() async throws {
    let office = try await Office(directory.configuration)
    #expect(try await addAtOnce("Keep it secret", in: office) == 1)
    #expect(try await addAtOnce("Keep it safe", in: office) == 2)
    #expect(await office.identifier(of: "Keep it safe") != office.identifier(of: "Keep it secret"), "keys that are not given are made")
  }

  @MainActor @Test func whatABlockReturnsIsReturned() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread"]) }
    #expect(errand.name == "Buy bread" && !realm.isInWriteTransaction)
    try await realm.asyncWrite { errand.status = "done" }
    #expect(errand.status == "done")
  }

  @MainActor @Test func theMainActorIsFreeWhileItsWriteWaits() async throws {
    let configuration = directory.configuration
    let realm = try await Realm(configuration: configuration)
    let hasBegun = Log()
    let mayEnd = DispatchSemaphore(value: 0)
    let other = Task.detached {
      try await awaitOtherThread {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          hasBegun.add("begun")
          mayEnd.wait()
          realm.create(Errand.self, value: ["name": "first"])
        }
      }
    }
    #expect(try await eventually { !hasBegun.all.isEmpty })
    let write = Task { try await realm.asyncWrite { realm.objects(Errand.self).count } }
    for _ in 0..<10 { await Task.yield() }
    #expect(!realm.isInWriteTransaction, "the other has not ended yet, and this code runs")
    mayEnd.signal()
    try await other.value
    #expect(try await write.value == 1, "the block runs on the newest version")
  }

  @MainActor @Test func whatOtherActorsWriteArrives() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errands = realm.objects(Errand.self)
    #expect(errands.isEmpty)
    let office = try await Office(directory.configuration)
    try await office.add("Buy bread", owner: "Sam")
    #expect(try await eventually { errands.count == 1 })
  }

  @Test func refreshingIsAwaitedOnAnyActor() async throws {
    let office = try await Office(directory.configuration)
    #expect(await office.count == 0)
    await office.setAutorefresh(false)
    let configuration = directory.configuration
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Errand.self) }
    }
    #expect(await office.count == 0)
    #expect(await office.refresh())
    #expect(await office.count == 1)
    #expect(await !office.refresh())
  }
}
