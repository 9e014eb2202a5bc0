import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

struct ExportTests {
  private let directory: TestDirectory
  private let path: String

  init() throws {
    directory = TestDirectory()
    path = try directory.write(OneObjectFile.bytes, as: "dog.realm")
  }

  private func text(_ body: (Exporter) throws -> Void) throws -> String {
    let sink = MemorySink()
    try body(Exporter(OpenFile(path: path), digestLimit: nil, to: sink))
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test func theWorkedExampleOfTheFormatIsWholeAndReads() throws {
    let file = try OpenFile(path: path)
    let result = file.verify()
    #expect(result.violations == [])
    #expect((result.tableCount, result.objectCount, result.nodeCount) == (1, 1, 18))
    let expected = """
      {"fileFormat":24,"tables":[
      {"name":"class_Dog","key":0,"type":"TopLevel","columns":[
       {"name":"name","type":"string"},
       {"name":"age","type":"int"}],"objectCount":1,"objects":[
       {"key":0,"values":{"name":"Rex","age":7}}]}
      ]}

      """
    #expect(try text { try $0.writeJSON() } == expected)
  }

  @Test func linesNameTableKeyAndValues() throws {
    #expect(try text { try $0.writeJSONLines() } == #"{"table":"class_Dog","key":0,"values":{"name":"Rex","age":7}}"# + "\n")
  }

  @Test func commaSeparatedValuesHaveAHeaderAndCRLF() throws {
    let table = try OpenFile(path: path).tables[0]
    #expect(try text { try $0.writeCSV(table: table) } == "name,age\r\nRex,7\r\n")
  }

  @Test func aDigestReplacesTablesAboveTheLimit() throws {
    let sink = MemorySink()
    try Exporter(OpenFile(path: path), digestLimit: 0, to: sink).writeJSON()
    let text = String(decoding: sink.bytes, as: UTF8.self)
    #expect(text.contains("\"objectCount\":1,\"objectsDigest\":\""))
    #expect(!text.contains("\"objects\":["))
  }

  @Test func theSchemaIsPrintedForPeopleAndAsSource() throws {
    let file = try OpenFile(path: path)
    #expect(SchemaText.readable(file) == "Dog\n  name  String\n  age   Int\n")
    #expect(SwiftSource(file).text.contains("class Dog: Object {\n  @Persisted var name: String\n  @Persisted var age: Int\n}"))
  }

  @Test func statisticsAddUpToTheFile() throws {
    let statistics = try Statistics(OpenFile(path: path))
    #expect((statistics.totalByteCount, statistics.freeByteCount, statistics.usedByteCount) == (4096, 3736, 360))
    #expect(statistics.tables.map(\.objectCount) == [1])
    #expect(statistics.fragmentation == 0)
  }

  @Test func aDumpCanBeginAtAnyNode() throws {
    let sink = MemorySink()
    let dump = Dump(try OpenFile(path: path, depth: .header), start: Ref(0x70), previewLimit: 16, to: sink)
    _ = try dump.write()
    let lines = String(decoding: sink.bytes, as: UTF8.self).split(separator: "\n")
    #expect(dump.isFound)
    #expect(lines.count == 10)
    #expect(lines[0].hasPrefix("@0x70 spec: refs"))
  }

  @Test func datesAreWrittenInISO8601() {
    #expect(DateText.text(of: Timestamp(seconds: 0, nanoseconds: 0)) == "1970-01-01T00:00:00Z")
    #expect(DateText.text(of: Timestamp(seconds: 951_782_400, nanoseconds: 500_000_000)) == "2000-02-29T00:00:00.5Z")
    #expect(DateText.text(of: Timestamp(seconds: 0, nanoseconds: -500_000_000)) == "1969-12-31T23:59:59.5Z")
    #expect(DateText.text(of: Timestamp(seconds: -1, nanoseconds: 0)) == "1969-12-31T23:59:59Z")
    #expect(DateText.text(of: Timestamp(seconds: -62_167_219_200, nanoseconds: 0)) == "0000-01-01T00:00:00Z")
    #expect(DateText.text(of: Timestamp(seconds: 253_402_300_799, nanoseconds: 1)) == "9999-12-31T23:59:59.000000001Z")
    #expect(DateText.text(of: Timestamp(seconds: .max, nanoseconds: 0)) == "9223372036854775807:0")
    #expect(DateText.text(of: Timestamp(seconds: .min, nanoseconds: -1)) == "-9223372036854775808:-1")
  }
}
