import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Power cuts and failing disks under commits to encrypted files: pages are lost, not torn. E6.
@Suite(.serialized, .mustEnd) struct EncryptedCrashTests {
  let directory: TestDirectory
  let checker: CrashChecker
  init() throws {
    directory = TestDirectory(inMemory: true)
    checker = try CrashChecker(key: TestKey.make())
  }

  private static let factor = isFullRun ? 10 : 1
  private func look(_ path: String) throws -> (json: [UInt8], violations: [String]) { try CrashChecker.look(path, key: TestKey.make()) }

  private func isBarrier(_ operation: SimulatedStorage.Operation) -> Bool {
    if case .sync = operation { return true }
    return false
  }

  /// All images of the journal from `first` on. From the last barrier on the new state is certain.
  private func cut(
    _ storage: SimulatedStorage, from first: Int, old: [UInt8], new: [UInt8], count: Int, seed: UInt64, reopens: Bool = false, _ name: String
  ) throws {
    checker.forgetImages()
    let last = try #require(storage.journal.lastIndex(where: isBarrier))
    for length in first...storage.journal.count {
      let images = storage.crashImages(count: count, seed: seed &+ UInt64(length), afterEntries: length, wholePages: true)
      for (number, image) in images.enumerated() {
        try checker.check(
          image, isOneOf: length > last ? [new] : [old, new], reopens: reopens, "\(name), after \(length) entries, image \(number), seed \(seed)")
      }
    }
  }

  private func report(_ name: String, _ start: Date, _ seed: UInt64) {
    let seconds = String(format: "%.1f", Date().timeIntervalSince(start))
    print(
      "encrypted crash points, \(name): \(checker.imageCount) different images (\(checker.duplicateCount) more were equal to one of them), "
        + "\(checker.reopenedCount) reopened and committed to, \(seconds) s, seed \(seed)")
  }

  @Test(arguments: sample(TableWorkload.allCases)) func aPowerCutInACommitLeavesTheOldOrTheNewTables(_ workload: TableWorkload) throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for round in 0..<(isFullRun ? 12 : 1) {
      let path = directory.file("\(round).realm")
      try TableWorkload.makeFile(path, count: [400, 60, 900][round % 3], seed: random.next(), key: TestKey.make())
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options(TestKey.options()))
      let reader = round % 2 == 0 ? try database.snapshot() : nil
      // With somebody else in the session, metadata are written once more at the end.
      let other =
        (round + TableWorkload.allCases.firstIndex(of: workload)!) % 2 == 0 ? try Database.open(path: path, options: TestKey.options()) : nil
      for step in 0..<3 {
        let old = try look(path).json
        let first = journal.last.journal.count
        try database.write { (group) throws(StorageError) in
          try (step == 1 ? workload : step == 0 ? .rewriteEverything : .smallCommit).run(group, &random)
        }
        let (new, violations) = try look(path)
        #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(3))")
        try cut(
          journal.last, from: first + 1, old: old, new: new, count: max(10, trials(full: 30, tenth: 30)), seed: random.next(),
          "\(workload) \(round).\(step)")
      }
      withExtendedLifetime(reader) {}
      other?.close()
      database.close()
      try FileManager.default.removeItem(atPath: path)
    }
    report("\(workload)", start, seed)
    #expect(checker.imageCount >= (isFullRun ? 300 : trials(full: 20, tenth: 20)))
  }

  @Test func aPowerCutInTheFirstCommitLeavesAnEmptyOrTheNewDatabase() throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for round in 0..<3 * Self.factor {
      let path = directory.file("new\(round).realm")
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options(TestKey.options()))
      let empty = try look(path).json
      try database.write { (group) throws(StorageError) in try TableWorkload.create(group, count: 5 + 20 * (round % 20), &random) }
      let new = try look(path).json
      try cut(journal.last, from: 0, old: empty, new: new, count: 40, seed: random.next(), reopens: true, "first commit \(round)")
      database.close()
    }
    report("first commit", start, seed)
    #expect(checker.imageCount >= 10 * Self.factor)
  }

  /// A second power cut, in the commit that follows the first one.
  @Test func aPowerCutAfterAPowerCutLosesNothingMore() throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for round in 0..<4 * Self.factor {
      let path = directory.file("twice\(round).realm")
      try TableWorkload.makeFile(path, count: 80, seed: random.next(), key: TestKey.make())
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options(TestKey.options()))
      let first = journal.last.journal.count
      try database.write { (group) throws(StorageError) in try TableWorkload.linksAndLists.run(group, &random) }
      let length = Int.random(in: first + 1..<journal.last.journal.count, using: &random)
      let image = journal.last.crashImages(count: 8, seed: random.next(), afterEntries: length, wholePages: true)[7]
      database.close()
      let second = StorageJournal()
      let crashed = try directory.write(image, as: "crashed\(round).realm")
      let survivor = try Database.open(path: crashed, options: second.options(TestKey.options()))
      let old = try look(crashed).json
      let from = second.last.journal.count
      try survivor.write { (group) throws(StorageError) in try TableWorkload.rewriteEverything.run(group, &random) }
      let (new, violations) = try look(crashed)
      #expect(violations.isEmpty, "seed \(seed)")
      try cut(second.last, from: from, old: old, new: new, count: max(10, trials(full: 30, tenth: 30)), seed: random.next(), "second cut \(round)")
      survivor.close()
    }
    report("second cut", start, seed)
  }

  @Test func aPowerCutInACompactionLeavesTheTables() throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for round in 0..<2 * Self.factor {
      let path = directory.file("compact\(round).realm")
      try TableWorkload.makeFile(path, count: 20 + 10 * (round % 5), seed: random.next(), key: TestKey.make())
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options(TestKey.options()))
      try database.write { (group) throws(StorageError) in try TableWorkload.deleteMany.run(group, &random) }
      let contents = try look(path).json
      let opened = journal.storages.count
      #expect(try database.compact())
      let (copy, converted) = (journal.storages[opened], journal.storages[opened + 1])
      #expect(isBarrier(try #require(copy.journal.last)), "the copy was not synced")
      try checker.check(converted.initial, isOneOf: [contents], "compaction \(round), renamed")
      try cut(converted, from: 0, old: contents, new: contents, count: 30, seed: random.next(), "compaction \(round)")
      let before = converted.journal.count
      try database.write { (group) throws(StorageError) in try TableWorkload.bulkInsert.run(group, &random) }
      try cut(
        converted, from: before + 1, old: contents, new: look(path).json, count: 30, seed: random.next(), "commit after compaction \(round)")
      database.close()
    }
    report("compaction", start, seed)
  }

  // MARK: Failing disks

  /// The numbers of a commit's operations, relative to its first one.
  private func rehearse(_ base: String, _ workload: TableWorkload, _ seed: UInt64) throws -> (operations: Int, barriers: [Int], new: [UInt8]) {
    let path = directory.file("rehearsal.realm")
    try FileManager.default.copyItem(atPath: base, toPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let journal = StorageJournal()
    let database = try Database.open(path: path, options: journal.options(TestKey.options()))
    var random = SeededGenerator(seed: seed)
    let first = journal.last.operationCount
    let barriers = BarrierList()
    let storage = journal.last
    let before = storage.barrierCount
    barriers.known = before
    storage.beforeOperation = { number in barriers.note(storage.barrierCount, number - 1 - first) }
    try database.write { (group) throws(StorageError) in try workload.run(group, &random) }
    let total = storage.operationCount - first
    barriers.note(storage.barrierCount, total - 1)
    database.close()
    return (total, barriers.list, try look(path).json)
  }

  private final class BarrierList {
    var known = 0
    var list: [Int] = []
    func note(_ count: Int, _ operation: Int) {
      if count > known { list.append(operation) }
      known = count
    }
  }

  @Test(arguments: [TableWorkload.smallCommit, .bulkInsert, .rewriteEverything])
  func aWriteThatFailsAtAnyOperationIsThrownAndNothingIsLost(_ workload: TableWorkload) throws {
    let seed = testSeed
    let base = directory.file("base.realm")
    try TableWorkload.makeFile(base, count: 40, seed: seed, key: TestKey.make())
    let (operations, barriers, new) = try rehearse(base, workload, seed)
    #expect((2...3).contains(barriers.count), "seed \(seed): \(barriers)")
    let old = try look(base).json
    for operation in 0..<operations where !barriers.contains(operation) && operation < barriers.last! {
      let context: Comment = "\(workload), operation \(operation) of \(operations), barriers \(barriers), seed \(seed)"
      let path = directory.file("full.realm")
      try FileManager.default.copyItem(atPath: base, toPath: path)
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options(TestKey.options()))
      journal.last.faults[journal.last.operationCount + operation] = .io(ENOSPC)
      var random = SeededGenerator(seed: seed)
      #expect(throws: StorageError.self, context) {
        try database.write { (group) throws(StorageError) in try workload.run(group, &random) }
      }
      #expect(try look(path).json == old, context)
      random = SeededGenerator(seed: seed)
      try database.write { (group) throws(StorageError) in try workload.run(group, &random) }
      let (json, violations) = try look(path)
      #expect(json == new && violations.isEmpty, context)
      try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      #expect(try look(path).violations.isEmpty, context)
      #expect(
        try database.read { (group) throws(StorageError) in try TableText.of(group) }
          == Database.openForInspection(path: path, options: TestKey.options()).read { (group) throws(StorageError) in try TableText.of(group) },
        context)
      database.close()
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(arguments: [EIO, ENOSPC]) func aFailedBarrierEndsWritingHereAndSelectsTheOldVersion(_ code: Int32) throws {
    let base = directory.file("base.realm")
    try TableWorkload.makeFile(base, count: 40, seed: testSeed &+ 5, key: TestKey.make())
    let old = try look(base).json
    let (_, barriers, _) = try rehearse(base, .bulkInsert, testSeed &+ 5)
    for barrier in barriers {
      let path = directory.file("sync.realm")
      try FileManager.default.copyItem(atPath: base, toPath: path)
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options(TestKey.options()))
      let other = try Database.open(path: path, options: TestKey.options())
      journal.last.faults[journal.last.operationCount + barrier] = .io(code)
      var random = SeededGenerator(test: 5)
      #expect(throws: StorageError.io(operation: "fdatasync", path: path, code: code)) {
        try database.write { (group) throws(StorageError) in try TableWorkload.bulkInsert.run(group, &random) }
      }
      #expect(throws: StorageError.writingDisabled(path: path)) { try database.beginWrite() }
      #expect(try look(path).json == old)
      #expect(try database.read { (group) throws(StorageError) in try group.table(named: "class_Person")!.count() } == 40)
      try other.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      #expect(try look(path).violations == [])
      other.close()
      database.close()
      let again = try Database.open(path: path, options: TestKey.options())
      try again.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      again.close()
      #expect(try look(path).violations == [])
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
