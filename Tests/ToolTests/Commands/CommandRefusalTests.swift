import Foundation
import RealmStorage
import TestSupport
import Testing

/// What commands refuse, and how they say it.
@Suite(.mustEnd) struct CommandRefusalTests {
  let directory = TestDirectory()

  private func dogs() throws -> String {
    let path = directory.file("dogs.realm")
    try ToolRun.realm("create", "class", path, "Person", "name=string", "--new").expect(status: 0)
    try ToolRun.realm("create", "class", path, "Dog", "name=string", "owner=Person").expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "Dog", "{\"name\": \"Rex\"}").expect(status: 0)
    return path
  }

  /// Whoever is refused is told what to do instead.
  @Test func refusalsSayWhatToWriteInstead() throws {
    let path = directory.file("all.realm")
    let types = ["b=bool", "i=int", "d=double", "f=float", "dec=decimal", "t=date", "data=data", "o=objectId", "u=uuid"].map { $0 + "?" }
    try ToolRun("realm", ["create", "class", path, "A"] + types + ["list=[int]", "map=Map<String, int>", "link=A", "--new"]).expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "A", "{}").expect(status: 0)
    for (assignment, advice) in [
      ("b=maybe", "write true or false"), ("i=x", "write a whole number"), ("i=1.5", "write a whole number"), ("d=x", "write a number such as 1.5"),
      ("d=9007199254740993", "does not hold exactly; the nearest that it holds is 9007199254740992"),
      ("f=16777217", "the nearest that it holds is 16777216"), ("dec=x", "write a number of at most 34 digits"),
      ("t=x", "write a date as 2020-01-31"),
      ("data=!", "write the bytes in Base64"),
      ("o=x", "write 24 hexadecimal digits"), ("u=x", "as 123e4567-e89b-12d3-a456-426614174000"),
      ("list=5", "write one as [1, 2]"), ("map=5", #"write it as {"key": 1}"#), ("lisd=[5]", "did you mean 'list'?"),
    ] {
      let run = try ToolRun.realm("set", path, "--class", "A", "TRUEPREDICATE", assignment)
      #expect(run.status == 2 && run.errors.contains(advice), "\(assignment): \(run)")
    }
    for (command, advice) in [
      ("link A TRUEPREDICATE list 5", "'realm set' changes other properties"), ("link A TRUEPREDICATE lin 5", "did you mean 'link'?"),
      ("link A TRUEPREDICATE link 5", "'link' links to an object of 'A' that does not exist: 5"),
      ("create class A", "'realm create property' adds to it"), ("create class \(String(repeating: "x", count: 58))", "has more than 57 bytes"),
      ("create class B d=double --primary-key d", "only an int, string, objectId or uuid can"),
      ("create class B d=int --primary-key e", "did you mean 'd'?"), ("create class B d=[int] --primary-key d", "it is a collection"),
      ("create class B d=int --primary-key d --embedded", "'B' is embedded"),
      ("create index A d", "cannot be indexed, as float, double, decimal, data and links"),
    ] {
      var words = command.split(separator: " ").map(String.init)
      if words[0] == "link" { words[1...1] = [path, "--class", words[1]] } else { words.insert(path, at: 2) }
      let run = try ToolRun("realm", words)
      #expect(run.status == 2 && run.errors.contains(advice), "\(command): \(run)")
    }
  }

  @Test func anEmptyFileIsNoDeadEnd() throws {
    let path = try directory.write([], as: "empty.realm")
    try ToolRun.realm("create", "class", path, "A", "x=int")
      .expectError(3, about: path, "remove it, and 'realm import' or 'realm create class --new'")
    try FileManager.default.removeItem(atPath: path)
    try ToolRun.realm("create", "class", path, "A", "x=int", "--new").expect(status: 0)
  }

  @Test func whatIsNoInputOfAnImportIsNamed() throws {
    let path = try dogs()
    let run = try ToolRun.realm("import", path, "-o", directory.file("b.realm"))
    #expect(run.status == 2 && run.errors.contains("dogs.realm is a Realm file; 'realm export' writes"), "\(run)")
    let negative = try ToolRun.realm("query", path, "--class", "Dog", "--limit", "-1")
    #expect(negative.status == 2 && negative.errors.contains("No option takes a number below 0, such as -1."), "\(negative)")
  }

  @Test func theVersionOfASchemaIsNotNegative() throws {
    let path = try dogs()
    let run = try ToolRun.realm("set", path, "--class", "metadata", "TRUEPREDICATE", "version=-4")
    #expect(run.status == 2 && run.errors.contains("is not negative; write a number from 0 on"), "\(run)")
    try ToolRun.realm("set", path, "--class", "metadata", "TRUEPREDICATE", "version=4").expect(status: 0)
  }

  @Test func aFileThatIsNotWorthCompactingStaysAsItIs() throws {
    let path = try directory.copy("realm-core/compacted.realm", as: "a.realm")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let run = try ToolRun.realm("compact", path, "--when-free-above", "0.9")
    #expect(run.status == 0 && run.output == "bytes before  \(before.count)\nbytes after   \(before.count)\n", "\(run)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aDamagedLogIsDamageAndNoWrongUsage() throws {
    let source = try directory.copy("history/hist_compacted.realm", as: "source.realm")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
    bytes[1224] ^= 0x88
    let path = try directory.write(bytes, as: "a.realm")
    try ToolRun.realm("history", path).expectError(3, about: path, "its objects are not concerned: 'realm copy' writes them to a new file")
  }

  @Test func aFileIsCalledAsItWasCalledByTheUser() throws {
    let (path, encrypted) = (try dogs(), directory.file("encrypted.realm"))
    try ToolRun.realm("copy", path, encrypted, "--new-key", String(repeating: "a", count: 128)).expect(status: 0)
    let link = directory.file("link.realm")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: encrypted)
    for command in [["query", link, "--class", "Dog"], ["stat", link], ["schema", link], ["verify", link], ["export", link], ["history", link]] {
      let run = try ToolRun("realm", command + ["--key", String(repeating: "b", count: 128)])
      #expect(run.status == 3 && run.errors.hasPrefix("error: \(link): wrong key"), "\(run)")
    }
  }

  @Test func aLinkThatHidesAPropertyIsRefused() throws {
    let run = try ToolRun.realm("query", dogs(), "--class", "Person", "--links", "name=Dog.owner", "TRUEPREDICATE")
    #expect(run.status == 2 && run.errors.contains("'name' is a property of 'Person', which the links would hide"), "\(run)")
  }

  @Test func filesThatBelongToARealmFileAreNotReplaced() throws {
    let path = try dogs()
    try Data([1]).write(to: URL(fileURLWithPath: path + ".lock"))
    let run = try ToolRun.realm("export", path, "--format", "csv", "--class", "Dog", "-o", path + ".lock")
    #expect(run.status == 2 && run.errors.contains("belongs to a Realm file"), "\(run)")
  }

  @Test(.needsOlderFormats) func aFileOfAnOlderFormatIsNamedByItsOwnPathWhenItIsToBeChanged() throws {
    let path = directory.file("old.realm")
    try FileManager.default.copyItem(atPath: Fixture.path("older/empty_v20.realm"), toPath: path)
    for command in [["insert", path, "--class", "X", "{}"], ["create", "class", path, "X"], ["delete", path, "--class", "X", "TRUEPREDICATE"]] {
      let run = try ToolRun("realm", command)
      #expect(run.status == 3 && run.errors.hasPrefix("error: \(path): has the older file format 20"), "\(run)")
    }
  }

  @Test(.needsOlderFormats) func objectsThatAnUpgradeTakesAreNamed() throws {
    let path = directory.file("old.realm")
    try FileManager.default.copyItem(atPath: Fixture.path("older/v22_asymmetric.realm"), toPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let run = try ToolRun.realm("upgrade", path)
    let words = "\n3 objects of the asymmetric class ephemeral are gone, which format 24 does not keep\n"
    #expect(run.status == 0 && run.output.hasSuffix(words), "\(run)")
  }

  @Test func datesInOtherFormsAreMetWithTheRightOne() throws {
    let path = try dogs()
    for query in ["name > 2020-01-31 12:00:00 +0100", "name > 31 Jan 2020", "name > 2020-W05-5", "name > 1/31/2020 12:00"] {
      let run = try ToolRun.realm("query", path, "--class", "Dog", query)
      #expect(run.status == 2 && run.errors.contains("write a date without quotes, as 2020-01-31"), "\(run)")
    }
    #expect(try !ToolRun.realm("query", path, "--class", "Dog", "name = = 1").errors.contains("write a date"))
  }

  @Test func aWrongKeyIsCalledSoWhenAFileIsToBeSaved() throws {
    let (path, encrypted) = (try dogs(), directory.file("encrypted.realm"))
    let (right, wrong) = (String(repeating: "a", count: 128), String(repeating: "b", count: 128))
    try ToolRun.realm("copy", path, encrypted, "--new-key", right).expect(status: 0)
    let run = try ToolRun.realm("salvage", encrypted, "-o", directory.file("saved.realm"), "--key", wrong)
    #expect(run.status == 3 && run.errors.contains("wrong key"), "\(run)")
  }

  @Test func onlyTheFileThatIsEncryptedNeedsTheKey() throws {
    let (path, encrypted, key) = (try dogs(), directory.file("encrypted.realm"), String(repeating: "a", count: 128))
    try ToolRun.realm("copy", path, encrypted, "--new-key", key).expect(status: 0)
    try ToolRun.realm("diff", encrypted, path, "--key", key).expect(status: 0)
    try ToolRun.realm("diff", path, encrypted, "--after-key", key).expect(status: 0)
    try ToolRun.realm("diff", path, encrypted, "--key", key).expect(status: 0)
    #expect(try ToolRun.realm("diff", path, path, "--key", key).errors.contains("is not encrypted"))
  }

  @Test func namesOfColumnsMayHaveBlanksBetweenThem() throws {
    let output = try ToolRun.realm("query", dogs(), "--class", "Dog", "--columns", "name, owner", "--format", "jsonl").output
    #expect(output == "{\"name\":\"Rex\",\"owner\":null}\n")
  }

  @Test func aTourThatCannotBeMadeSaysWhere() throws {
    let path = try dogs()
    let run = try ToolRun.realm("quickstart", path)
    #expect(run.status == 3 && run.errors == "error: \(path): is no directory; name one, or none at all\n", "\(run)")
    let other = try ToolRun.realm("quickstart", "/proc/tour")
    #expect(other.status == 3 && other.errors.hasPrefix("error: /proc/tour: cannot be made: "), "\(other)")
  }

  @Test func aCompactedFileCanBeReadByTwoAtATime() throws {
    let path = try dogs()
    try ToolRun.realm("compact", path).expect(status: 0)
    let first = try Database.openForInspection(path: path)
    defer { first.close() }
    try ToolRun.realm("query", path, "--class", "Dog", "TRUEPREDICATE", "--count").expect(status: 0, output: "1\n")
    try ToolRun.realm("diff", path, path).expect(status: 0)
  }

  @Test func watchingTellsOfPropertiesAndClassesThatGo() throws {
    let path = try dogs()
    let said = directory.file("said")
    let watch = try ChildProcess(PackageLocation.productDirectory + "/realm", ["watch", path, "--count", "2"], errors: .file(said))
    #expect(waitUntil { (try? String(contentsOfFile: said, encoding: .utf8))?.contains("watching") == true })
    try ToolRun.realm("drop", "property", path, "Dog", "name").expect(status: 0)
    #expect(try watch.line() == #"- Dog.name: {"type":"string"}"#)
    try ToolRun.realm("drop", "class", path, "Dog").expect(status: 0)
    #expect(try watch.line() == "- Dog: class")
    #expect(try watch.waitForEnd() == 0)
  }

  @Test func aMessageIsOneLineWhateverNamesHold() throws {
    let path = directory.file("a\nb.realm")
    try ToolRun.realm("schema", path).expect(
      status: 3, errors: "error: \(directory.file("a\\nb.realm")): no such file; check the path\n")
    try ToolRun.realm("create", "class", path, "A", "n\nl=int?", "--new").expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "A", "{}").expect(status: 0)
    try ToolRun.realm("query", path, "--class", "A", "--quiet").expect(status: 0, output: "n l\n---\n-\n")
  }
}
