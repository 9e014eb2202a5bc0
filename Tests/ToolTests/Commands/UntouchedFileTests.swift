import Foundation
import TestSupport
import Testing

/// Commands that change nothing leave the bytes of a file, and what stands beside it, as they are.
@Suite(.mustEnd) struct UntouchedFileTests {
  let directory = TestDirectory()

  /// A copy, which is in the form that its first user converts, or one in the usual form.
  private func file(isCopy: Bool) throws -> String {
    let input = try directory.write(Array("id,age\n1,3\n2,4\n".utf8), as: "dogs.csv")
    let made = directory.file("made.realm")
    try ToolRun.realm("import", input, "-o", made, "--class", "Dog", "--primary-key", "id").expect(status: 0)
    let path = directory.file("dogs.realm")
    if isCopy {
      try ToolRun.realm("copy", made, path).expect(status: 0)
    } else {
      try FileManager.default.copyItem(atPath: made, toPath: path)
    }
    return path
  }

  private func traces(_ path: String) -> [String] {
    [".lock", ".note", ".management"].filter { FileManager.default.fileExists(atPath: path + $0) }
  }

  @Test(arguments: [false, true]) func dryRunsAndRefusals(_ isCopy: Bool) throws {
    let path = try file(isCopy: isCopy)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try ToolRun.realm("delete", path, "--class", "Dog", "TRUEPREDICATE", "--dry-run")
      .expect(status: 0, output: "dry run, nothing was changed; otherwise: deleted 2 objects of Dog: 1, 2\n")
    try ToolRun.realm("set", path, "--class", "Dog", "TRUEPREDICATE", "weight=1").expectError(2, about: path, "'weight' is no property")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(traces(path) == [])
    let known = try directory.write(Array("id\n1\n".utf8), as: "known.csv")
    #expect(try ToolRun.realm("import", known, "-o", path, "--class", "Dog").status == 3)
    #expect(traces(path) == [])
    try ToolRun.realm("delete", path, "--class", "Dog", "id == 1").expect(status: 0, output: "deleted 1 object of Dog: 1\n")
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test func aCompactionThatIsNotDoneKeepsNoTraces() throws {
    let path = try file(isCopy: false)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try ToolRun.realm("compact", path, "--when-free-above", "1").expect(status: 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(traces(path) == [])
  }

  @Test(.needsOlderFormats) func aCompactionThatIsRefusedKeepsNoTraces() throws {
    let older = try directory.copy("older/v22.realm", as: "older.realm")
    try ToolRun.realm("compact", older).expectError(3, about: older, "has the older file format 22")
    #expect(traces(older) == [])
  }

  @Test func aCopyCanBeWatchedAndKeepsNoTraces() throws {
    let path = try file(isCopy: true)
    let seen = directory.file("seen")
    let watch = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["watch", path], input: .nothing, output: .file(seen), errors: .nothing)
    #expect(waitUntil { watch.isGone || traces(path).count == 3 })
    // It may have joined, but not read the version yet that changes are told against.
    var inserted = 10
    #expect(
      waitUntil {
        inserted += 1
        _ = try? ToolRun.realm("insert", path, "--class", "Dog", "{\"id\": \(inserted)}")
        return (try? String(contentsOfFile: seen, encoding: .utf8))?.contains("+ Dog") == true
      })
    watch.send(SIGINT)
    #expect(try watch.waitForEnd() == 0)
    #expect(traces(path) == [])
  }

  @Test(arguments: [false, true]) func watchingEndsWhenTheFileIsGone(_ isReplaced: Bool) throws {
    let (path, said, other) = (try file(isCopy: false), directory.file("said"), directory.file("other.realm"))
    try FileManager.default.copyItem(atPath: path, toPath: other)
    let watch = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["watch", path], input: .nothing, output: .nothing, errors: .file(said))
    func says(_ words: String) -> Bool { (try? String(contentsOfFile: said, encoding: .utf8))?.contains(words) == true }
    #expect(waitUntil { watch.isGone || says("watching") })
    if isReplaced { #expect(rename(other, path) == 0) } else { try FileManager.default.removeItem(atPath: path) }
    #expect(try watch.waitForEnd(within: 30) == (isReplaced ? 2 : 3))
    #expect(says(isReplaced ? "another file has its name now" : "no such file"))
  }

  @Test func linksThatWereNotThereAreNotTakenAway() throws {
    let path = try file(isCopy: false)
    try ToolRun.realm("create", "property", path, "Dog", "friend=Dog").expect(status: 0)
    let arguments = ["link", path, "--class", "Dog", "TRUEPREDICATE", "friend"]
    try ToolRun("realm", arguments + ["1"]).expect(status: 0, output: "linked 2 objects of Dog: 1, 2\n")
    try ToolRun("realm", arguments + ["2", "--remove"])
      .expect(status: 0, output: "took the link from 0 objects of Dog; 2 have no such link\n")
    try ToolRun("realm", arguments + ["1", "--remove"]).expect(status: 0, output: "took the link from 2 objects of Dog: 1, 2\n")
  }

  @Test func namesAreNotEmpty() throws {
    let path = try file(isCopy: false)
    try ToolRun.realm("create", "class", path, "").expectError(2, about: path, "a class needs a name")
    try ToolRun.realm("create", "class", path, "Toy", "=int").expectError(2, about: path, "'=int' is no property")
    let input = try directory.write(Array("[{\"\": 1}]".utf8), as: "nameless.json")
    #expect(try ToolRun.realm("import", input, "-o", path, "--class", "Toy").errors.contains("a member without a name"))
  }
}
