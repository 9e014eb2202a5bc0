import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSwift

private class Numbered: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var number: Int
}

/// What a realm is doing after something failed: the old phase, or a new one that is complete.
@Suite(.mustEnd) struct PhaseTests {
  let directory = TestDirectory()

  /// Opens synchronously, also for tests that are not.
  private func open(_ types: [ObjectBase.Type] = [Dog.self, Person.self, Address.self]) throws -> Realm {
    try Realm(configuration: directory.configuration(types))
  }

  @MainActor @Test func aFailedCommitLetsQueuedWritesGoOn() async throws {
    let realm = try open()
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    realm.beginWrite()
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite { continuation.resume() }
      realm.core.transaction?.cancel()
      #expect(throws: Realm.Error.self) { try realm.commitWrite() }
      #expect(!realm.isInWriteTransaction)
    }
    #expect(realm.objects(Dog.self).count == 1)
  }

  @MainActor @Test func aFailedBackgroundCommitLetsQueuedWritesGoOn() async throws {
    let realm = try open()
    realm.beginWrite()
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite { continuation.resume() }
      realm.core.transaction?.cancel()
      realm.commitAsyncWrite { error in #expect(error is Realm.Error) }
    }
    #expect(realm.isEmpty)
  }

  @MainActor @Test func aBackgroundCommitThatCannotBeginLetsQueuedWritesGoOn() async throws {
    let realm = try open([Numbered.self])
    let table = try realm.core.binding(named: "Numbered").table(realm.core)
    let index = try table.storedIndexRoot(table.column(named: "number").key)
    realm.beginWrite()
    // The index of what fills an empty table is put off until the commit, which finds the old one damaged.
    realm.create(Numbered.self, value: [1])
    let file = try FileHandle(forUpdating: directory.fileURL())
    try file.seek(toOffset: index.byteOffset)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 8))
    try file.close()
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite { continuation.resume() }
      #expect(throws: StorageError.self) { try realm.core.commitInBackground() }
      #expect(!realm.isInWriteTransaction)
    }
    #expect(realm.objects(Numbered.self).isEmpty)
  }

  @Test func objectsOfACommitThatFailedAreGone() throws {
    let realm = try open()
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    realm.beginWrite()
    let lost = realm.create(Dog.self, value: ["Lost", 2])
    // The claim on the base goes, too: it cannot be shown again.
    realm.core.transaction?.cancel()
    #expect(throws: Realm.Error.self) { try realm.commitWrite() }
    try realm.write { realm.add(Dog(value: ["Other", 3])) }
    #expect(lost.isInvalidated)
    #expect(realm.objects(Dog.self).count == 2)
  }

  @Test func aBindThatFailsLeavesNothingCurrent() throws {
    let realm = try open()
    let file = realm.core.file
    let transaction = try file.database.beginWrite(staysOnThread: true)
    let group = try transaction.openGroup()
    let table = try #require(try SchemaStore.table("Person", in: group))
    try table.removeColumn(table.column(named: "age").key)
    try transaction.commit(group)

    let core = RealmCore(file, realm.core.configuration, .current)
    #expect(throws: StorageError.self) { try core.beginWrite(staysOnThread: true) }
    #expect(!core.isInWriteTransaction)
    #expect(!core.isReading)
    // The right to write was given back, and no class stays bound without the others.
    try file.database.beginWrite(staysOnThread: true).cancel()
    #expect(throws: StorageError.self) { try core.binding(named: "Dog") }
    #expect(throws: StorageError.self) { try core.binding(named: "Dog") }
  }

  @Test(arguments: [false, true]) func aCommitIsDoneEvenIfItsVersionCannotBeShown(inBackground: Bool) throws {
    let realm = try open()
    let journal = StorageJournal()
    let database = try Database.open(path: realm.core.file.path, options: journal.options())
    let file = RealmFile(path: realm.core.file.path, database: database, schema: realm.core.schema, configuration: realm.core.configuration)
    let core = RealmCore(file, realm.core.configuration, .current)
    try core.beginWrite(staysOnThread: false)
    let person = Realm(core).create(Person.self, value: ["data": Data(repeating: 1, count: 1 << 20)])
    journal.last.failsToTellSizeAfterNextBarrier()
    if inBackground { #expect(try core.finish(core.commitInBackground()) == nil) } else { try core.commitWrite() }
    #expect(!core.isInWriteTransaction && !core.isReading)
    // The next access says why it cannot read, the one after the trouble finds everything.
    #expect(throws: StorageError.self) { try core.group() }
    journal.last.tellsSizeAgain()
    #expect(!person.isInvalidated && person.data.count == 1 << 20)
    realm.refresh()
    #expect(realm.objects(Person.self).count == 1)
  }
}

/// Tokens, from several threads.
@Suite(.mustEnd) struct NotificationTokenTests {
  let directory = TestDirectory()

  @MainActor @Test func tokensCanBeInvalidatedOnAnyThread() throws {
    let realm = try Realm(configuration: directory.configuration())
    let calls = Atomic<Int>(0)
    for _ in 0..<20 {
      let tokens = (0..<64).map { _ in realm.observe { _, _ in calls.add(1, ordering: .relaxed) } }
      let stopped = Atomic<Int>(0)
      let group = DispatchGroup()
      for part in 0..<4 {
        DispatchQueue.global().async(group: group) {
          // Every token is ended by two threads: exactly one of them stops it.
          for index in tokens.indices where index % 4 == part || index % 4 == (part + 1) % 4 {
            if tokens[index].invalidate() { stopped.add(1, ordering: .relaxed) }
          }
        }
      }
      try realm.write {}
      group.wait()
      #expect(stopped.load(ordering: .relaxed) == 64)
    }
    let before = calls.load(ordering: .relaxed)
    try realm.write {}
    #expect(calls.load(ordering: .relaxed) == before)
    #expect(realm.core.observers.isEmpty)
  }
}

/// The order of what a realm has run at later turns.
@Suite(.mustEnd) struct SchedulerTests {
  private actor Place {
    private(set) var order: [Int] = []

    func run(_ configuration: Realm.Configuration) async throws -> [Int] {
      let realm = try await Realm.open(configuration: configuration)
      let scheduler = try #require(Scheduler(realm.core))
      await withCheckedContinuation { continuation in
        for index in 0..<500 {
          scheduler.invoke { [unowned self] in
            self.assumeIsolated { $0.order.append(index) }
            if index == 499 { continuation.resume() }
          }
        }
      }
      return order
    }
  }

  @Test func turnsOfAnActorRunInTheirOrder() async throws {
    let directory = TestDirectory()
    #expect(try await Place().run(directory.configuration()) == Array(0..<500))
  }
}
