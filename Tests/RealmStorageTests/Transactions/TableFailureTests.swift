import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Disks that are full or fail, under commits with real tables. T8.9.
@Suite(.serialized, .mustEnd) struct TableFailureTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  /// How many operations on the file the workload's commit has, and which of them are barriers.
  private func rehearse(_ base: String, _ workload: TableWorkload, _ seed: UInt64) throws -> (operations: Int, barriers: [Int], new: [UInt8]) {
    let path = directory.file("rehearsal.realm")
    try FileManager.default.copyItem(atPath: base, toPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let journal = StorageJournal()
    let database = try Database.open(path: path, options: journal.options())
    var random = SeededGenerator(seed: seed)
    let (before, first) = (journal.last.operationCount, journal.last.journal.count)
    try database.write { (group) throws(StorageError) in try workload.run(group, &random) }
    let total = journal.last.operationCount - before
    // Extensions may leave no entry in the journal, but barriers come last.
    let entries = journal.last.journal[first...]
    let offset = total - entries.count
    let barriers = entries.indices.filter { if case .sync = entries[$0] { true } else { false } }.map { $0 - first + offset }
    database.close()
    return (total, barriers, try CrashChecker.look(path).json)
  }

  @Test(arguments: TableWorkload.allCases)
  func aFullDiskAtAnyOperationIsThrownAndNothingIsLost(_ workload: TableWorkload) throws {
    let seed = testSeed
    let base = directory.file("base.realm")
    try TableWorkload.makeFile(base, count: 40, seed: seed)
    let (operations, barriers, new) = try rehearse(base, workload, seed)
    #expect(barriers.count == 2 && barriers.last == operations - 1, "seed \(seed)")
    let old = try CrashChecker.look(base).json
    for operation in 0..<operations where !barriers.contains(operation) {
      let context: Comment = "\(workload), operation \(operation) of \(operations), seed \(seed)"
      let path = directory.file("full.realm")
      try FileManager.default.copyItem(atPath: base, toPath: path)
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options())
      journal.last.faults[journal.last.operationCount + operation] = .diskFull
      var random = SeededGenerator(seed: seed)
      do {
        try database.write { (group) throws(StorageError) in try workload.run(group, &random) }
        Issue.record("did not fail: \(context)")
      } catch {
        guard case StorageError.outOfDiskSpace = error else {
          Issue.record("\(error): \(context)")
          continue
        }
      }
      #expect(try CrashChecker.look(path).json == old, context)
      try database.beginWrite().cancel()
      random = SeededGenerator(seed: seed)
      try database.write { (group) throws(StorageError) in try workload.run(group, &random) }
      let (json, violations) = try CrashChecker.look(path)
      #expect(json == new && violations.isEmpty, context)
      try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      #expect(try CrashChecker.look(path).violations.isEmpty, context)
      database.close()
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(arguments: [EIO, ENOSPC, EDQUOT]) func aFailedBarrierEndsWritingAndTheHeaderSelectsTheOldVersion(_ code: Int32) throws {
    let base = directory.file("base.realm")
    try TableWorkload.makeFile(base, count: 40, seed: testSeed &+ 5)
    let old = try CrashChecker.look(base).json
    let (_, barriers, _) = try rehearse(base, .bulkInsert, testSeed &+ 5)
    for barrier in barriers {
      let path = directory.file("sync.realm")
      try FileManager.default.copyItem(atPath: base, toPath: path)
      let journal = StorageJournal()
      let database = try Database.open(path: path, options: journal.options())
      let other = try Database.open(path: path)
      journal.last.faults[journal.last.operationCount + barrier] = .io(code)
      var random = SeededGenerator(test: 5)
      #expect(throws: StorageError.io(operation: "fdatasync", path: path, code: code)) {
        try database.write { (group) throws(StorageError) in try TableWorkload.bulkInsert.run(group, &random) }
      }
      #expect(throws: StorageError.writingDisabled(path: path)) { try database.beginWrite() }
      #expect(throws: StorageError.writingDisabled(path: path)) { try database.tryBeginWrite() }
      #expect(try CrashChecker.look(path).json == old)
      #expect(try database.read { (group) throws(StorageError) in try group.table(named: "class_Person")!.count() } == 40)
      // Other handles go on: for them nothing happened.
      try other.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      #expect(try CrashChecker.look(path).violations == [])
      other.close()
      database.close()
      let again = try Database.open(path: path)
      try again.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      again.close()
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// A file system of 1 MiB in memory. Mounting needs privileges; without them there is nothing to test on.
  @Test(.enabled(if: SmallDisk.isPossible, "mounting is not permitted here")) func aRealFullDiskAtEveryExtensionIsRecoverable() throws {
    let disk = try SmallDisk()
    let path = disk.path + "/test.realm"
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    try TableWorkload.makeFile(path, count: 60, seed: seed)
    let database = try Database.open(path: path)
    var failures = 0
    var successes = 0
    // With each number of free pages, a commit of some 150 KB that has to extend the file fails at another place, until there are enough.
    for freePages in 0..<60 {
      #expect(try database.compact())
      try disk.fill(leaving: freePages)
      let (old, _) = try CrashChecker.look(path)
      let version = database.newestVersion
      do {
        try database.write { (group) throws(StorageError) in try addData(group) }
        successes += 1
        try disk.release()
        // Back to where it was.
        try database.write { (group) throws(StorageError) in try group.removeTable(group.table(named: "class_Data")!.key) }
      } catch {
        guard case StorageError.outOfDiskSpace = error else {
          Issue.record("\(error), \(freePages) free pages, seed \(seed)")
          return
        }
        failures += 1
        #expect(database.newestVersion == version)
        #expect(try CrashChecker.look(path).json == old, "\(freePages) free pages, seed \(seed)")
        try database.beginWrite().cancel()
        try disk.release()
        try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      }
      #expect(try CrashChecker.look(path).violations == [], "\(freePages) free pages, seed \(seed)")
    }
    database.close()
    print("full disk: \(failures) commits met it, \(successes) did not")
    #expect(failures > 20 && successes > 0)
    #expect(try IndependentTools.violation(path) == nil)
  }

  private func addData(_ group: Group) throws(StorageError) {
    let table = try group.addTable("class_Data")
    let data = try table.addColumn(ColumnDefinition("data", .binary))
    for index in 0..<40 { try table.set(table.createObject(), data, .binary([UInt8](repeating: UInt8(index), count: 4000))) }
  }

  /// Extends until nothing is left, again and again.
  @Test(.enabled(if: SmallDisk.isPossible, "mounting is not permitted here")) func aDiskThatFillsUpStopsGrowthAndNothingElse() throws {
    let disk = try SmallDisk()
    let path = disk.path + "/test.realm"
    var random = SeededGenerator(test: 12)
    try TableWorkload.makeFile(path, count: 20, seed: testSeed &+ 12)
    let database = try Database.open(path: path)
    for _ in 0..<3 {
      try disk.fill(leaving: 40)
      #expect(throws: StorageError.outOfDiskSpace(operation: "posix_fallocate", path: path)) {
        while true { try database.write { (group) throws(StorageError) in try TableWorkload.bulkInsert.run(group, &random) } }
      }
      #expect(try CrashChecker.look(path).violations == [])
      try disk.release()
      for _ in 0..<5 { try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) } }
      #expect(try CrashChecker.look(path).violations == [])
    }
    database.close()
    #expect(try CrashChecker.look(path).violations == [])
  }
}

/// A mounted file system of 1 MiB, gone with its object.
final class SmallDisk {
  struct Failure: Error {}
  private let directory = TestDirectory()
  var path: String { directory.path }

  private static func run(_ command: String, _ arguments: [String]) -> Bool {
    (try? ToolRun(path: command, arguments, within: 30).status) == 0
  }

  static let isPossible: Bool = (try? SmallDisk()) != nil

  init() throws {
    guard Self.run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]) else { throw Failure() }
  }

  deinit { _ = Self.run("umount", ["-l", path]) }

  private var fillerPath: String { path + "/filler" }

  private var freePages: Int {
    var info = statvfs()
    return statvfs(path, &info) == 0 ? Int(info.f_bavail) * Int(info.f_frsize) / 4096 : 0
  }

  /// Writes a file so large that `pages` pages are left.
  func fill(leaving pages: Int) throws {
    let storage = try FileStorage(path: fillerPath, mode: .createIfMissing)
    let count = freePages - pages
    if count > 0 { try storage.extend(from: 0, to: UInt64(count) * 4096) }
  }

  func release() throws { unlink(fillerPath) }
}
