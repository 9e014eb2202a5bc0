import Foundation
import TestSupport
import Testing

/// Rows about objects that are there already, be it from the file or from rows before.
@Suite(.mustEnd) struct ImportUpdateTests {
  let directory = TestDirectory()
  private var output: String { directory.file("out.realm") }

  private func run(_ text: String, as name: String = "a.csv", _ options: String...) throws -> ToolRun {
    let input = try directory.write(Array(text.utf8), as: name)
    return try ToolRun("realm", ["import", input, "-o", output, "--class", "A"] + options)
  }
  private func rows() throws -> String {
    try ToolRun.realm("query", output, "--class", "A", "--format", "csv", "TRUEPREDICATE").output.replacing("\r\n", with: "\n")
  }
  private let note = "about an object that a row before it is about"

  @Test(arguments: ["0", "1", "2", "3"]) func anObjectCountsOnceHoweverManyRowsAreAboutIt(_ batch: String) throws {
    try run("id,n\n1,a\n2,b\n", "--primary-key", "id").expect(status: 0)
    let update = try run("id,n\n3,c\n1,x\n3,d\n1,y\n3,e\n", "--update", "--batch", batch)
    update.expect(status: 0, output: "imported 1 object into A, changed 1\n")
    #expect(update.errors.contains("3 rows are \(note), the first in line 4: what comes last counts; without --update"), "\(update)")
    #expect(try rows() == "id,n\n1,y\n2,b\n3,e\n")
    let single = try run("id,n\n1,x\n1,y\n", "--update", "--batch", batch)
    single.expect(status: 0, output: "imported 0 objects into A, changed 1\n")
    #expect(single.errors.contains("1 row is \(note) (line 3)"), "\(single)")
    #expect(try !run("id,n\n1,x\n4,y\n", "--update", "--batch", batch).errors.contains(note))
  }

  @Test func objectsOfSeveralClassesWithTheSameKeysAreNotTakenForEachOther() throws {
    let properties = #"{"primaryKey":"id","properties":{"id":{"type":"int"}}}"#
    let schema = "{\"$schema\":{\"A\":\(properties),\"B\":\(properties)}}"
    let rows = ["A", "B", "A"].map { "{\"$class\":\"\($0)\",\"id\":1}" }
    let input = try directory.write(Array(([schema] + rows).joined(separator: "\n").utf8), as: "all.jsonl")
    let run = try ToolRun.realm("import", input, "-o", output, "--update")
    run.expect(status: 0, output: "imported 2 objects\n")
    #expect(run.errors.contains("1 row is \(note) (line 4)"), "\(run)")
  }

  @Test func anObjectThatIsInsertedTwiceIsOne() throws {
    try run("id,n\n1,a\n", "--primary-key", "id").expect(status: 0)
    let run = try ToolRun.realm("insert", output, "--class", "A", "--update", #"[{"id":7,"n":"x"},{"id":7,"n":"y"},{"id":1,"n":"z"}]"#)
    run.expect(status: 0, output: "inserted 1 object of A, changed 1\n")
    #expect(run.errors.contains("1 row is \(note): what comes last counts"), "\(run)")
    #expect(try rows() == "id,n\n1,z\n7,y\n")
  }

  @Test func aFileOfWhichNothingIsTakenIsNotWrittenTo() throws {
    try run("id,n\n1,a\n", "--primary-key", "id").expect(status: 0)
    for path in [".lock", ".note", ".management"].map({ output + $0 }) { try? FileManager.default.removeItem(atPath: path) }
    let before = try Data(contentsOf: URL(fileURLWithPath: output))
    try run("id,n\n1,b\n", "--skip-bad").expect(status: 0, output: "imported 0 objects into A\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["a.csv", "out.realm"])
    // A property is something.
    try run("id,n,more\n", "--skip-bad").expect(status: 0, output: "imported 0 objects into A\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) != before)
  }

  @Test func aTransactionThatIsFullWithTheLastRowIsFollowedByNone() throws {
    try run("id,n\n1,a\n2,b\n", "--primary-key", "id", "--batch", "2").expect(status: 0)
    let version = try newestVersion()
    try run("id,n\n3,a\n4,b\n", "--batch", "2").expect(status: 0, output: "imported 2 objects into A\n")
    #expect(try newestVersion() == version + 1)
  }
  private func newestVersion() throws -> Int {
    let text = try ToolRun.realm("stat", output, "--json").output
    return try #require((JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["newestVersion"] as? Int)
  }

  @Test func rowsOfOneLineAreToldApart() throws {
    let twice = try run(#"[{"id":5},{"id":5},{"id":6}]"#, as: "a.json", "--primary-key", "id")
    #expect(twice.status == 3 && twice.errors.contains("a.json:1: object 2 of the line: an object with the primary key 5 exists"), "\(twice)")
    let number = try run("[{\"id\":5},\n {\"id\":6}, {\"id\":7}, 8,\n9]", as: "a.json", "--primary-key", "id")
    #expect(number.errors.contains("a.json:2: object 3 of the line: is no object") && number.errors.contains("a.json:3: is no object"), "\(number)")
  }
}
