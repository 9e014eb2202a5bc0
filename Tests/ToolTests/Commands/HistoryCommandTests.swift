import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// `realm history`.
@Suite(.mustEnd) struct HistoryCommandTests {
  let directory = TestDirectory()

  @Test func transactionsAreToldInWords() throws {
    let path = directory.file("a.realm")
    let database = try Database.open(path: path)
    // Keeps the logs.
    let reader = try database.beginRead()
    try database.write { (group) throws(StorageError) in
      let dog = try group.addTable("class_Dog")
      try dog.addColumn(ColumnDefinition("name", .string))
      try dog.addColumn(ColumnDefinition("tags", .string, .list))
    }
    try database.write { (group) throws(StorageError) in
      guard let dog = try group.table(named: "class_Dog") else { return }
      try dog.createObject(withKey: ObjectKey(0))
    }
    // What is set in a new object goes without saying.
    try database.write { (group) throws(StorageError) in
      guard let dog = try group.table(named: "class_Dog") else { return }
      try dog.set(ObjectKey(0), dog.column(named: "name").key, Value("Rex"))
      try dog.collection(ObjectKey(0), dog.column(named: "tags").key).append(Value("good"))
    }
    try database.write { (group) throws(StorageError) in
      guard let dog = try group.table(named: "class_Dog") else { return }
      try dog.remove(ObjectKey(0))
    }
    let all = try ToolRun("realm", ["history", path])
    #expect(all.status == 0, "\(all.errors)")
    for line in [
      "  class Dog is new", "  property Dog.name is new", "  Dog #0 was added", "  Dog #0.name was set", "  Dog #0.tags: an element was put in at 0",
      "  Dog #0 was deleted",
    ] {
      #expect(all.output.contains(line + "\n"), "\(line) in\n\(all.output)")
    }
    #expect(all.errors == "4 transactions in the file\n")
    let last = try ToolRun("realm", ["history", path, "--last", "1"])
    #expect(last.output.hasPrefix("version 5, ") && last.output.hasSuffix("\n  Dog #0 was deleted\n"), "\(last.output)")
    reader.end()
    database.close()
  }

  @Test func theLogsOfRecordedFilesArePrinted() throws {
    var count = 0
    for fixture in Fixture.files("history") {
      let run = try ToolRun("realm", ["history", fixture.path, "--json", "--quiet"])
      #expect(run.status == 0, "\(fixture.name): \(run.errors)")
      for line in run.output.split(separator: "\n") {
        let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(entry?["version"] is NSNumber && entry?["instructions"] is [Any], "\(fixture.name): \(line)")
        count += 1
      }
      #expect(try ToolRun("realm", ["history", fixture.path, "--quiet"]).status == 0)
    }
    #expect(count > 0)
  }
}
