import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Keys on every command (Documentation/CommandLine.md, "Common rules").
@Suite(.mustEnd) struct EncryptedCommandTests {
  let directory = TestDirectory()

  private func makeFile(_ name: String = "test.realm") throws -> String {
    let path = directory.file(name)
    try TableWorkload.makeFile(path, count: 50, seed: testSeed &+ 3, key: TestKey.make())
    return path
  }
  private func keyFile(_ name: String, _ bytes: [UInt8]) throws -> String { try directory.write(bytes, as: name) }

  @Test func everyReadingCommandTakesAKeyAsDigitsOrInAFileOrFromTheEnvironment() throws {
    let path = try makeFile()
    let digits = TestKey.hexadecimal()
    let sources: [(arguments: [String], launcher: [String])] = [
      (["--key", digits], []), (["--key", digits.uppercased()], []),
      (["--key-file", try keyFile("raw", TestKey.bytes())], []),
      (["--key-file", try keyFile("text", Array((digits + "\n").utf8))], []),
      ([], ["REALM_KEY=" + digits]),
      // The option is stronger.
      (["--key", digits], ["REALM_KEY=" + TestKey.hexadecimal(2)]),
    ]
    let plain = directory.file("plain.realm")
    try TableWorkload.makeFile(plain, count: 50, seed: testSeed &+ 3)
    for command in [["export"], ["schema"], ["verify", "--quiet"], ["dump", "--quiet"]] {
      let expected = try ToolRun("realm", command + [plain])
      for source in sources {
        let run = try ToolRun("realm", command + [path] + source.arguments, launcher: source.launcher)
        if command[0] == "dump" { #expect(run.status == 0) } else { run.expect(status: 0, output: expected.output) }
      }
    }
    let statistics = try ToolRun("realm", ["stat", path, "--key", digits])
    #expect(statistics.status == 0 && statistics.output.contains("Person"))
    #expect(statistics.output.contains("file bytes             \(try Data(contentsOf: URL(fileURLWithPath: path)).count)\n"))
  }

  @Test func wrongKeysAndMissingOnesAreErrors() throws {
    let path = try makeFile()
    for command in [["export", path], ["salvage", path, "-o", directory.file("saved.realm")]] {
      try ToolRun("realm", command).expectError(3, about: path, "is encrypted; give its key")
    }
    try ToolRun.realm("export", path, "--key", TestKey.hexadecimal(2)).expectError(3, about: path, "wrong key")
    let plain = directory.file("plain.realm")
    try Database.open(path: plain).close()
    try ToolRun.realm("stat", plain, "--key", TestKey.hexadecimal()).expectError(3, about: plain, "is not encrypted; leave its key out")
    #expect(try ToolRun.realm("stat", path, "--key", "12").status == 2)
    #expect(try ToolRun("realm", ["stat", path], launcher: ["REALM_KEY=nonsense"]).status == 2)
    #expect(try ToolRun.realm("stat", path, "--key-file", plain).status == 2)
    #expect(try ToolRun.realm("stat", path, "--key-file", directory.file("none")).status == 3)
    #expect(try ToolRun.realm("stat", path, "--key", TestKey.hexadecimal(), "--key-file", plain).status == 2)
  }

  @Test func whatIsWrongWithAKeyFileIsSaidOfIt() throws {
    let path = try makeFile()
    for (keyFile, status, problem) in [
      (directory.path, 3, "is a directory; name the file in it that is meant"), (directory.file("none"), 3, "no such file; check the path"),
      (path + "/none", 3, "no such file; check the path"), ("/dev/null", 2, "is no regular file; put the key into one"),
    ] {
      let about = "the key file \(keyFile)"
      for command in [["stat", path], ["salvage", path, "-o", directory.file("saved.realm")]] {
        let run = try ToolRun("realm", command + ["--key-file", keyFile])
        #expect(run.status == status && run.errors.contains(about) && run.errors.hasSuffix(problem + "\n"), "\(run)")
      }
      let run = try ToolRun.realm("copy", path, directory.file("copy.realm"), "--key", TestKey.hexadecimal(), "--new-key-file", keyFile)
      #expect(run.status == status && run.errors.contains(about), "\(run)")
    }
  }

  @Test(arguments: [false, true]) func aKeyForAPlainFileIsSaidToBeOneWhateverItsBytes(isCompacted: Bool) throws {
    let path = directory.file("plain.realm")
    let database = try Database.open(path: path)
    // Zeros are what an encrypted file says of pages that were never written.
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_A")
      let column = try table.addColumn(ColumnDefinition("data", .binary))
      for byteCount in [1000, 60_000] { try table.set(table.createObject(), column, .binary([UInt8](repeating: 0, count: byteCount))) }
    }
    if isCompacted { #expect(try database.compact()) }
    database.close()
    for command in ["stat", "verify", "compact"] {
      try ToolRun.realm(command, path, "--key", TestKey.hexadecimal()).expectError(3, about: path, "is not encrypted; leave its key out")
    }
  }

  @Test func copiesAreEncryptedAgainReKeyedOrDecrypted() throws {
    let path = try makeFile()
    let (one, two) = (TestKey.hexadecimal(), TestKey.hexadecimal(2))
    let contents = try FileContents.json(path, key: TestKey.make())
    let cases: [(name: String, arguments: [String], key: UInt8?)] = [
      ("same.realm", [], 1), ("other.realm", ["--new-key", two], 2),
      ("file.realm", ["--new-key-file", try keyFile("two", TestKey.bytes(2))], 2), ("plain.realm", ["--no-key"], nil),
    ]
    for (name, arguments, key) in cases {
      let target = directory.file(name)
      let run = try ToolRun("realm", ["copy", path, target, "--key", one] + arguments)
      #expect(run.status == 0, "\(run)")
      #expect(try FileContents.json(target, key: key.map { TestKey.make($0) }) == contents, "\(name)")
      let size = try Data(contentsOf: URL(fileURLWithPath: target)).count
      #expect(run.output.hasSuffix("bytes after   \(size)\n"))
      if let key { #expect(try IndependentTools.encryptedViolation(target, key: key) == nil) }
    }
    let again = directory.file("again.realm")
    #expect(try ToolRun.realm("copy", directory.file("plain.realm"), again, "--new-key", one).status == 0)
    #expect(try FileContents.json(again, key: TestKey.make()) == contents)
    #expect(try ToolRun.realm("copy", path, directory.file("x.realm"), "--key", one, "--new-key", two, "--no-key").status == 2)
  }

  @Test func compactionAndUpgradeKeepTheKey() throws {
    let path = try makeFile()
    let contents = try FileContents.json(path, key: TestKey.make())
    let before = try Data(contentsOf: URL(fileURLWithPath: path)).count
    let run = try ToolRun.realm("compact", path, "--key", TestKey.hexadecimal())
    let after = try Data(contentsOf: URL(fileURLWithPath: path)).count
    run.expect(status: 0, output: "bytes before  \(before)\nbytes after   \(after)\n")
    #expect(after <= before)
    #expect(try FileContents.json(path, key: TestKey.make()) == contents)
    let upgrade = try ToolRun.realm("upgrade", path, "--key", TestKey.hexadecimal())
    upgrade.expect(status: 0, output: "\(path): needs no upgrade: it has format 24 already\n")
    try ToolRun.realm("compact", path).expectError(3, about: path, "is encrypted; give its key")
  }

  @Test func allEncryptedFixturesConform() throws {
    let copies = directory.file("fixtures")
    try FileManager.default.copyItem(atPath: Fixture.folder("encrypted"), toPath: copies)
    let run = try ToolRun("conformance", ["export", copies])
    run.expect(status: 0, output: "8 passed, 0 failed\n")
  }

  @Test func aDamagedPageIsNoWrongKey() throws {
    let path = try makeFile()
    let key = ["--key", TestKey.hexadecimal()]
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // The metadata of the first 64 pages is before them.
    for page in [0, 1] {
      var bytes = sound
      bytes[4096 * (page + 1) + 100] ^= 1
      let broken = try directory.write(bytes, as: "broken\(page).realm")
      for command in ["schema", "stat", "verify", "query"] {
        let arguments = [command, broken] + (command == "query" ? ["--class", "Person", "TRUEPREDICATE"] : []) + key
        let run = try ToolRun("realm", arguments)
        #expect(!run.errors.contains("wrong key"), "\(arguments): \(run)")
        if page == 0 { run.expectError(3, about: broken, "its page 0 is damaged") }
      }
    }
    try ToolRun("realm", ["schema", directory.file("broken0.realm"), "--key", TestKey.hexadecimal(2)])
      .expectError(3, about: directory.file("broken0.realm"), "wrong key")
  }

  @Test func salvageReadsADamagedPageOnce() throws {
    let source = try directory.copy("encrypted/enc_64pages.realm", as: "source.realm")
    let sideCar = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: Fixture.path("encrypted/enc_64pages.json"))))
    let key = try #require((sideCar as? [String: Any])?["key_hex"] as? String)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
    bytes[4096 + 2807] ^= 1
    let broken = try directory.write(bytes, as: "broken.realm")
    let start = ContinuousClock.now
    // Its list of classes was in the page.
    try ToolRun.realm("salvage", broken, "-o", directory.file("saved.realm"), "--key", key).expectError(3, about: broken, "no list of classes")
    #expect(ContinuousClock.now - start < .seconds(60), "each word of the page was tried for a while")
    bytes[4096 + 2807] ^= 1
    bytes[4096 * 21 + 100] ^= 1
    let run = try ToolRun.realm(
      "salvage", directory.write(bytes, as: "broken.realm"), "-o", directory.file("saved.realm"), "--key", key)
    run.expect(status: 1, output: "saved 55 objects\n")
    #expect(run.errors.contains("page 20 is damaged"), "\(run)")
  }
}
