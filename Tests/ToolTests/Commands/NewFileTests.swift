import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import realm

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

  // MARK: Taken away again

  @Test func aFileThatAnotherProgramUsesStaysWhenTheImportThatMadeItFails() throws {
    // Long enough for another program to open the file while it is filled; the last row is refused.
    let rows = (0..<60_000).map { "\($0)\n" }.joined()
    let input = try directory.write(Array("id\n\(rows)7\n".utf8), as: "a.csv")
    let (output, errors) = (output, directory.file("errors"))
    let process = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["import", input, "-o", output, "--class", "A", "--primary-key", "id"], input: .nothing,
      output: .nothing, errors: .file(errors))
    #expect(waitUntil { FileManager.default.fileExists(atPath: output) })
    let database = try Database.open(path: output)
    defer { database.close() }
    #expect(try process.waitForEnd() == 3)
    try database.write { (group) throws(StorageError) in _ = try group.addTable("class_B") }
    try ToolRun.realm("query", output, "--class", "B", "TRUEPREDICATE", "--count").expect(status: 0, output: "0\n")
    let text = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(text.contains("\(output) stays: another program uses it") && text.contains("nothing was imported"), "\(text)")
  }

  enum Others: CaseIterable { case none, before, between, after }

  /// Commits to a new file, twice ourselves and once in another program's place.
  private func make(_ others: Others) throws -> NewFile {
    let made = NewFile(output, key: nil)
    func other(_ when: Others) throws {
      if when == others { try Database.open(path: output).write { (group) throws(StorageError) in _ = try group.addTable("class_B") } }
    }
    try other(.before)
    for name in ["class_A", "class_C"] {
      if name == "class_C" { try other(.between) }
      let database = try Database.open(path: output)
      defer { database.close() }
      let transaction = try database.beginWrite()
      let group = try transaction.openGroup()
      try made.begin(transaction, group)
      try group.addTable(name)
      try made.commit(transaction, group)
    }
    try other(.after)
    return made
  }

  @Test(arguments: Others.allCases) func onlyAFileToWhichNobodyElseWroteIsRemoved(_ others: Others) throws {
    let isRemoved = try make(others).remove()
    #expect(isRemoved == (others == .none))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty == isRemoved)
  }

  @Test func aFileThatNothingWasCommittedToIsRemovedUnlessOthersUseIt() throws {
    let database = try Database.open(path: output)
    #expect(!NewFile(output, key: nil).remove())
    database.close()
    #expect(NewFile(output, key: nil).remove())
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }
}
