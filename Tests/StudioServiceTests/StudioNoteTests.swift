import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage
@testable import StudioService

/// What Realm Studio says of values that are not what was written.
@Suite(.mustEnd) struct StudioNoteTests {
  let directory = TestDirectory()

  /// A class with a property of many types, and one that others link to, whose key may be null.
  private func makeService() throws -> StudioService {
    let path = directory.file("notes.realm")
    let database = try Database.open(path: path)
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let dog = try group.addTable("class_Dog")
      let id = try dog.addColumn(ColumnDefinition("id", .int, .nullable))
      try dog.setPrimaryKey(id)
      for id in [Value.int(7), .null] { _ = try dog.findOrCreateObject(primaryKey: id) }
      let table = try group.addTable("class_A")
      try table.addColumn(ColumnDefinition("n", .int, .nullable))
      try table.addColumn(ColumnDefinition("s", .string, .nullable))
      try table.addColumn(ColumnDefinition("d", .double, .nullable))
      try table.addColumn(ColumnDefinition("b", .bool, .nullable))
      try table.addColumn(ColumnDefinition("t", .timestamp, .nullable))
      try table.addColumn(ColumnDefinition("o", .objectID, .nullable))
      try table.addColumn(ColumnDefinition("m", .mixed, .nullable))
      try table.addColumn(ColumnDefinition("l", .int, .list))
      try table.addColumn(ColumnDefinition("x", .binary, .nullable))
      try table.addColumn(ColumnDefinition("dog", .link, .nullable, target: dog.key))
      _ = try table.createObject()
    }
    return try StudioService(path: path)
  }

  private func ask(_ service: StudioService, _ path: String, _ body: String, query: [String: String] = [:]) throws -> ImportValue {
    let answer = service.answer(StudioRequest(method: "POST", path: path, query: query, body: Array(body.utf8)))
    guard case .bytes(let bytes) = answer.body else { return .null }
    return try #require(ImportValue(json: bytes))
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private func notes(_ answer: ImportValue) -> [String] { (answer["notes"]?.elements ?? []).compactMap(\.string) }

  @Test func messagesNameWhatIsWrongToItsEndAndNoOptionOfTheTool() throws {
    let service = try makeService()
    defer { service.close() }
    let set = #"{"class": "A", "key": 0, "set": [{"name": "m", "json": "{\"a; b --c\":1,\"a; b --c\":2}"}]}"#
    #expect(try ask(service, "/api/edit", set)["error"]?.string == "'m': this is no JSON: the name 'a; b --c' occurs twice.")
    let file = service.answer(
      StudioRequest(method: "POST", path: "/api/import", query: ["format": "jsonl", "class": "B"], body: Array(#"{"a; --b":1,"a; --b":2}"#.utf8)))
    guard case .bytes(let bytes) = file.body else {
      Issue.record("no answer")
      return
    }
    #expect(ImportValue(json: bytes)?["bad"]?.elements.first?["reason"]?.string == "the name 'a; --b' occurs twice")
  }

  @Test func propertiesWhoseNamesOnlyLookAlikeAreChangedAndTakenBackEachForItself() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let database = try Database.open(path: directory.file("notes.realm"))
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_A")
      for name in [composed, decomposed] { try table.addColumn(ColumnDefinition(name, .int, .nullable)) }
      let key = try table.createObject()
      for (name, number) in [(composed, 1), (decomposed, 2)] as [(String, Int64)] { try table.set(key, table.column(named: name).key, .int(number)) }
    }
    func values() throws -> [Int64?] {
      try database.read { (group) throws(StorageError) in
        var numbers: [Int64?] = []
        guard let table = try group.table(named: "class_A"), let key = try table.keys().first else { return numbers }
        for name in [composed, decomposed] {
          if case .int(let number) = try table.value(key, table.column(named: name).key) { numbers.append(number) } else { numbers.append(nil) }
        }
        return numbers
      }
    }
    let service = try StudioService(path: directory.file("notes.realm"))
    defer { service.close() }
    let expected = "{\(quoted(composed)): \"1\", \(quoted(decomposed)): \"2\"}"
    let set = "[{\"name\": \(quoted(decomposed)), \"json\": \"5\"}]"
    let edit = try ask(service, "/api/edit", "{\"class\": \"A\", \"key\": 0, \"set\": \(set), \"expected\": \(expected)}")
    #expect(edit["done"]?.isTrue == true, "\(edit)")
    #expect(try values() == [1, 5])
    _ = try ask(service, "/api/delete", "{\"class\": \"A\", \"keys\": [0]}")
    #expect(try ask(service, "/api/undo", "")["error"] == nil)
    #expect(try values() == [1, 5])
    #expect(try ask(service, "/api/undo", "")["error"] == nil)
    #expect(try values() == [1, 2])
  }

  @Test func anEditDoesNotWaitForEverForTheTransactionOfAnotherProgram() throws {
    let service = try makeService()
    defer { service.close() }
    let other = try Database.open(path: directory.file("notes.realm"))
    defer { other.close() }
    let transaction = try other.beginWrite()
    let edit = #"{"class": "A", "key": 0, "set": [{"name": "n", "json": "5"}]}"#
    let refused = try ask(service, "/api/edit", edit)["error"]?.string
    #expect(refused == "Another program is in a write transaction and does not end it. Nothing was changed; try again when it has ended.")
    transaction.cancel()
    #expect(try ask(service, "/api/edit", edit)["done"]?.isTrue == true)
  }

  @Test func onlyTheMethodsThatARequestHasAreAnswered() throws {
    let service = try makeService()
    defer { service.close() }
    for (method, path, allowed) in [
      ("PUT", "/api/file", "GET"), ("DELETE", "/api/rows", "GET"), ("POST", "/api/file", "GET"), ("GET", "/api/edit", "POST"),
      ("PATCH", "/api/delete", "POST"),
    ] {
      let answer = service.answer(StudioRequest(method: method, path: path))
      #expect(answer.status == 405, "\(method) \(path)")
      #expect(answer.allowedMethods == allowed, "\(method) \(path)")
    }
    #expect(service.answer(StudioRequest(method: "PUT", path: "/api/nothing")).status == 404)
    #expect(service.answer(StudioRequest(path: "/api/file")).allowedMethods == nil)
  }

  @Test func whatASetValueBecomesIsSaid() throws {
    let service = try makeService()
    defer { service.close() }
    for (property, form, text, note) in [
      ("s", "json", "1", #"1 is no string and becomes "1""#), ("l", "json", #"[1, "2"]"#, #""2" is no int and becomes 2"#),
      ("l", "json", "null", "null becomes an empty list"),
      ("d", "text", "0.12345678901234567890", "0.12345678901234567890 becomes 0.12345678901234568, the double that is nearest to it"),
      ("t", "text", "2020-01-31", #""2020-01-31" has no time, which becomes midnight UTC"#),
      ("t", "text", "2020-01-31 12:00", #""2020-01-31 12:00" has no time zone and is taken for UTC"#),
      (
        "m", "text", "12345678901234567890123456789012345",
        "12345678901234567890123456789012345 becomes 1.234567890123457e+34, the double that is nearest to it"
      ),
    ] {
      let set = "[{\"name\": \"\(property)\", \"\(form)\": \(quoted(text))}]"
      #expect(try notes(ask(service, "/api/edit", "{\"class\": \"A\", \"key\": 0, \"set\": \(set)}")) == ["\(property): \(note)"])
      #expect(try notes(ask(service, "/api/insert", "{\"class\": \"A\", \"values\": \(set)}")) == ["\(property): \(note)"])
    }
    #expect(try notes(ask(service, "/api/undo", "")) == [])
  }

  @Test func ofWhatIsTypedAndStaysTheSameNothingIsSaid() throws {
    let service = try makeService()
    defer { service.close() }
    for (property, text) in [
      ("n", "12"), ("n", "-9223372036854775808"), ("s", "1.50"), ("s", "null"), ("d", "2.5"), ("d", "NaN"), ("b", "true"), ("m", "true"),
      ("t", "2020-01-31T12:00:00Z"), ("o", "111111111111111111111111"), ("x", "1234"),
    ] {
      let set = "[{\"name\": \"\(property)\", \"text\": \(quoted(text))}]"
      let answer = try ask(service, "/api/edit", "{\"class\": \"A\", \"key\": 0, \"set\": \(set)}")
      #expect(answer["done"]?.isTrue == true && notes(answer) == [], "\(property) \(text): \(answer)")
    }
  }

  @Test func aLinkLeadsToTheObjectThatWasChosenWhateverItsKeyIs() throws {
    let service = try makeService()
    defer { service.close() }
    for key in 0...1 {
      let answer = try ask(
        service, "/api/edit", "{\"class\": \"A\", \"key\": 0, \"set\": [{\"name\": \"dog\", \"link\": \(key)}]}")
      #expect(answer["done"]?.isTrue == true && notes(answer) == [])
      let table = try StudioService.table("A", service.live().current().openGroup())
      guard case .link(ObjectKey(Int64(key))) = try table.value(ObjectKey(0), table.column(named: "dog").key) else {
        Issue.record("no link to \(key)")
        return
      }
    }
  }

  @Test func whatImportedValuesBecomeInAClassThatExistsIsSaid() throws {
    let service = try makeService()
    defer { service.close() }
    let lines = "{\"s\":1}\n{\"s\":2.50,\"n\":\"7\"}\n"
    let answer = try ask(service, "/api/import", lines, query: ["class": "A", "format": "jsonl"])
    #expect(notes(answer) == [#"s: 1 (line 1) is no string and becomes "1", and 1 more likewise"#, #"n: "7" (line 2) is no int and becomes 7"#])
    // Of a string no zero is lost.
    let table = "s,n,t\n007,007,2020-01-01\n"
    let preview = try ask(service, "/api/import", table, query: ["class": "A", "format": "csv", "preview": "1"])
    #expect(
      notes(preview) == [
        "n: '007' (line 2) begins with a zero, which a number loses", "t: '2020-01-01' (line 2) has no time, which becomes midnight UTC",
      ])
  }

  @Test func whatIsWrongWithARequestIsSaidInWordsOfThePage() throws {
    let service = try makeService()
    defer { service.close() }
    for (set, error) in [
      ("[]", "Nothing is set."), (#"[{"name": "n", "link": 0}]"#, "'n' is no link."),
      (#"[{"name": "dog", "link": 99}]"#, "There is no such object to link to."),
      (#"[{"name": "cat", "text": "x"}]"#, "'A' has no property 'cat'."),
    ] {
      let answer = try ask(service, "/api/edit", "{\"class\": \"A\", \"key\": 0, \"set\": \(set)}")
      #expect(answer["error"]?.string == error)
    }
    #expect(service.undo.last == nil)
    let answer = service.answer(StudioRequest(path: "/api/elements", query: ["class": "A", "key": "0", "property": "n"]))
    #expect(answer.status == 422)
  }

  @Test func whatIsNoInputOfOneClassIsNotTakenForObjects() throws {
    let service = try makeService()
    defer { service.close() }
    for (format, text, error) in [
      ("json", #"{"$schema": {"B": {"properties": {"n": {"type": "int"}}}}, "B": [{"n": 1}]}"#, "several classes"),
      ("jsonl", "{\"$schema\": {\"B\": {\"properties\": {\"n\": {\"type\": \"int\"}}}}}\n{\"$class\": \"B\", \"n\": 1}\n", "several classes"),
      ("xml", "<a/>", "'xml' is no format"), ("csv", "a,a\n1,2\n", "the name 'a' occurs twice (line 1)"),
    ] {
      for preview in ["1", ""] {
        let answer = try ask(service, "/api/import", text, query: ["class": "C", "format": format, "preview": preview])
        #expect(answer["error"]?.string?.contains(error) == true, "\(answer)")
      }
    }
    // An export of one class is what it says, and so are its lines.
    let exported = #"[{"s": "a"}, {"s": "b"}]"#
    let answer = try ask(service, "/api/import", exported, query: ["class": "A", "format": "json"])
    #expect(answer["created"]?.int64 == 2)
  }

  @Test func aFileThatWasMovedOrReplacedIsNotEdited() throws {
    let service = try makeService()
    defer { service.close() }
    let set = #"{"class": "A", "key": 0, "set": [{"name": "n", "text": "1"}]}"#
    let (path, moved) = (directory.file("notes.realm"), directory.file("moved.realm"))
    let version = try service.live().database.newestVersion
    for isReplaced in [false, true] {
      #expect(rename(path, moved) == 0)
      if isReplaced { try Data(contentsOf: URL(fileURLWithPath: moved)).write(to: URL(fileURLWithPath: path)) }
      let answer = try ask(service, "/api/edit", set)
      #expect(answer["error"]?.string?.hasPrefix("'\(path)' is another file now, or none") == true, "\(answer)")
      #expect(try service.live().database.newestVersion == version)
      #expect(rename(moved, path) == 0)
    }
    #expect(try ask(service, "/api/edit", set)["error"] == nil)
    // Compaction makes another file of its own.
    let live = try service.live()
    #expect(try live.withoutVersion { () throws(StorageError) in try live.database.compact() })
    #expect(try ask(service, "/api/undo", "")["error"] == nil)
  }

  /// Files of older formats have keys that no number of a page holds.
  @Test(.needsOlderFormats) func objectsWithLargeKeysAreShownAndChanged() throws {
    let service = try StudioService(path: directory.copy("older/v20.realm", as: "old.realm"))
    defer { service.close() }
    #expect(try ask(service, "/api/upgrade", "")["error"] == nil)
    let opened = try service.live().opened()
    let group = try service.live().current().openGroup()
    var count = 0
    for description in opened.classes where description.kind == .topLevel {
      let table = try group.table(description.key)
      guard let key = try table.keys().first(where: { $0.rawValue > 1 << 53 }) else { continue }
      count += 1
      let name = SchemaText.className(description.name)
      func get(_ path: String, _ query: [String: String]) throws -> ImportValue {
        guard case .bytes(let bytes) = service.answer(StudioRequest(path: path, query: query)).body else { return .null }
        return try #require(ImportValue(json: bytes))
      }
      let rows = try get("/api/rows", ["class": name])["rows"]?.elements ?? []
      #expect(rows.contains { $0.elements.first?.string == "\(key.rawValue)" }, "\(rows)")
      #expect(try get("/api/object", ["class": name, "key": "\(key.rawValue)"])["key"]?.string == "\(key.rawValue)")
      let answer = try ask(service, "/api/delete", "{\"class\": \"\(name)\", \"keys\": [\"\(key.rawValue)\"]}")
      #expect(answer["deleted"]?.int64 == 1, "\(answer)")
      #expect(try ask(service, "/api/undo", "")["error"] == nil)
      #expect(try get("/api/object", ["class": name, "key": "\(key.rawValue)"])["error"] == nil)
    }
    #expect(count > 0)
  }

  /// Exports write such names with one more sign, requests do not.
  @Test func propertiesWhoseNamesBeginAsThoseOfExportsAreNotTakenForOthers() throws {
    let path = directory.file("dollars.realm")
    try Database.open(path: path).write { (group) throws(StorageError) in
      let table = try group.addTable("class_A")
      for name in ["$x", "$$x"] { try table.addColumn(ColumnDefinition(name, .int)) }
    }
    let service = try StudioService(path: path)
    defer { service.close() }
    func values() throws -> [Int64] {
      let table = try StudioService.table("A", service.live().current().openGroup())
      guard let key = try table.keys().first else { return [] }
      return try ["$x", "$$x"].map { name in if case .int(let value) = try table.value(key, table.column(named: name).key) { value } else { -1 } }
    }
    let insert = #"{"class": "A", "values": [{"name": "$$x", "text": "1"}, {"name": "$x", "text": "2"}]}"#
    #expect(try ask(service, "/api/insert", insert)["error"] == nil)
    #expect(try values() == [2, 1])
    #expect(try ask(service, "/api/edit", #"{"class": "A", "key": 0, "set": [{"name": "$$x", "text": "5"}]}"#)["error"] == nil)
    #expect(try values() == [2, 5])
    for wanted in [[2, 1], []] as [[Int64]] {
      #expect(try ask(service, "/api/undo", "")["error"] == nil)
      #expect(try values() == wanted)
    }
    #expect(try ask(service, "/api/redo", "")["error"] == nil)
    #expect(try values() == [2, 1])
  }

  @Test func whatIsNoJSONIsRefusedWithTheReason() throws {
    let service = try makeService()
    defer { service.close() }
    let set = "[{\"name\": \"m\", \"json\": \(quoted(#"{"a": 1, "a": 2}"#))}]"
    let answer = try ask(service, "/api/edit", "{\"class\": \"A\", \"key\": 0, \"set\": \(set)}")
    #expect(answer["error"]?.string == "'m': this is no JSON: the name 'a' occurs twice.")
  }
}
