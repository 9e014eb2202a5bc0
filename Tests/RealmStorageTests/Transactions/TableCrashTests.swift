import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Power cuts at every step of commits with real tables: what was not synced may be there, be lost or be torn. T8.8.
@Suite(.serialized, .mustEnd) struct TableCrashTests {
  let directory: TestDirectory
  let checker: CrashChecker
  init() throws {
    directory = TestDirectory(inMemory: true)
    checker = try CrashChecker()
  }

  private static let factor = isFullRun ? 10 : 1

  private func report(_ name: String, _ start: Date, _ seed: UInt64) {
    let seconds = String(format: "%.1f", Date().timeIntervalSince(start))
    print(
      "crash points, \(name): \(checker.imageCount) different images (\(checker.duplicateCount) more were equal to one of them), "
        + "\(checker.reopenedCount) reopened and committed to, \(seconds) s, seed \(seed)")
  }

  /// All images of one commit (or more): the journal from `first` on, of which the last entry is the barrier that ends it.
  private func cut(
    _ storage: SimulatedStorage, from first: Int, old: [UInt8], new: [UInt8], count: Int, seed: UInt64, reopens: Bool = false, _ name: String
  ) throws {
    checker.forgetImages()
    for length in first...storage.journal.count {
      let isOver = length == storage.journal.count
      let images = storage.crashImages(count: count, seed: seed &+ UInt64(length), afterEntries: length)
      for (number, image) in images.enumerated() {
        try checker.check(
          image, isOneOf: isOver ? [new] : [old, new], reopens: reopens, "\(name), after \(length) entries, image \(number), seed \(seed)")
      }
    }
  }

  @Test(arguments: sample(TableWorkload.allCases)) func aPowerCutInACommitLeavesTheOldOrTheNewTables(_ workload: TableWorkload) throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for round in 0..<(isFullRun ? 12 : 1) {
      let path = directory.file("\(round).realm")
      try TableWorkload.makeFile(path, count: [90, 12, 270][round % 3], seed: random.next())
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options())
      // A reader of the base version keeps its space from being used, which makes the file grow more often.
      let reader = round % 2 == 0 ? try database.snapshot() : nil
      for step in 0..<3 {
        let old = try CrashChecker.look(path).json
        let first = journal.last.journal.count
        try database.write { (group) throws(StorageError) in
          try (step == 1 ? workload : step == 0 ? .rewriteEverything : .smallCommit).run(group, &random)
        }
        let (new, violations) = try CrashChecker.look(path)
        #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(3))")
        try cut(
          journal.last, from: first + 1, old: old, new: new, count: max(10, trials(full: 40, tenth: 40)), seed: random.next(),
          "\(workload) \(round).\(step)")
      }
      withExtendedLifetime(reader) {}
      database.close()
      try FileManager.default.removeItem(atPath: path)
    }
    report("\(workload)", start, seed)
    #expect(checker.imageCount >= (isFullRun ? 1500 : trials(full: 50, tenth: 50)))
  }

  @Test func aPowerCutInTheFirstCommitLeavesAnEmptyOrTheNewDatabase() throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for round in 0..<3 * Self.factor {
      let path = directory.file("new\(round).realm")
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options())
      let empty = try CrashChecker.look(path).json
      try database.write { (group) throws(StorageError) in try TableWorkload.create(group, count: 5 + 20 * (round % 20), &random) }
      let new = try CrashChecker.look(path).json
      // From the creation of the file on, which only opening can complete.
      try cut(journal.last, from: 0, old: empty, new: new, count: 60, seed: random.next(), reopens: true, "first commit \(round)")
      database.close()
    }
    report("first commit", start, seed)
    #expect(checker.imageCount >= 20 * Self.factor)
  }

  private static let olderFixtures = ["v10", "v11", "v20", "v22", "v22_asymmetric", "metadata_v5", "metadata_v6", "empty_v20", "v23"]

  @Test(.needsOlderFormats)
  func aPowerCutInAnUpgradeLeavesTheOldOrTheNewFormat() throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for fixture in Self.olderFixtures {
      let path = try directory.copy("older/\(fixture).realm", as: "\(fixture).realm")
      let (old, violations) = try CrashChecker.look(path)
      #expect(violations.isEmpty, "\(fixture): \(violations.prefix(3))")
      let journal = StorageJournal()
      var options = DatabaseOptions()
      options.makesBackup = false
      let database = try Database.open(path: path, options: journal.options(options))
      let new = try CrashChecker.look(path).json
      #expect(new != old)
      try cut(journal.last, from: 0, old: old, new: new, count: 8 * Self.factor, seed: random.next(), "upgrade of \(fixture)")
      database.close()
    }
    report("upgrade", start, seed)
    #expect(checker.imageCount >= 90)
  }

  @Test func aPowerCutInACompactionLeavesTheTables() throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    for round in 0..<2 * Self.factor {
      let path = directory.file("compact\(round).realm")
      try TableWorkload.makeFile(path, count: 20 + 10 * (round % 5), seed: random.next())
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options())
      try database.write { (group) throws(StorageError) in try TableWorkload.deleteMany.run(group, &random) }
      let contents = try CrashChecker.look(path).json
      let opened = journal.storages.count
      let wrote = journal.last.journal.count
      let first = journal.last
      #expect(try database.compact())
      #expect(first.journal.count == wrote, "the old file was written to")
      // The copy was synced before it was renamed, then the new file is converted in place.
      let (copy, converted) = (journal.storages[opened], journal.storages[opened + 1])
      #expect(journal.storages.count == opened + 2)
      guard case .sync = copy.journal.last else {
        Issue.record("the copy was not synced")
        return
      }
      try checker.check(converted.initial, isOneOf: [contents], "compaction \(round), renamed")
      try cut(converted, from: 0, old: contents, new: contents, count: 30, seed: random.next(), "compaction \(round)")
      // And the commits that follow.
      let before = converted.journal.count
      try database.write { (group) throws(StorageError) in try TableWorkload.bulkInsert.run(group, &random) }
      let new = try CrashChecker.look(path).json
      try cut(converted, from: before + 1, old: contents, new: new, count: 30, seed: random.next(), "commit after compaction \(round)")
      // A rest of an earlier attempt is in nobody's way.
      database.close()
      for image in copy.crashImages(count: 4, seed: seed) {
        _ = try directory.write(image, as: "compact\(round).realm.tmp_compaction_space")
        let again = try Database.open(path: path)
        #expect(try again.compact())
        #expect(try CrashChecker.look(path).json == new)
        again.close()
      }
      try FileManager.default.removeItem(atPath: path)
    }
    report("compaction", start, seed)
    #expect(checker.imageCount >= 50 * Self.factor)
  }
}
