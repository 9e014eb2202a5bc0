import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage
@testable import StudioService

/// Every file of an application has a table `metadata`, and an application may have a class of that name.
@Suite(.mustEnd) struct StudioTableNameTests {
  let directory = TestDirectory()

  private func makeService() throws -> StudioService {
    let path = directory.file()
    let database = try Database.open(path: path)
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      for name in ["metadata", "class_metadata"] { try group.addTable(name).addColumn(ColumnDefinition("version", .int)) }
      _ = try group.table(named: "class_metadata")?.createObject()
    }
    return try StudioService(path: path)
  }

  private func get(_ service: StudioService, _ path: String) throws -> ImportValue {
    guard case .bytes(let bytes) = service.answer(StudioRequest(method: "GET", path: path)).body else { return .null }
    return try #require(ImportValue(json: bytes))
  }

  private func count(_ row: ImportValue) -> Int64? {
    if case .integer(let count) = row["objects"] { count } else { nil }
  }

  private func elements(_ answer: ImportValue, _ list: String) -> [ImportValue] { answer[list]?.elements ?? [] }

  @Test func sizesOfTablesThatAreNoClassesAreNotThoseOfClasses() throws {
    let service = try makeService()
    defer { service.close() }
    let status = try get(service, "/api/status")
    #expect(elements(status, "classes").map { $0["class"]?.string } == ["metadata"])
    #expect(elements(status, "classes").map(count) == [1])
    #expect(elements(status, "otherTables").map { $0["title"]?.string } == ["metadata (table without class)"])
    #expect(elements(status, "otherTables").map(count) == [0])
  }

  @Test func theMapTellsWhatBelongsToNoClass() throws {
    let service = try makeService()
    defer { service.close() }
    let owners = Set(elements(try get(service, "/api/map"), "owners").compactMap { $0["class"]?.string })
    #expect(owners == ["", "metadata", "metadata (table without class)"])
  }
}

@Suite(.mustEnd) struct StudioQueryTests {
  let directory = TestDirectory()

  /// What the page makes of a name with `encodeURIComponent`, and how it stands in a file.
  @Test(arguments: [
    ("%EF%BB%BFDog", "\u{FEFF}Dog"), ("%EF%BB%BF", "\u{FEFF}"), ("a%26b%3Dc", "a&b=c"), ("a+b%2Bc", "a+b+c"), ("100%", "100%"), ("%zz%4", "%zz%4"),
    ("%C3%A4", "ä"), ("x=y", "x=y"), ("", ""),
  ]) func aParameterIsWhatThePageWrote(_ written: String, _ meant: String) {
    #expect(StudioRequest.query("class=\(written)&\(written.replacing("=", with: "%3D"))=1&q")["class"].map { Array($0.utf8) } == Array(meant.utf8))
    #expect(StudioRequest.query("q=1&\(written.replacing("=", with: "%3D"))=2")[meant] == "2")
  }
  @Test func aClassWhoseNameBeginsWithAByteOrderMarkIsFound() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_\u{FEFF}Dog")
      try table.addColumn(ColumnDefinition("n", .int))
      _ = try table.createObject()
    }
    database.close()
    let service = try StudioService(path: path)
    defer { service.close() }
    let answer = service.answer(StudioRequest(path: "/api/rows", query: StudioRequest.query("class=%EF%BB%BFDog&from=0&count=10")))
    #expect(answer.status == 200)
  }
}
