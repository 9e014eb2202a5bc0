import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Decrypted pages that nobody can need any more are given back; those that somebody may be reading are not.
@Suite(.mustEnd) struct PageReclamationTests {
  let directory = TestDirectory()

  private static let limit: UInt64 = 1 << 20
  private func open() throws -> Database {
    var options = TestKey.options()
    options.keptByteCount = Self.limit
    return try Database.open(path: directory.file(), options: options)
  }
  private func bytes(_ value: Value) -> [UInt8] { if case .binary(let bytes) = value { bytes } else { [] } }
  private static func commit(_ database: Database, _ round: Int) throws {
    try database.write { (group) throws(StorageError) in
      let known = try group.table(named: "class_Small")
      let table = if let known { known } else { try group.addTable("class_Small") }
      if known == nil { try table.addColumn(ColumnDefinition("number", .int)) }
      try table.setInt(table.createObject(), table.column(named: "number").key, Int64(round))
    }
  }

  @Test func whatWasReadOnceIsGivenBackWhenItsVersionsAreGone() throws {
    try Blobs.make(directory.file(), count: 16, byteCount: 1 << 20, key: TestKey.make())
    let database = try open()
    try Blobs.read(database, count: 16)
    #expect(database.decryptedByteCount > 16 << 20)
    // Nobody holds a version: the next reader finds room.
    _ = try database.snapshot()
    #expect(database.decryptedByteCount < 1 << 20)
    try Blobs.read(database, count: 16)
    var held: Snapshot? = try database.snapshot()
    let table = try #require(try held?.openGroup().table(named: "class_Blob"))
    let column = try table.column(named: "data").key
    let values = try table.keys().map { try bytes(table.value($0, column)) }
    for round in 0..<10 { try Self.commit(database, round) }
    #expect(database.decryptedByteCount > 16 << 20, "pages of a version that is held were given back")
    #expect(try table.keys().map { try bytes(table.value($0, column)) } == values)
    held = nil
    // What was read a moment ago may still be wanted.
    var round = 10
    let isGivenBack = try waitUntil {
      try Self.commit(database, round)
      round += 1
      return database.decryptedByteCount <= 2 << 20
    }
    #expect(isGivenBack)
    try Blobs.read(database, count: 16)
    database.close()
  }

  @Test(.endsProcesses) func memoryGoesBackToTheSystem() async {
    await #expect(processExitsWith: .success) { [path = directory.file() as String] in
      try Blobs.make(path, count: 8, byteCount: 4 << 20, key: TestKey.make())
      let database = try Database.open(path: path, options: TestKey.options())
      try Blobs.read(database, count: 8)
      let before = ProcessMemory.now().residentByteCount
      database.giveBackMemory()
      let after = ProcessMemory.now().residentByteCount
      #expect(before - after > 30 << 20, "\(before) -> \(after)")
      try Blobs.read(database, count: 8)
      database.close()
    }
  }

  @Test func whatIsUsedAllTheTimeIsKept() throws {
    try Blobs.make(directory.file(), count: 8, byteCount: 1 << 20, key: TestKey.make())
    let database = try open()
    var smallest = UInt64.max
    for round in 0..<12 {
      try Blobs.read(database, count: 4)
      if round > 6 { smallest = min(smallest, database.decryptedByteCount) }
      let snapshot = try database.snapshot()
      try Self.commit(database, round)
      withExtendedLifetime(snapshot) {}
    }
    #expect(smallest > 4 << 20, "the working set was given back every time: \(smallest)")
    database.close()
  }

  /// Readers hold on to what they have found while pages around them come and go.
  @Test func readersNeverSeeAPageGo() throws {
    try Blobs.make(directory.file(), count: 8, byteCount: 200_000, key: TestKey.make())
    let database = try open()
    for round in 0..<300 { try Self.commit(database, round) }
    let rounds = trials(full: 3000, tenth: 300)
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        for round in 0..<rounds {
          switch worker {
          case 0:
            try Self.commit(database, round)
            database.giveBackMemory()
          case 1: database.giveBackMemory()
          default:
            let snapshot = try database.snapshot(worker == 2 ? .live : .frozen)
            let group = try snapshot.openGroup()
            let (small, blobs) = (try #require(try group.table(named: "class_Small")), try #require(try group.table(named: "class_Blob")))
            let (number, data) = (try small.column(named: "number").key, try blobs.column(named: "data").key)
            let rows = try small.keys().map { try small.row($0) }
            let index = round % 8
            guard case .binary(let bytes) = try blobs.value(blobs.keys()[index], data) else { throw StorageError.typeMismatch(reason: "") }
            #expect(bytes == Blobs.bytes(index, 200_000))
            let column = try small.column(number)
            for (position, row) in rows.enumerated() {
              guard case .int(let value) = try row.value(column) else { throw StorageError.typeMismatch(reason: "") }
              #expect(value == Int64(position < 300 ? position : position - 300))
            }
          }
        }
      } catch { Issue.record("\(error)") }
    }
    database.close()
  }
}
