import Foundation
import Randomness
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@testable import RealmStorage

/// What the commits of a group were told, in order.
final class GroupEnds: Sendable {
  private let ends = Locked<[(number: Int, failure: StorageError?)]>([])

  func note(_ number: Int) -> @Sendable (StorageError?) -> Void { { failure in self.ends.withLock { $0.append((number, failure)) } } }
  var durable: [Int] { ends.withLock { $0.filter { $0.failure == nil }.map(\.number) } }
  var failed: [Int] { ends.withLock { $0.filter { $0.failure != nil }.map(\.number) } }
}

extension Database {
  /// Begins a transaction, after commits that wait for their barriers or on its own.
  fileprivate func nextWrite() throws -> WriteTransaction { try continueWriting() ?? beginWrite() }

  /// One commit that joins the group.
  fileprivate func writeIntoGroup(_ lists: [[Int64]], _ number: Int, _ ends: GroupEnds) throws {
    let transaction = try nextWrite()
    try Numbers.write(transaction, lists)
    try transaction.commitIntoGroup(log: [1], completion: ends.note(number))?.end()
  }
}

/// A file whose every step is recorded, and a database on it.
struct RecordedDatabase {
  let database: Database
  let storage: SimulatedStorage

  init(_ path: String, key: EncryptionKey? = nil, durability: SessionOptions.Durability = .full) throws {
    let box = StorageBox()
    var options = DatabaseOptions()
    options.encryptionKey = key
    options.durability = durability
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try SimulatedStorage(path: path, mode: mode)
      box.storage = storage
      return storage
    }
    database = try Database.open(path: path, options: options)
    storage = box.storage!
  }
}

/// Commits that share barriers.
@Suite(.mustEnd) struct CommitGroupTests {
  let directory = TestDirectory()
  private static let first: [[Int64]] = [[0], Array(repeating: 7, count: 300)]

  private func prepared(_ name: String = "test.realm", key: EncryptionKey? = nil) throws -> RecordedDatabase {
    let recorded = try RecordedDatabase(directory.file(name), key: key)
    try write(recorded.database, Self.first)
    return recorded
  }

  private func write(_ database: Database, _ lists: [[Int64]]) throws {
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, lists)
    try transaction.commit(log: [1])
  }

  /// The number in the version that the header selects: what a crash falls back to.
  private func durableNumber(_ path: String) throws -> Int64? {
    var options = DatabaseOptions()
    options.isImmutable = true
    return try Numbers.read(Database.open(path: path, options: options)).first?.first
  }

  private func lists(_ number: Int) -> [[Int64]] { [[Int64(number)], Array(repeating: Int64(number), count: 100 + number % 7 * 50)] }

  /// Whoever waits for the end of a commit may hold its transaction, whose memory is the next one's by then.
  @Test func aTransactionThatIsHeldOnToTakesNothingFromTheNext() throws {
    let database = try prepared().database
    let large = (0..<8).map { list in (0..<100_000).map { Int64($0 &* 7919 &+ list) << 20 } }
    for ends in [true, false] {
      var first: WriteTransaction? = try database.nextWrite()
      try Numbers.write(#require(first), large)
      if ends { try first?.commitIntoGroup(log: [1], completion: { _ in })?.end() } else { first?.cancel() }
      let next = try database.nextWrite()
      try Numbers.write(next, large)
      first = nil
      try next.commitIntoGroup(log: [1], completion: { _ in })?.end()
      database.makeGroupDurable()
      #expect(try Numbers.read(database) == large)
    }
  }

  @Test func manyCommitsHaveTwoBarriersTogether() throws {
    let recorded = try prepared()
    let (database, storage) = (recorded.database, recorded.storage)
    let ends = GroupEnds()
    let before = storage.barrierCount
    for number in 1...64 {
      try database.writeIntoGroup(lists(number), number, ends)
      #expect(try Numbers.read(database) == lists(number), "everybody sees the version at once")
    }
    #expect(storage.barrierCount == before)
    #expect(ends.durable.isEmpty)
    #expect(try durableNumber(database.path) == 0)
    #expect(database.commitGroup?.count == 64)
    database.makeGroupDurable()
    #expect(storage.barrierCount == before + 2)
    #expect(ends.durable == Array(1...64))
    #expect(try durableNumber(database.path) == 64)
    #expect(database.commitGroup == nil)
    #expect(try spaceViolation(database) == nil)
    // Nothing is left behind: the right to write is free, and no version is held.
    database.makeGroupDurable()
    try write(database, lists(65))
    #expect(storage.barrierCount == before + 4)
    #expect(try database.versionClaims().filter(\.isHeld).isEmpty)
  }

  @Test func whileCommitsWaitForTheirBarriersNobodyElseWrites() throws {
    let recorded = try prepared()
    let other = try Database.open(path: recorded.database.path)
    let ends = GroupEnds()
    try recorded.database.writeIntoGroup(lists(1), 1, ends)
    #expect(try Numbers.read(other) == lists(1))
    #expect(try other.tryBeginWrite() == nil)
    #expect(try recorded.database.tryBeginWrite() == nil)
    recorded.database.makeGroupDurable()
    // The mutex is free a moment later.
    #expect(try waitUntil { try other.tryBeginWrite()?.cancel() != nil })
    try write(other, lists(2))
    #expect(try Numbers.read(recorded.database) == lists(2))
    try recorded.database.writeIntoGroup(lists(3), 3, ends)
    recorded.database.makeGroupDurable()
    #expect(try Numbers.read(other) == lists(3))
    #expect(ends.durable == [1, 3])
  }

  @Test func anOrdinaryCommitMakesTheGroupDurable() throws {
    let recorded = try prepared()
    let ends = GroupEnds()
    for number in 1...3 { try recorded.database.writeIntoGroup(lists(number), number, ends) }
    let before = recorded.storage.barrierCount
    try write(recorded.database, lists(4))
    #expect(ends.durable == [1, 2, 3])
    #expect(recorded.storage.barrierCount == before + 2)
    #expect(try durableNumber(recorded.database.path) == 4)
    #expect(recorded.database.commitGroup == nil)
    let other = try Database.open(path: recorded.database.path)
    try write(other, lists(5))
    #expect(try Numbers.read(recorded.database) == lists(5))
  }

  @Test func aTransactionThatIsCancelledLeavesTheGroup() throws {
    let recorded = try prepared()
    let (database, ends) = (recorded.database, GroupEnds())
    try database.writeIntoGroup(lists(1), 1, ends)
    let cancelled = try database.beginWrite()
    #expect(try database.continueWriting() == nil, "one writes at a time")
    try Numbers.write(cancelled, lists(2))
    cancelled.cancel()
    #expect(database.commitGroup?.count == 1)
    #expect(ends.durable.isEmpty)
    try database.writeIntoGroup(lists(3), 3, ends)
    database.makeGroupDurable()
    #expect(ends.durable == [1, 3])
    #expect(try Numbers.read(database) == lists(3))
    #expect(try spaceViolation(database) == nil)
  }

  @Test func aGroupBecomesDurableWhileATransactionIsOpen() throws {
    let recorded = try prepared()
    let (database, ends) = (recorded.database, GroupEnds())
    try database.writeIntoGroup(lists(1), 1, ends)
    let open = try database.beginWrite()
    try Numbers.write(open, lists(2))
    database.makeGroupDurable()
    #expect(ends.durable == [1])
    #expect(try durableNumber(database.path) == 1)
    try open.commitIntoGroup(log: [1], completion: ends.note(2))?.end()
    #expect(ends.durable == [1])
    database.makeGroupDurable()
    #expect(ends.durable == [1, 2])
    #expect(try Numbers.read(database) == lists(2))
  }

  @Test func closingAndCompactingMakeTheGroupDurableFirst() throws {
    let recorded = try prepared()
    let (database, ends) = (recorded.database, GroupEnds())
    try database.writeIntoGroup(lists(1), 1, ends)
    #expect(try database.compact())
    #expect(ends.durable == [1])
    #expect(try Numbers.read(database) == lists(1))
    try database.writeIntoGroup(lists(2), 2, ends)
    database.close()
    #expect(ends.durable == [1, 2])
    #expect(try durableNumber(database.path) == 2)
    do {
      let last = try Database.open(path: database.path)
      try last.writeIntoGroup(lists(3), 3, ends)
    }
    #expect(ends.durable == [1, 2, 3])
    #expect(try Numbers.read(Database.open(path: database.path)) == lists(3))
  }

  @Test(arguments: [SessionOptions.Durability.memoryOnly, .unsafe]) func filesWithoutBarriersHaveNoGroups(
    _ durability: SessionOptions.Durability
  ) throws {
    let recorded = try RecordedDatabase(directory.file(), durability: durability)
    let ends = GroupEnds()
    for number in 1...3 { try recorded.database.writeIntoGroup(lists(number), number, ends) }
    #expect(ends.durable == [1, 2, 3])
    #expect(recorded.storage.barrierCount == 0)
    #expect(recorded.database.commitGroup == nil)
    try write(recorded.database, lists(4))
    #expect(try Numbers.read(recorded.database) == lists(4))
  }

  /// An observer elsewhere reads the versions while the disk works, as with the original; those who have committed go on afterwards.
  @Test func whoeverWatchesIsToldOfAGroupBeforeItsBarriers() throws {
    let recorded = try prepared()
    let (database, storage, ends) = (recorded.database, recorded.storage, GroupEnds())
    let watcher = try #require(try NoteFIFO(path: directory.file("test.realm") + ".note"))
    func takeNote() -> Bool {
      var byte: UInt8 = 0
      return read(watcher.descriptor, &byte, 1) == 1
    }
    try database.writeIntoGroup(lists(1), 1, ends)
    while takeNote() {}
    var isTold: [Bool] = []
    storage.beforeOperation = { _ in isTold.append(takeNote()) }
    database.makeGroupDurable()
    storage.beforeOperation = nil
    #expect(isTold.first == true)
    #expect(isTold.filter { $0 }.count == 1)
    #expect(ends.durable == [1])
  }

  @Test func commitsToEncryptedFilesAreDurableOneByOne() throws {
    let recorded = try prepared(key: TestKey.make())
    let ends = GroupEnds()
    for number in 1...3 {
      let before = recorded.storage.barrierCount
      try recorded.database.writeIntoGroup(lists(number), number, ends)
      #expect(recorded.storage.barrierCount > before)
    }
    #expect(ends.durable == [1, 2, 3])
  }

  @Test func aReaderOfAnOldVersionDoesNotMakeTheFileGrowWithGroups() throws {
    let recorded = try prepared()
    let (database, ends) = (recorded.database, GroupEnds())
    // A frozen reader does not keep the log.
    let pinned = try database.snapshot(.frozen)
    var sizes: [UInt64] = []
    for round in 0..<12 {
      for number in 1...40 {
        let value = Int64(round * 40 + number)
        try database.writeIntoGroup([[value], Array(repeating: value << 30, count: 1000)], number, ends)
      }
      database.makeGroupDurable()
      sizes.append(try database.spaceUse().totalByteCount)
    }
    #expect(try Numbers.read(pinned.space, pinned.topRef) == Self.first)
    // Sixteen kilobytes are the version and its successor; without using space again it would be four megabytes.
    #expect(sizes[11] < 100_000, "\(sizes)")
    #expect(try spaceViolation(database) == nil)
  }
}
