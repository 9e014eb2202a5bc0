import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage
@testable import StudioService

/// Texts that Swift takes for equal, and values that have more to say than a text: a page is told what the file holds.
@Suite(.mustEnd) struct StudioExactTextTests {
  let directory = TestDirectory()
  /// One letter in two ways.
  private let letters = ["\u{E9}", "e\u{301}"]

  /// Two classes that are called by the letters, each with a property for each; the first one's link to the second.
  private func makeService() throws -> StudioService {
    let path = directory.file()
    let database = try Database.open(path: path)
    defer { database.close() }
    try database.write { [letters] (group) throws(StorageError) in
      let target = try group.addTable("class_" + letters[1])
      try target.addColumn(ColumnDefinition("n", .int))
      let table = try group.addTable("class_" + letters[0])
      let columns = try letters.map { (name) throws(StorageError) in try table.addColumn(ColumnDefinition(name, .string)) }
      let link = try table.addColumn(ColumnDefinition("l", .link, .nullable, target: target.key))
      let object = try target.createObject()
      for text in [0, 0, 1] {
        let row = try table.createObject()
        for column in columns { try table.set(row, column, Value(letters[text])) }
        try table.set(row, link, .link(object))
      }
      let mixed = try group.addTable("class_M")
      let value = try mixed.addColumn(ColumnDefinition("m", .mixed, .nullable))
      try mixed.set(mixed.createObject(), value, .typedLink(ObjectLink(table: target.key, key: object)))
      try mixed.set(mixed.createObject(), value, .float(1.5))
    }
    return try StudioService(path: path)
  }

  private func links(_ service: StudioService) throws -> [Int64?] {
    try ask(service, "/api/rows", ["class": letters[0]])["rows"]?.elements.map { $0.elements.last?["l"]?.int64 } ?? []
  }

  private func ask(_ service: StudioService, _ path: String, _ query: [String: String], body: String? = nil) throws -> ImportValue {
    let request = StudioRequest(method: body == nil ? "GET" : "POST", path: path, query: query, body: Array((body ?? "").utf8))
    guard case .bytes(let bytes) = service.answer(request).body else { return .null }
    return try #require(ImportValue(json: bytes))
  }

  @Test func queriesThatWriteALetterInTwoWaysAreTwo() throws {
    let service = try makeService()
    defer { service.close() }
    for (letter, count) in zip(letters, [2, 1]) as Zip2Sequence<[String], [Int64]> {
      let answer = try ask(service, "/api/rows", ["class": letters[0], "q": "\(letters[0]) == \"\(letter)\""])
      #expect(answer["total"]?.int64 == count)
    }
    for (name, count) in zip(letters, [3, 1]) as Zip2Sequence<[String], [Int64]> {
      #expect(try ask(service, "/api/rows", ["class": name, "q": "TRUEPREDICATE"])["total"]?.int64 == count)
    }
  }

  @Test func onlyThePropertyThatIsHiddenIsLeftOut() throws {
    let service = try makeService()
    defer { service.close() }
    let row = try ask(service, "/api/rows", ["class": letters[0], "hide": letters[1]])["rows"]?.elements.last?.elements ?? []
    #expect(row.count == 4 && row[1].string.map { $0.utf8.elementsEqual(letters[1].utf8) } == true)
    if case .null = row[2] {} else { Issue.record("the property is not hidden") }
  }

  @Test func anEditOfBothClassesIsTakenBack() throws {
    let service = try makeService()
    defer { service.close() }
    let before = try links(service)
    #expect(before == [0, 0, 0])
    let body = "{\"class\": \"\(letters[1])\", \"keys\": [0]}"
    #expect(try ask(service, "/api/delete", [:], body: body)["deleted"]?.int64 == 1)
    #expect(try links(service) == [nil, nil, nil])
    #expect(try ask(service, "/api/undo", [:], body: "{}")["error"]?.string == nil)
    #expect(try links(service) == before)
  }

  @Test func groupsOfMixedValuesSayWhatTheyAre() throws {
    let service = try makeService()
    defer { service.close() }
    func groups() throws -> ImportValue { try ask(service, "/api/groups", ["class": "M", "functions": "max:m"]) }
    #expect(try groups()["rows"]?.elements.first?.elements.last?["m"]?.string == "link")
    let list = #"{"class": "M", "values": [{"name": "m", "json": "[1]"}]}"#
    #expect(try ask(service, "/api/insert", [:], body: list)["error"]?.string == nil)
    let answer = try ask(service, "/api/groups", ["class": "M", "by": "m"])
    #expect(answer["error"]?.string?.hasPrefix("'m' holds lists or dictionaries, by which objects are not grouped") == true, "\(answer)")
  }
}
