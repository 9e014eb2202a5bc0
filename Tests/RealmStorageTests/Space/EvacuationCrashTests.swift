import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Power cuts while contents are moved, while the file is cut under its users, and in the commits after that. T8.8, T10.4.
@Suite(.serialized, .mustEnd) struct EvacuationCrashTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private static let factor = isFullRun ? 10 : 1

  private func isBarrier(_ operation: SimulatedStorage.Operation) -> Bool {
    if case .sync = operation { return true }
    return false
  }

  private func isResize(_ operation: SimulatedStorage.Operation) -> Bool {
    if case .resize = operation { return true }
    return false
  }

  /// All images of the journal from `first` on. From the last barrier on the new state is certain, whatever becomes of the file's length.
  private func check(
    _ checker: CrashChecker, _ storage: SimulatedStorage, from first: Int, old: [UInt8], new: [UInt8], count: Int, seed: UInt64,
    wholePages: Bool = false, reopens: Bool = false, _ name: String
  ) throws {
    checker.forgetImages()
    let last = storage.journal.lastIndex(where: isBarrier) ?? first
    for length in first...storage.journal.count {
      let images = storage.crashImages(count: count, seed: seed &+ UInt64(length), afterEntries: length, wholePages: wholePages)
      for (number, image) in images.enumerated() {
        try checker.check(
          image, isOneOf: length > last ? [new] : [old, new], reopens: reopens && number % 8 == 2,
          "\(name), after \(length) entries, image \(number), seed \(seed)")
      }
    }
  }

  /// A small file with much free space, that a limit has been decided on for: what the trigger asks for megabytes is made by hand.
  private func makeFile(_ path: String, _ key: EncryptionKey?, _ random: inout SeededGenerator) throws {
    var options = ChurnTable.options()
    options.encryptionKey = key
    let database = try Database.open(path: path, options: options)
    try ChurnTable.makeFile(database, rows: 1200, byteCount: 100, keepingEvery: 6, &random)
    try database.beginWrite().commit()
    database.close()
  }

  /// A commit that moves some nodes; below a higher limit if there is no room.
  private func small(_ database: Database, _ random: inout SeededGenerator, limit: inout UInt64, _ step: Int = 0) throws -> EvacuationOutcome {
    // Too tight for whole pages: what is moved down pushes the free list up again. The engine's own limit rises, too. Where it comes to the
    // file's end there is nothing to move any more.
    if step > 0, step % 20 == 0, try limit < database.spaceUse().totalByteCount { limit += 16_384 }
    while true {
      let transaction = try database.beginWrite()
      transaction.evacuationRequest = EvacuationRequest(limit: limit, budget: 4000)
      let group = try transaction.openGroup()
      try ChurnTable.touch(group, &random)
      do {
        try transaction.commit(group)
        return transaction.evacuationOutcome
      } catch {
        transaction.cancel()
        guard transaction.evacuationOutcome == .blocked, limit < transaction.base.byteCount else { throw error }
        limit += 16_384
      }
    }
  }

  @Test(arguments: sample([false, true])) func aPowerCutWhileMovingOrCuttingLeavesTheOldOrTheNewTables(isEncrypted: Bool) throws {
    let seed = testSeed
    let start = Date()
    var random = SeededGenerator(seed: seed)
    let key = isEncrypted ? TestKey.make() : nil
    let checker = try CrashChecker(key: key)
    var (moving, cut) = (0, 0)
    for round in 0..<Self.factor {
      let path = directory.file("\(round).realm")
      try makeFile(path, key, &random)
      let journal = StorageJournal()
      var options = DatabaseOptions()
      options.encryptionKey = key
      let database = try Database.open(path: path, options: journal.options(options))
      // Sometimes there is somebody who reads the version before.
      var reader = round % 3 == 1 ? try database.snapshot(.frozen) : nil
      let use = try database.spaceUse()
      var limit = FreeSpace.wholePages(use.usedByteCount * 2)
      try #require(limit < use.totalByteCount)
      var (old, stepsAtLimit) = (try CrashChecker.look(path, key: key).json, 0)
      for step in 0..<240 {
        if step == 5 { reader = nil }
        let first = journal.last.journal.count
        let outcome = try small(database, &random, limit: &limit, step)
        let (new, violations) = try CrashChecker.look(path, key: key)
        #expect(violations.isEmpty, "seed \(seed), step \(step): \(violations.prefix(3))")
        let wasCut = journal.last.journal[first...].contains(where: isResize)
        if outcome == .moving || outcome == .waiting { moving += 1 }
        if wasCut { cut += 1 }
        // Every commit of the last phase, some of the others.
        if step < 2 || step % 4 == 0 || outcome == .done || outcome == .none || wasCut {
          try check(
            checker, journal.last, from: first + 1, old: old, new: new, count: 8, seed: random.next(), wholePages: isEncrypted, reopens: true,
            "round \(round), step \(step)")
        }
        old = new
        // A list that finds no room below the limit lies above it: then there is something to move again.
        if outcome == .none || outcome == .done { stepsAtLimit += 1 }
        if stepsAtLimit == 4 { break }
      }
      #expect(stepsAtLimit == 4, "seed \(seed): not finished")
      // The cut is not synced: growth right behind it, and the next session.
      let first = journal.last.journal.count
      try database.write { (group) throws(StorageError) in try ChurnTable.insert(group, 5000..<5400, byteCount: 200, &random) }
      let new = try CrashChecker.look(path, key: key).json
      try check(
        checker, journal.last, from: first + 1, old: old, new: new, count: 8, seed: random.next(), wholePages: isEncrypted, reopens: true,
        "round \(round), growth")
      withExtendedLifetime(reader) {}
      database.close()
    }
    let seconds = String(format: "%.1f", Date().timeIntervalSince(start))
    print(
      "crash points, evacuation\(isEncrypted ? " encrypted" : ""): \(checker.imageCount) different images (\(checker.duplicateCount) more), "
        + "\(checker.reopenedCount) reopened and committed to; \(moving) commits moved or waited, \(cut) changed the length, \(seconds) s, seed \(seed)"
    )
    #expect(checker.imageCount >= 30 * Self.factor)
    #expect(moving >= 3 * Self.factor)
    if !isEncrypted { #expect(cut >= Self.factor) }
  }

  /// The cut of the next session, by an initiator that dies.
  @Test(arguments: sample([false, true])) func aPowerCutWhileTheNextSessionCutsTheFileLosesNothing(isEncrypted: Bool) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let key = isEncrypted ? TestKey.make() : nil
    let checker = try CrashChecker(key: key)
    var cutCount = 0
    for round in 0..<2 * Self.factor {
      let path = directory.file("session\(round).realm")
      try makeFile(path, key, &random)
      var options = ChurnTable.options()
      options.encryptionKey = key
      let database = try Database.open(path: path, options: options)
      let use = try database.spaceUse()
      var outcome = EvacuationOutcome.moving
      var limit = FreeSpace.wholePages(use.usedByteCount * 2)
      for step in 0..<100 where outcome != .done && outcome != .none {
        outcome = try small(database, &random, limit: &limit, step)
      }
      #expect(outcome == .done || outcome == .none, "seed \(seed)")
      let logical = try database.spaceUse().totalByteCount
      database.close()
      // The base of the last commit was listed until now, so the file is as long as ever, unless a commit before has cut a part already, which is rare.
      if try FileStorage(path: path, mode: .readOnly).byteCount() <= logical + 8192 { continue }
      cutCount += 1
      let json = try CrashChecker.look(path, key: key).json
      let journal = StorageJournal()
      var durable = DatabaseOptions()
      durable.encryptionKey = key
      let again = try Database.open(path: path, options: journal.options(durable))
      #expect(try again.fileByteCount() < use.totalByteCount)
      try check(
        checker, journal.last, from: 0, old: json, new: json, count: 8, seed: random.next(), wholePages: isEncrypted, reopens: true,
        "opening \(round)")
      let first = journal.last.journal.count
      try again.write { (group) throws(StorageError) in try ChurnTable.insert(group, 7000..<7300, byteCount: 200, &random) }
      let new = try CrashChecker.look(path, key: key).json
      try check(
        checker, journal.last, from: first + 1, old: json, new: new, count: 10, seed: random.next(), wholePages: isEncrypted, reopens: true,
        "commit after the cut \(round)")
      again.close()
    }
    print("crash points, cut by the next session\(isEncrypted ? " encrypted" : ""): \(checker.imageCount) different images, seed \(seed)")
    #expect(checker.imageCount >= 20)
    #expect(cutCount >= Self.factor, "seed \(seed)")
  }
}
