import Randomness
import TestSupport
import Testing
@testable import RealmStorage

/// Files with many holes.
@Suite(.mustEnd) struct HoleTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private func write(_ group: Group, _ id: Int64, _ payload: [UInt8]) throws(StorageError) {
    let table = try ChurnTable.table(group)
    let (key, _) = try table.findOrCreateObject(primaryKey: .int(id))
    try table.set(key, table.column(named: "payload").key, .binary(payload))
  }

  private func payload(_ random: inout SeededGenerator) -> [UInt8] {
    [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: Int.random(in: 12..<60, using: &random) * 8)
  }

  private func entryCount(_ database: Database) throws -> Int {
    let read = try database.beginRead()
    defer { read.end() }
    return try FreeSpace(read.space, top: read.topRef, logicalByteCount: read.byteCount, path: "").entries.count
  }

  /// A file of which every second item was removed.
  private func perforated(_ options: DatabaseOptions, _ random: inout SeededGenerator) throws -> (Database, [Int64: [UInt8]]) {
    let database = try Database.open(path: directory.file(), options: ChurnTable.options(options))
    var model: [Int64: [UInt8]] = [:]
    try database.write { (group) throws(StorageError) in
      for id in 0..<1600 as Range<Int64> {
        model[id] = payload(&random)
        try write(group, id, model[id]!)
      }
    }
    try database.write { (group) throws(StorageError) in
      let table = try ChurnTable.table(group)
      for id in stride(from: Int64(0), to: 1600, by: 2) {
        model[id] = nil
        if let key = try table.find(primaryKey: .int(id)) { try table.remove(key) }
      }
    }
    return (database, model)
  }

  @Test(arguments: [false, true]) func fillingHolesLosesNothing(isEncrypted: Bool) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    var (database, model) = try perforated(isEncrypted ? TestKey.options() : DatabaseOptions(), &random)
    #expect(try entryCount(database) > 512, "enough for holes to be filled")
    let ids = model.keys.sorted()
    for step in 0..<150 {
      let id = ids.randomElement(using: &random)!
      model[id] = payload(&random)
      try database.write { (group) throws(StorageError) in try write(group, id, model[id]!) }
      if step % 30 == 29 {
        let snapshot = try database.snapshot()
        let table = try #require(try snapshot.openGroup().table(named: "class_Item"))
        let column = try table.column(named: "payload").key
        for (id, bytes) in model {
          let key = try #require(try table.find(primaryKey: .int(id)))
          guard case .binary(let found) = try table.value(key, column), found == bytes else {
            Issue.record("seed \(seed), step \(step), item \(id) has another payload")
            return
          }
        }
        let violations = try CrashChecker.look(database.path, key: isEncrypted ? TestKey.make() : nil).violations
        #expect(violations == [], "seed \(seed), step \(step)")
      }
    }
    database.close()
    if !isEncrypted { #expect(try IndependentTools.violation(directory.file()) == nil, "seed \(seed)") }
  }

  @Test func changesOfOneItemDoNotMakeTheListOfHolesLonger() throws {
    var random = SeededGenerator(test: 3)
    var (database, model) = try perforated(DatabaseOptions(), &random)
    let ids = model.keys.sorted()
    var counts = [try entryCount(database)]
    for _ in 0..<3 {
      for _ in 0..<100 {
        let id = ids.randomElement(using: &random)!
        // Of the size that it had, so that its old place is a hole for another one.
        model[id] = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: model[id]!.count)
        try database.write { (group) throws(StorageError) in try write(group, id, model[id]!) }
      }
      counts.append(try entryCount(database))
    }
    #expect(counts[3] <= counts[0], "\(counts)")
    database.close()
  }

  @Test func aCommitThatChangesNoTableFillsNoHoles() throws {
    var random = SeededGenerator(test: 5)
    let (database, _) = try perforated(DatabaseOptions(), &random)
    #expect(try entryCount(database) > 512, "enough for holes to be filled")
    // The formats of both header slots are written, and what the history held before is gone.
    for _ in 0..<4 { try database.write { (_) throws(StorageError) in } }
    let storage = try #require(database.generation.storage as? FileStorage)
    for _ in 0..<4 {
      let before = storage.writeCount
      try database.write { (_) throws(StorageError) in }
      #expect(storage.writeCount == before + 3, "all nodes at once, the header's slot and its flags")
    }
    database.close()
  }

  private func pages(_ path: String) throws -> [ArraySlice<UInt8>] {
    let file = try FileStorage(path: path, mode: .readOnly)
    let bytes = try file.read(Int(file.byteCount()), at: 0)
    return stride(from: 0, to: bytes.count, by: CipherLayout.pageByteCount).map { bytes[$0..<$0 + CipherLayout.pageByteCount] }
  }

  @Test func anEncryptedListOfHolesIsNotSealedAgainWhereItIsAsItWas() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let (database, _) = try perforated(TestKey.options(), &random)
    let listPageCount = try entryCount(database) * 8 / CipherLayout.pageByteCount
    #expect(listPageCount >= 1)
    var changed: [Int] = []
    for _ in 0..<12 {
      let before = try pages(database.path)
      try database.write { (_) throws(StorageError) in }
      let after = try pages(database.path)
      #expect(before.count == after.count, "seed \(seed)")
      changed.append(zip(before, after).enumerated().count { $0.offset % (CipherLayout.pagesPerGroup + 1) != 0 && $0.element.0 != $0.element.1 })
      #expect(try CrashChecker.look(database.path, key: TestKey.make()).violations == [], "seed \(seed)")
    }
    // The header's page, and that of the top array with what changes in the list of versions, maybe on two pages.
    #expect(changed.suffix(6).allSatisfy { $0 <= 3 }, "\(changed), seed \(seed)")
    database.close()
  }
}
