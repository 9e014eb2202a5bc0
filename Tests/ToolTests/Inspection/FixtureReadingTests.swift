import Foundation
import RealmInspection
import Testing

@testable import RealmStorage

/// The files of the C++ engine, read and checked.
@Suite(.enabled(if: Fixtures.arePresent, Comment(rawValue: Fixtures.absence))) struct FixtureReadingTests {
  @Test(arguments: Fixtures.files("realm-core", "older")) func everyMeasuredFileExportsByteForByte(_ path: String) throws {
    let expected = try #require(Fixtures.sideCar(path))
    #expect(try Conformance.exportDifference(path: path, expected: [UInt8](expected)) == nil)
  }

  @Test(arguments: Fixtures.files("realm-core", "older", "history")) func everyMeasuredFileKeepsAllInvariants(_ path: String) throws {
    let result = try OpenFile(path: path, depth: .header).verify()
    #expect(result.violations == [])
  }

  @Test(arguments: Fixtures.files("history")) func decodedLogsEqualTheMeasuredOnes(_ path: String) throws {
    let data = try #require(Fixtures.sideCar(path))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let changesets = try #require(document["changesets"] as? [[String: Any]])
    let entries = try HistoryEntries(OpenFile(path: path))
    #expect(document["base_version"] as? Int == Int(entries.baseVersion))
    var found: [UInt64: [String]] = [:]
    try entries.forEach { (entry) throws(StorageError) in
      found[entry.fromVersion] = try entry.instructions()
      return true
    }
    for changeset in changesets {
      let from = try #require(changeset["from"] as? Int)
      let expected = try #require(changeset["instructions"] as? [NSDictionary])
      let actual = try #require(found[UInt64(from)]).map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary }
      #expect(actual == expected, "changeset from version \(from)")
    }
  }

  @Test(arguments: Fixtures.files("realm-core", "older")) func schemasEqualThoseOfTheIndependentReader(_ path: String) throws {
    guard let answer = try Fixtures.python(["-m", "realm_inspect", "schema", path]) else { return }
    try #require(answer.status == 0)
    let expected = try JSONSerialization.jsonObject(with: answer.output) as? NSDictionary
    let actual = try JSONSerialization.jsonObject(with: Data(SchemaText.json(OpenFile(path: path)))) as? NSDictionary
    #expect(actual == expected)
  }

  @Test(arguments: ["too_old_v2", "too_old_v2_small"]) func filesOfForgottenFormatsAreRefusedWithTheirVersion(_ name: String) throws {
    let path = try #require(Fixtures.shared) + "/fixtures/older/\(name).realm"
    #expect(throws: StorageError.unsupportedVersion(path: path, version: 2)) { try OpenFile(path: path) }
    #expect(Diagnostics.message(.unsupportedVersion(path: path, version: 2), path: path).contains("version 2 "))
  }

  @Test func readingLeavesTheFileAlone() throws {
    let path = try #require(Fixtures.files("older").first { $0.hasSuffix("v22.realm") })
    let before = FileManager.default.contents(atPath: path)
    let file = try OpenFile(path: path)
    try Exporter(file, digestLimit: nil, to: MemorySink()).writeJSON()
    _ = file.verify()
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test func byteCountsOfAllClassesAndTheRestAddUp() throws {
    for path in Fixtures.files("realm-core", upTo: 300_000) {
      let file = try OpenFile(path: path)
      let statistics = try Statistics(file)
      let verification = file.verify()
      #expect(statistics.freeByteCount == verification.freeByteCount)
      #expect(statistics.tables.map(\.objectCount).reduce(0, +) == verification.objectCount)
      #expect(statistics.tables.map(\.byteCount).reduce(0, +) + statistics.historyByteCount <= verification.usedByteCount)
    }
  }
}
