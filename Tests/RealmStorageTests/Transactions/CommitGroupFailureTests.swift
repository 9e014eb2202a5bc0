import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Groups of commits when the disk fails or the power goes.
@Suite(.mustEnd) struct CommitGroupFailureTests {
  let directory = TestDirectory()

  private func lists(_ number: Int) -> [[Int64]] { [[Int64(number)], Array(repeating: Int64(number), count: 100 + number % 7 * 50)] }

  private func prepared(_ name: String) throws -> RecordedDatabase {
    let recorded = try RecordedDatabase(directory.file(name))
    let transaction = try recorded.database.beginWrite()
    try Numbers.write(transaction, lists(0))
    try transaction.commit(log: [1])
    return recorded
  }

  private func add(_ database: Database, _ number: Int, _ ends: GroupEnds) throws {
    let transaction = try database.continueWriting() ?? database.beginWrite()
    do {
      try Numbers.write(transaction, lists(number))
      try transaction.commitIntoGroup(log: [1], completion: ends.note(number))?.end()
    } catch {
      transaction.cancel()
      throw error
    }
  }

  @Test func aFullDiskInAGroupConcernsOneCommitOnly() throws {
    // The steps of a commit without barriers: extending, writing; there is no third one for a full disk.
    for step in 0..<2 {
      let recorded = try prepared("full\(step).realm")
      let (database, storage, ends) = (recorded.database, recorded.storage, GroupEnds())
      try add(database, 1, ends)
      storage.faults[storage.operationCount + step] = .diskFull
      var failures: [Int] = []
      for number in 2...6 {
        do { try add(database, number, ends) } catch StorageError.outOfDiskSpace { failures.append(number) }
      }
      #expect(failures.count == 1)
      database.makeGroupDurable()
      #expect(ends.durable == (1...6).filter { !failures.contains($0) })
      #expect(try Numbers.read(database) == lists(6))
      #expect(try spaceViolation(database) == nil)
      database.close()
      #expect(try Numbers.read(Database.open(path: database.path)) == lists(6))
    }
  }

  /// Slot, format, barrier, flip, barrier.
  @Test(arguments: 0..<5) func aGroupThatCannotBeMadeDurableEndsWritingAndTheNextSessionBeginsBeforeIt(_ step: Int) throws {
    let recorded = try prepared("test.realm")
    let (database, storage, ends) = (recorded.database, recorded.storage, GroupEnds())
    let other = try Database.open(path: database.path)
    for number in 1...3 { try add(database, number, ends) }
    storage.faults[storage.operationCount + step] = .io(EIO)
    let open = try database.beginWrite()
    try Numbers.write(open, lists(4))
    database.makeGroupDurable()
    #expect(ends.failed == [1, 2, 3])
    #expect(throws: StorageError.writingDisabled(path: database.path)) { try open.commitIntoGroup(completion: ends.note(4)) }
    open.cancel()
    #expect(throws: StorageError.writingDisabled(path: database.path)) { try database.beginWrite() }
    #expect(throws: StorageError.sessionRestartRequired(path: database.path)) { try other.beginWrite() }
    // What was published stays readable.
    #expect(try Numbers.read(other) == lists(3))
    #expect(try Numbers.read(database) == lists(3))
    database.close()
    #expect(throws: StorageError.sessionRestartRequired(path: database.path)) { try other.beginWrite() }
    other.close()
    let next = try Database.open(path: database.path)
    #expect(try Numbers.read(next) == lists(0))
    try add(next, 5, ends)
    next.makeGroupDurable()
    #expect(ends.durable == [5])
    #expect(try spaceViolation(next) == nil)
  }

  @Test func anOrdinaryCommitWhoseBarrierFailsTakesTheGroupAlong() throws {
    // The same commits twice: once to count the steps.
    var stepCount = 0
    for isTrial in [true, false] {
      let recorded = try prepared("\(isTrial).realm")
      let (database, storage, ends) = (recorded.database, recorded.storage, GroupEnds())
      for number in 1...3 { try add(database, number, ends) }
      let before = storage.operationCount
      // The last steps are slot, format, barrier, flip, barrier.
      if !isTrial { storage.faults[before + stepCount - 3] = .io(EIO) }
      let transaction = try database.beginWrite()
      if isTrial {
        try transaction.commit()
        #expect(ends.durable == [1, 2, 3])
        stepCount = storage.operationCount - before
        continue
      }
      #expect(throws: StorageError.io(operation: "fdatasync", path: database.path, code: EIO)) { try transaction.commit() }
      transaction.cancel()
      #expect(ends.failed == [1, 2, 3])
      #expect(throws: StorageError.writingDisabled(path: database.path)) { try database.beginWrite() }
      database.close()
      #expect(try Numbers.read(Database.open(path: database.path)) == lists(0))
    }
  }

  @Test func anOrdinaryCommitThatFailsBeforeItsBarriersLeavesTheGroup() throws {
    let recorded = try prepared("test.realm")
    let (database, storage, ends) = (recorded.database, recorded.storage, GroupEnds())
    try add(database, 1, ends)
    storage.faults[storage.operationCount] = .diskFull
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, [Array(repeating: 1 << 40, count: 3000)])
    #expect(throws: StorageError.self) { try transaction.commit() }
    transaction.cancel()
    #expect(ends.durable.isEmpty && ends.failed.isEmpty)
    database.makeGroupDurable()
    #expect(ends.durable == [1])
    #expect(try Numbers.read(database) == lists(1))
  }

  /// One step of a random sequence of commits into groups, ordinary ones, cancelled ones, selections and pinned readers.
  private final class Rounds {
    let recorded: RecordedDatabase
    let ends = GroupEnds()
    var random: SeededGenerator
    var model: [[Int64]] = Array(repeating: [], count: 4)
    /// What the header may select: the last durable contents.
    var durable: [[Int64]]
    private var pinned: [Snapshot] = []
    private var number = 0

    init(_ path: String, _ random: SeededGenerator) throws {
      recorded = try RecordedDatabase(path)
      self.random = random
      durable = model
      let first = try recorded.database.beginWrite()
      try Numbers.write(first, model)
      try first.commit()
    }

    func step() throws {
      let database = recorded.database
      let transaction = try database.continueWriting() ?? database.beginWrite()
      var changed = model
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<4, using: &random)
        changed[index] = (0..<Int.random(in: 0..<500, using: &random)).map { _ in Int64.random(in: -5...1 << 20, using: &random) }
        try Numbers.replace(transaction, index, changed[index])
      }
      let log = [UInt8](repeating: 1, count: Int.random(in: 0..<200, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: transaction.cancel()
      case 1:
        try transaction.commit(log: log)
        (model, durable) = (changed, changed)
      default:
        number += 1
        try transaction.commitIntoGroup(log: log, completion: ends.note(number))?.end()
        model = changed
      }
      if Int.random(in: 0..<4, using: &random) == 0 { pinned.append(try database.snapshot()) }
      if pinned.count > 2 { pinned.removeFirst() }
      if Int.random(in: 0..<5, using: &random) == 0 {
        database.makeGroupDurable()
        durable = model
      }
    }
  }

  @Test func afterAPowerCutTheFileIsAtTheLastDurableVersionOrTheNextOne() throws {
    let (roundCount, imageCount) = isFullRun ? (150, 12) : (4, 4)
    var points = 0
    for round in 0..<roundCount {
      let path = directory.file("crash\(round).realm")
      let rounds = try Rounds(path, SeededGenerator(test: UInt64(round)))
      let storage = rounds.recorded.storage
      for step in 0..<24 {
        let (before, start) = (rounds.durable, storage.journal.count)
        try rounds.step()
        for length in (start + 1)..<(storage.journal.count + 1) {
          // Between the barriers either version; once the last barrier is through only the new one.
          let allowed = length == storage.journal.count ? [rounds.durable] : [before, rounds.durable]
          for image in storage.crashImages(count: imageCount, seed: testSeed &+ UInt64(round * 1000 + length), afterEntries: length) {
            points += 1
            try Numbers.check(image, in: directory, isOneOf: allowed, commits: false, "round \(round), step \(step), entry \(length)")
          }
        }
      }
      rounds.recorded.database.close()
      #expect(rounds.ends.failed.isEmpty)
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(points > (isFullRun ? 15_000 : 400), "\(points)")
  }
}
