import Foundation
import Randomness
import Synchronization
import TestSupport
import Testing

@testable import RealmStorage

/// Versions of real tables: who sees what, and for how long.
@Suite(.mustEnd) struct TableSnapshotTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private func unsynced(_ change: (inout DatabaseOptions) -> Void = { _ in }) -> DatabaseOptions {
    var options = DatabaseOptions()
    options.durability = .unsafe
    change(&options)
    return options
  }

  /// A table of numbers that are all the same in every version.
  private func makeUniform(_ database: Database, count: Int) throws {
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Number")
      try table.addColumn(ColumnDefinition("value", .int))
      try table.addColumn(ColumnDefinition("text", .string))
      for _ in 0..<count { try table.createObject() }
      try setAll(group, 0)
    }
  }

  private func setAll(_ group: Group, _ number: Int64) throws(StorageError) {
    let table = try group.table(named: "class_Number")!
    let (value, text) = (table.state.publicColumns[0], table.state.publicColumns[1])
    let bytes = Array(String(repeating: "\(number) ", count: 1 + Int(number % 9)).utf8)
    for key in try table.keys() {
      try table.setInt(key, value, number)
      try table.set(key, text, .string(bytes))
    }
  }

  /// The number that all objects have; nil if they differ.
  private static func number(_ group: Group) throws(StorageError) -> Int64? {
    let table = try group.table(named: "class_Number")!
    let (value, text) = (table.state.publicColumns[0], table.state.publicColumns[1])
    let keys = try table.keys()
    let number = try table.int(keys[0], value)
    let bytes = Array(String(repeating: "\(number) ", count: 1 + Int(number % 9)).utf8)
    for key in keys {
      guard try table.int(key, value) == number, case .string(let found) = try table.value(key, text), found == bytes else { return nil }
    }
    return number
  }

  @Test func manyThreadsReadWholeVersionsWhileOneWrites() throws {
    let database = try Database.open(path: directory.file(), options: unsynced())
    try makeUniform(database, count: 300)
    let other = try Database.open(path: directory.file(), options: unsynced())
    let isOver = Atomic<Bool>(false)
    let reads = Atomic<Int>(0)
    let failures = Locked<[String]>([])
    let threads = (0..<8).map { index in
      Thread {
        let source = index % 2 == 0 ? database : other
        var last: Int64 = 0
        do {
          while !isOver.load(ordering: .relaxed) {
            let snapshot = try source.snapshot(index % 4 < 2 ? .live : .frozen)
            let first = try Self.number(snapshot.openGroup())
            let second = try Self.number(snapshot.openGroup())
            guard let first, first == second, first >= last else {
              failures.withLock { $0.append("\(String(describing: first)) and \(String(describing: second)) after \(last)") }
              break
            }
            last = first
            reads.add(1, ordering: .relaxed)
          }
        } catch { failures.withLock { $0.append("\(error)") } }
        reads.add(1 << 32, ordering: .releasing)
      }
    }
    for thread in threads { thread.start() }
    let commits = trials(full: 2000, tenth: 100)
    for step in 1...commits {
      try (step % 3 == 0 ? other : database).write { (group) throws(StorageError) in try setAll(group, Int64(step)) }
    }
    isOver.store(true, ordering: .relaxed)
    #expect(waitUntil(within: .seconds(60)) { reads.load(ordering: .acquiring) >> 32 == threads.count })
    #expect(failures.withLock { $0 } == [])
    print("\(reads.load(ordering: .relaxed) & 0xFFFF_FFFF) snapshots read by 8 threads during \(commits) commits")
    #expect(try CrashChecker.look(directory.file()).violations == [])
  }

  @Test func sixtyPinnedVersionsStayWholeAndReadableByNumber() throws {
    let database = try Database.open(path: directory.file(), options: unsynced())
    try makeUniform(database, count: 50)
    let other = try Database.open(path: directory.file(), options: unsynced())
    var held: [(snapshot: Snapshot, number: Int64)] = []
    for step in 1...60 {
      try database.write { (group) throws(StorageError) in try setAll(group, Int64(step)) }
      held.append((try database.snapshot(step % 3 == 0 ? .frozen : .live), Int64(step)))
      try database.write { (group) throws(StorageError) in try setAll(group, 1000) }
    }
    #expect(try database.session!.listedSnapshots().count >= 60)
    #expect(database.numberOfVersions >= 60)
    for (snapshot, number) in held {
      #expect(try Self.number(snapshot.openGroup()) == number)
      if snapshot.transaction.kind == .live {
        #expect(try other.read(version: snapshot.version) { (group) throws(StorageError) in try Self.number(group) } == number)
      } else {
        #expect(throws: StorageError.versionNotAvailable(version: snapshot.version)) { try other.beginRead(.live, version: snapshot.version) }
        let again = try other.snapshot(.frozen, version: snapshot.version)
        #expect(try Self.number(again.openGroup()) == number)
      }
    }
    var random = SeededGenerator(test: 60)
    held.shuffle(using: &random)
    while !held.isEmpty {
      held.removeLast(min(7, held.count))
      try other.write { (group) throws(StorageError) in try setAll(group, 2000) }
      for (snapshot, number) in held { #expect(try Self.number(snapshot.openGroup()) == number) }
      #expect(try CrashChecker.look(directory.file()).violations == [])
    }
    try other.write { (group) throws(StorageError) in try setAll(group, 3000) }
    #expect(try database.session!.listedSnapshots().count <= 2)
    #expect(throws: StorageError.versionNotAvailable(version: 5)) { try database.beginRead(version: 5) }
  }

  @Test func aCancelledOrFailedTransactionLeavesTheTablesAsTheyWere() throws {
    let database = try Database.open(path: directory.file(), options: unsynced())
    try makeUniform(database, count: 20)
    let (before, version) = (try CrashChecker.look(directory.file()).json, database.newestVersion)
    let transaction = try database.beginWrite()
    let group = try transaction.openGroup()
    try group.table(named: "class_Number")!.removeAllObjects()
    try group.removeTable(group.table(named: "class_Number")!.key)
    transaction.cancel()
    #expect(throws: StorageError.duplicateName(name: "class_Number")) {
      try database.write { (group) throws(StorageError) in
        try setAll(group, 9)
        try group.addTable("class_Number")
      }
    }
    #expect(database.newestVersion == version)
    #expect(try CrashChecker.look(directory.file()).json == before)
    try database.write { (group) throws(StorageError) in try setAll(group, 5) }
    #expect(try database.read { (group) throws(StorageError) in try Self.number(group) } == 5)
    #expect(database.newestVersion == version + 1)
  }

  @Test func tablesInMemoryAreSharedByItsUsersAndGoWithTheLast() throws {
    let options = unsynced { $0.durability = .memoryOnly }
    let path = directory.file()
    do {
      let database = try Database.open(path: path, options: options)
      try makeUniform(database, count: 400)
      let other = try Database.open(path: path, options: options)
      for step in 1...40 {
        try (step % 2 == 0 ? database : other).write { (group) throws(StorageError) in try setAll(group, Int64(step)) }
        #expect(try (step % 2 == 0 ? other : database).read { (group) throws(StorageError) in try Self.number(group) } == Int64(step))
      }
      #expect(throws: StorageError.incompatibleSession(path: path, reason: "Durability not consistent")) { try Database.open(path: path) }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    let empty = try Database.open(path: path, options: options)
    #expect(try empty.read { (group) throws(StorageError) in try group.tableKeys() } == [])
  }

  @Test func immutableFilesAndSeedsShowTheirTables() throws {
    let path = directory.file()
    do {
      let database = try Database.open(path: path, options: unsynced())
      try makeUniform(database, count: 30)
      try database.write { (group) throws(StorageError) in try setAll(group, 7) }
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let immutable = try Database.open(path: path, options: unsynced { $0.isImmutable = true })
    #expect(try immutable.read { (group) throws(StorageError) in try Self.number(group) } == 7)
    #expect(throws: StorageError.readOnly(path: path)) { try immutable.write { (group) throws(StorageError) in try setAll(group, 8) } }
    #expect(throws: StorageError.readOnly(path: "")) {
      try immutable.read { (group) throws(StorageError) in try setAll(group, 8) }
    }
    let copy = directory.file("copy.realm")
    let seeded = try Database.open(path: copy, options: unsynced { $0.seedPath = path })
    try seeded.write { (group) throws(StorageError) in try setAll(group, 8) }
    #expect(try seeded.read { (group) throws(StorageError) in try Self.number(group) } == 8)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }
}
