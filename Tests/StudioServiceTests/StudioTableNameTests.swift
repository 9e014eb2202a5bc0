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
