import TestSupport
import Testing

/// Inputs that are not what they are called, or say nothing of what they are.
@Suite(.mustEnd) struct ImportLinesTests {
  let directory = TestDirectory()

  private func imported(_ text: String, _ options: String...) throws -> ToolRun {
    let input = try directory.write(Array(text.utf8), as: "a.json")
    return try ToolRun("realm", ["import", input, "-o", directory.file("a.realm"), "--class", "A"] + options)
  }

  @Test(arguments: ["{\"a\":1}\n{\"a\":2}\n", "\u{FEFF}\n{\"a\":1}\r\n\r\n {\"a\":2}", "{\"a\":1}\n{\"a\":2"]) func linesAreReadAsSuch(_ text: String)
    throws
  {
    let run = try imported(text, "--skip-bad")
    let note = "note: each line is an object, so the input is read as JSON lines, in spite of its name\n"
    #expect(run.status == 0 && run.errors.hasPrefix(note), "\(run)")
    #expect(run.output == (text.hasSuffix("2") ? "imported 1 object into A\n" : "imported 2 objects into A\n"), "\(run)")
  }

  @Test(arguments: [("a,b\n1,2\n", "a.csv"), ("[{\"a\":1}]", "a.json")]) func textInUTF16WithoutAMarkIsNotTakenForOneWithZeros(
    _ text: String, _ name: String
  ) throws {
    let (little, big): ([UInt8], [UInt8]) = (Array(text.utf8.map { [$0, 0] }.joined()), Array(text.utf8.map { [0, $0] }.joined()))
    for (encoding, bytes) in [("utf-16le", little), ("utf-16be", big)] {
      let (input, output) = (try directory.write(bytes, as: name), directory.file("\(encoding).realm"))
      let words = "every other byte of its beginning is zero, as in \(encoding) without a byte order mark; give --encoding \(encoding)"
      try ToolRun.realm("import", input, "-o", output, "--class", "A").expectError(3, about: input, words)
      try ToolRun.realm("import", input, "-o", output, "--class", "A", "--encoding", encoding).expect(status: 0, output: "imported 1 object into A\n")
    }
  }

  @Test func whoeverSaysJSONIsToldThatItIsNone() throws {
    let run = try imported("{\"a\":1}\n{\"a\":2}\n", "--format", "json")
    let words = "so that the input is no JSON but JSON lines; give --format jsonl; nothing was imported"
    #expect(run.status == 3 && run.errors.contains(words), "\(run)")
  }

  @Test func anExportOfSeveralClassesAsLinesIsReadUnderAnyName() throws {
    let file = directory.file("two.realm")
    for name in ["A", "B"] { try ToolRun("realm", ["create", "class", file, name, "n=int"] + (name == "A" ? ["--new"] : [])).expect(status: 0) }
    try ToolRun.realm("insert", file, "--class", "B", "{\"n\":1}").expect(status: 0)
    let (export, copy) = (directory.file("two.json"), directory.file("copy.realm"))
    try ToolRun.realm("export", file, "--format", "jsonl", "-o", export).expect(status: 0)
    try ToolRun.realm("import", export, "-o", copy).expect(status: 0, output: "imported 1 object\n")
    try ToolRun.realm("diff", file, copy).expect(status: 0)
  }

  @Test(arguments: ["{\"a\":1}", "{\n\"a\":1}\n{\n\"a\":2}\n"]) func objectsThatAreNoLinesAreNotTakenForThem(_ text: String) throws {
    let run = try imported(text)
    #expect(run.status == 3 && run.errors.contains("or make one, as jq -s does"), "\(run)")
  }

  /// Their names would be lost without a word.
  @Test func listsThatGoToOneClassAreNamed() throws {
    let note = "note: the objects of 'Dog', 'Cat' all go to one class; take a list out of the input first, as jq '.items' does, "
    let run = try imported("{\"Dog\": [{\"a\": 1}], \"Cat\": [{\"a\": 2}, {\"a\": 3}]}")
    #expect(run.output == "imported 3 objects into A\n" && run.errors.hasPrefix(note), "\(run)")
    #expect(try imported("{\"items\": [{\"a\": 1}]}").errors.contains("note") == false)
  }

  @Test(arguments: ["[{\"a\":1}\n,{\"a\":2}]", "[]"]) func arraysAreRead(_ text: String) throws {
    let run = try imported(text)
    #expect(run.status == 0 && !run.errors.contains("JSON lines"), "\(run)")
  }
}
