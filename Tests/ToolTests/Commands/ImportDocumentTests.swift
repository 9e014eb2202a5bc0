import Foundation
import TestSupport
import Testing

/// Exports of several classes, brought into a file that has some of their objects.
@Suite(.mustEnd) struct ImportDocumentTests {
  let directory = TestDirectory()
  private var output: String { directory.file("out.realm") }

  private func imported(_ rows: String..., options: String...) throws -> ToolRun {
    let schema = """
      {"$schema":{"Cat":{"primaryKey":"id","properties":{"id":{"type":"int"},"name":{"type":"string"},"friend":{"type":"link","target":"Cat"}}},\
      "Note":{"properties":{"text":{"type":"string"},"about":{"type":"link","target":"Cat"}}}}}
      """
    let input = try directory.write(Array(([schema] + rows).joined(separator: "\n").utf8), as: "a.jsonl")
    return try ToolRun("realm", ["import", input, "-o", output] + options)
  }

  private func objects(_ className: String) throws -> String { try ToolRun.realm("export", output, "--class", className, "--format", "jsonl").output }

  @Test func objectsWhosePrimaryKeyExistsAreChangedIfThatIsWanted() throws {
    try imported(#"{"$class":"Cat","id":1,"name":"Tom","friend":2}"#, #"{"$class":"Cat","id":2,"name":"Kit","friend":null}"#).expect(status: 0)
    let rows = [
      #"{"$class":"Cat","id":2,"name":"Kim"}"#, #"{"$class":"Cat","id":3,"name":"Leo","friend":1}"#, #"{"$class":"Note","$key":0,"about":3}"#,
    ]
    let refused = try imported(rows[0], rows[1], rows[2])
    #expect(refused.status == 3 && refused.errors.contains("a.jsonl:2: an object with the primary key 2 exists; --update changes it"), "\(refused)")
    let run = try imported(rows[0], rows[1], rows[2], options: "--update")
    run.expect(status: 0, output: "imported 2 objects, changed 1\n")
    let expected = [#"{"id":1,"name":"Tom","friend":2}"#, #"{"id":2,"name":"Kim","friend":null}"#, #"{"id":3,"name":"Leo","friend":1}"#, ""]
    #expect(try objects("Cat") == expected.joined(separator: "\n"))
  }

  /// An embedded class that is none, a list that is a single value: what a schema was to say must not be lost without a word.
  @Test func aSchemaOfWhichSomethingIsNotUnderstoodIsRefused() throws {
    for (description, problem) in [
      (#"{"embedded":true,"properties":{}}"#, "'A' has 'embedded', which means nothing; known are kind, primaryKey, properties, table"),
      (#"{"kind":"embeded","properties":{}}"#, "'A' has a 'kind' that is not embedded or asymmetric"),
      (#"{"primarykey":"id","properties":{}}"#, "'A' has 'primarykey', which means nothing; did you mean 'primaryKey'?"),
      (#"{"properties":[]}"#, "'A' has a 'properties' that is not an object"), ("5", "'A' is no object"),
      (#"{"properties":{"p":{"type":"int","optional":1}}}"#, "'A.p' has a 'optional' that is not true or false"),
      (#"{"properties":{"p":{"type":"int","collection":"bag"}}}"#, "'A.p' has a 'collection' that is not list or set or dictionary"),
      (#"{"properties":{"p":{"type":"int","index":true}}}"#, "'A.p' has 'index', which means nothing; known are collection"),
      (#"{"properties":{"p":"int"}}"#, "'A.p' is no object"),
    ] {
      let input = try directory.write(Array("{\"$schema\":{\"A\":\(description)}}".utf8), as: "a.json")
      let run = try ToolRun.realm("import", input, "-o", output)
      #expect(run.status == 3 && run.errors.contains("the schema of \(problem)"), "\(run)")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// Which object of such a class is the same as one of another file nobody knows.
  @Test func objectsWithoutPrimaryKeyAreNeverChanged() throws {
    try imported(#"{"$class":"Note","$key":0,"text":"mine"}"#).expect(status: 0)
    let run = try imported(#"{"$class":"Note","$key":0,"text":"other"}"#, options: "--update")
    #expect(run.status == 3 && run.errors.contains("its $key 0 is in use; --update changes no objects of classes without primary key"), "\(run)")
    #expect(try objects("Note") == #"{"text":"mine","about":null}"# + "\n")
  }

  /// Every file of an application has a version of its schema, in a table that is no class.
  @Test(arguments: ["json", "jsonl"]) func anExportGoesIntoAFileThatHasAVersionOfItsSchema(_ format: String) throws {
    let (source, export) = (directory.file("source.realm"), directory.file("export.\(format)"))
    try ToolRun.realm("create", "class", source, "Dog", "id=int", "--primary-key", "id", "--new").expect(status: 0)
    try ToolRun.realm("insert", source, "--class", "Dog", #"[{"id":1},{"id":2}]"#).expect(status: 0)
    try ToolRun.realm("create", "class", output, "Cat", "name=string", "--new").expect(status: 0)
    try ToolRun.realm("export", source, "--format", format, "-o", export).expect(status: 0)
    try ToolRun.realm("import", export, "-o", output).expect(status: 0, output: "imported 2 objects\n", errors: "")
    try ToolRun.realm("set", source, "--class", "metadata", "TRUEPREDICATE", "version=5").expect(status: 0)
    try ToolRun.realm("export", source, "--format", format, "-o", export).expect(status: 0)
    let run = try ToolRun.realm("import", export, "-o", output, "--update")
    #expect(run.status == 0 && run.output == "imported 0 objects, changed 2\n", "\(run)")
    #expect(run.errors.hasPrefix("note: metadata: 5 (line ") && run.errors.hasSuffix("the version of the file's schema stays 0\n"), "\(run)")
    try ToolRun.realm("query", output, "--class", "metadata", "version == 0", "--count").expect(status: 0, output: "1\n")
    #expect(try objects("Dog") == #"{"id":1}"# + "\n" + #"{"id":2}"# + "\n")
    let copy = directory.file("copy.realm")
    try ToolRun.realm("import", export, "-o", copy).expect(status: 0, output: "imported 2 objects\n")
    try ToolRun.realm("diff", source, copy).expect(status: 0)
  }

  @Test func badRowsCannotBeLeftOutAndNothingElseIsSaid() throws {
    let run = try imported(#"{"$class":"Cat","id":1,"age":5}"#)
    #expect(run.status == 3 && run.errors.contains("1 bad row, nothing was imported; repair them\n"), "\(run)")
    #expect(try imported(options: "--skip-bad").errors.contains("give nothing but -o and --update for it"))
  }

  /// The format has them, and no SDK.
  @Test func integerKeysOfADictionaryBecomeTextsAndThatIsSaid() throws {
    let file = Fixture.path("realm-core/dict_intkeys.realm")
    #expect(try ToolRun.realm("schema", file).output == "IntKeys\n  d  Map<Int, String?>\n")
    #expect(try ToolRun.realm("schema", file, "--json-schema").errors.contains("IntKeys.d: that its keys are integers"))
    for format in ["json", "jsonl"] {
      let (export, copy) = (directory.file("a.\(format)"), directory.file("\(format).realm"))
      try ToolRun.realm("export", file, "--format", format, "-o", export).expect(status: 0)
      try ToolRun.realm("import", export, "-o", copy).expect(
        status: 0, errors: "note: IntKeys.d: its integer keys become texts, as no SDK writes others\n")
    }
  }
}
