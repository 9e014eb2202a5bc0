import Foundation
import TestSupport
import Testing

/// Where results go, and what is said when they cannot go there.
@Suite(.mustEnd) struct OutputTests {
  let directory = TestDirectory()

  private func dogs() throws -> String {
    let input = try directory.write(Array("id,age\n1,3\n2,4\n".utf8), as: "dogs.csv")
    let path = directory.file("dogs.realm")
    try ToolRun.realm("import", input, "-o", path, "--class", "Dog", "--primary-key", "id").expect(status: 0)
    return path
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func anExportKeepsTheModeOfTheFileThatItReplaces() throws {
    let (path, target) = (try dogs(), try directory.write([], as: "out.json"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
    try ToolRun.realm("export", path, "-o", target).expect(status: 0)
    #expect(try mode(target) == 0o600)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).count > 0)
  }

  @Test func whatOthersCannotReadTheyCannotReadAfterwards() throws {
    let path = try dogs()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try ToolRun.realm("compact", path).expect(status: 0)
    #expect(try mode(path) == 0o600)
    // And nobody is kept out who was let in.
    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
    try ToolRun.realm("compact", path).expect(status: 0)
    #expect(try mode(path) == 0o664)
  }

  @Test(.needsOlderFormats) func whatOthersCannotReadTheyCannotReadInABackup() throws {
    let old = try directory.copy("older/v20.realm")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: old)
    try ToolRun.realm("upgrade", old).expect(status: 0)
    #expect(try mode(old) == 0o600)
    let backup = try #require(try FileManager.default.contentsOfDirectory(atPath: directory.path).first { $0.contains("backup") })
    #expect(try mode(directory.file(backup)) == 0o600)
  }

  @Test(arguments: [["copy"], ["salvage", "-o"]], [0o600, 0o640, 0o644])
  func copiesAreAsPrivateAsTheirFile(_ words: [String], _ wanted: Int) throws {
    let (path, copy) = (try dogs(), directory.file("copy.realm"))
    try FileManager.default.setAttributes([.posixPermissions: wanted], ofItemAtPath: path)
    try ToolRun("realm", [words[0], path] + words.dropFirst() + [copy]).expect(status: 0)
    // The mask of who runs the test may take more away.
    let found = try #require(try mode(copy))
    #expect(found & 0o777 & ~wanted == 0)
    try ToolRun.realm("insert", copy, "--class", "Dog", "{\"id\": 3}").expect(status: 0)
  }

  @Test func whatAShellMakesAfterACopyIsAsItWouldBeWithoutIt() throws {
    let (path, first, second) = (try dogs(), directory.file("first.json"), directory.file("second.json"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let commands = "export -o \(first)\ncopy \(directory.file("copy.realm"))\nexport -o \(second)\n"
    let script = try directory.write(Array(commands.utf8), as: "commands")
    try ToolRun(path: "sh", ["-c", "\(PackageLocation.productDirectory)/realm shell \(path) < \(script)"]).expect(status: 0)
    #expect(try mode(first) == mode(second))
  }

  @Test func whatIsImportedFromAPipeIsKeptWhereNobodyElseCanReadIt() throws {
    let (temporary, path, seen) = (directory.file("temporary"), directory.file("piped.realm"), directory.file("seen"))
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    let input = "printf 'a\\n1\\n'; until ls -l \(temporary)/realm-import-* > \(seen) 2> /dev/null; do sleep 0.01; done"
    let tool = "\(PackageLocation.productDirectory)/realm import - --format csv --class A -o \(path)"
    let run = try ToolRun(path: "sh", ["-c", "(\(input)) | \(tool)"], environment: ["TMPDIR": temporary], within: 60)
    run.expect(status: 0)
    #expect(try String(contentsOfFile: seen, encoding: .utf8).hasPrefix("-rw------- "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }

  @Test func anExportToASymbolicLinkReplacesWhatItLeadsTo() throws {
    let (path, target, link) = (try dogs(), try directory.write([], as: "out.json"), directory.file("link.json"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out.json")
    try ToolRun.realm("export", path, "-o", link).expect(status: 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "out.json")
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).count > 0)
  }

  @Test func anExportToAPipeGoesThroughIt() throws {
    let (path, pipe, copy) = (try dogs(), directory.file("pipe"), directory.file("copy"))
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = try ChildProcess("/bin/cat", [pipe], input: .nothing, output: .file(copy), errors: .nothing)
    try ToolRun.realm("export", path, "--class", "Dog", "--format", "jsonl", "-o", pipe).expect(status: 0)
    #expect(try reader.waitForEnd() == 0)
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "{\"id\":1,\"age\":3}\n{\"id\":2,\"age\":4}\n")
    #expect(try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType != .typeRegular)
  }

  @Test func noExportReplacesARealmFile() throws {
    let path = try dogs()
    let other = try directory.copy("encrypted/enc_small.realm", as: "other.realm")
    let plain = directory.file("plain")
    try ToolRun.realm("copy", path, plain).expect(status: 0)
    for target in [other, plain] {
      let before = try Data(contentsOf: URL(fileURLWithPath: target))
      try ToolRun.realm("export", path, "-o", target).expectError(2, about: path, "\(target) is a Realm file")
      #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == before)
    }
  }

  @Test func aChangeThatCannotBeReportedIsNotCalledNone() throws {
    let path = try dogs()
    let input = try directory.write(Array("id,age\n7,3\n".utf8), as: "more.csv")
    for arguments in [
      ["insert", path, "--class", "Dog", #"{"id": 3}"#], ["set", path, "--class", "Dog", "id == 1", "age=8"],
      ["import", input, "-o", path, "--class", "Dog", "--quiet"], ["compact", path], ["copy", path, directory.file("copy.realm")],
    ] {
      let run = try ToolRun("realm", arguments, outputPath: "/dev/full")
      #expect(run.status == 4 && run.errors.contains("standard output: the report cannot be written"), "\(arguments): \(run)")
      #expect(!run.errors.contains("nothing was changed") && !run.errors.contains("outOfDiskSpace"), "\(run)")
    }
    try ToolRun.realm("query", path, "--class", "Dog", "age == 8 || id IN {3, 7}", "--count").expect(status: 0, output: "3\n")
  }

  @Test func answersThatCannotBeWrittenAreNoSuccess() throws {
    let path = try dogs()
    for arguments in [["--help"], ["export", "--help"], ["--version"], ["query", path, "--class", "Dog", "TRUEPREDICATE"]] {
      let run = try ToolRun("realm", arguments, outputPath: "/dev/full")
      #expect(run.status == 4 && run.errors.contains("standard output: the disk is full"), "\(arguments): \(run)")
    }
    let tour = try ToolRun("realm", ["quickstart", directory.file("tour")], outputPath: "/dev/full")
    #expect(tour.status == 4 && tour.errors.contains("standard output: the report cannot be written"), "\(tour)")
    let conformance = try ToolRun("conformance", ["history", Fixture.folder("history")], outputPath: "/dev/full")
    #expect(conformance.status == 4 && conformance.errors.contains("standard output: cannot be written"), "\(conformance)")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // Every version's list of tables is behind the first page of a file this small.
    for index in 64..<bytes.count { bytes[index] = 0 }
    let broken = try directory.write(bytes, as: "broken.realm")
    #expect(try ToolRun("realm", ["verify", broken], outputPath: "/dev/full").status > 1)
  }

  @Test func theShellImportsIntoNoOtherFile() throws {
    let path = try dogs()
    let other = directory.file("other.realm")
    _ = try directory.write(Array("id\n9\n".utf8), as: "one.csv")
    let lines = try directory.write(Array("import \(directory.file("one.csv")) --class Dog -o \(other)\n".utf8), as: "lines")
    let run = try ToolRun(path: "/bin/sh", ["-c", "exec \"$0\" shell \"$1\" < \"$2\"", PackageLocation.productDirectory + "/realm", path, lines])
    #expect(run.status == 2 && run.errors.contains("leave -o out"), "\(run)")
    try ToolRun.realm("query", path, "--class", "Dog", "TRUEPREDICATE", "--count").expect(status: 0, output: "2\n")
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]) func whatWouldGoToAClosedStreamGoesIntoNoFile(_ closed: String) throws {
    let path = try dogs()
    try ToolRun.realm("set", path, "--class", "Dog", "id == 1", "age=5").expect(status: 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path + ".lock")).prefix(32)
    for command in ["stat \(path)", "query \(path) --class Dog TRUEPREDICATE", "export \(path)", "shell \(path)", "nonsense"] {
      let run = try ToolRun(path: "sh", ["-c", "echo stat | \(PackageLocation.productDirectory)/realm \(command) \(closed)"])
      #expect(run.status < 128, "\(run)")
      if closed == ">&-", command != "nonsense" { run.expect(status: 4, errors: "error: standard output: cannot be written (Bad file descriptor)\n") }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".lock")).prefix(32) == before, "\(command)")
    }
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test(arguments: ["regnum-fuzz --edit FILE --count 1", "conformance export DIRECTORY", "regnum-soak --seconds 1"])
  func otherProgramsWriteNothingForAClosedStreamIntoAFile(_ command: String) throws {
    let path = try dogs()
    let words = command.replacing("FILE", with: path).replacing("DIRECTORY", with: directory.path)
    let run = try ToolRun(path: "sh", ["-c", "\(PackageLocation.productDirectory)/\(words) >&- 2>&-"])
    #expect(run.status < 128, "\(run)")
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test func noRealmFileIsMadeInTheNameOfStandardOutput() throws {
    let path = try dogs()
    for arguments in [["salvage", path, "-o", "-"], ["copy", path, "-"]] {
      let run = try ToolRun("realm", arguments)
      #expect(run.status == 2 && run.errors.contains("cannot be written to standard output"), "\(run)")
    }
  }
}
