import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import realm

/// The shell at a terminal, and what it is made of.
@Suite(.mustEnd) struct ShellTests {
  private let directory = TestDirectory()

  // MARK: At a terminal

  private func shell() throws -> TerminalProcess {
    let path = directory.file("dogs.realm")
    if !FileManager.default.fileExists(atPath: path) {
      try Data("id,name,age\n1,Rex,3\n2,Fido,4\n".utf8).write(to: URL(fileURLWithPath: directory.file("dogs.csv")))
      try ToolRun.realm("import", directory.file("dogs.csv"), "-o", path, "--class", "Dog", "--primary-key", "id", "--quiet").expect(status: 0)
    }
    let shell = try TerminalProcess("realm", ["shell", path], environment: ["XDG_STATE_HOME": directory.file("state"), "LC_ALL": "C.UTF-8"])
    try #require(shell.shows("realm> "))
    return shell
  }

  @Test(.needsLineEditor) func theTabulatorCompletesCommandsOptionsClassesAndProperties() throws {
    let shell = try shell()
    for (typed, shown) in [("que\t", "ry "), ("--cl\t", "ass "), ("D\t", "og "), ("'a\t", "ge")] {
      shell.type(typed)
      #expect(shell.shows(shown), "\(shell.screen)")
    }
    shell.type(" > 3'\n")
    #expect(shell.shows("2   Fido  4"), "\(shell.screen)")
    shell.type("exit\n")
    #expect(shell.end() == 0)
  }

  @Test(.needsLineEditor) func theTabulatorCompletesBehindLettersOfSeveralBytes() throws {
    let shell = try shell()
    let line = [("query --class Dog 'name != \"Zoë 日本\" AND a\t", "ge"), (" > 3' --columns na\t", "me "), ("\n", "Fido")]
    for (typed, shown) in line {
      shell.type(typed)
      #expect(shell.shows(shown), "\(shell.screen)")
    }
  }

  @Test(.needsLineEditor) func theTabulatorListsNoFilesWhereNoneAreMeant() throws {
    let shell = try shell()
    // Each key is another question to the library, which would add the rest of `/usr/`.
    shell.type("set --class Dog TRUEPREDICATE name=/us\t\t\tx\n")
    #expect(shell.shows("changed 2 objects"), "\(shell.screen)")
    shell.type("query --class Dog 'name == \"/usx\"' --count\n")
    #expect(shell.shows("2\r\n"), "\(shell.screen)")
  }

  @Test(.needsLineEditor) func aLaterShellGoesBackToTheLinesOfAnEarlierOne() throws {
    do {
      let shell = try shell()
      shell.type("query --class Dog 'age == 3' --count\n")
      #expect(shell.shows("1\r\n"))
      shell.type("stat --key 00\n")
      #expect(shell.shows("hexadecimal digits") && shell.shows("realm> "))
      shell.type("exit\n")
      #expect(shell.end() == Int32(2), "the status of the last command")
    }
    let history = try String(contentsOfFile: directory.file("state/realm/shell-history"), encoding: .utf8)
    #expect(history == "query --class Dog 'age == 3' --count\nexit\n", "a line with a key is not stored")
    let shell = try shell()
    shell.type("\u{1B}[A\u{1B}[A\n")
    #expect(shell.shows("'age == 3' --count") && shell.shows("1\r\n"), "\(shell.screen)")
  }

  @Test(.needsLineEditor) func anInterruptDropsTheLineAndNotTheShell() throws {
    let shell = try shell()
    shell.type("drop class Dog")
    #expect(shell.shows("Dog"))
    // The library misses an interrupt that comes while it draws the line.
    let isDropped = waitUntil {
      shell.type("\u{3}")
      return shell.shows("realm> ", within: 1)
    }
    #expect(isDropped, "\(shell.screen)")
    shell.type("query --class Dog TRUEPREDICATE --count\n")
    #expect(shell.shows("2\r\n"), "\(shell.screen)")
    shell.type("exit\n")
    #expect(shell.end() == 0)
  }

  // MARK: Completion

  private let properties: [String: [FileNames.Property]] = [
    "Dog": [.init(name: "name", target: nil), .init(name: "owner", target: "Person")],
    "Person": [.init(name: "name", target: nil), .init(name: "nickname", target: nil)], "Two Words": [.init(name: "number", target: nil)],
  ]

  private func completions(_ line: String, only: String? = nil) throws -> ShellCompletion.Answer {
    let outline = try CommandOutline(json: RealmCommand._dumpHelp())
    let names = FileNames(properties, only: only)
    return ShellCompletion(outline: outline, names: names, commandsWithFile: ["query", "set", "copy", "export", "link"]).answer(line)
  }

  @Test(
    arguments: [
      ("qu", ["quickstart", "query"]), ("ver", ["verify"]), ("ex", ["export", "exit"]), ("create i", ["index"]), ("help sche", ["schema"]),
      ("export --fo", ["--format"]), ("export --format ", ["json", "jsonl", "csv", "lossless", "lossless-lines"]), ("export --format=c", ["csv"]),
      ("query --class P", ["Person"]), ("query --class=Per", ["Person"]), ("query --class T", ["'Two Words'"]),
      ("query --class Dog --columns name,o", ["owner"]), ("query --class Dog --sum ", ["name", "owner"]),
      ("query --class Dog --columns name,owner.ni", ["owner.nickname"]), ("query --class Dog --group-by owner.n", ["owner.name", "owner.nickname"]),
      ("query --class Dog 'name == \"Rex\" AND own", ["owner"]), ("query --class Dog 'owner.n", ["owner.name", "owner.nickname"]),
      ("query --class Dog 'nobody.n", []), ("query 'num", ["number"]), ("set --class Dog 'age > 3' n", ["name="]),
      ("set --class Dog TRUEPREDICATE name=", []),
      ("link --class Dog TRUEPREDICATE o", ["owner"]), ("create class Toy weight=do", ["double"]), ("create class Toy owner=P", ["Person"]),
      ("create class Toy tags=[s", ["string"]), ("create property D", ["Dog"]), ("create property Dog weight=in", ["int"]),
      ("create index Dog n", ["name"]),
      ("drop property Person ni", ["nickname"]), ("drop class D", ["Dog"]), ("import dogs.csv --class Dog --type name=str", ["string"]),
      ("import dogs.csv --type n", ["name=", "nickname=", "number="]), ("import dogs.csv --duplicates r", ["refuse", "rename"]), ("nonsense --", []),
      ("query --limit ", []),
    ] as [(String, [String])])
  func aLineIsCompletedByWhatMayStandThere(_ line: String, _ texts: [String]) throws {
    #expect(try completions(line).texts == texts)
  }

  @Test func pathsBeginInTheOnlyClassWhereNoneIsNamed() throws {
    #expect(try completions("query 'owner.n", only: "Dog").texts == ["owner.name", "owner.nickname"])
    #expect(try completions("query 'n", only: "Dog").texts == ["name"])
    #expect(try completions("query --class Person 'n", only: "Dog").texts == ["name", "nickname"])
  }

  @Test func tablesWithoutClassAreNotOffered() throws {
    let (path, cats) = (directory.file("cats.realm"), try directory.write(Array("name\nTom\n".utf8), as: "cats.csv"))
    try ToolRun.realm("import", cats, "-o", path, "--class", "Cat").expect(status: 0)
    let names = FileNames(try OpenFile(path: path, key: nil))
    #expect(names.classes == ["Cat"] && names.names(of: nil) == ["name"] && names.only == "Cat")
  }

  @Test func everyCommandCompletesItsFile() throws {
    func check(_ command: CommandOutline.Command) {
      for command in command.commands where !["quickstart", "help"].contains(command.name) {
        if command.commands.isEmpty { #expect(command.positions.first?.values == .files, "\(command.name)") }
        check(command)
      }
    }
    check(try CommandOutline(json: RealmCommand._dumpHelp()).root)
  }

  @Test func namesOfFilesAreCompletedWhereFilesAreMeant() throws {
    #expect(try completions("copy ").isFile)
    #expect(try completions("export --output x").isFile)
    #expect(try completions("import ").isFile)
    #expect(try !completions("query --class ").isFile)
    try Data().write(to: URL(fileURLWithPath: directory.file("one.csv")))
    try FileManager.default.createDirectory(atPath: directory.file("only"), withIntermediateDirectories: false)
    var answer = ShellCompletion.Answer(fragment: directory.file("on"), isFile: true)
    #expect(answer.withFiles().texts == [directory.file("one.csv"), directory.file("only/")])
    answer.fragment = directory.file("onl")
    #expect(answer.withFiles().endsWord == false)
  }

  @Test func inACommentNothingIsCompleted() throws {
    for line in ["# que", "  #", "#query --class "] { #expect(try completions(line) == ShellCompletion.Answer()) }
  }

  // MARK: Lines of a file

  private func shell(_ path: String, reads lines: String, output: String = "") throws -> ToolRun {
    let input = try directory.write(Array(lines.utf8), as: "lines")
    return try ToolRun(path: "sh", ["-c", "\(PackageLocation.productDirectory)/realm shell \(path) < \(input) \(output)"])
  }

  @Test func helpIsAnAnswerLikeOthers() throws {
    let path = directory.file("cats.realm")
    let cats = try directory.write(Array("name\nTom\n".utf8), as: "cats.csv")
    try ToolRun.realm("import", cats, "-o", path, "--class", "Cat").expect(status: 0)
    let run = try shell(path, reads: "help stat\nquery --class Cat --count\nhelp verify\n")
    let places = ["Print where the bytes", "\n1\n", "OVERVIEW: Check"].map { run.output.range(of: $0, options: .caseInsensitive)?.lowerBound }
    #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "in the order of the lines: \(run)")
    #expect(try shell(path, reads: "help stat\n", output: "> /dev/full").status == 4)
  }

  @Test func linesThatBeginWithANumberSignAreComments() throws {
    let path = directory.file("dogs.realm")
    let lines = """
      #!/usr/bin/realm shell
      create class Dog '#name=string'
        # nobody's quote is closed "here
      insert --class Dog '{"#name": "#1"}'
      \t#exit
      query --class Dog '\u{22}#name\u{22} == 1' nonsense
      # what came before counts
      """
    let cats = try directory.write(Array("name\nTom\n".utf8), as: "cats.csv")
    try ToolRun.realm("import", cats, "-o", path, "--class", "Cat").expect(status: 0)
    let run = try shell(path, reads: lines)
    #expect(run.status == 2 && run.output.contains("inserted 1 object of Dog") && !run.errors.contains("quote"), "\(run)")
  }

  @Test func aQueryWithoutQuotesIsToldWhatItLacks() throws {
    let cats = try directory.write(Array("name\nTom\n".utf8), as: "cats.csv")
    try ToolRun.realm("import", cats, "-o", directory.file("cats.realm"), "--class", "Cat", "--quiet").expect(status: 0)
    for (line, isTold) in [
      ("query name == Tom", true), ("name contains Tom", true), ("query --class Cat 'nam == 1' --nonsense", false), ("nonsense", false),
    ] {
      let run = try shell(directory.file("cats.realm"), reads: line)
      #expect(run.status == 2 && run.errors.contains("in quotes: query --class Dog 'age > 3'") == isTold, "\(run)")
    }
  }

  // MARK: Signals

  @Test(arguments: [SIGINT, SIGTERM]) func aShellThatReadsAFileEndsWhenItIsInterrupted(_ signal: Int32) throws {
    let (path, said) = (directory.file("cats.realm"), directory.file("said"))
    let input = try directory.write(Array("name\nTom\n".utf8), as: "cats.csv")
    try ToolRun.realm("import", input, "-o", path, "--class", "Cat").expect(status: 0)
    let lines = try directory.write(Array("watch\ndelete --class Cat TRUEPREDICATE\n".utf8), as: "watch-lines")
    let command = "exec '\(PackageLocation.productDirectory)/realm' shell '\(path)' < '\(lines)'"
    let shell = try ChildProcess("/bin/sh", ["-c", command], input: .nothing, errors: .file(said))
    #expect(waitUntil { (try? String(contentsOfFile: said, encoding: .utf8))?.contains("watching") == true })
    shell.send(signal)
    #expect(try shell.waitForEnd(within: 30) == 4)
    #expect(try String(contentsOfFile: said, encoding: .utf8).hasSuffix("interrupted; no line after this one is run\n"))
    try ToolRun.realm("query", path, "--class", "Cat", "TRUEPREDICATE", "--count").expect(status: 0, output: "1\n")
  }

  // MARK: Lines

  @Test func aLineOfMegabytesIsDividedInTimeThatGrowsWithIt() {
    let query = "query --class Dog '" + String(repeating: "age == 1 OR ", count: 200_000) + "age == 2'"
    let time = threadTime { #expect(ShellLine(query).words.map(\.utf8.count) == [5, 7, 3, 2_400_008]) }
    #expect(time < .seconds(30), "what took time by the square took a minute")
  }

  @Test(arguments: [
    (#"insert --class Dog {"name": "it's {x} \" y"} --update"#, ["insert", "--class", "Dog", #"{"name": "it's {x} \" y"}"#, "--update"]),
    (#"insert [{"a": [1, 2]}, {"b": "]"}] x"#, ["insert", #"[{"a": [1, 2]}, {"b": "]"}]"#, "x"]),
    (#"insert '{"a": "b c"}' "d e" f\ g"#, ["insert", #"{"a": "b c"}"#, "d e", "f g"]),
    (#"create class Cat dogs=[Dog] 'x y'=z"#, ["create", "class", "Cat", "dogs=[Dog]", "x y=z"]),
  ])
  func wordsAreAsInAShellAndJSONIsAsItIs(_ line: String, _ words: [String]) {
    #expect(ShellLine(line).words == words && ShellLine(line).isComplete)
  }

  @Test(arguments: [#"insert {"a": 1"#, #"insert {"a": "}"#, #"insert [{}"#, "insert 'a", #"insert {"a": "\"}"#, "insert a\\"])
  func whatIsOpenIsNotComplete(_ line: String) { #expect(!ShellLine(line).isComplete) }

  // MARK: History

  /// The lines of which the history says that they are worth to be remembered.
  private func kept(_ lines: [String], by history: inout ShellHistory) -> [String] {
    var kept: [String] = []
    for line in lines where history.add(line) { kept.append(line) }
    return kept
  }

  @Test func linesWithKeysAreNotRemembered() {
    var history = ShellHistory(path: directory.file("history"))
    let digits = String(repeating: "0a", count: 64)
    let secret = [
      "copy --new-key \(digits) b", "# copy --new-key \(digits) b", "query --key=\(digits)", "diff b --after-key '\(digits)'", "nonsense \(digits)",
      "",
    ]
    let line = "copy --key-file key b"
    #expect(kept(secret + [line, line], by: &history) == [line], "the last one repeats the one before")
    #expect(ShellHistory(path: directory.file("history")).lines == [line])
  }

  @Test func theHistoryIsBoundedAndForNobodyElseToRead() throws {
    let path = directory.file("state/history")
    for start in [0, 1500] {
      var history = ShellHistory(path: path)
      #expect(kept((start..<start + 1500).map { "line \($0)" }, by: &history).count == 1500)
    }
    let last = ShellHistory(path: path)
    #expect(last.lines.count == ShellHistory.limit && last.lines.last == "line 2999")
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == ShellHistory.limit)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aHistoryThatCannotBeWrittenIsDoneWithout() {
    var history = ShellHistory(path: "/proc/nowhere/history")
    #expect(kept(["stat"], by: &history) == ["stat"])
    #expect(history.lines == ["stat"])
  }
}
