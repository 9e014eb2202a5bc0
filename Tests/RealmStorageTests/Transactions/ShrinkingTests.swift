import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// A file that becomes shorter while other processes have it mapped. T10.4.
@Suite(.serialized, .mustEnd) struct ShrinkingTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private func addBulk(_ database: Database, byteCount: Int) throws {
    try database.write { (group) throws(StorageError) in
      let table: Table
      if let existing = try group.table(named: "class_Bulk") {
        table = existing
      } else {
        table = try group.addTable("class_Bulk")
        try table.addColumn(ColumnDefinition("data", .binary))
      }
      let data = try table.column(named: "data").key
      for index in 0..<byteCount / 4000 {
        try table.set(table.createObject(), data, .binary([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 4000)))
      }
    }
  }

  @Test func aFileShrinksUnderProcessesThatReadAndWriteIt() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let path = directory.file()
    let fleet = try Fleet(path: path, writers: 2, readers: 1, seed: seed)
    try fleet.awaitStart()
    let database = try Database.open(path: path)
    var lines: [String] = []
    for round in 0..<trials(full: 20, tenth: 3) {
      try addBulk(database, byteCount: 3 << 20)
      try fleet.listen(milliseconds: Int.random(in: 0..<80, using: &random))
      try database.write { (group) throws(StorageError) in
        guard let table = try group.table(named: "class_Bulk") else { return }
        try table.remove(table.keys())
      }
      let peak = try database.fileByteCount()
      let start = Date()
      var now = peak
      // Nobody but the other processes commits.
      while now > peak / 2, Date().timeIntervalSince(start) < 120 {
        try fleet.listen(milliseconds: 20)
        now = try database.fileByteCount()
      }
      lines.append("\(peak) -> \(now) in \(Int(Date().timeIntervalSince(start) * 1000)) ms")
      #expect(now <= peak / 2, "seed \(seed), round \(round)")
    }
    try fleet.pause()
    try fleet.checkLedger(wereKilled: false)
    database.close()
    #expect(try FileContents.violations(path) == [], "seed \(seed)")
    #expect(try IndependentTools.violation(path) == nil, "seed \(seed)")
    print("shrinking under 3 processes: \(lines.joined(separator: "; ")); \(fleet.commitCount) commits, \(fleet.readCount) reads, seed \(seed)")
  }
}
