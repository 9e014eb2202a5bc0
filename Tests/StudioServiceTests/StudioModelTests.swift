import Foundation
import Randomness
import RealmInspection
import RealmQuery
import TestSupport
import Testing

@testable import RealmStorage
@testable import StudioService

/// What Realm Studio keeps and takes back, against what evaluating anew and the file itself say.
@Suite(.mustEnd) struct StudioModelTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory() }

  /// Dogs with a primary key, people without one who have dogs, and an address inside of each.
  private func makeFile() throws -> String {
    let path = directory.file("studio.realm")
    let database = try Database.open(path: path)
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let dog = try group.addTable("class_Dog")
      let id = try dog.addColumn(ColumnDefinition("id", .int))
      try dog.addColumn(ColumnDefinition("name", .string, .nullable))
      let age = try dog.addColumn(ColumnDefinition("age", .int))
      try dog.addColumn(ColumnDefinition("weight", .double, .nullable))
      try dog.addIndex(age)
      try dog.setPrimaryKey(id)
      let address = try group.addTable("class_Address", kind: .embedded)
      try address.addColumn(ColumnDefinition("street", .string))
      try address.addColumn(ColumnDefinition("near", .link, .nullable, target: dog.key))
      let person = try group.addTable("class_Person")
      try person.addColumn(ColumnDefinition("name", .string))
      try person.addColumn(ColumnDefinition("dog", .link, .nullable, target: dog.key))
      try person.addColumn(ColumnDefinition("dogs", .link, .list, target: dog.key))
      try person.addColumn(ColumnDefinition("home", .link, .nullable, target: address.key))
      try person.addColumn(ColumnDefinition("notes", .mixed, .nullable))
    }
    return path
  }

  private func ask(_ service: StudioService, _ path: String, _ body: String) -> StudioAnswer {
    service.answer(StudioRequest(method: "POST", path: path, body: Array(body.utf8)))
  }

  private func text(_ answer: StudioAnswer) -> String {
    guard case .bytes(let bytes) = answer.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func keys(_ service: StudioService, _ className: String) throws -> [ObjectKey] {
    try StudioService.table(className, service.live().current().openGroup()).keys()
  }

  // MARK: Results

  @Test(arguments: 1...4) func keptResultsAreWhatEvaluatingAnewSays(_ number: UInt64) throws {
    let path = try makeFile()
    let service = try StudioService(path: path)
    defer { service.close() }
    let writer = try Database.open(path: path)
    defer { writer.close() }
    let seed = testSeed &+ number
    var random = SeededGenerator(seed: seed)
    let all = [
      ("", "age", true), ("", "age", false), ("", "name", true), ("age > 50", nil, true), ("age > 30 AND name != nil", "name", false),
      ("@links.Person.dog.@count > 0", "age", true), ("", "weight", false), ("weight < 50", "weight", true),
      ("age < 80 SORT(age DESC) LIMIT(5)", nil, true), ("TRUEPREDICATE DISTINCT(age)", nil, true),
    ].map { ResultCache.Key(className: "Dog", text: $0.0, sort: $0.1, isAscending: $0.2) }
    // No more than are kept.
    let selections = all.shuffled(using: &random).prefix(6)
    var keptCount = 0
    for round in 0..<trials(full: 3000, tenth: 150) {
      try writer.write { (group) throws(StorageError) in try change(group, &random) }
      let live = try service.live()
      live.advanceNow()
      let snapshot = try live.current()
      #expect(snapshot.version == writer.newestVersion)
      for selection in selections {
        if live.results.withLock({ $0.keys(selection, at: snapshot.version) }) != nil { keptCount += 1 }
        let group = try snapshot.openGroup()
        let (_, selected) = try service.select(selection, live, snapshot, group)
        let found = try (0..<selected.count()).map { try selected.key(at: $0) }
        let plan = try #require(try ResultCache.plan(selection, in: snapshot.openGroup()))
        let expected = try plan.execute()
        if found != expected {
          Issue.record("seed \(seed), round \(round), \(selection): \(found) and not \(expected)")
          return
        }
      }
    }
    #expect(keptCount > trials(full: 100, tenth: 100))
  }

  private func change(_ group: Group, _ random: inout SeededGenerator) throws(StorageError) {
    guard let dog = try group.table(named: "class_Dog"), let person = try group.table(named: "class_Person") else { return }
    let (age, name) = (try dog.column(named: "age").key, try dog.column(named: "name").key)
    for _ in 0...random.below(4) {
      let keys = try dog.keys()
      switch random.below(keys.count > 200 ? 4 : 6) {
      case 3 where !keys.isEmpty && random.below(3) == 0:
        try dog.set(
          keys[random.below(keys.count)], dog.column(named: "weight").key, random.below(5) == 0 ? .double(.nan) : .double(Double(random.below(100))))
      case 0 where !keys.isEmpty: try dog.set(keys[random.below(keys.count)], age, .int(Int64(random.below(100))))
      case 1 where !keys.isEmpty:
        try dog.set(keys[random.below(keys.count)], name, random.below(4) == 0 ? .null : Value("name \(random.below(20))"))
      case 2 where !keys.isEmpty: try dog.remove(keys[random.below(keys.count)])
      case 4 where !keys.isEmpty && random.below(3) == 0:
        let owner = try person.createObject()
        try person.set(owner, person.column(named: "dog").key, .link(keys[random.below(keys.count)]))
      default:
        let (key, _) = try dog.findOrCreateObject(primaryKey: .int(Int64(random.below(100_000))))
        try dog.set(key, age, .int(Int64(random.below(100))))
      }
    }
  }

  // MARK: Edits

  /// Everything in the file, with the keys of objects; embedded ones are written in place, as their own keys are nobody's business.
  private func contents(_ service: StudioService) throws -> String {
    let sink = MemorySink()
    let opened = try service.live().opened()
    try PlainPrinter(Exporter(opened, digestLimit: nil, to: sink)).writeDocument(opened.tables, asLines: true)
    let dogs = try keys(service, "Dog").map { "\($0.rawValue)" }
    return String(decoding: sink.bytes, as: UTF8.self) + dogs.joined(separator: " ")
  }

  @Test(arguments: 1...4) func editsAreTakenBackAndDoneAgain(_ number: UInt64) throws {
    let service = try StudioService(path: makeFile())
    defer { service.close() }
    let seed = testSeed &+ number
    var random = SeededGenerator(seed: seed)
    var states = [try contents(service)]
    for _ in 0..<trials(full: 190, tenth: 60) {
      let (path, body) = try request(service, &random)
      let answer = ask(service, path, body)
      guard answer.status == 200 else {
        Issue.record("seed \(seed): \(path) \(body): \(text(answer))")
        return
      }
      states.append(try contents(service))
    }
    for index in states.indices.dropLast().reversed() {
      let answer = ask(service, "/api/undo", "")
      let now = try contents(service)
      if answer.status != 200 || now != states[index] {
        Issue.record("seed \(seed), taking back \(index): \(text(answer))\n\(now)\nand not\n\(states[index])")
        return
      }
    }
    for index in states.indices.dropFirst() {
      let answer = ask(service, "/api/redo", "")
      if try answer.status != 200 || contents(service) != states[index] {
        Issue.record("seed \(seed), doing again \(index): \(text(answer))")
        return
      }
    }
    #expect(ask(service, "/api/redo", "").status == 422)
    #expect(try service.live().opened().verify().isClean)
  }

  /// One from an object, one from an embedded object.
  @Test(arguments: [false, true]) func whatSomebodyElseLinksToMeanwhileStays(_ isEmbedded: Bool) throws {
    let path = try makeFile()
    let service = try StudioService(path: path)
    defer { service.close() }
    let other = try Database.open(path: path)
    defer { other.close() }
    #expect(ask(service, "/api/insert", #"{"class": "Dog", "values": [{"name": "id", "text": "7"}]}"#).status == 200)
    let dog = try #require(try keys(service, "Dog").first)
    #expect(ask(service, "/api/undo", "").status == 200)
    #expect(ask(service, "/api/redo", "").status == 200)
    func link(_ target: Value) throws {
      try other.write { (group) throws(StorageError) in
        guard let person = try group.table(named: "class_Person"), let address = try group.table(named: "class_Address") else { return }
        let key = if let known = try person.keys().first { known } else { try person.createObject() }
        if isEmbedded {
          try address.set(person.setEmbedded(key, person.column(named: "home").key), address.column(named: "near").key, target)
        } else {
          try person.set(key, person.column(named: "dog").key, target)
        }
      }
      try service.live().advanceNow()
    }
    try link(.link(dog))
    let before = try contents(service)
    let answer = ask(service, "/api/undo", "")
    #expect(answer.status == 409 && text(answer).contains("somebody else has linked Person #0 to Dog #\(dog.rawValue) since"), "\(text(answer))")
    #expect(try contents(service) == before)
    try link(.null)
    #expect(ask(service, "/api/undo", "").status == 200)
    #expect(try keys(service, "Dog").isEmpty)
  }

  @Test func takingBackAnImportLeavesWhatSomebodyElseMadeJustBeforeIt() throws {
    let path = try makeFile()
    let service = try StudioService(path: path)
    defer { service.close() }
    let other = try Database.open(path: path)
    defer { other.close() }
    func insert(_ id: Int64) throws {
      try other.write { (group) throws(StorageError) in _ = try group.table(named: "class_Dog")?.createObject(primaryKey: .int(id)) }
    }
    let live = try service.live()
    let (entered, imported) = (DispatchSemaphore(value: 0), live.database.newestVersion + 3)
    // The page is behind until the import is done.
    let listener = service.listen { _ in
      entered.signal()
      let deadline = ContinuousClock.now + .seconds(10)
      while live.database.newestVersion < imported, .now < deadline { usleep(1000) }
    }
    defer { service.endListening(listener) }
    try insert(1)
    entered.wait()
    try insert(2)
    let answer = service.answer(
      StudioRequest(method: "POST", path: "/api/import", query: ["class": "Dog", "format": "csv"], body: Array("id,age\n3,4\n".utf8)))
    #expect(answer.status == 200 && text(answer).contains(#""undoable":true"#), "\(text(answer))")
    #expect(try keys(service, "Dog").count == 3)
    #expect(ask(service, "/api/undo", "").status == 200)
    #expect(try keys(service, "Dog").count == 2)
  }

  private func request(_ service: StudioService, _ random: inout SeededGenerator) throws -> (path: String, body: String) {
    let (dogs, people) = (try keys(service, "Dog"), try keys(service, "Person"))
    func dog() -> Int64 { dogs[random.below(dogs.count)].rawValue }
    func person() -> Int64 { people[random.below(people.count)].rawValue }
    let name = "n\(random.below(1000))"
    switch random.below(10) {
    case 0 where dogs.count > 1: return ("/api/delete", "{\"class\": \"Dog\", \"keys\": [\(dogs[0].rawValue), \(dogs[dogs.count - 1].rawValue)]}")
    case 1 where !people.isEmpty: return ("/api/delete", "{\"class\": \"Person\", \"keys\": [\(person())]}")
    case 2 where !dogs.isEmpty:
      return (
        "/api/edit",
        "{\"class\": \"Dog\", \"key\": \(dog()), \"set\": [{\"name\": \"name\", \"text\": \"\(name)\"}, {\"name\": \"age\", \"text\": \"\(random.below(50))\"}]}"
      )
    case 3 where !people.isEmpty && !dogs.isEmpty:
      return ("/api/edit", "{\"class\": \"Person\", \"key\": \(person()), \"set\": [{\"name\": \"dog\", \"link\": \(dog())}]}")
    case 4 where !people.isEmpty && !dogs.isEmpty:
      let table = try StudioService.table("Dog", service.live().current().openGroup())
      let ids = try (0...random.below(4)).map { _ in CellPrinter.text(try table.value(ObjectKey(dog()), table.column(named: "id").key)) }
      return (
        "/api/edit", "{\"class\": \"Person\", \"key\": \(person()), \"set\": [{\"name\": \"dogs\", \"json\": \"[\(ids.joined(separator: ","))]\"}]}"
      )
    case 5 where !people.isEmpty:
      let table = try StudioService.table("Dog", service.live().current().openGroup())
      let near = try dogs.isEmpty ? "null" : CellPrinter.text(table.value(ObjectKey(dog()), table.column(named: "id").key))
      let text = "{\\\"street\\\": \\\"\(name)\\\", \\\"near\\\": \(near)}"
      let home = random.below(3) == 0 ? "{\"name\": \"home\", \"null\": true}" : "{\"name\": \"home\", \"json\": \"\(text)\"}"
      return (
        "/api/edit",
        "{\"class\": \"Person\", \"key\": \(person()), \"set\": [\(home), {\"name\": \"notes\", \"json\": \"[1, {\\\"a\\\": \\\"\(name)\\\"}]\"}]}"
      )
    case 6, 7: return ("/api/insert", "{\"class\": \"Person\", \"values\": [{\"name\": \"name\", \"text\": \"\(name)\"}]}")
    default:
      let id = random.below(1 << 40)
      return (
        "/api/insert", "{\"class\": \"Dog\", \"values\": [{\"name\": \"id\", \"text\": \"\(id)\"}, {\"name\": \"name\", \"text\": \"\(name)\"}]}"
      )
    }
  }

  // MARK: The map

  @Test(arguments: ["realm-core", "history"]) func everyByteOfAFileHasOneOwner(_ folder: String) throws {
    for path in Fixture.files(folder).map(\.path).prefix(40) {
      guard let opened = try? OpenFile(path: path), !opened.top.isNull, !opened.isStreaming else { continue }
      let map = FileMap(opened, version: 1)
      let whole = map.picture(0..<map.fileByteCount, count: 100)
      #expect(whole.shares.reduce(0, +) == map.fileByteCount, "\(path)")
      #expect(map.segments.reduce(0) { $0 + $1.byteCount } == map.fileByteCount, "\(path)")
      let half = map.fileByteCount / 2
      let parts = [map.picture(0..<half, count: 7), map.picture(half..<map.fileByteCount, count: 9)]
      #expect(zip(parts[0].shares, parts[1].shares).map(+) == whole.shares, "\(path)")
    }
  }
}
