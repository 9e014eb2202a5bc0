import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// Commands that change objects and classes, and the one that shows what others change.
@Suite(.mustEnd) struct EditingCommandTests {
  let directory = TestDirectory()

  private func dogs() throws -> String {
    let input = try directory.write(Array("id,name,age\n1,Rex,3\n2,Fido,4\n3,Bob,\n".utf8), as: "dogs.csv")
    let path = directory.file("dogs.realm")
    try ToolRun.realm("import", input, "-o", path, "--class", "Dog", "--primary-key", "id").expect(status: 0)
    return path
  }

  private func lines(_ path: String, _ className: String = "Dog") throws -> [String] {
    try ToolRun.realm("export", path, "--format", "jsonl", "--class", className).output.split(separator: "\n").map(String.init)
  }

  @Test func objectsAreInsertedSetAndDeleted() throws {
    let path = try dogs()
    try ToolRun.realm("insert", path, "--class", "Dog", #"{"id": 4, "name": "New", "age": null}"#)
      .expect(status: 0, output: "inserted 1 object of Dog\n")
    try ToolRun.realm("insert", path, "--class", "Dog", #"[{"id": 4, "age": 1}, {"id": 5, "name": "Five"}]"#, "--update")
      .expect(status: 0, output: "inserted 1 object of Dog, changed 1\n")
    try ToolRun.realm("set", path, "--class", "Dog", "age >= 3", "age=9", "name=Old").expect(status: 0, output: "changed 2 objects of Dog: 1, 2\n")
    try ToolRun.realm("delete", path, "--class", "Dog", "id == 3").expect(status: 0, output: "deleted 1 object of Dog: 3\n")
    #expect(
      try lines(path) == [
        #"{"id":1,"name":"Old","age":9}"#, #"{"id":2,"name":"Old","age":9}"#, #"{"id":4,"name":"New","age":1}"#,
        #"{"id":5,"name":"Five","age":null}"#,
      ])
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test func objectsThatAreInsertedTogetherLinkToEachOtherAndToThemselves() throws {
    let path = try dogs()
    for property in ["best=Dog", "friends=[Dog]", "any=mixed"] { try ToolRun.realm("create", "property", path, "Dog", property).expect(status: 0) }
    let objects = #"""
      [{"id": 7, "best": 7, "friends": [8, 7, 1]}, {"id": 8, "friends": [7], "any": {"$link": {"class": "Dog", "key": 9}}}, {"id": 9}]
      """#
    let tried = try ToolRun.realm("insert", path, "--class", "Dog", objects, "--dry-run")
    #expect(tried.status == 0 && tried.output.hasSuffix("otherwise: inserted 3 objects of Dog\n"), "\(tried)")
    try ToolRun.realm("insert", path, "--class", "Dog", objects).expect(status: 0, output: "inserted 3 objects of Dog\n")
    let selected = try ToolRun.realm("query", path, "--class", "Dog", "id > 6", "--columns", "id,best,friends", "--format", "jsonl").output
    #expect(
      selected == #"""
        {"id":7,"best":7,"friends":[8,7,1]}
        {"id":8,"best":null,"friends":[7]}
        {"id":9,"best":null,"friends":[]}

        """#)
    for (rows, reason) in [
      (#"[{"id": 10}, {"id": 10}]"#, "primary key 10 exists"), (#"[{"id": 10, "best": 11}]"#, "does not exist: 11"),
      (#"[{"id": 10}, {"name": "x"}]"#, "has no primary key"),
    ] {
      let run = try ToolRun.realm("insert", path, "--class", "Dog", rows)
      #expect(run.status == 2 && run.errors.contains(reason), "\(run)")
    }
    try ToolRun.realm("insert", path, "--class", "Dog", #"[{"id": 10}, {"id": 10, "best": 9}, {"id": 9, "best": 10}]"#, "--update")
      .expect(status: 0, output: "inserted 1 object of Dog, changed 1\n")
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test func anIndexThatCannotBeMadeIsSaidWithItsProperty() throws {
    let path = try dogs()
    for property in ["tags=[string]", "note=string"] { try ToolRun.realm("create", "property", path, "Dog", property).expect(status: 0) }
    try ToolRun.realm("create", "index", path, "Dog", "name").expect(status: 0)
    try ToolRun.realm("create", "index", path, "Dog", "note", "--fulltext").expect(status: 0)
    for (arguments, reason) in [
      (["name", "--fulltext"], "'name' has an index; that has to be removed first"),
      (["note"], "'note' has a full-text index; that has to be removed first"),
      (["tags"], "'tags' is a collection, and those cannot be indexed"),
      (["age", "--fulltext"], "'age' cannot have a full-text index, as only strings can"),
    ] {
      try ToolRun("realm", ["create", "index", path, "Dog"] + arguments).expectError(2, about: path, reason)
    }
  }

  @Test func whereTemporaryFilesCannotBeIsSaidAsItIs() throws {
    let (path, copy) = (try dogs(), directory.file("copy.realm"))
    try ToolRun.realm("copy", path, copy).expect(status: 0)
    // It has the form in which files are written in one go, so the change is tried on a copy first.
    let missing = directory.file("missing")
    let run = try ToolRun("realm", ["set", copy, "--class", "Dog", "age >= 3", "age=9"], launcher: ["TMPDIR=" + missing])
    run.expect(status: 3)
    #expect(run.errors.contains(missing) && run.errors.contains("its directory does not exist; create it first"), "\(run.errors)")
  }

  @Test func aFileThatWasMovedOverAnOpenOneIsNotCalledDamaged() throws {
    let (path, other) = (try dogs(), directory.file("other.realm"))
    let database = try Database.open(path: path)
    defer { database.close() }
    try database.write { (group) throws(StorageError) in _ = try group.addTable("class_New") }
    try Database.open(path: other).close()
    try #require(rename(other, path) == 0)
    let run = try ToolRun.realm("set", path, "--class", "Dog", "age >= 3", "age=9")
    run.expectError(3, about: path, "was replaced while process \(getpid()) (")
  }

  @Test(
    arguments: [["set", "--class", "Dog", "age >= 3", "age=9"], ["import", "--class", "Dog", "--primary-key", "id", "--update"]], [false, true])
  func aWaitForTheTransactionOfAnotherProgramIsSaidAndCanBeInterrupted(_ command: [String], isInterrupted: Bool) throws {
    let (path, errors) = (try dogs(), directory.file("errors.txt"))
    let before = try lines(path)
    let input = try directory.write(Array("id,name,age\n9,New,9\n".utf8), as: "more.csv")
    let arguments = command[0] == "set" ? ["set", path] + command.dropFirst() : ["import", input, "-o", path] + command.dropFirst()
    let database = try Database.open(path: path)
    defer { database.close() }
    let transaction = try database.beginWrite()
    let process = try ChildProcess(PackageLocation.productDirectory + "/realm", arguments, input: .nothing, output: .nothing, errors: .file(errors))
    func said(_ text: String) -> Bool { (try? String(contentsOfFile: errors, encoding: .utf8))?.contains(text) ?? false }
    #expect(waitUntil { process.isGone || said("\(path): waiting for the end of a write transaction of process \(getpid()) (") })
    if isInterrupted { process.send(SIGTERM) } else { transaction.cancel() }
    #expect(try process.waitForEnd(within: 30) == (isInterrupted ? 4 : 0))
    if isInterrupted { transaction.cancel() }
    #expect(try (lines(path) == before) == isInterrupted)
    #expect(said("interrupted") == isInterrupted)
  }

  @Test func aDryRunAndARefusalChangeNothing() throws {
    let path = try dogs()
    let before = try lines(path)
    try ToolRun.realm("delete", path, "--class", "Dog", "age > 3", "--dry-run")
      .expect(status: 0, output: "dry run, nothing was changed; otherwise: deleted 1 object of Dog: 2\n")
    for (arguments, words) in [
      (["set", path, "--class", "Dog", "id == 1", "age=old"], "'age' is no value of type int: 'old'; write a whole number; nothing was changed"),
      (["set", path, "--class", "Dog", "id == 1", "id=9"], "'id' is the primary key, which never changes"),
      (["set", path, "--class", "Dog", "id == 1", "weight=9"], "'weight' is no property of 'Dog'"),
      (["insert", path, "--class", "Dog", #"[{"id": 8, "name": "a"}, {"id": 1, "name": "b"}]"#], "an object with the primary key 1 exists"),
      (["insert", path, "--class", "Dog", "{"], "is no JSON"), (["delete", path, "--class", "Cat", "id == 1"], "there is no class 'Cat'"),
    ] {
      try ToolRun("realm", arguments).expectError(2, about: path, words)
    }
    #expect(try lines(path) == before)
  }

  @Test func classesPropertiesIndexesAndLinksAreMadeAndDropped() throws {
    let path = try dogs()
    for command in [
      ["create", "class", path, "Person", "name=string", "dogs=[Dog]", "best=Dog", "--primary-key", "name"],
      ["create", "property", path, "Dog", "weight=double?"], ["create", "index", path, "Dog", "name"],
      ["insert", path, "--class", "Person", #"{"name": "Ada", "best": 1, "dogs": [2]}"#],
      ["link", path, "--class", "Person", "name == 'Ada'", "dogs", "3"], ["link", path, "--class", "Person", "name == 'Ada'", "best", "3"],
      ["link", path, "--class", "Person", "name == 'Ada'", "dogs", "2", "--remove"], ["drop", "property", path, "Dog", "age"],
    ] { try ToolRun("realm", command).expect(status: 0) }
    #expect(try lines(path, "Person") == [#"{"name":"Ada","dogs":[3],"best":3}"#])
    #expect(try lines(path)[0] == #"{"id":1,"name":"Rex","weight":null}"#)
    let schema = try ToolRun.realm("schema", path).output
    #expect(schema.contains("name    String   indexed"))
    try ToolRun.realm("link", path, "--class", "Person", "TRUEPREDICATE", "best", "77").expectError(2, about: path, "does not exist")
    for command in [["drop", "index", path, "Dog", "name"], ["drop", "class", path, "Person"], ["drop", "class", path, "Dog"]] {
      try ToolRun("realm", command).expect(status: 0)
    }
    try ToolRun.realm("schema", path).expect(status: 0, output: "metadata (table without class)\n  version  Int\n")
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test(arguments: [[], ["--key", String(repeating: "5a", count: 64)]])
  func aFileIsMadeForItsFirstClassWhereThatIsAskedFor(_ key: [String]) throws {
    let path = directory.file("new.realm")
    func create(_ arguments: String...) throws -> ToolRun { try ToolRun("realm", ["create", "class", path] + arguments + key) }
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    let before = try names()
    try create("Dog", "name=string").expectError(2, about: path, "no such file; check the path, or give --new to make it")
    try create("Dog", "name=strng", "--new").expectError(2, about: path, "'strng' is neither a type")
    try create("name=string", "age=int", "--new").expectError(2, about: path, "'name=string' is a property, and the name of the class comes first")
    try create("Dog", "name=string", "--new", "--dry-run").expect(
      status: 0, output: "dry run, nothing was changed; otherwise: made \(path) and created the class Dog with 1 property\n")
    try ToolRun("realm", ["create", "class", directory.file("missing/new.realm"), "Dog", "--new"] + key)
      .expectError(3, about: directory.file("missing/new.realm"), "its directory does not exist")
    #expect(try names() == before)

    try create("Dog", "name=string", "--new").expect(status: 0, output: "made \(path) and created the class Dog with 1 property\n")
    try create("Cat", "--new").expectError(2, about: path, "it exists; leave out --new to change it")
    try create("Cat", "name=string?").expect(status: 0, output: "created the class Cat with 1 property\n")
    try ToolRun("realm", ["verify", path] + key).expect(status: 0)
    let schema = try directory.write(Array(try ToolRun("realm", ["schema", path, "--json-schema"] + key).output.utf8), as: "schema.json")
    let copy = directory.file("copy.realm")
    try ToolRun("realm", ["create", "classes", copy, schema, "--new"] + key).expect(status: 0, output: "made \(copy) and created Dog, Cat\n")
    try ToolRun("realm", ["diff", path, copy] + key).expect(status: 0)
  }

  @Test func whoWatchesIsToldOfWhatOthersCommit() throws {
    let path = try dogs()
    let errors = directory.file("errors.txt")
    let watcher = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["watch", path, "--class", "Dog", "age > 3", "--count", "3"], input: .nothing,
      errors: .file(errors))
    #expect(waitUntil { (try? String(contentsOfFile: errors, encoding: .utf8))?.contains("watching") == true })
    try ToolRun.realm("set", path, "--class", "Dog", "id == 2", "age=5").expect(status: 0)
    #expect(try watcher.line() == "~ Dog 2 age: 4 → 5")
    try ToolRun.realm("set", path, "--class", "Dog", "id == 3", "name=B").expect(status: 0)
    try ToolRun.realm("set", path, "--class", "Dog", "id == 1", "age=7").expect(status: 0)
    #expect(try watcher.line() == #"+ Dog 1 {"id":1,"name":"Rex","age":7}"#)
    try ToolRun.realm("delete", path, "--class", "Dog", "id == 2").expect(status: 0)
    #expect(try watcher.line() == #"- Dog 2 {"id":2,"name":"Fido","age":5}"#)
    #expect(try watcher.waitForEnd() == 0)
  }

  /// As `diff`, which has them in the property that holds them.
  @Test(arguments: [[], ["--class", "Person"], ["--class", "Person", "name == 'Ada'"], ["--class", "Home"]])
  func whoWatchesIsToldOfWhatChangesInsideOfObjects(_ selection: [String]) throws {
    let (path, errors) = (directory.file("homes.realm"), directory.file("errors.txt"))
    let input = try directory.write(
      Array(#"[{"name": "Ada", "home": {"street": "x", "rooms": [{"m2": 1}]}}]"#.utf8), as: "homes.json")
    try ToolRun.realm("import", input, "-o", path, "--class", "Person").expect(status: 0)
    try ToolRun.realm("create", "class", path, "Home", "n=int").expect(status: 0)
    let isAboutPeople = selection.dropFirst().first != "Home"
    let watcher = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["watch", path, "--count", isAboutPeople ? "3" : "1"] + selection, input: .nothing,
      errors: .file(errors))
    #expect(waitUntil { (try? String(contentsOfFile: errors, encoding: .utf8))?.contains("watching") == true })
    var before = #"{"street":"x","rooms":[{"m2":1}]}"#
    for (change, after) in [
      (["--class", "Person_home", "TRUEPREDICATE", "street=y"], #"{"street":"y","rooms":[{"m2":1}]}"#),
      (["--class", "Person_home_rooms", "TRUEPREDICATE", "m2=2"], #"{"street":"y","rooms":[{"m2":2}]}"#),
      (["--class", "Person", "TRUEPREDICATE", "home=null"], "null"),
    ] {
      try ToolRun("realm", ["set", path] + change).expect(status: 0)
      if isAboutPeople { #expect(try watcher.line() == "~ Person 0 home: \(before) → \(after)") }
      before = after
    }
    try ToolRun.realm("insert", path, "--class", "Home", #"{"n": 1}"#).expect(status: 0)
    if !isAboutPeople { #expect(try watcher.line() == #"+ Home 0 {"n":1}"#) }
    #expect(try watcher.waitForEnd() == 0)
  }

  @Test func propertiesAreMadeOfWhatTheSchemaPrints() throws {
    let path = try dogs()
    let values = ["Int", "Bool", "String", "Data", "Date", "Float", "Double", "Decimal128", "ObjectId", "UUID"].flatMap { [$0, $0 + "?"] }
    let (elements, inMaps) = (values + ["AnyRealmValue", "Dog"], values + ["AnyRealmValue", "Dog?"])
    let types =
      values + ["AnyRealmValue", "Dog?"] + elements.map { "List<\($0)>" } + elements.map { "MutableSet<\($0)>" } + inMaps.map { "Map<String, \($0)>" }
    let properties = types.enumerated().map { "p\($0)=\($1)" }
    try ToolRun("realm", ["create", "class", path, "All"] + properties).expect(status: 0)
    let printed = try ToolRun.realm("schema", path, "--class", "All").output.split(separator: "\n").dropFirst()
    #expect(
      printed.map { $0.split(separator: " ", maxSplits: 1).map { String($0).trimmingCharacters(in: .whitespaces) }.joined(separator: "=") }
        == properties)
  }

  @Test func aClassIsMeantBeforeATypeThatIsNotWrittenAsItsWord() throws {
    let path = try dogs()
    try ToolRun.realm("create", "class", path, "Int", "n=Int").expect(status: 0)
    try ToolRun.realm("create", "class", path, "Home", "a=[Int]", "b=[int]", "c=[INT]").expect(status: 0)
    #expect(
      try ToolRun.realm("schema", path, "--swift").output.contains(
        """
          @Persisted var a: List<Int_>
          @Persisted var b: List<Int>
          @Persisted var c: List<Int>
        """))
  }

  @Test func digitsAreDataAndIdentifiersWhereThoseAreAskedFor() throws {
    let (path, digits) = (try dogs(), "111111111111111111111111")
    for command in [
      ["create", "class", path, "Tag", "id=objectId", "data=data?", "next=Tag", "--primary-key", "id"],
      ["insert", path, "--class", "Tag", "{\"id\": \"\(digits)\"}"], ["set", path, "--class", "Tag", "TRUEPREDICATE", "data=1234", "next=\(digits)"],
    ] { try ToolRun("realm", command).expect(status: 0, errors: "") }
    #expect(try lines(path, "Tag") == ["{\"id\":\"\(digits)\",\"data\":\"1234\",\"next\":\"\(digits)\"}"])
    try ToolRun.realm("set", path, "--class", "Tag", "TRUEPREDICATE", "next=null", "data=null").expect(status: 0)
    #expect(try lines(path, "Tag") == ["{\"id\":\"\(digits)\",\"data\":null,\"next\":null}"])
    try ToolRun.realm("link", path, "--class", "Tag", "TRUEPREDICATE", "next", digits).expect(status: 0, errors: "")
    #expect(try lines(path, "Tag") == ["{\"id\":\"\(digits)\",\"data\":null,\"next\":\"\(digits)\"}"])
  }

  @Test func readingLeavesNoFileBehind() throws {
    let path = try directory.write(OneObjectFile.bytes, as: "alone.realm")
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    let before = try names()
    for command in [["stat"], ["verify"], ["schema"], ["export"], ["dump"], ["query", "--class", "Dog", "TRUEPREDICATE"]] {
      try ToolRun("realm", [command[0], path] + command.dropFirst()).expect(status: 0)
      #expect(try names() == before, "\(command[0])")
    }
  }

  @Test func resultsOfChecksAreJSON() throws {
    let path = try dogs()
    for command in ["stat", "verify"] {
      let text = try ToolRun.realm(command, path, "--json").output
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(object["fileFormat"] as? Int == 24 && object["usedBytes"] is Int)
    }
  }

  @Test func wideTextIsAligned() throws {
    let path = try dogs()
    try ToolRun.realm("set", path, "--class", "Dog", "id == 1", "name=あい").expect(status: 0)
    let table = try ToolRun.realm("query", path, "--class", "Dog", "id <= 2").output
    #expect(table == "id  name  age\n--  ----  ---\n1   あい  3\n2   Fido  4\n")
  }

  @Test func theTourReplacesOnlyWhatItMade() throws {
    let tour = directory.file("tour")
    for _ in 0..<2 {
      let run = try ToolRun.realm("quickstart", tour)
      run.expect(status: 0)
      #expect(run.output.contains("heard of 1 inserted, 1 modified, 0 deleted"))
    }
    #expect(try String(contentsOfFile: tour + "/.gitignore", encoding: .utf8).contains("*\n"))
    let other = directory.file("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    let precious = Data("mine".utf8)
    try precious.write(to: URL(fileURLWithPath: other + "/quickstart.realm"))
    try ToolRun.realm("quickstart", other).expect(status: 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: other + "/quickstart.realm")) == precious)
    #expect(FileManager.default.fileExists(atPath: other + "/realm-quickstart/quickstart.realm"))
  }

  @Test func aShellRunsALineAfterTheOther() throws {
    let path = try dogs()
    let shell = try ChildProcess(PackageLocation.productDirectory + "/realm", ["shell", path], errors: .nothing)
    shell.say("query --class Dog 'age > 3' --format jsonl")
    #expect(try shell.line() == #"{"id":2,"name":"Fido","age":4}"#)
    shell.say("set --class Dog \"id == 2\" name='A B'")
    #expect(try shell.line() == "changed 1 object of Dog: 2")
    shell.say("nonsense")
    shell.say("query --class Dog 'unclosed")
    shell.say("query --class Dog 'id == 2' --count")
    #expect(try shell.line() == "1")
    shell.say("exit")
    // Of the first line that failed.
    #expect(try shell.waitForEnd() == 2)
    #expect(try lines(path)[1] == #"{"id":2,"name":"A B","age":4}"#)
  }

  @Test func aShellSaysUsageAsItsLinesAreWritten() throws {
    let path = try dogs()
    let commands = directory.file("commands")
    try Data("query Dog 'age > 3'\ncreate indx Dog\nimport\nhelp query\nexport > x\nnope\n".utf8).write(to: URL(fileURLWithPath: commands))
    let run = try ToolRun("realm", ["shell", path], launcher: ["sh", "-c", "exec \"$@\" < '\(commands)'", "sh"])
    for words in [
      "Usage: query [<options>] [<query>]\n  See 'help query' for", "The class of the objects has an option: query --class Dog",
      "did you mean 'create index'?", "See 'help' for", "Usage: import [<options>] <input>\n", "USAGE: query [<options>] [<query>]\n",
      "There are no pipes and no redirections here, such as '>': leave the shell and run 'realm export'.", "'help' lists those there are",
    ] { #expect((run.errors + run.output).contains(words), "\(words)") }
    let outside = try ToolRun.realm("query", path, "Dog", "age > 3")
    #expect(outside.status == 2 && outside.errors.contains("The class of the objects has an option"), "\(outside)")
  }

  @Test func whatIsNotGivenOfAnEmbeddedObjectIsSaid() throws {
    let path = try dogs()
    try ToolRun.realm("create", "class", path, "Home", "street=string", "no=int", "--embedded").expect(status: 0)
    try ToolRun.realm("create", "property", path, "Dog", "home=Home").expect(status: 0)
    let whole = try ToolRun.realm("set", path, "--class", "Dog", "id == 1", #"home={"street": "a", "no": 5}"#)
    #expect(whole.status == 0 && whole.errors.isEmpty, "\(whole)")
    let part = try ToolRun.realm("set", path, "--class", "Dog", "id == 1", #"home={"street": "b"}"#)
    #expect(part.errors.contains("note: home: is another object now; no, which is not given, has null, zero or nothing"), "\(part)")
  }

  /// As exports do, which read them back.
  @Test func namesOfADifferenceAreThoseOfExports() throws {
    let (path, other) = (try dogs(), directory.file("other.realm"))
    try ToolRun.realm("create", "property", path, "Dog", "$x=int").expect(status: 0)
    try FileManager.default.copyItem(atPath: path, toPath: other)
    try ToolRun.realm("set", other, "--class", "Dog", "id == 1", "$x=6").expect(status: 0)
    #expect(try ToolRun.realm("diff", path, other, "--json").output.contains(#""properties":{"$$x":[0,6]}"#))
    try ToolRun.realm("delete", other, "--class", "Dog", "id == 1").expect(status: 0)
    #expect(try ToolRun.realm("diff", path, other, "--json").output.contains(#""$$x":0"#))
  }

  @Test func refusalsAreSentences() throws {
    let path = try dogs()
    try ToolRun.realm("create", "class", path, "Person", "dogs=[Dog]").expect(status: 0)
    for (arguments, words) in [
      (["insert", path, "--class", "Dog", #"{"id": 1}"#], "an object with the primary key 1 exists; --update changes it; nothing"),
      (["insert", path, "--class", "Dog", #"{"id": 7, "dgs": 1}"#], ": 'dgs' is no property of 'Dog'"),
      (["insert", path, "--class", "Dog", #"{"name": "x"}"#], "the object has no primary key 'id'"),
      (["drop", "property", path, "Dog", "weight"], "'Dog' has no property 'weight'"),
      (["create", "property", path, "Dog", "age=int"], "'age' exists already"),
      (["drop", "class", path, "Dog"], ": Person.dogs links to 'Dog'; drop that first; nothing was changed"),
      (["create", "classes", path, directory.file("missing.json")], "no such file"),
      (["query", path, "--class", "Dog", "TRUEPREDICATE", "--links", "cats=Cat.friend"], "there is no class 'Cat'"),
    ] {
      let run = try ToolRun("realm", arguments)
      #expect(run.status >= 2 && run.errors.contains(words), "\(run)")
      #expect(!run.errors.contains("(table:") && !run.errors.contains("(name:") && !run.errors.contains("NSCocoa"), "\(run)")
    }
    let dropped = try ToolRun.realm("drop", "property", path, "Dog", "id")
    dropped.expect(status: 0, output: "dropped Dog.id of 3 objects; the class has no primary key any more\n")
    #expect(try ToolRun.realm("help", "frobnicate").status == 2)
    try ToolRun.realm("help", "query").expect(status: 0)
    let few = try ToolRun.realm("query", path, "--class", "Dog", "TRUEPREDICATE", "--count", "--limit", "2")
    few.expect(status: 0, output: "2\n", errors: "the first 2; there are more\n")
  }
}
