import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// What `realm stat` says of who holds which version.
@Suite(.mustEnd) struct StatCommandTests {
  let directory = TestDirectory()

  private func commit(_ database: Database, _ name: String) throws {
    try database.write { (group) throws(StorageError) in _ = try group.addTable("class_" + name) }
  }
  private struct Counts: Equatable {
    let version: UInt64
    let live, frozen, ownLive, ownFrozen: UInt32
  }
  private func counts(_ database: Database) throws -> [Counts] {
    try database.versionClaims().map {
      Counts(version: $0.version, live: $0.live, frozen: $0.frozen, ownLive: $0.ownLive, ownFrozen: $0.ownFrozen)
    }
  }

  @Test func statListsVersionsAndProcessesAndDisturbsNobody() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try commit(database, "A")
    let (live, frozen) = (try database.snapshot(), try database.snapshot(.frozen))
    try commit(database, "B")
    let newer = try database.snapshot()
    try commit(database, "C")
    let before = (try counts(database), try Data(contentsOf: URL(fileURLWithPath: path)), database.numberOfVersions)
    let run = try ToolRun.realm("stat", path)
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.contains(["participants", "1,", "without", "this", "command"]), "\(run.output)")
    #expect(lines.contains(["version", "bytes", "live", "frozen", "full"]))
    #expect(lines.contains(["2", "\(live.byteCount)", "1", "1", "0"]))
    #expect(lines.contains(["3", "\(newer.byteCount)", "1", "0", "0"]))
    #expect(lines.contains { $0.count == 6 && $0[0] == "4" && $0[2...] == ["0", "0", "0", "newest"] })
    #expect(lines.contains { $0.count >= 2 && $0[0] == "process" && $0[1] == "\(getpid())" }, "\(run.output)")
    let after = (try counts(database), try Data(contentsOf: URL(fileURLWithPath: path)), database.numberOfVersions)
    #expect(before == after)
    #expect(database.participantCount == 1)
    withExtendedLifetime((live, frozen, newer)) {}
  }

  @Test func oneOfAThingIsNotCalledSeveral() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try commit(database, "A")
    database.close()
    let output = try ToolRun.realm("stat", path).output
    #expect(output.contains(" in 1 block, largest "), "\(output)")
    #expect(output.contains(" in 1 changeset\n"), "\(output)")
    #expect(NumberText.count(2, "entry", "entries") == "2 entries")
    #expect(NumberText.count(1, "entry", "entries") == "1 entry")
    #expect(NumberText.count(0, "block") == "0 blocks")
  }

  @Test func statSaysNothingOfASessionThatDoesNotExist() throws {
    let path = directory.file()
    try commit(Database.open(path: path), "A")
    let run = try ToolRun.realm("stat", path)
    #expect(run.status == 0 && !run.output.contains("participants") && !run.output.contains("process"), "\(run.output)")
  }

  @Test func claimsOfADeadProcessAreListedWithoutIt() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try commit(database, "A")
    let child = try ChildProcess.agent("session", path, "join", "pin", "wait", "leave")
    while try child.line() != "waiting" {}
    try commit(database, "B")
    #expect(LockHolder.ofDatabase(at: path).map(\.process) == [child.identifier])
    child.killNow()
    let run = try ToolRun.realm("stat", path)
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.contains(["participants", "2,", "without", "this", "command"]), "\(run.output)")
    #expect(lines.contains { $0.count == 5 && $0[0] == "2" && $0[2...] == ["1", "0", "0"] }, "\(run.output)")
    #expect(!run.output.contains("process \(child.identifier) "))
    #expect(LockHolder.ofDatabase(at: path).isEmpty)
  }

  /// It has what we have open until it runs its own program.
  @Test func aProcessThatIsJustBeingStartedHoldsNothing() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try commit(database, "A")
    let isOver = Locked(false)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) { _ = try? ChildProcess("true", []).waitForEnd() }
      ended.signal()
    }
    for _ in 0..<100 {
      #expect(LockHolder.ofDatabase(at: path).isEmpty)
      #expect(LockHolder.ofReplacedFile(at: path).isEmpty)
    }
    isOver.withLock { $0 = true }
    ended.wait()
    withExtendedLifetime(database) {}
  }

  /// A program inherits what its starter has open, unless that is closed for it.
  @Test func aProcessThatHasOnlyInheritedTheLockFileHasNoFileThatWasReplaced() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try commit(database, "A")
    let child = try ChildProcess("sh", ["-c", "exec 9< \"$0\"; echo open; read line", path + ".lock"])
    #expect(try child.line() == "open")
    #expect(LockHolder.ofDatabase(at: path).map(\.process) == [child.identifier])
    #expect(LockHolder.ofReplacedFile(at: path).isEmpty)
    child.killNow()
    withExtendedLifetime(database) {}
  }

  /// Every file of an application has a table `metadata`, and an application may have a class of that name.
  @Test func tablesThatAreNoClassesAreNotCalledClasses() throws {
    let path = directory.file()
    try Database.open(path: path).write { (group) throws(StorageError) in
      for name in ["metadata", "class_metadata"] { try group.addTable(name).addColumn(ColumnDefinition("version", .int)) }
      _ = try group.table(named: "class_metadata")?.createObject()
    }
    let lines = try ToolRun.realm("stat", path).output.split(separator: "\n").suffix(2).map { $0.split(separator: " ").dropLast() }
    #expect(lines == [["metadata", "(table", "without", "class)", "0"], ["metadata", "1"]])
    let output = try ToolRun.realm("stat", path, "--json").output
    let members = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    for (list, kind, count) in [("classes", "class", 1), ("otherTables", "table", 0)] {
      let tables = try #require(members[list] as? [[String: Any]])
      #expect(tables.map { $0[kind] as? String } == ["metadata"])
      #expect(tables.map { $0["objects"] as? Int } == [count])
    }
  }

  @Test func namesOfDoubleWidthAreAligned() throws {
    let path = directory.file()
    try Database.open(path: path).write { (group) throws(StorageError) in
      let table = try group.addTable("class_名前の一覧")
      try table.addColumn(ColumnDefinition("名前", .string))
      let age = try table.addColumn(ColumnDefinition("age", .int))
      try table.addIndex(age)
      _ = try group.addTable("class_Dog")
    }
    let classes = try ToolRun.realm("stat", path).output.split(separator: "\n").suffix(2).sorted()
    // Five characters that take two places each.
    let blanks = String(repeating: " ", count: 11)
    #expect(classes.first?.hasPrefix("Dog       \(blanks)0") == true, "\(classes)")
    #expect(classes.last?.hasPrefix("名前の一覧\(blanks)0") == true, "\(classes)")
    let schema = try ToolRun.realm("schema", path).output
    #expect(schema.hasPrefix("名前の一覧\n  名前  String\n  age   Int     indexed\n"), "\(schema)")
  }

  @Test func everyByteOfAFileIsUsedFreeOrLeaked() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    for name in ["A", "B", "C"] { try commit(database, name) }
    database.close()
    func numbers(_ command: String) throws -> [String: Any] {
      let text = try ToolRun.realm(command, path, "--json").output
      return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
    let (stat, verify) = (try numbers("stat"), try numbers("verify"))
    #expect(stat["usedBytes"] as? Int == verify["usedBytes"] as? Int && stat["freeBytes"] as? Int == verify["freeBytes"] as? Int)
    let parts = ["usedBytes", "freeBytes", "leakedBytes"].compactMap { verify[$0] as? Int }
    #expect(parts.reduce(0, +) == stat["totalBytes"] as? Int, "\(parts)")
  }
}
