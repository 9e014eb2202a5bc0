import Foundation
import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// What `realm import` makes of its input: nothing is lost or changed without a word.
@Suite(.mustEnd) struct ImportCommandTests {
  let directory = TestDirectory()

  private func write(_ text: String, as name: String) throws -> String { try directory.write(Array(text.utf8), as: name) }
  private var output: String { directory.file("out.realm") }

  private func run(_ input: String, _ options: String...) throws -> ToolRun {
    try ToolRun("realm", ["import", input, "-o", output, "--class", "A"] + options)
  }

  /// The properties of the class as `schema` prints them: name and type.
  private func types() throws -> [String: String] {
    let block = try #require(try ToolRun.realm("schema", output).output.split(separator: "\n\n").first { $0.hasPrefix("A") })
    return Dictionary(
      uniqueKeysWithValues: block.split(separator: "\n").dropFirst().map { line in
        let words = line.split(separator: " ")
        return (String(words[0]), String(words[1]))
      })
  }

  private func rows(_ query: String = "TRUEPREDICATE") throws -> [String] {
    let lines = try ToolRun.realm("query", output, "--class", "A", query).output.split(separator: "\n").dropFirst(2)
    return lines.map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test(arguments: sample(["csv", "jsonl"])) func aTextThatIsTooLongIsABadRowAndNamesItsProperty(_ format: String) throws {
    let long = String(repeating: "x", count: StringLeaf.byteLimit + 1)
    let texts = [(1, "a"), (2, long), (3, "b")]
    let rows = texts.map { format == "csv" ? "\($0),\($1)\n" : "{\"id\":\($0),\"s\":\"\($1)\"}\n" }.joined()
    let input = try write((format == "csv" ? "id,s\n" : "") + rows, as: "long.\(format)")
    let refused = try run(input)
    refused.expect(status: 3)
    let words = ":\(format == "csv" ? 3 : 2): 's' has 16777200 bytes, and at most 16777199 can be stored"
    #expect(refused.errors.contains(words), "\(refused.errors.prefix(500))")
    #expect(try [0, 1].contains(run(input, "--skip-bad", "--primary-key", "id").status))
    #expect(try self.rows() == ["1 a", "3 b"])
  }

  @Test func anEntryThatNoDictionaryTakesIsABadRowAndNamesItsProperty() throws {
    try run(write("{\"id\":0,\"m\":1}\n", as: "first.jsonl"), "--primary-key", "id", "--type", "m=mixed").expect(status: 0)
    let values = [#"{"a":1}"#, #"{"a.b":1}"#, #"[{"y":2,"$x":1}]"#, "null"]
    let rows = values.enumerated().map { "{\"id\":\($0 + 1),\"m\":\($1)}\n" }.joined()
    let input = try write(rows, as: "keys.jsonl")
    let refused = try run(input)
    refused.expect(status: 3)
    for words in [":2: 'm' has the key 'a.b', and keys must not start with '$' nor contain '.'", ":3: 'm' has the key '$x', and"] {
      #expect(refused.errors.contains(words), "\(refused.errors)")
    }
    #expect(try [0, 1].contains(run(input, "--skip-bad").status))
    #expect(try self.rows().compactMap { $0.first } == ["0", "1", "4"])
  }

  @Test func valuesThatANumberWouldChangeStayWhatTheyAre() throws {
    let input = try write(
      "zip,big,exact,hex,plus,flag,word\n01234,9223372036854775808,9007199254740993,0x10,+41,TRUE,true\n00001,5,0.5,1,7,false,maybe\n", as: "a.csv")
    let run = try run(input)
    run.expect(status: 0, output: "imported 2 objects into A\n")
    #expect(
      try types() == [
        "zip": "String", "big": "Decimal128", "exact": "Decimal128", "hex": "String", "plus": "String", "flag": "Bool", "word": "String",
      ])
    #expect(try rows() == ["01234 9223372036854775808 9007199254740993 0x10 +41 true true", "00001 5 5E-1 1 7 false maybe"])
    for words in ["zip: a string, because '01234' (line 2)", "big: a decimal", "exact: a decimal", "--type zip=int"] {
      #expect(run.errors.contains(words), "\(words) in \(run.errors)")
    }
  }

  @Test func datesAreReadInTheFormsThatPeopleWrite() throws {
    let input = try write(
      "a,b,c,d\n2020-01-31,2020-01-31 12:30,2020-01-31T12:00:00.25+01:00,1/2/2020\n2020/02/29,31.01.2020,20200131T120000Z,3/4/2020\n", as: "a.csv")
    let first = try run(input)
    first.expect(status: 0)
    #expect(try types() == ["a": "Date", "b": "Date", "c": "Date", "d": "String"])
    #expect(
      try rows() == [
        "2020-01-31T00:00:00Z 2020-01-31T12:30:00Z 2020-01-31T11:00:00.25Z 1/2/2020",
        "2020-02-29T00:00:00Z 2020-01-31T00:00:00Z 2020-01-31T12:00:00Z 3/4/2020",
      ])
    #expect(first.errors.contains("d: a string, because '1/2/2020' (line 2) can be read in two ways"))
    #expect(first.errors.contains("becomes midnight UTC") && first.errors.contains("has no time zone"))
    #expect(try rows("a == 2020-02-29").count == 1)
    #expect(try rows("c >= 2020-01-31T12:00+00:00").count == 1)
    let refused = try ToolRun.realm("query", output, "--class", "A", "a == \"2020-02-29\"")
    refused.expectError(2, about: output, "write a date without quotes, as 2020-01-31 or 2020-01-31T12:00:00Z")
  }

  @Test(arguments: [("dmy", "2020-02-01T00:00:00Z"), ("mdy", "2020-01-02T00:00:00Z")])
  func theUserSaysWhichNumberIsTheDay(_ order: String, _ date: String) throws {
    try run(write("a\n1/2/2020\n", as: "a.csv"), "--slashes", order).expect(status: 0)
    #expect(try rows() == [date])
  }

  @Test func daysThatDoNotExistStayStrings() throws {
    try run(write("a\n2021-02-29\n2020-13-01\n", as: "a.csv")).expect(status: 0)
    #expect(try types() == ["a": "String"])
  }

  @Test(arguments: [(";", "';'"), ("\t", "tabs"), ("|", "'|'")])
  func theDelimiterIsFoundAndSaid(_ delimiter: String, _ shown: String) throws {
    let run = try run(write("a,b;c,d\n1,5;2,5\n".replacing(";", with: delimiter), as: "a.csv"), "--delimiter", delimiter == "\t" ? "tab" : delimiter)
    run.expect(status: 0)
    #expect(try types().keys.sorted() == ["a,b", "c,d"])
    try FileManager.default.removeItem(atPath: output)
    let found = try self.run(write("a;b;c\n1,5;2;3\n".replacing(";", with: delimiter), as: "b.csv"))
    found.expect(status: 0)
    #expect(found.errors.contains("fields are separated by \(shown)"))
    #expect(try rows() == ["1,5 2 3"])
  }

  @Test(arguments: ["\n", "\r\n"], [";", "|", "^"])
  func aFirstLineThatNamesTheDelimiterIsNoHeader(_ lineEnd: String, _ delimiter: String) throws {
    let text = "sep=;\na,b;c\n1,5;2\n3;x;y\n4;5\n".replacing(";", with: delimiter).replacing("\n", with: lineEnd)
    let input = try write("\u{FEFF}" + text, as: "a.csv")
    let refused = try run(input)
    #expect(refused.status == 3 && refused.errors.contains("a.csv:4: "), "\(refused)")
    let run = try run(input, "--skip-bad")
    #expect(run.errors.contains("note: the first line, 'sep=\(delimiter)', says what separates the fields"), "\(run)")
    #expect(try types() == ["a,b": "String", "c": "Int"])
    #expect(try rows() == ["1,5 2", "4 5"])
  }

  @Test(arguments: ["sep=", "sep=;x\n1;2\n", "sep=\n1\n", "sep=ab\n1\n", "sep"])
  func whatOnlyLooksLikeALineWithTheDelimiterIsAHeader(_ text: String) throws {
    try run(write(text, as: "a.csv")).expect(status: 0)
    let header = try #require(text.split(separator: "\n").first).split(separator: ";")
    #expect(try types().keys.sorted() == header.map(String.init).sorted())
  }

  /// Names are bytes: two ways to write an accent are two names, and the number behind one of them is free for the other.
  @Test func aDuplicateNameIsNumberedByTheBytesOfTheOthers() throws {
    let names = try DuplicateNames.rename.resolve(["\u{E9}", "\u{E9}", "e\u{301}_2", "\u{E9}", "\u{E9}_3"])
    #expect(names.map { $0.map { Array($0.utf8) } } == ["\u{E9}", "\u{E9}_2", "e\u{301}_2", "\u{E9}_4", "\u{E9}_3"].map { Array($0.utf8) })
  }

  @Test func duplicateNamesAreRefusedUntilTheUserChooses() throws {
    let csv = try write("a,b,a\n1,2,3\n", as: "a.csv")
    let json = try write("{\"a\":1,\"b\":2,\"a\":3}\n", as: "a.jsonl")
    for (input, line) in [(csv, 1), (json, 1)] {
      let refused = try run(input)
      #expect(refused.status == 3 && refused.errors.contains(":\(line): ") && refused.errors.contains("'a' occurs twice"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: output))
      for (choice, row) in [("first", ["1", "2"]), ("last", ["2", "3"]), ("rename", ["1", "2", "3"])] {
        try run(input, "--duplicates", choice).expect(status: 0)
        #expect(try rows()[0].split(separator: " ").map(String.init).sorted() == row)
        try FileManager.default.removeItem(atPath: output)
      }
    }
  }

  @Test func bytesThatAreNotUTF8AreRefusedWithTheirLine() throws {
    let input = try directory.write(Array("a,b\n1,x\n2,".utf8) + [0xE9, 0x80, 0x0A], as: "a.csv")
    let refused = try run(input)
    #expect(refused.status == 3 && refused.errors.contains("a.csv:3: has bytes that are not UTF-8"))
    #expect(!FileManager.default.fileExists(atPath: output))
    try run(input, "--encoding", "windows-1252").expect(status: 0)
    #expect(try rows() == ["1 x", "2 é€"])
    try FileManager.default.removeItem(atPath: output)
    let wide = "a\né😀\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let marked = try run(directory.write([0xFF, 0xFE] + wide, as: "b.csv"))
    marked.expect(status: 0)
    #expect(marked.errors.contains("utf-16le"))
    #expect(try rows() == ["é😀"])
  }

  @Test func aHeaderAloneMakesTheProperties() throws {
    let run = try run(write("a,b\n", as: "a.csv"))
    run.expect(status: 0, output: "imported 0 objects into A\n")
    #expect(run.errors.contains("no rows below its header"))
    #expect(try types() == ["a": "String?", "b": "String?"])
  }

  @Test func anEmptyInputMakesNoFile() throws {
    for (name, text) in [("a.csv", ""), ("a.json", ""), ("b.json", "[]"), ("a.jsonl", "")] { _ = try run(write(text, as: name)) }
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func rowsThatAreAllBadAreNotSaidToBeMissing() throws {
    for (name, text, said) in [
      ("a.csv", "a,b\n1\n", "none of the rows below its header is good: properties that are not there yet become optional strings"),
      ("a.jsonl", "x\n", "none of its rows is an object; nothing was made"),
    ] {
      let run = try ToolRun.realm("import", write(text, as: name), "-o", output, "--class", "A", "--skip-bad")
      #expect(run.status == 0 && run.output == "imported 0 objects\(name == "a.csv" ? " into A" : "")\n", "\(run)")
      #expect(run.errors.contains("\(directory.file(name)): \(said)\n") && run.errors.contains(": skipped: "), "\(run)")
    }
  }

  @Test func objectsWithoutPropertiesAreNotDroppedSilently() throws {
    for (name, text) in [("a.json", "[{}, {}]"), ("a.jsonl", "{}\n{}\n")] {
      try run(write(text, as: name)).expect(
        status: 0, output: "imported 0 objects\n",
        errors: "\(directory.file(name)): its 2 objects have no properties; nothing was imported\n")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
    // Beside others they are objects whose properties are absent.
    try run(write("{\"a\":1}\n{}\n", as: "b.jsonl")).expect(status: 0, output: "imported 2 objects into A\n")
  }

  @Test func wordsOfTypesAreTheSameInOptionsAndOutput() throws {
    let input = try write("a,b,c\n2020-01-31,AAEC,1.5\n", as: "a.csv")
    let run = try run(input, "--type", "b=data", "--type", "c=decimal", "--type", "a=date?")
    run.expect(status: 0)
    for line in ["  a: date?", "  b: data", "  c: decimal"] { #expect(run.errors.split(separator: "\n").contains { $0 == line }, "\(run.errors)") }
  }

  @Test func updatingFindsObjectsByTheKeyOfTheClass() throws {
    try run(write("id,name\n1,a\n2,b\n", as: "a.csv"), "--primary-key", "id").expect(status: 0)
    let changes = try write("id,name\n2,x\n3,c\n", as: "b.csv")
    let refused = try run(changes)
    #expect(refused.status == 3 && refused.errors.contains("b.csv:2: an object with the primary key 2 exists"))
    #expect(try rows() == ["1 a", "2 b"])
    try run(changes, "--update").expect(status: 0, output: "imported 1 object into A, changed 1\n")
    #expect(try rows() == ["1 a", "2 x", "3 c"])
  }

  @Test func updatingWithoutAKeyIsRefused() throws {
    try run(write("name\na\n", as: "a.csv")).expect(status: 0)
    try run(write("name\nb\n", as: "b.csv"), "--update").expect(status: 2)
    #expect(try rows() == ["a"])
  }

  @Test func aMissingDirectoryIsRefusedBeforeAnythingIsRead() throws {
    let target = directory.file("no/out.realm")
    let run = try ToolRun.realm("import", directory.file("missing.csv"), "-o", target, "--class", "A")
    run.expect(status: 3, errors: "error: \(target): its directory does not exist; create it first\n")
  }

  @Test func standardInputIsReadAndStandardOutputWritten() throws {
    let process = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["import", "-", "--format", "csv", "-o", output, "--class", "A"], errors: .nothing)
    process.say("a,b")
    process.say("1,2")
    #expect(try process.end() == ["imported 1 object into A"])
    let export = try ToolRun.realm("export", output, "--format", "csv", "--class", "A", "-o", "-")
    export.expect(status: 0, output: "a,b\r\n1,2\r\n")
  }

  // MARK: Interrupts

  @Test func aWaitForInputIsInterruptedAtOnce() throws {
    let process = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["import", "-", "--format", "csv", "-o", output, "--class", "A"], errors: .nothing)
    process.say("a,b")
    // The command watches for interrupts before it looks at its input; until then the signal ends it by itself.
    process.send(SIGINT)
    #expect([4, 128 + SIGINT].contains(try process.waitForEnd(within: 10)))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  private func manyRows(_ count: Int) throws -> String {
    var text = "id,name\n"
    for number in 0..<count { text += "\(number),name \(number)\n" }
    return try write(text, as: "many.csv")
  }

  @Test func anInterruptedImportSaysWhatIsInTheFile() throws {
    let count = 40_000
    let input = try manyRows(count)
    let errors = directory.file("errors.txt")
    let arguments = ["import", input, "-o", output, "--class", "A", "--primary-key", "id", "--batch", "1000"]
    let process = try ChildProcess(PackageLocation.productDirectory + "/realm", arguments, input: .nothing, output: .nothing, errors: .file(errors))
    func stored() -> Int {
      guard let file = try? OpenFile(path: output), let group = try? file.snapshot?.openGroup() else { return 0 }
      return (try? group.table(named: "class_A")?.count()) ?? 0
    }
    #expect(waitUntil { process.isGone || stored() > 0 })
    process.send(SIGINT)
    let start = ContinuousClock.now
    let status = try process.waitForEnd()
    let message = try String(contentsOfFile: errors, encoding: .utf8)
    guard status == 4 else { return #expect(status == 0, "\(message)") }
    print("ended after", ContinuousClock.now - start)
    let inFile = stored()
    #expect(inFile > 0 && inFile % 1000 == 0)
    #expect(message.contains("interrupted; \(inFile) objects are in the file; go on with --from-line \(inFile + 2)"), "\(message)")
    let rest = try ToolRun("realm", arguments + ["--from-line", "\(inFile + 2)"])
    rest.expect(status: 0, output: "imported \(count - inFile) objects into A\n")
    #expect(stored() == count)
  }

  @Test func anInterruptedImportSaysWhatBecameOfTheRowsBefore() throws {
    try ToolRun.realm("create", "class", output, "A", "id=int", "text=string", "--primary-key", "id", "--new").expect(status: 0)
    let bad = [#"{"id": "x", "text": "a"}"#, "{", #"{"id": 0, "text": 1}"#]
    let input = try write((bad + (1..<40_000).map { #"{"id": \#($0), "text": "a"}"# }).joined(separator: "\n"), as: "many.jsonl")
    let errors = directory.file("errors.txt")
    let process = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["import", input, "-o", output, "--class", "A", "--batch", "1000", "--skip-bad"], input: .nothing,
      output: .nothing, errors: .file(errors))
    func stored() -> Int {
      guard let file = try? OpenFile(path: output), let group = try? file.snapshot?.openGroup() else { return 0 }
      return (try? group.table(named: "class_A")?.count()) ?? 0
    }
    #expect(waitUntil { process.isGone || stored() > 0 })
    process.send(SIGINT)
    let status = try process.waitForEnd()
    #expect(status == 0 || status == 4)
    let message = try String(contentsOfFile: errors, encoding: .utf8)
    // Who goes on behind them is not told of them again.
    for line in 1...2 { #expect(message.components(separatedBy: "\(input):\(line): skipped: ").count == 2, "\(message)") }
    #expect(message.contains(#"note: text: 1 (line 3) is no string and becomes "1""#), "\(message)")
  }

  @Test func anImportInOneTransactionThatIsInterruptedLeavesNoFile() throws {
    let input = try manyRows(40_000)
    let process = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["import", input, "-o", output, "--class", "A"], input: .nothing, output: .nothing,
      errors: .nothing)
    #expect(waitUntil { process.isGone || FileManager.default.fileExists(atPath: output) })
    process.send(SIGINT)
    let status = try process.waitForEnd(within: 20)
    guard status == 4 else { return #expect(status == 0) }
    for suffix in ["", ".lock", ".note", ".management"] { #expect(!FileManager.default.fileExists(atPath: output + suffix)) }
  }

  @Test func anInterruptedExportLeavesNoPartOfItsOutput() throws {
    let input = try manyRows(20_000)
    try run(input).expect(status: 0)
    let target = directory.file("out.json")
    let process = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["export", output, "-o", target], input: .nothing, output: .nothing, errors: .nothing)
    func names() -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).filter { $0.hasPrefix("out.json") } }
    #expect(waitUntil { process.isGone || !names().isEmpty })
    process.send(SIGINT)
    let status = try process.waitForEnd(within: 20)
    #expect(status == 4 ? names().isEmpty : status == 0 && names() == ["out.json"], "\(status) \(names())")
  }

  /// From the interrupt to the end of the process; nil if the import was complete before.
  private func secondsToEnd(after pause: Int, _ options: [String]) throws -> Double? {
    let input = try manyRows(60_000)
    let process = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["import", input, "-o", output, "--class", "A", "--primary-key", "id"] + options, input: .nothing,
      output: .nothing, errors: .nothing)
    Thread.sleep(forTimeInterval: Double(pause) / 1000)
    let start = ContinuousClock.now
    process.send(SIGINT)
    let status = try process.waitForEnd(within: 60)
    let elapsed = ContinuousClock.now - start
    for suffix in ["", ".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: output + suffix) }
    guard status == 4 else { return nil }
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
  }

  @Test(arguments: [[], ["--batch", "0"], ["--batch", "5000"]])
  func anInterruptIsObeyedWithinASecond(_ options: [String]) throws {
    for pause in sample([150, 400, 800, 1500]) {
      // Of a busy machine the best of some attempts counts.
      var best: Double?
      for _ in 0..<3 {
        guard let seconds = try secondsToEnd(after: pause, options) else { break }
        best = min(best ?? seconds, seconds)
        if seconds < 1 { break }
      }
      if let best { #expect(best < 1, "after \(pause) ms \(options)") }
    }
  }

  @Test func moreRowsThanATransactionTakesAreAllOrNothingInANewFile() throws {
    // The last row does not fit.
    var text = "id\n"
    for number in 0..<250_010 { text += "\(number)\n" }
    let input = try write(text + "5\n", as: "many.csv")
    let refused = try run(input, "--primary-key", "id")
    #expect(refused.status == 3 && refused.errors.contains("1 bad row, nothing was imported"), "\(refused)")
    for suffix in ["", ".lock", ".note", ".management"] { #expect(!FileManager.default.fileExists(atPath: output + suffix)) }
    // A file that exists keeps what was committed, and both are said.
    try run(try write("id\n-1\n", as: "one.csv"), "--primary-key", "id").expect(status: 0)
    let kept = try run(input, "--primary-key", "id")
    #expect(kept.errors.contains("--batch 0 imports all of them or nothing"), "\(kept)")
    #expect(kept.status == 4 && kept.errors.contains("the 250000 objects before line 250002 are in the file"), "\(kept)")
    try ToolRun.realm("query", output, "--class", "A", "TRUEPREDICATE", "--count").expect(status: 0, output: "250001\n")
  }

  /// A new class has nothing to do with a table that is no class, or whose whole name is its own.
  @Test(arguments: ["class_Dog", "metadata"]) func aNewClassHasTheTypesOfTheInputWhateverTablesThereAre(_ name: String) throws {
    let (path, dogs) = (directory.file("dogs.realm"), try directory.write(Array("id,version\n1,x\n".utf8), as: "dogs.csv"))
    try ToolRun.realm("import", dogs, "-o", path, "--class", "Dog").expect(status: 0)
    let input = try directory.write(Array(#"[{"id": 2, "version": 7}]"#.utf8), as: "new.json")
    try ToolRun.realm("import", input, "-o", path, "--class", name).expect(status: 0, errors: "  id: int\n  version: int\n")
    let lines = try ToolRun.realm("export", path, "--format", "lossless-lines").output
    #expect(lines.contains(#"{"table":"class_\#(name)","key":0,"values":{"id":2,"version":7}}"#), "\(lines)")
  }

  @Test func aMarkThatComesByteByByteIsRecognised() throws {
    let (path, pipe) = (directory.file("marked.realm"), directory.file("pipe"))
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["import", pipe, "--format", "csv", "--class", "A", "-o", path], input: .nothing,
      output: .nothing, errors: .nothing)
    let descriptor = open(pipe, O_WRONLY)
    let bytes: [UInt8] = [0xFE, 0xFF] + "a\n1\n".utf8.flatMap { [0, $0] }
    #expect(Foundation.write(descriptor, bytes, 1) == 1)
    // Until the first byte was read.
    #expect(
      waitUntil {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count == 0
      })
    #expect(Foundation.write(descriptor, Array(bytes[1...]), bytes.count - 1) == bytes.count - 1)
    close(descriptor)
    #expect(try reader.waitForEnd() == 0)
    try ToolRun.realm("export", path, "--class", "A", "--format", "jsonl").expect(status: 0, output: "{\"a\":1}\n")
  }
}
