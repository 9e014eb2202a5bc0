import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// What happens when the disk fails or the power goes.
@Suite(.mustEnd) struct FailureTests {
  let directory = TestDirectory()

  private func open(_ path: String, _ box: StorageBox) throws -> Database {
    var options = DatabaseOptions()
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try SimulatedStorage(path: path, mode: mode)
      box.storage = storage
      return storage
    }
    return try Database.open(path: path, options: options)
  }

  private static let old: [[Int64]] = [[1, 2, 3], Array(repeating: 7, count: 300)]
  private static let new: [[Int64]] = [[4, 5], Array(repeating: 1 << 40, count: 3000), [9]]

  private func prepared(_ name: String) throws -> (Database, SimulatedStorage) {
    let box = StorageBox()
    let database = try open(directory.file(name), box)
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, Self.old)
    try transaction.commit()
    return (database, box.storage!)
  }

  /// How many steps the commit of `new` has.
  private func stepCount() throws -> Int {
    let (database, storage) = try prepared("count.realm")
    let before = storage.operationCount
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, Self.new)
    try transaction.commit()
    return storage.operationCount - before
  }

  @Test func aFullDiskAtAnyStepBeforeTheBarriersIsRecoverable() throws {
    var recovered = 0
    for step in 0..<(try stepCount()) {
      let (database, storage) = try prepared("full\(step).realm")
      storage.faults[storage.operationCount + step] = .diskFull
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, Self.new)
      do {
        try transaction.commit()
        Issue.record("step \(step) did not fail")
      } catch StorageError.outOfDiskSpace {
        recovered += 1
        #expect(try Numbers.read(transaction.space, transaction.topRef) == Self.new, "the sealed transaction stays readable")
        transaction.cancel()
        #expect(try Numbers.read(database) == Self.old)
        let again = try database.beginWrite()
        try Numbers.write(again, Self.new)
        try again.commit()
        #expect(try Numbers.read(database) == Self.new)
        #expect(try spaceViolation(database) == nil)
      } catch StorageError.io {
        // A barrier.
        transaction.cancel()
        #expect(throws: StorageError.writingDisabled(path: database.path)) { try database.beginWrite() }
        #expect(try Numbers.read(database) == Self.old)
      }
      database.close()
      let lists = try Numbers.read(Database.open(path: directory.file("full\(step).realm")))
      #expect(lists == Self.old || lists == Self.new)
    }
    #expect(recovered >= 3)
  }

  @Test func aFailedFirstBarrierEndsWritingHereButNotElsewhere() throws {
    let (database, storage) = try prepared("barrier.realm")
    let other = try Database.open(path: database.path)
    // The first one also writes the format of its slot.
    try database.beginWrite().commit()
    let before = storage.operationCount
    try database.beginWrite().commit()
    let steps = storage.operationCount - before
    // The last four steps are: slot, barrier, flip, barrier.
    storage.faults[storage.operationCount + steps - 3] = .io(EIO)
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, [[5]])
    #expect(throws: StorageError.io(operation: "fdatasync", path: database.path, code: EIO)) { try transaction.commit() }
    transaction.cancel()
    #expect(throws: StorageError.writingDisabled(path: database.path)) { try database.beginWrite() }
    #expect(try Numbers.read(database) == Self.old)
    let another = try other.beginWrite()
    try Numbers.write(another, [[6]])
    try another.commit()
    #expect(try Numbers.read(database) == [[6]])
  }

  @Test func aFailedSecondBarrierIsTakenBackAndEndsWritingEverywhereIfThatFailsToo() throws {
    for failures in 1...2 {
      let (database, storage) = try prepared("second\(failures).realm")
      let other = try Database.open(path: database.path)
      // The first one also writes the format of its slot.
      try database.beginWrite().commit()
      let before = storage.operationCount
      try database.beginWrite().commit()
      let steps = storage.operationCount - before
      let top = try FileHeader.read(from: storage).selectedTopRef
      storage.faults[storage.operationCount + steps - 1] = .io(EIO)
      if failures == 2 { storage.faults[storage.operationCount + steps + 1] = .io(EIO) }
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, [[5]])
      #expect(throws: StorageError.self) { try transaction.commit() }
      transaction.cancel()
      #expect(try FileHeader.read(from: storage).selectedTopRef == top)
      #expect(try Numbers.read(other) == Self.old)
      if failures == 1 {
        try other.beginWrite().commit()
      } else {
        #expect(throws: StorageError.sessionRestartRequired(path: database.path)) { try other.beginWrite() }
      }
    }
  }

  @Test func aPublicationThatWasLostIsTakenBackBeforeItsSpaceIsUsedAgain() throws {
    let (database, storage) = try prepared("lost.realm")
    // Another writer flips the header and dies: as if by hand.
    let bytes = try storage.read(24, at: 0)
    let old = try FileHeader.read(from: storage)
    var header = old
    try header.writeUnselectedSlot(topRef: Ref(old.selectedTopRef.byteOffset + 8), to: storage)
    try header.flip(on: storage)
    let before = storage.barrierCount
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, Self.new)
    try transaction.commit()
    #expect(storage.barrierCount - before == 3)
    #expect(try Numbers.read(database) == Self.new)
    #expect(bytes[23] & 1 != (try storage.read(24, at: 0))[23] & 1)
    database.close()
    #expect(try Numbers.read(Database.open(path: directory.file("lost.realm"))) == Self.new)
  }

  @Test func afterAPowerCutAtAnyStepTheFileIsAtTheOldOrTheNewVersion() throws {
    let (rounds, imagesPerStep) = isFullRun ? (250, 20) : (3, 5)
    var points = 0
    for round in 0..<rounds {
      var random = SeededGenerator(test: UInt64(round))
      let box = StorageBox()
      let path = directory.file("crash\(round).realm")
      let database = try open(path, box)
      let storage = box.storage!
      var model: [[Int64]] = Array(repeating: [], count: 4)
      let first = try database.beginWrite()
      try Numbers.write(first, model)
      try first.commit()
      var pinned: Snapshot?
      for _ in 0..<8 {
        let (before, start) = (model, storage.journal.count)
        let transaction = try database.beginWrite()
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let index = Int.random(in: 0..<4, using: &random)
          model[index] = (0..<Int.random(in: 0..<700, using: &random)).map { _ in Int64.random(in: -5...1 << 20, using: &random) }
          try Numbers.replace(transaction, index, model[index])
        }
        try transaction.commit(log: Array(repeating: 1, count: Int.random(in: 0..<200, using: &random)))
        if Int.random(in: 0..<3, using: &random) == 0 { pinned = try database.snapshot() }
        for length in (start + 1)...storage.journal.count {
          let images = storage.crashImages(count: imagesPerStep, seed: testSeed &+ UInt64(round * 1000 + length), afterEntries: length)
          for image in images {
            points += 1
            try Numbers.check(
              image, in: directory, isOneOf: length == storage.journal.count ? [model] : [before, model], commits: true,
              "round \(round), entry \(length)")
          }
        }
      }
      _ = pinned
      database.close()
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(points > (isFullRun ? 20_000 : 250))
  }

  @Test func aPowerCutWhileAFileIsCreatedLeavesAnEmptyDatabase() throws {
    let box = StorageBox()
    let database = try open(directory.file("new.realm"), box)
    database.close()
    let storage = box.storage!
    for length in 0...storage.journal.count {
      for image in storage.crashImages(count: 6, seed: testSeed &+ UInt64(length), afterEntries: length) {
        let path = try directory.write(image)
        #expect(try Database.open(path: path).newestVersion == 1)
        _ = try Database.deleteFiles(path: path)
      }
    }
  }

  @Test func aFullDiskWhileAFileIsCreatedLeavesNothingThatCannotBeOpened() throws {
    for step in 0..<3 {
      let path = directory.file("create\(step).realm")
      var options = DatabaseOptions()
      options.openStorage = { (path, mode) throws(StorageError) in
        let storage = try SimulatedStorage(path: path, mode: mode)
        storage.faults[step] = .diskFull
        return storage
      }
      #expect(throws: StorageError.self) { try Database.open(path: path, options: options) }
      #expect(try Database.open(path: path).newestVersion == 1)
    }
  }

  @Test func aCompactionThatFailsBeforeItReplacesTheFileChangesNothing() throws {
    for step in 0..<2 {
      let path = directory.file("compact\(step).realm")
      var options = DatabaseOptions()
      options.openStorage = { (path, mode) throws(StorageError) in
        let storage = try SimulatedStorage(path: path, mode: mode)
        // The copy is one write, one barrier.
        if path.hasSuffix(".tmp_compaction_space") { storage.faults[step] = .diskFull }
        return storage
      }
      let database = try Database.open(path: path, options: options)
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, Self.old)
      try transaction.commit()
      #expect(throws: StorageError.self) { try database.compact() }
      #expect(!FileManager.default.fileExists(atPath: RealmPaths(path).temporaryCompaction))
      #expect(try Numbers.read(database) == Self.old)
      try database.beginWrite().commit()
      #expect(try Numbers.read(database) == Self.old)
    }
  }

  @Test func aCompactionThatFailsAfterItReplacedTheFileEndsTheHandle() throws {
    let path = directory.file("replaced.realm")
    let count = Counter()
    var options = DatabaseOptions()
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try SimulatedStorage(path: path, mode: mode)
      // The file, the copy, the copy under the file's name.
      if count.next() == 2 { storage.faults[0] = .io(EIO) }
      return storage
    }
    let database = try Database.open(path: path, options: options)
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, Self.old)
    try transaction.commit()
    #expect(throws: StorageError.io(operation: "write()", path: path, code: EIO)) { try database.compact() }
    #expect(throws: StorageError.writingDisabled(path: path)) { try database.beginRead() }
    database.close()
    #expect(try Numbers.read(Database.open(path: path)) == Self.old)
  }

  @Test func aPowerCutDuringACompactionsConversionLeavesTheWholeFile() throws {
    let path = directory.file("cut.realm")
    let boxes = Boxes()
    var options = DatabaseOptions()
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try SimulatedStorage(path: path, mode: mode)
      boxes.all.append(storage)
      return storage
    }
    let database = try Database.open(path: path, options: options)
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, Self.new)
    try transaction.commit()
    #expect(try database.compact())
    try database.beginWrite().commit()
    let storage = boxes.all[2]
    for length in 0...storage.journal.count {
      for image in storage.crashImages(count: 5, seed: testSeed &+ UInt64(length), afterEntries: length) {
        try Numbers.check(image, in: directory, isOneOf: [Self.new], commits: true, "entry \(length)")
      }
    }
  }
}

// SAFETY: used by one test, on its own thread.
final class Counter: @unchecked Sendable {
  private var value = -1
  func next() -> Int {
    value += 1
    return value
  }
}

// SAFETY: used by one test, on its own thread.
final class Boxes: @unchecked Sendable {
  var all: [SimulatedStorage] = []
}
