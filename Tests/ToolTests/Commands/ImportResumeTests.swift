import Foundation
import TestSupport
import Testing

/// Going on with an import that ended early, and reading back what exports write.
@Suite(.mustEnd) struct ImportResumeTests {
  let directory = TestDirectory()
  private var output: String { directory.file("out.realm") }

  private func write(_ text: String, as name: String) throws -> String { try directory.write(Array(text.utf8), as: name) }

  private func count() throws -> String { try ToolRun.realm("query", output, "--class", "A", "TRUEPREDICATE", "--count").output }

  @Test func anArrayInOneLineGoesOnBehindTheRowsThatAreInTheFile() throws {
    let rows = (0..<10).map { "{\"id\": \($0)}" }.joined(separator: ",")
    let bad = try write("[\(rows), {\"id\": 3}]", as: "bad.json")
    let run = try ToolRun.realm("import", bad, "-o", output, "--class", "A", "--primary-key", "id", "--batch", "4")
    #expect(run.status == 4 && run.errors.contains("the 8 objects of the first 8 rows are in the file; repair the rows and go on with --skip 8"))
    let good = try write("[\(rows), {\"id\": 30}]", as: "good.json")
    try ToolRun.realm("import", good, "-o", output, "--class", "A", "--skip", "8").expect(status: 0, output: "imported 3 objects into A\n")
    #expect(try count() == "11\n")
  }

  @Test(arguments: [["--from-line", "5"], ["--skip", "2"]])
  func nothingThatIsLeftIsAnError(_ options: [String]) throws {
    let input = try write("id\n1\n2\n", as: "a.csv")
    let run = try ToolRun("realm", ["import", input, "-o", output, "--class", "A"] + options)
    #expect(run.status == 2 && run.errors.contains("nothing is left to import: its last row, number 2, is in line 3"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func whatNotesAdviseWorks() throws {
    let large = try write("b\n9007199254740993\n1.5\n", as: "large.csv")
    let run = try ToolRun.realm("import", large, "-o", directory.file("x.realm"), "--class", "A")
    #expect(run.errors.contains("--type b=double rounds"))
    try ToolRun.realm("import", large, "-o", output, "--class", "A", "--type", "b=double").expect(status: 0)
    let huge = try write("{\"b\": 99999999999999999999}\n{\"b\": 9007199254740993}\n", as: "huge.jsonl")
    try ToolRun.realm("import", huge, "-o", directory.file("y.realm"), "--class", "A", "--type", "b=double").expect(status: 0)
    let long = try write("x\n1.1234567890123456789012345678901234567890\n", as: "long.csv")
    let note = try ToolRun.realm("import", long, "-o", directory.file("z.realm"), "--class", "A").errors
    #expect(note.contains("--type x=string keeps it") && !note.contains("decimal"), "\(note)")
  }

  @Test(arguments: [("13/2/2020", "--slashes dmy makes it"), ("2/13/2020", "--slashes mdy makes it"), ("1/2/2020", "dmy or mdy makes it")])
  func aDateThatOnlyOneOrderAllowsNamesThatOrder(_ text: String, _ words: String) throws {
    let run = try ToolRun.realm("import", write("d\n\(text)\n", as: "d.csv"), "-o", output, "--class", "A")
    #expect(run.errors.contains(words), "\(run)")
  }

  @Test func nothingIsSaidOfTypesThatTheClassHas() throws {
    try ToolRun.realm("import", write("b,zip\n1.5,x\n", as: "a.csv"), "-o", output, "--class", "A", "--type", "b=decimal").expect(status: 0)
    let again = try ToolRun.realm("import", write("b,zip\n9007199254740993,01234\n2.5,1\n", as: "b.csv"), "-o", output, "--class", "A")
    again.expect(status: 0, errors: "")
  }

  @Test func whatAMistakeInAnArrayHidesIsSaid() throws {
    let input = try write("[{\"a\": 1},\n{\"a\": 2},,\n{\"a\": 3}]", as: "a.json")
    let run = try ToolRun.realm("import", input, "-o", output, "--class", "A", "--skip-bad")
    #expect(run.status == 0 && run.output == "imported 2 objects into A\n")
    #expect(run.errors.contains("\(input):2: skipped: a value is missing; what follows it cannot be read\n"), "\(run)")
    let object = try write("{\"type\": \"List\", \"items\": [{\"a\": 1}]}", as: "b.json")
    let refusal = try ToolRun.realm("import", object, "-o", output, "--class", "B")
    #expect(refusal.status == 3 && refusal.errors.contains("take the array out of it first, as jq '.items' does"), "\(refusal)")
  }

  @Test(arguments: ["[[1, 2], [3]]", "[1, {\"x\": 2}]", "{\"c\": [[1]]}"]) func aValueOfSeveralFormsNamesTheOptionThatTakesIt(_ value: String) throws
  {
    let input = try write("[{\"b\": \(value)}]", as: "a.json")
    let run = try ToolRun.realm("import", input, "-o", output, "--class", "A")
    #expect(run.status == 3 && run.errors.contains("; --type b=mixed takes it as it is"), "\(run)")
    try ToolRun.realm("import", input, "-o", output, "--class", "A", "--type", "b=mixed").expect(status: 0)
  }

  @Test func nestedObjectsOfTwoPlacesKeepTheirOwnClass() throws {
    let row = "{\"a_b\":{\"x\":1},\"a\":{\"b\":{\"y\":2}},\"c\":{\"z\":3}}"
    // A class that is somebody's already.
    try ToolRun.realm("import", write("z\n1\n", as: "c.csv"), "-o", output, "--class", "A_c").expect(status: 0)
    try ToolRun.realm("import", write(row, as: "a.jsonl"), "-o", output, "--class", "A", "--batch", "1").expect(status: 0)
    try ToolRun.realm("import", write(row, as: "b.jsonl"), "-o", output, "--class", "A", "--batch", "1").expect(status: 0)
    try ToolRun.realm("export", output, "--class", "A", "--format", "jsonl").expect(status: 0, output: "\(row)\n\(row)\n")
  }

  @Test(arguments: ["csv", "jsonl"]) func exportsGoBackIntoTheirClass(_ format: String) throws {
    for (file, name) in [("dicts_all", "Dicts"), ("sets_all", "Sets"), ("lists_all", "Lists"), ("links_all", "A"), ("mixed_all", "Mixed")] {
      let path = try directory.copy("realm-core/\(file).realm", as: file + format)
      let exported = directory.file("\(file).\(format)")
      try ToolRun.realm("export", path, "--class", name, "--format", format, "-o", exported).expect(status: 0)
      let before = try ToolRun.realm("query", path, "--class", name, "TRUEPREDICATE", "--count").output
      try ToolRun.realm("import", exported, "-o", path, "--class", name).expect(status: 0)
      let after = try ToolRun.realm("query", path, "--class", name, "TRUEPREDICATE", "--count").output
      #expect(Int(after.dropLast()) == Int(before.dropLast()).map { 2 * $0 }, "\(file)")
      // Collections of values without a type of their own are written as they are read only by JSON.
      if format == "csv" && file == "mixed_all" { continue }
      let lines = try ToolRun.realm("export", path, "--class", name, "--format", format).output.split(whereSeparator: \.isNewline)
      let rows = format == "csv" ? lines.dropFirst() : lines[...]
      #expect(rows.prefix(rows.count / 2).elementsEqual(rows.suffix(rows.count / 2)), "\(file)")
    }
  }

  @Test(arguments: ["lossless", "lossless-lines"]) func losslessExportsAreToldFromObjects(_ format: String) throws {
    let path = try directory.copy("realm-core/one_object.realm", as: "one.realm")
    let exported = directory.file("one.\(format == "lossless" ? "json" : "jsonl")")
    try ToolRun.realm("export", path, "--format", format, "-o", exported).expect(status: 0)
    let run = try ToolRun.realm("import", exported, "-o", output, "--class", "A")
    #expect(run.status == 2 && run.errors.contains("lossless form, which is not imported; export with --format json or jsonl"), "\(run)")
  }

  @Test(
    arguments: [("first", "the first value is taken"), ("last", "the last value is taken"), ("rename", "the second one gets a number")],
    ["json", "jsonl"])
  func namesThatAnObjectHasTwiceAreTold(_ choice: (name: String, words: String), _ format: String) throws {
    let object = #"{"a": 1, "a": 2}"#
    let input = try write(format == "json" ? "[\(object)]" : object, as: "twice.\(format)")
    let run = try ToolRun.realm("import", input, "-o", output, "--class", "A", "--duplicates", choice.name)
    #expect(run.status == 0 && run.errors.contains("note: an object has 'a' twice: \(choice.words)"), "\(run)")
  }
}
