import Foundation
import Randomness
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// The commands that write, and what all commands promise.
@Suite(.mustEnd) struct CommandTests {
  let directory = TestDirectory()

  /// A file with `count` objects of some bytes each, of which most are gone again.
  private func holed(_ name: String = "holed.realm", count: Int = 200, byteCount: Int = 4000) throws -> String {
    let path = directory.file(name)
    let database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Blob")
      let column = try table.addColumn(ColumnDefinition("bytes", .binary))
      for _ in 0..<count { try table.set(table.createObject(), column, .binary([UInt8](repeating: 7, count: byteCount))) }
    }
    try database.write { (group) throws(StorageError) in
      guard let table = try group.table(named: "class_Blob") else { return }
      for key in try table.keys().dropFirst(count / 4) { try table.remove(key) }
    }
    return path
  }

  private func export(_ path: String) throws -> [UInt8] {
    let sink = MemorySink()
    try Exporter(OpenFile(path: path), digestLimit: nil, to: sink).writeJSON()
    return sink.bytes
  }
  private func size(_ path: String) throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }

  @Test func everyCommandHasHelpWithAnExample() throws {
    let all = try ToolRun.realm("--help")
    for command in [
      "schema", "export", "import", "query", "stat", "verify", "dump", "compact", "copy", "upgrade", "diff", "watch", "insert", "set", "delete",
      "link", "create", "drop", "quickstart",
    ] {
      #expect(all.output.contains("  \(command) "))
      let help = try ToolRun.realm(command, "--help")
      let words = help.output.split { $0.isWhitespace }.joined(separator: " ")
      #expect(help.status == 0 && words.contains("Example: realm \(command) "), "\(command)")
    }
  }

  @Test func compactionPrintsBytesBeforeAndAfter() throws {
    let path = try holed()
    let (before, contents) = (try size(path), try export(path))
    let lazy = try ToolRun.realm("compact", path, "--when-free-above", "0.99")
    lazy.expect(status: 0, output: "bytes before  \(before)\nbytes after   \(before)\n")
    #expect(lazy.errors.contains("not compacted"))
    let run = try ToolRun.realm("compact", path, "--when-free-above", "0.5")
    let after = try size(path)
    run.expect(status: 0, output: "bytes before  \(before)\nbytes after   \(after)\n")
    #expect(after < before / 2)
    #expect(try export(path) == contents)
    #expect(try ToolRun.realm("verify", path).status == 0)
    #expect(!FileManager.default.fileExists(atPath: path + ".tmp_compaction_space"))
  }

  @Test func onlineCompactionShortensAFileThatIsOpenElsewhere() throws {
    var random = SeededGenerator(test: 1)
    let path = directory.file("open.realm")
    let database = try Database.open(path: path)
    try ChurnTable.makeFile(database, rows: 2000, keepingEvery: 2, &random)
    let contents = try FileContents.json(path)
    let before = try database.fileByteCount()
    let run = try ToolRun.realm("compact", "--online", path)
    let after = try database.fileByteCount()
    run.expect(status: 0, output: "bytes before  \(before)\nbytes after   \(after)\n")
    #expect(after < before * 2 / 3)
    #expect(try FileContents.json(path) == contents)
    #expect(try FileContents.violations(path) == [])
  }

  @Test func compactionIsRefusedWhileTheFileIsOpenElsewhere() throws {
    let path = try holed()
    let database = try Database.open(path: path)
    let before = try size(path)
    let run = try ToolRun.realm("compact", path)
    run.expectError(3, about: path, "in use by process \(getpid()) (")
    #expect(try size(path) == before)
    // Reading commands and copies go along.
    #expect(try ToolRun.realm("verify", path).status == 0)
    #expect(try ToolRun.realm("copy", path, directory.file("copy.realm")).status == 0)
    withExtendedLifetime(database) {}
  }

  @Test func aCopyIsCompactAndNeverReplacesAnything() throws {
    let path = try holed()
    let copy = directory.file("copy.realm")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let run = try ToolRun.realm("copy", path, copy)
    let after = try size(copy)
    run.expect(status: 0, output: "bytes before  \(before.count)\nbytes after   \(after)\n")
    #expect(after < before.count / 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try export(copy) == export(path))
    let again = try ToolRun.realm("copy", path, copy)
    again.expect(status: 2, errors: "error: \(copy): exists already; choose another name\n")
    #expect(try export(copy) == export(path))
  }

  @Test func statisticsShowBytesAndVersions() throws {
    let path = try holed()
    let database = try Database.open(path: path)
    let reader = try database.snapshot()
    try database.write { (group) throws(StorageError) in _ = try group.addTable("class_More") }
    let run = try ToolRun.realm("stat", path)
    func number(_ label: String) -> UInt64? {
      for line in run.output.split(separator: "\n") where line.hasPrefix(label) {
        let words: [Substring] = line.dropFirst(label.count).split(separator: " ")
        if let word = words.first { return UInt64(word) }
      }
      return nil
    }
    let use = try database.spaceUse()
    #expect(number("total bytes") == use.totalByteCount)
    #expect(number("used bytes") == use.usedByteCount)
    #expect(number("free bytes") == use.totalByteCount - use.usedByteCount)
    #expect(try #require(number("history bytes")) > 0)
    #expect(number("newest version") == reader.version + 1)
    #expect(number("oldest live version") == reader.version)
    #expect(run.status == 0, "\(run)")
  }

  @Test func statisticsShowHowFarAutomaticCompactionHasCome() throws {
    func line(_ path: String) throws -> String {
      let lines = try ToolRun.realm("stat", path).output.split(separator: "\n")
      return String(try #require(lines.first { $0.hasPrefix("automatic compaction") }))
    }
    let idle = try line(holed())
    #expect(idle.hasSuffix("  not under way"))
    let moving = try directory.copy("realm-core/evacuation.realm", as: "moving.realm")
    let limit = try Statistics(OpenFile(path: moving)).evacuation.limit
    #expect(limit > 0)
    #expect(try line(moving).contains(" everything below byte \(limit)"))
  }

  @Test(.needsOlderFormats) func anUpgradeSaysWhatItDidAndKeepsTheContents() throws {
    let path = try directory.copy("older/v20.realm")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let copy = try ToolRun.realm("copy", path, directory.file("copy.realm"))
    copy.expectError(3, about: path, "'realm upgrade'")
    #expect(try ToolRun.realm("compact", path).status == 3)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let tables = try ToolRun.realm("export", path, "--format", "lossless-lines").output
    let run = try ToolRun.realm("upgrade", path)
    let backup = directory.file("test.v20.backup.realm")
    run.expect(status: 0, output: "\(path): upgraded from format 20 to 24; the file as it was is now \(backup)\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == before)
    #expect(try ToolRun.realm("export", path, "--format", "lossless-lines").output == tables)
    #expect(try ToolRun.realm("verify", path).status == 0)
    let again = try ToolRun.realm("upgrade", path)
    again.expect(status: 0, output: "\(path): needs no upgrade: it has format 24 already\n")
  }

  private func launch(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(PackageLocation.productDirectory + "/realm", arguments, input: .nothing, output: .nothing, errors: .nothing)
  }

  @Test func anInterruptedCopyLeavesNothingOrAllOfIt() throws {
    let path = try holed("large.realm", count: 100, byteCount: 1 << 20)
    let contents = try export(path)
    var interruptions = 0
    for round in 0..<4 {
      let copy = directory.file("copy\(round).realm")
      let process = try launch("copy", "--quiet", path, copy)
      #expect(waitUntil { process.isGone || FileManager.default.fileExists(atPath: copy) })
      for signal in [SIGSTOP, [SIGINT, SIGTERM, SIGHUP, SIGINT][round], SIGCONT] { process.send(signal) }
      let status = try process.waitForEnd()
      if status == 4 {
        interruptions += 1
        #expect(!FileManager.default.fileExists(atPath: copy))
      } else {
        #expect(status == 0)
        #expect(try export(copy) == contents)
      }
    }
    print("interrupted \(interruptions) copies of 4")
  }

  @Test func anInterruptedCompactionLeavesTheFileAsItWas() throws {
    let path = try holed("large.realm", count: 100, byteCount: 1 << 20)
    let contents = try export(path)
    let process = try launch("compact", "--quiet", path)
    #expect(waitUntil { process.isGone || FileManager.default.fileExists(atPath: path + ".tmp_compaction_space") })
    process.send(SIGINT)
    #expect([0, 4].contains(try process.waitForEnd()))
    #expect(!FileManager.default.fileExists(atPath: path + ".tmp_compaction_space"))
    #expect(try export(path) == contents)
    #expect(try ToolRun.realm("compact", path).status == 0)
    #expect(try export(path) == contents)
  }
}
