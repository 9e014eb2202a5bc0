import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Files of the original engine that we commit to, judged by the independent checker.
@Suite(.mustEnd) struct FixtureCommitTests {
  let directory = TestDirectory()

  @Test(arguments: sample(Fixture.files("realm-core"))) func commitsKeepAFixtureSoundAndItsContents(_ fixture: Fixture) throws {
    let path = try directory.copy(fixture.name)
    let isLarge = (try FileManager.default.attributesOfItem(atPath: path)[.size] as! Int) > 1 << 21
    // The first commit of a file without any makes its format 24.
    let isCompared = !isLarge && fixture.name != "realm-core/empty_header_only.realm"
    let before = isCompared ? try IndependentTools.json(path) : nil
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
    if !isLarge || isFullRun { #expect(try IndependentTools.violation(path) == nil) }
    if isCompared { #expect(try IndependentTools.json(path) == before) }
  }

  @Test(arguments: ["compacted.realm", "evacuation.realm", "stream_nohist.realm", "stream_empty.realm", "lists_all.realm"])
  func compactionAndCopiesKeepTheContents(_ name: String) throws {
    let path = try directory.copy("realm-core/" + name)
    let before = try IndependentTools.json(path)
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
      #expect(try IndependentTools.violation(directory.file(copy)) == nil)
      #expect(try IndependentTools.json(directory.file(copy)) == before)
    }
    do {
      let database = try Database.open(path: path)
      let version = database.newestVersion
      #expect(try database.compact())
      #expect(database.newestVersion == version)
      #expect(try database.spaceUse().totalByteCount == database.spaceUse().usedByteCount)
      #expect(try IndependentTools.violation(path) == nil)
      #expect(try IndependentTools.json(path) == before)
      try database.beginWrite().commit()
      #expect(try IndependentTools.violation(path) == nil)
      #expect(try database.compact())
    }
    #expect(try IndependentTools.json(path) == before)
    do {
      let database = try Database.open(path: path)
      try database.beginWrite().commit()
    }
    #expect(try IndependentTools.violation(path) == nil)
    #expect(try IndependentTools.json(path) == before)
  }

  @Test func aFileInTheMiddleOfAnotherEnginesCompactionKeepsItsNotes() throws {
    let path = try directory.copy("realm-core/evacuation.realm")
    let database = try Database.open(path: path)
    try database.beginWrite().commit()
    let snapshot = try database.snapshot()
    #expect(try snapshot.space.refs(at: snapshot.topRef).count == 12)
    #expect(try IndependentTools.violation(path) == nil)
  }
}
