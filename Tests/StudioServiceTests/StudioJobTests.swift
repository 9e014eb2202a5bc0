import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage
@testable import StudioService

/// Long work that Realm Studio does on a file.
@Suite(.mustEnd) struct StudioJobTests {
  let directory = TestDirectory()

  /// It can be read as a whole.
  private func damagedFile() throws -> String {
    let path = directory.file("damaged.realm")
    let database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_A")
      let name = try table.addColumn(ColumnDefinition("name", .string))
      for number in 1770..<1780 { try table.set(table.createObject(), name, .string(Array("name \(number)".utf8))) }
    }
    database.close()
    try overrun("name 1777", in: path)
    return path
  }

  private func lastJob(_ service: StudioService) throws -> ImportValue {
    let answer = service.answer(StudioRequest(method: "GET", path: "/api/jobs"))
    guard case .bytes(let bytes) = answer.body else { return .null }
    let jobs = try #require(ImportValue(json: bytes))
    return try #require(jobs.elements.last)
  }

  @Test(arguments: ["compact", "compact-online"])
  func aDamagedFileIsNotCompacted(_ work: String) async throws {
    let path = try damagedFile()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let service = try StudioService(path: path)
    defer { service.close() }
    _ = service.answer(StudioRequest(method: "POST", path: "/api/job", body: Array(#"{"work": "\#(work)"}"#.utf8)))
    #expect(try await eventually { try lastJob(service)["state"]?.string != "running" })
    let job = try lastJob(service)
    #expect(job["state"]?.string == "failed")
    #expect(job["message"]?.string?.hasPrefix("The file is damaged: table 'class_A' column 'name'") == true, "\(job)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
