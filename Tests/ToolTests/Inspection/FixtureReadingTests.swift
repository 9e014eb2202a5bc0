import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// The files of the C++ engine, read and checked.
@Suite(.mustEnd) struct FixtureReadingTests {
  @Test(arguments: sample(Fixture.files("realm-core"))) func everyMeasuredFileExportsByteForByte(_ fixture: Fixture) throws {
    try expectExport(fixture)
  }

  @Test(.needsOlderFormats, arguments: Fixture.files("older")) func everyFileOfAnOlderFormatExportsByteForByte(_ fixture: Fixture) throws {
    try expectExport(fixture)
  }

  private func expectExport(_ fixture: Fixture) throws {
    #expect(try Conformance.exportDifference(path: fixture.path, expected: [UInt8](fixture.sideCar)) == nil)
  }

  @Test(arguments: Fixture.files("realm-core", "history")) func everyMeasuredFileKeepsAllInvariants(_ fixture: Fixture) throws {
    #expect(try FileContents.violations(damaged: fixture.path) == [])
  }

  @Test(.needsOlderFormats, arguments: Fixture.files("older")) func everyFileOfAnOlderFormatKeepsAllInvariants(_ fixture: Fixture) throws {
    #expect(try FileContents.violations(damaged: fixture.path) == [])
  }

  @Test(arguments: Fixture.files("history")) func decodedLogsEqualTheMeasuredOnes(_ fixture: Fixture) throws {
    let data = try fixture.sideCar
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let changesets = try #require(document["changesets"] as? [[String: Any]])
    let entries = try HistoryEntries(OpenFile(path: fixture.path))
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

  @Test(.needsPython, arguments: sample(Fixture.files("realm-core"))) func schemasEqualThoseOfTheIndependentReader(_ fixture: Fixture) throws {
    try expectSchema(fixture)
  }

  @Test(.needsPython, .needsOlderFormats, arguments: Fixture.files("older"))
  func schemasOfOlderFormatsEqualThoseOfTheIndependentReader(_ fixture: Fixture) throws {
    try expectSchema(fixture)
  }

  private func expectSchema(_ fixture: Fixture) throws {
    let answer = try IndependentTools.run("realm_inspect", "schema", fixture.path)
    try #require(answer.status == 0)
    let expected = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? NSDictionary
    let actual = try JSONSerialization.jsonObject(with: Data(SchemaText.json(OpenFile(path: fixture.path)))) as? NSDictionary
    #expect(actual == expected)
  }

  @Test(.needsOlderFormats, arguments: ["too_old_v2", "too_old_v2_small"])
  func filesOfForgottenFormatsAreRefusedWithTheirVersion(_ name: String) throws {
    let path = FileCalls.realPath(Fixture.path("older/\(name).realm"))
    #expect(throws: StorageError.unsupportedVersion(path: path, version: 2)) { try OpenFile(path: path) }
    #expect(Diagnostics.message(.unsupportedVersion(path: path, version: 2), path: path).contains("version 2 "))
  }

  @Test func readingLeavesTheFileAlone() throws {
    let path = Fixture.path("realm-core/mixed_all.realm")
    let before = FileManager.default.contents(atPath: path)
    let file = try OpenFile(path: path)
    try Exporter(file, digestLimit: nil, to: MemorySink()).writeJSON()
    _ = file.verify()
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test func byteCountsOfAllClassesAndTheRestAddUp() throws {
    for fixture in Fixture.files("realm-core", upTo: 300_000) {
      let file = try OpenFile(path: fixture.path)
      let statistics = try Statistics(file)
      let verification = file.verify()
      #expect(statistics.freeByteCount == verification.freeByteCount)
      #expect(statistics.tables.map(\.objectCount).reduce(0, +) == verification.objectCount)
      #expect(statistics.tables.map(\.byteCount).reduce(0, +) + statistics.historyByteCount <= verification.usedByteCount)
    }
  }
}
