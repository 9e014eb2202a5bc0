import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// Every kind of bad input has an error of its own, from the engine and as one line of the command-line tool.
@Suite(.mustEnd) struct BadInputTests {
  let directory = TestDirectory()

  /// The error that `body` ends with, as text; empty if it ends well.
  private func refusal(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return ""
  }

  /// The file ends before the top array, or inside of it.
  private func isDamage(_ text: String) -> Bool { text.hasPrefix("invalidDatabase") || text.hasPrefix("corruptNode") }

  private func sound(_ name: String = "sound.realm") throws -> String { try directory.write(OneObjectFile.bytes, as: name) }

  @Test func aFileOfOtherBytesIsNoRealm() throws {
    let path = try directory.write([UInt8](repeating: 0x61, count: 6400), as: "text.realm")
    let run = try ToolRun.realm("export", path)
    run.expectError(3, about: path, "is not a Realm file; check the path")
    #expect(run.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path + ".management"), "a refused file leaves nothing behind")
    let text = refusal { _ = try Database.open(path: path) }
    #expect(text.hasPrefix("invalidDatabase"))
    #expect(text.contains("header has invalid mnemonic. The file is either not a Realm file, is an encrypted Realm file but no"))
    #expect(refusal { _ = try Database.openForInspection(path: path) }.hasPrefix("invalidDatabase"))
  }

  @Test(arguments: ["export", "stat", "verify", "schema", "dump", "history"])
  func anEmptyFileIsToldApart(_ command: String) throws {
    let path = try directory.write([], as: "empty.realm")
    try ToolRun.realm(command, path).expectError(3, about: path, "is empty: there is nothing in it yet")
  }

  @Test func anEncryptedFileIsToldApart() throws {
    let path = try directory.copy("encrypted/enc_small.realm")
    for command in ["export", "stat", "verify", "schema", "dump", "compact", "upgrade"] {
      let run = try ToolRun.realm(command, path)
      run.expectError(3, about: path, "is encrypted; give its key with --key-file")
    }
  }

  @Test func everyTruncatedLengthIsRefusedOrReadCorrectly() throws {
    let bytes = OneObjectFile.bytes
    let whole = MemorySink()
    let file = try OpenFile(path: sound())
    try Exporter(file, digestLimit: nil, to: whole).writeJSON()
    let logical = Int(try #require(file.group).logicalByteCount)
    for length in 0..<bytes.count {
      let path = try directory.write(Array(bytes.prefix(length)), as: "short.realm")
      let sink = MemorySink()
      let text = refusal { try Exporter(OpenFile(path: path), digestLimit: nil, to: sink).writeJSON() }
      if text.isEmpty {
        #expect(length >= logical, "\(length) bytes")
        #expect(sink.bytes == whole.bytes, "\(length) bytes")
      } else {
        #expect(length < logical || length % 8 != 0, "\(length) bytes")
        #expect(isDamage(text), "\(length) bytes: \(text)")
      }
    }
  }

  @Test func openingATruncatedFileForWritingIsRefused() throws {
    let bytes = OneObjectFile.bytes
    // Only zeros, which is what a creation leaves that was cut short, become an empty database instead.
    for length in [20, 23, 24, 32, 40, 0x70, 0x100, 0x160, 0x167] {
      let path = try directory.write(Array(bytes.prefix(length)), as: "short\(length).realm")
      #expect(isDamage(refusal { _ = try Database.open(path: path) }))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == length)
    }
    let path = directory.file("short256.realm")
    let run = try ToolRun.realm("stat", path)
    run.expectError(3, about: path, "truncated")
  }

  @Test func aDamagedNodeIsNamedByItsRef() throws {
    var bytes = OneObjectFile.bytes
    // The array of tables: one element of 16 bits, the ref 0xE0 of the table.
    let pattern: [UInt8] = [0x45, 0, 0, 1, 0xE0, 0]
    var found: Int?
    for start in 0..<bytes.count - 16 where Array(bytes[start + 4..<start + 10]) == pattern { found = found ?? start }
    let place = try #require(found)
    bytes[place + 9] = 0x7F
    let path = try directory.write(bytes, as: "damaged.realm")
    let text = refusal { _ = try Database.openForInspection(path: path).snapshot().openGroup().table(inSlot: 0) }
    #expect(text.hasPrefix("corruptNode(ref: 0x7fe0,"))
    let run = try ToolRun.realm("export", path)
    run.expectError(3, about: path, "damaged at 0x7fe0")
    let verify = try ToolRun.realm("verify", "--quiet", path)
    verify.expect(status: 1, errors: "")
    #expect(verify.output.contains("0x7fe0"))
  }

  @Test(.needsOlderFormats, arguments: ["too_old_v2.realm", "too_old_v2_small.realm"])
  func aFormatThatNobodyReadsIsNamed(_ name: String) throws {
    let path = try directory.copy("older/" + name)
    for command in ["export", "stat", "verify", "upgrade", "compact"] {
      let run = try ToolRun.realm(command, path)
      run.expectError(3, about: path, "file format version 2 cannot be read")
    }
  }

  @Test func aMissingFileOrDirectoryIsNamed() throws {
    let (file, inside) = (directory.file("no.realm"), directory.file("no/x.realm"))
    let missing = try ToolRun.realm("compact", file)
    missing.expect(status: 3, errors: "error: \(file): no such file; check the path\n")
    #expect(!FileManager.default.fileExists(atPath: file + ".lock"))
    #expect(refusal { _ = try Database.open(path: inside) }.hasPrefix("directoryNotFound"))
    let copy = try ToolRun.realm("copy", try sound(), inside)
    copy.expect(status: 3, errors: "error: \(inside): its directory does not exist; create it first\n")
  }

  @Test func aDirectoryInPlaceOfTheFileIsToldApart() throws {
    let path = directory.file("dir.realm")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: StorageError.io(operation: "open", path: path, code: EISDIR)) { try Database.open(path: path) }
    #expect(throws: StorageError.io(operation: "open", path: path, code: EISDIR)) { try Database.openForInspection(path: path) }
    for command in ["export", "verify", "compact", "upgrade"] {
      let run = try ToolRun.realm(command, path)
      run.expect(status: 3, errors: "error: \(path): is a directory; name the file in it that is meant\n")
    }
  }

  /// Not even the administrator makes files in `/sys`.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/sys/kernel"), "there is no /sys here"))
  func aDirectoryWhereNothingMayBeMadeIsAnErrorOfPermission() throws {
    #expect(refusal { _ = try Database.open(path: "/sys/kernel/x.realm") }.hasPrefix("permissionDenied"))
  }

  /// The administrator reads everything: then the tool runs as nobody.
  private static let launcher: [String]? = {
    if geteuid() != 0 { return [] }
    let setpriv = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    guard let trial = try? ToolRun("realm", ["--version"], launcher: setpriv), trial.status == 0 else { return nil }
    return setpriv
  }()

  @Test(.enabled(if: launcher != nil, "running as root, and setpriv cannot start the tool as somebody else"))
  func aFileThatMayNotBeReadOrWrittenIsAnErrorOfPermission() throws {
    let path = try sound()
    chmod(directory.path, 0o777)
    chmod(path, 0o000)
    func run(_ command: String) throws -> ToolRun { try ToolRun("realm", [command, path], launcher: Self.launcher ?? []) }
    var result = try run("export")
    result.expectError(3, about: path, "not permitted to read")
    chmod(path, 0o444)
    #expect(try run("export").status == 0)
    result = try run("compact")
    result.expectError(3, about: path, "not permitted to write")
  }

  @Test(.enabled(if: launcher != nil, "running as root, and setpriv cannot start the tool as somebody else"))
  func ofAFileThatCannotBeMadeTheDirectoryIsNamed() throws {
    let (path, folder) = (try sound(), directory.file("closed"))
    chmod(directory.path, 0o777)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let (new, old) = (folder + "/new", folder + "/old")
    try Data().write(to: URL(fileURLWithPath: old))
    chmod(old, 0o666)
    chmod(folder, 0o555)
    func run(_ arguments: String...) throws -> ToolRun { try ToolRun("realm", arguments, launcher: Self.launcher ?? []) }
    let reason = "cannot be made, because its directory may not be written to"
    for arguments in [["export", path, "-o", new], ["copy", path, new], ["salvage", path, "-o", new]] {
      try ToolRun("realm", arguments, launcher: Self.launcher ?? []).expectError(3, about: new, reason)
    }
    try run("export", path, "-o", old).expectError(3, about: folder, "not permitted to write it")
  }

  @Test func aSessionWithOtherSettingsRefusesNewcomers() throws {
    let path = directory.file()
    let first = try Database.open(path: path)
    let lock = try FileHandle(forUpdating: URL(fileURLWithPath: path + ".lock"))
    func put(_ byte: UInt8, at offset: Int) throws {
      try lock.seek(toOffset: UInt64(offset))
      try lock.write(contentsOf: Data([byte]))
    }
    try put(2, at: LockFileLayout.Fixed.durability)
    #expect(throws: StorageError.incompatibleSession(path: path, reason: "Durability not consistent")) { try Database.open(path: path) }
    let compact = try ToolRun.realm("compact", path)
    compact.expectError(3, about: path, "other settings")
    try put(0, at: LockFileLayout.Fixed.durability)
    try put(13, at: LockFileLayout.Fixed.sharedInfoVersion)
    #expect(refusal { _ = try Database.open(path: path) }.hasPrefix("incompatibleLockFile"))
    let run = try ToolRun.realm("compact", path)
    run.expectError(3, about: path, "incompatible lock file")
    try put(14, at: LockFileLayout.Fixed.sharedInfoVersion)
    withExtendedLifetime(first) {}
  }

  @Test func moreVersionsThanAllowedAreRefused() throws {
    var options = DatabaseOptions()
    options.versionLimit = 3
    let database = try Database.open(path: directory.file(), options: options)
    var readers: [Snapshot] = []
    let text = refusal {
      for number in 0..<6 {
        readers.append(try database.snapshot())
        try database.write { (group) throws(StorageError) in _ = try group.addTable("class_T\(number)") }
      }
    }
    #expect(text == "tooManyVersions(count: 4, limit: 3)")
    #expect(readers.count <= 5)
  }

  @Test func aFullDiskEndsTheToolWithItsOwnStatus() throws {
    let path = try sound()
    let run = try ToolRun("realm", ["export", path], outputPath: "/dev/full")
    run.expect(status: 4)
    #expect(run.errors.contains("the disk is full"))
  }

  @Test func anUnknownCommandIsAnsweredWithTheOneThatWasProbablyMeant() throws {
    for (arguments, words) in [
      (["qurey", "a.realm"], "There is no command 'qurey'; did you mean 'query'?"),
      (["Export"], "There is no command 'Export'; did you mean 'export'?"),
      (["shcema"], "There is no command 'shcema'; did you mean 'schema'?"),
      (["nope"], "There is no command 'nope'; 'realm help' lists those there are."),
      (["nonsense"], "There is no command 'nonsense'; 'realm help' lists those there are."),
      (["create", "propertie", "a"], "There is no command 'create propertie'; did you mean 'create property'?"),
      (["help", "verfy"], "There is no command 'verfy'; did you mean 'verify'?"),
    ] {
      let run = try ToolRun("realm", arguments)
      run.expect(status: 2)
      #expect(run.errors.hasPrefix("Error: \(words)\n"), "\(run.errors)")
    }
  }

  @Test func theLimitForFilesEndsNoCommandWithoutAWord() throws {
    let path = try directory.write(Array(("a\n" + String(repeating: "some text that takes room\n", count: 10_000)).utf8), as: "a.csv")
    let output = directory.file("out.realm")
    let limited = ["sh", "-c", "ulimit -f 100; exec \"$@\"", "sh"]
    let run = try ToolRun("realm", ["import", path, "-o", output, "--class", "A"], launcher: limited)
    run.expect(status: 4)
    #expect(run.errors.contains("ulimit -f"), "\(run.errors)")
    let tour = try ToolRun("realm", ["quickstart", directory.file("tour")], launcher: ["sh", "-c", "ulimit -f 20; exec \"$@\"", "sh"])
    tour.expect(status: 4)
    #expect(tour.errors.contains("run it again"), "\(tour.errors)")
  }

  @Test func whatCannotBeRewrittenIsLeftAlone() throws {
    let limited = ["sh", "-c", "ulimit -f 30; exec \"$@\"", "sh"]
    try FileManager.default.createDirectory(atPath: directory.file("compact"), withIntermediateDirectories: true)
    let path = try directory.copy("realm-core/clusters_1200.realm", as: "compact/a.realm")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try ToolRun("realm", ["compact", path], launcher: limited).expect(status: 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("compact")) == ["a.realm"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func whatCommandsThereAreIsCompletedBehindHelp() throws {
    let script = try ToolRun.realm("--generate-completion-script", "bash").output
    let path = try directory.write(Array(script.utf8), as: "completion.bash")
    let typed = "source '\(path)'; COMP_WORDS=(realm help \"$1\"); COMP_CWORD=2; _realm realm \"$1\" help; echo \"${COMPREPLY[*]}\""
    try ToolRun(path: "bash", ["-c", typed, "bash", "ver"]).expect(status: 0, output: "verify\n")
    try ToolRun(path: "bash", ["-c", typed, "bash", "s"]).expect(status: 0, output: "schema stat studio salvage shell set\n")
    #expect(try ToolRun.realm("--generate-completion-script", "zsh").output.contains("'*:subcommands:(quickstart schema "))
    let fish = try ToolRun.realm("--generate-completion-script", "fish").output
    #expect(fish.contains("__realm_should_offer_completions_for_positional \"realm help\" -eq 1' -fa 'quickstart schema "))
  }

  @Test func wrongUsageIsStatusTwo() throws {
    let wrong: [[String]] = [
      ["nonsense"], ["export"], ["export", "--format", "xml", "a"], ["compact", "a", "--when-free-above", "2"], ["copy", "a"],
    ]
    for arguments in wrong {
      let run = try ToolRun("realm", arguments)
      run.expect(status: 2)
      #expect(run.errors.contains("Usage: realm"))
    }
  }
}
