import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

@Suite(.mustEnd) struct CommitTests {
  let directory = TestDirectory()

  private func recorded(_ path: String) throws -> (Database, SimulatedStorage) {
    let box = StorageBox()
    var options = DatabaseOptions()
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try SimulatedStorage(path: path, mode: mode)
      box.storage = storage
      return storage
    }
    let database = try Database.open(path: path, options: options)
    return (database, box.storage!)
  }

  @Test func anEmptyFileIsVersionOneAndItsFirstCommitVersionTwo() throws {
    let database = try Database.open(path: directory.file())
    #expect(database.newestVersion == 1)
    #expect(try Numbers.read(database) == [])
    let transaction = try database.beginWrite()
    #expect(transaction.version == 2)
    #expect(try transaction.commit() == 2)
    #expect(database.newestVersion == 2)
    #expect(try spaceViolation(database) == nil)
    database.close()
    #expect(try IndependentTools.violation(directory.file()) == nil)
    let again = try Database.open(path: directory.file())
    #expect(again.newestVersion == 2)
  }

  @Test func committedNumbersAreReadBackAndAfterReopening() throws {
    let lists: [[Int64]] = [[1, 2, 3], [], [.max, .min], Array(0..<5000)]
    do {
      let database = try Database.open(path: directory.file())
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, lists)
      #expect(try Numbers.read(transaction.space, transaction.topRef) == lists)
      try transaction.commit()
      #expect(try Numbers.read(database) == lists)
      #expect(try spaceViolation(database) == nil)
    }
    #expect(try Numbers.read(Database.open(path: directory.file())) == lists)
  }

  @Test func aCommitIsDoneEvenIfItsVersionCannotBeClaimed() throws {
    let (database, storage) = try recorded(directory.file())
    let lists = [Array(repeating: Int64.max, count: 100_000)]
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, lists)
    storage.failsToTellSizeAfterNextBarrier()
    let read = try transaction.commitAndRead()
    #expect(read == nil)
    #expect(throws: StorageError.self) { try database.beginRead() }
    storage.tellsSizeAgain()
    #expect(try Numbers.read(database) == lists)
    // The right to write was given back.
    try database.beginWrite().cancel()
  }

  @Test func aCancelledTransactionLeavesNoTrace() throws {
    let (database, storage) = try recorded(directory.file())
    let before = storage.operationCount
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, [[1]])
    transaction.cancel()
    #expect(storage.operationCount == before)
    #expect(database.newestVersion == 1)
    #expect(throws: StorageError.transactionEnded) { try transaction.commit() }
    try database.beginWrite().commit()
    #expect(try Numbers.read(database) == [])
  }

  @Test func aTransactionThatIsReleasedGivesUpTheRightToWrite() throws {
    let database = try Database.open(path: directory.file())
    _ = try database.beginWrite()
    let second = try database.beginWrite()
    second.cancel()
  }

  @Test func aCommitHasExactlyTwoBarriersWithAndWithoutGrowth() throws {
    let (database, storage) = try recorded(directory.file())
    for size in [1, 10, 100_000, 10, 500_000, 1] {
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, [Array(repeating: 1 << 40, count: size)])
      let before = storage.barrierCount
      try transaction.commit()
      #expect(storage.barrierCount - before == 2, "\(size) numbers")
    }
  }

  @Test func aSnapshotSeesItsVersionThroughLaterCommits() throws {
    let database = try Database.open(path: directory.file())
    var snapshots: [(Snapshot, [[Int64]])] = []
    var random = SeededGenerator(test: 7)
    var model: [[Int64]] = Array(repeating: [], count: 8)
    let first = try database.beginWrite()
    try Numbers.write(first, model)
    try first.commit()
    for step in 0..<1000 {
      let transaction = try database.beginWrite()
      let index = Int.random(in: 0..<8, using: &random)
      model[index] = (0..<Int.random(in: 0..<200, using: &random)).map { Int64($0 * step) }
      try Numbers.replace(transaction, index, model[index])
      try transaction.commit()
      if step % 50 == 0 { snapshots.append((try database.snapshot(step % 100 == 0 ? .frozen : .live), model)) }
      if step % 70 == 0, !snapshots.isEmpty { snapshots.removeFirst() }
      if step % 100 == 0 {
        for (snapshot, expected) in snapshots { #expect(try Numbers.read(snapshot.space, snapshot.topRef) == expected) }
        #expect(try spaceViolation(database) == nil)
      }
    }
    for (snapshot, expected) in snapshots { #expect(try Numbers.read(snapshot.space, snapshot.topRef) == expected) }
    #expect(try Numbers.read(database) == model)
  }

  @Test func aFileThatNobodyReadsDoesNotGrowForEver() throws {
    let (database, storage) = try recorded(directory.file())
    for step in 0..<300 {
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, [Array(repeating: Int64(step), count: 100)])
      try transaction.commit(log: [1, 2, 3])
    }
    #expect(try storage.byteCount() <= 32_768)
    #expect(try spaceViolation(database) == nil)
  }

  @Test func changesetsLeadFromAnOlderLiveVersionToTheNewest() throws {
    let database = try Database.open(path: directory.file())
    let old = try database.snapshot()
    for step in 1...5 { try database.beginWrite().commit(log: Array(repeating: UInt8(step), count: step * 30)) }
    let new = try database.snapshot()
    #expect(try new.changesets(after: old.version) == (1...5).map { Array(repeating: UInt8($0), count: $0 * 30) })
    #expect(try new.changesets(after: 4) == [3, 4, 5].dropFirst().map { Array(repeating: UInt8($0), count: $0 * 30) })
  }

  @Test func theHistoryIsTrimmedToWhatLiveReadersNeed() throws {
    let database = try Database.open(path: directory.file())
    func count() throws -> Int {
      let snapshot = try database.snapshot()
      return try HistoryTree(root: snapshot.space.refs(at: snapshot.topRef).child(8)).count(snapshot.space)
    }
    try database.beginWrite().commit()
    #expect(try count() == 1)
    var reader: Snapshot? = try database.snapshot(.live)
    for _ in 0..<3 { try database.beginWrite().commit() }
    #expect(try count() == 3)
    reader = try database.snapshot(.frozen)
    try database.beginWrite().commit()
    #expect(try count() == 1)
    _ = reader
  }

  @Test func aHistoryOfManyEntriesIsTrimmedFromTheFront() throws {
    var options = DatabaseOptions()
    options.durability = .unsafe
    let database = try Database.open(path: directory.file(), options: options)
    try database.beginWrite().commit()
    var readers = [try database.snapshot()]
    for step in 0..<2500 {
      try database.beginWrite().commit(log: [UInt8(truncatingIfNeeded: step), UInt8(truncatingIfNeeded: step >> 8)])
      if step == 1200 { readers.append(try database.snapshot()) }
    }
    let first = try database.snapshot()
    #expect(try first.changesets(after: readers[0].version).count == 2500)
    readers.removeFirst()
    try database.beginWrite().commit()
    let second = try database.snapshot()
    let changes = try second.changesets(after: readers[0].version)
    #expect(changes.count == 2500 - 1201 + 1)
    #expect(changes.first == [UInt8(truncatingIfNeeded: 1201), UInt8(1201 >> 8)])
    #expect(throws: StorageError.self) { try second.changesets(after: readers[0].version - 1) }
    #expect(try spaceViolation(database) == nil)
  }

  @Test func aChangesetLargerThanANodeIsStoredInChunks() throws {
    let database = try Database.open(path: directory.file())
    let old = try database.snapshot()
    // Of parts whose length is a prime number: made byte by byte it took a debug build two seconds.
    let part = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    var log: [UInt8] = []
    for _ in 0..<306 { log += part }
    try database.beginWrite().commit(log: log)
    try database.beginWrite().commit(log: [5])
    #expect(try database.snapshot().changesets(after: old.version) == [log, [5]])
    #expect(try spaceViolation(database) == nil)
  }

  @Test func readersAndWritersOfManyThreadsSeeWholeVersions() async throws {
    let databases = [try Database.open(path: directory.file()), try Database.open(path: directory.file())]
    let first = try databases[0].beginWrite()
    try Numbers.write(first, [[0], [0]])
    try first.commit()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for database in databases {
        group.addTask {
          for _ in 0..<40 {
            let transaction = try database.beginWrite()
            let number = try Numbers.read(transaction.space, transaction.topRef)[0][0] + 1
            try Numbers.write(transaction, [[number], Array(repeating: number, count: Int(number % 13) * 50)])
            let read = try #require(try transaction.commitAndRead())
            #expect(try Numbers.read(read.space, read.topRef)[0][0] == number)
            read.end()
          }
        }
        group.addTask {
          for _ in 0..<400 {
            let read = try database.beginRead()
            defer { read.end() }
            let lists = try Numbers.read(read.space, read.topRef)
            #expect(lists[1].allSatisfy { $0 == lists[0][0] })
            await Task.yield()
          }
        }
        group.addTask { for _ in 0..<20 { try #expect(!database.compact(), "another database has the file open") } }
      }
      try await group.waitForAll()
    }
    #expect(try Numbers.read(databases[0])[0] == [80])
    #expect(try spaceViolation(databases[1]) == nil)
  }

  @Test func compactionRunsBesideReadersAndWritersOfOtherThreads() async throws {
    var options = DatabaseOptions()
    options.durability = .unsafe
    let database = try Database.open(path: directory.file(), options: options)
    let first = try database.beginWrite()
    try Numbers.write(first, [[0], [0]])
    try first.commit()
    try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        for number in 1...300 {
          let transaction = try database.beginWrite()
          try Numbers.write(transaction, [[Int64(number)], Array(repeating: Int64(number), count: number % 13 * 50)])
          try transaction.commit()
          await Task.yield()
        }
        return 0
      }
      group.addTask {
        for _ in 0..<500 {
          let lists = try Numbers.read(database)
          #expect(lists[1].allSatisfy { $0 == lists[0][0] })
          await Task.yield()
        }
        return 0
      }
      group.addTask {
        var done = 0
        for _ in 0..<300 {
          if try database.compact() { done += 1 }
          await Task.yield()
        }
        return done
      }
      _ = try await group.reduce(0, +)
    }
    #expect(try Numbers.read(database)[0] == [300])
    #expect(try database.compact())
    #expect(try Numbers.read(database)[0] == [300])
  }

  @Test func twoDatabasesOnOneFileSeeEachOthersCommits() throws {
    let first = try Database.open(path: directory.file())
    let second = try Database.open(path: directory.file())
    for step in 0..<20 {
      let transaction = try (step % 2 == 0 ? first : second).beginWrite()
      try Numbers.write(transaction, [[Int64(step)], Array(repeating: 1 << 40, count: step * 500)])
      try transaction.commit()
      #expect(try Numbers.read(first)[0] == [Int64(step)])
      #expect(try Numbers.read(second)[0] == [Int64(step)])
    }
    let held = try first.beginWrite()
    #expect(try second.tryBeginWrite() == nil)
    held.cancel()
    #expect(try spaceViolation(second) == nil)
  }

  @Test func inMemoryFilesGoWithTheirLastUserAndNeverHaveAHeader() throws {
    var options = DatabaseOptions()
    options.durability = .memoryOnly
    do {
      let database = try Database.open(path: directory.file(), options: options)
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, [[4]])
      try transaction.commit()
      let other = try Database.open(path: directory.file(), options: options)
      #expect(try Numbers.read(other) == [[4]])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file()))
      #expect(bytes[0..<16].allSatisfy { $0 == 0 })
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file()))
  }

  @Test func theVersionLimitStopsWriters() throws {
    var options = DatabaseOptions()
    options.versionLimit = 3
    let database = try Database.open(path: directory.file(), options: options)
    var snapshots: [Snapshot] = []
    #expect(throws: StorageError.tooManyVersions(count: 4, limit: 3)) {
      for _ in 0..<10 {
        snapshots.append(try database.snapshot())
        try database.beginWrite().commit()
      }
    }
  }
}

// SAFETY: filled while the test opens its database, on the thread of the test.
final class StorageBox: @unchecked Sendable {
  var storage: SimulatedStorage?
}
