import Foundation
import Testing

@testable import RealmStorage

/// Files of the original engine that we commit to, judged by the independent checker.
@Suite(.enabled(if: Shared.isThere, "../shared is not there")) struct FixtureCommitTests {
  let directory: RealmDirectory
  init() throws { directory = try RealmDirectory() }

  static var fixtures: [String] {
    guard let shared = Shared.directory else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: shared + "/fixtures/realm-core")) ?? []
    return names.filter { $0.hasSuffix(".realm") }.sorted()
  }

  @Test(arguments: fixtures) func commitsKeepAFixtureSoundAndItsContents(_ name: String) throws {
    let path = try directory.copy("realm-core/" + name)
    let isLarge = (try FileManager.default.attributesOfItem(atPath: path)[.size] as! Int) > 1 << 21
    // The first commit of a file without any makes its format 24.
    let isCompared = !isLarge && name != "empty_header_only.realm"
    let before = isCompared ? try Shared.json(path) : ""
    do {
      let database = try Database.open(path: path)
      try database.beginWrite().commit()
      #expect(try spaceViolation(database) == nil)
      let snapshot = try database.snapshot()
      let transaction = try database.beginWrite()
      try transaction.touchEverything()
      try transaction.commit(log: [1, 2, 3])
      _ = snapshot
      try database.beginWrite().commit()
      try database.beginWrite().commit()
      #expect(try spaceViolation(database) == nil)
    }
    // The checker takes half a minute for a large file.
    if !isLarge || isFullRun { #expect(try Shared.violation(path) == nil) }
    if isCompared { #expect(try Shared.json(path) == before) }
  }

  @Test(arguments: ["compacted.realm", "evacuation.realm", "stream_nohist.realm", "stream_empty.realm", "lists_all.realm"])
  func compactionAndCopiesKeepTheContents(_ name: String) throws {
    let path = try directory.copy("realm-core/" + name)
    let before = try Shared.json(path)
    do {
      let database = try Database.open(path: path)
      try database.beginWrite().commit()
      let version = database.newestVersion
      let snapshot = try database.snapshot()
      try snapshot.write(toFile: directory.file("all.realm"))
      try snapshot.write(toFile: directory.file("tables.realm"), content: .tablesOnly)
      #expect(throws: StorageError.fileExists(path: directory.file("all.realm"))) { try snapshot.write(toFile: directory.file("all.realm")) }
      #expect(try !database.compact(), "a snapshot is alive")
      withExtendedLifetime(snapshot) {}
      _ = version
    }
    for copy in ["all.realm", "tables.realm"] {
      #expect(try Shared.violation(directory.file(copy)) == nil)
      #expect(try Shared.json(directory.file(copy)) == before)
    }
    do {
      let database = try Database.open(path: path)
      let version = database.newestVersion
      #expect(try database.compact())
      #expect(database.newestVersion == version)
      #expect(try database.spaceUse().totalByteCount == database.spaceUse().usedByteCount)
      #expect(try Shared.violation(path) == nil)
      #expect(try Shared.json(path) == before)
      try database.beginWrite().commit()
      #expect(try Shared.violation(path) == nil)
      #expect(try database.compact())
    }
    #expect(try Shared.json(path) == before)
    do {
      let database = try Database.open(path: path)
      try database.beginWrite().commit()
    }
    #expect(try Shared.violation(path) == nil)
    #expect(try Shared.json(path) == before)
  }

  @Test func aFileInTheMiddleOfAnotherEnginesCompactionKeepsItsNotes() throws {
    let path = try directory.copy("realm-core/evacuation.realm")
    let database = try Database.open(path: path)
    try database.beginWrite().commit()
    let snapshot = try database.snapshot()
    #expect(try snapshot.space.refs(at: snapshot.topRef).count == 12)
    #expect(try Shared.violation(path) == nil)
  }
}
