import RealmStorage
import TestSupport
import Testing

/// Files that the tool makes can be opened by an SDK that may only read: they have a version of the schema.
@Suite(.mustEnd) struct NewFileTests {
  let directory = TestDirectory()
  private var output: String { directory.file("out.realm") }

  private func version() throws -> UInt64 {
    try Database.open(path: output).read { (group) throws(StorageError) in try group.schemaVersion() }
  }

  @Test func importedFilesHaveAVersion() throws {
    let input = try directory.write(Array("name,age\nAda,36\n".utf8), as: "people.csv")
    try ToolRun.realm("import", input, "-o", output, "--class", "Person").expect(status: 0)
    #expect(try version() == 0)
  }

  @Test func filesFromAWholeExportHaveAVersion() throws {
    let input = try directory.write(Array("name,age\nAda,36\n".utf8), as: "people.csv")
    try ToolRun.realm("import", input, "-o", directory.file("first.realm"), "--class", "Person").expect(status: 0)
    try ToolRun.realm("export", directory.file("first.realm"), "--format", "jsonl", "-o", directory.file("all.jsonl")).expect(status: 0)
    try ToolRun.realm("import", directory.file("all.jsonl"), "-o", output).expect(status: 0)
    #expect(try version() == 0)
  }

  @Test func aVersionThatIsThereStays() throws {
    try Database.open(path: output).write { (group) throws(StorageError) in try group.setSchemaVersion(7) }
    let input = try directory.write(Array("name\nAda\n".utf8), as: "people.csv")
    try ToolRun.realm("import", input, "-o", output, "--class", "Person").expect(status: 0)
    #expect(try version() == 7)
  }
}
