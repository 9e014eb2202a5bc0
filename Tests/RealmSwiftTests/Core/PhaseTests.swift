import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSwift

private final class Ticket: Object {
  @Persisted(primaryKey: true) var id: Int
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

  /// Opens a realm and begins a write whose commit will fail as soon as it builds the index of the primary keys.
  private func openWithDoomedWrite() throws -> Realm {
    let realm = try open([Ticket.self])
    realm.beginWrite()
    // Ascending keys in an empty table: their index is built by the commit.
    for id in 0..<10 { realm.add(Ticket(value: ["id": id])) }
    let table = try #require(try SchemaStore.table("Ticket", in: realm.core.group()))
    let root = try table.storedIndexRoot(table.column(named: "id").key)
    try damageNode(atByte: root.byteOffset)
    return realm
  }

  /// Makes a node one with references, of more elements than the file has bytes (F3).
  private func damageNode(atByte offset: some BinaryInteger) throws {
    let handle = try FileHandle(forUpdating: directory.fileURL())
    try handle.seek(toOffset: UInt64(offset) + 4)
    handle.write(Data([0x46, 0xFF, 0xFF, 0xFF]))
    try handle.close()
  }

  @MainActor @Test func aCommitThatFailsBeforeItWritesLetsQueuedWritesGoOn() async throws {
    let realm = try openWithDoomedWrite()
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite { continuation.resume() }
      #expect(throws: Realm.Error.self) { try realm.commitWrite() }
    }
    #expect(realm.objects(Ticket.self).isEmpty)
  }

  @MainActor @Test func aBackgroundCommitThatFailsBeforeItWritesIsReportedAndLetsQueuedWritesGoOn() async throws {
    let realm = try openWithDoomedWrite()
    let failure = Locked<(any Error)?>(nil)
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite { continuation.resume() }
      realm.commitAsyncWrite { error in failure.withLock { $0 = error } }
    }
    #expect(failure.withLock { $0 is Realm.Error })
    #expect(realm.objects(Ticket.self).isEmpty)
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
    #expect(throws: RealmFailure.self) { try core.beginWrite(staysOnThread: true) }
    #expect(!core.isInWriteTransaction)
    #expect(!core.isReading)
    // The right to write was given back, and no class stays bound without the others.
    try file.database.beginWrite(staysOnThread: true).cancel()
    #expect(throws: RealmFailure.self) { try core.binding(named: "Dog") }
    #expect(throws: RealmFailure.self) { try core.binding(named: "Dog") }
  }

  @Test func aVersionThatCannotBeShownAfterItsCommitIsNoFailedCommit() throws {
    let realm = try open()
    realm.beginWrite()
    realm.add(Dog(value: ["Rex", 1]))
    // The names of the tables, which the transaction has read already and leaves as they are.
    let content = try Data(contentsOf: directory.fileURL())
    let names = try #require(content.range(of: Data("metadata\0".utf8)))
    try damageNode(atByte: names.lowerBound - 8)
    try realm.commitWrite()
    #expect(!realm.isInWriteTransaction)
    #expect(!realm.core.isReading)
    #expect(throws: StorageError.self) { try realm.core.group() }
  }

  @Test func aVersionThatCannotBeShownAfterItsCommitIsReportedByTheNextRead() throws {
    let realm = try open()
    realm.beginWrite()
    realm.add(Dog(value: ["Rex", 1]))
    let commit = try realm.core.holdCommit()
    realm.core.beginCommit(commit)
    guard case .written(let snapshot?) = commit.takeOutcome() else { Issue.record("the commit failed"); return }
    let handle = try FileHandle(forUpdating: directory.fileURL())
    try handle.seek(toOffset: snapshot.topRef.byteOffset)
    handle.write(Data(repeating: 0, count: 8))
    try handle.close()
    #expect(realm.core.finish(commit) == nil)
    #expect(!realm.core.isReading)
    #expect(throws: StorageError.self) { try realm.core.group() }
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
