import Foundation
import Randomness

import RealmStorage

/// A table whose file is mostly free once most of its items are gone.
package enum ChurnTable {
  package static func options(_ base: DatabaseOptions = DatabaseOptions()) -> DatabaseOptions {
    var options = base
    options.durability = .unsafe
    options.announcesCommits = false
    return options
  }

  package static func table(_ group: Group) throws(StorageError) -> Table {
    if let table = try group.table(named: "class_Item") { return table }
    let table = try group.addTable("class_Item")
    try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
    try table.addColumn(ColumnDefinition("number", .int))
    try table.addColumn(ColumnDefinition("payload", .binary))
    return table
  }

  /// About `byteCount` bytes of payload per item.
  package static func insert(_ group: Group, _ ids: Range<Int>, byteCount: Int, _ random: inout SeededGenerator) throws(StorageError) {
    let table = try table(group)
    let (number, payload) = (try table.column(named: "number").key, try table.column(named: "payload").key)
    for id in ids {
      let (key, _) = try table.findOrCreateObject(primaryKey: .int(Int64(id)))
      try table.setInt(key, number, Int64.random(in: 0..<1 << 20, using: &random))
      let count = Int.random(in: byteCount / 2...byteCount * 3 / 2, using: &random)
      try table.set(key, payload, .binary([UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count)))
    }
  }

  /// Removes all but every `kept`-th item.
  package static func thin(_ group: Group, keepingEvery kept: Int) throws(StorageError) {
    let table = try table(group)
    let doomed = try table.keys().enumerated().filter { $0.offset % kept != 0 }.map(\.element)
    try table.remove(doomed)
  }

  package static func touch(_ group: Group, _ random: inout SeededGenerator) throws(StorageError) {
    let table = try table(group)
    guard let key = try table.keys().randomElement(using: &random) else { return }
    try table.setInt(key, table.column(named: "number").key, Int64.random(in: 0..<1 << 20, using: &random))
  }

  /// A file of some megabytes of which most is free, and nothing has been moved yet.
  package static func makeFile(
    _ database: Database, rows: Int = 8000, byteCount: Int = 480, keepingEvery kept: Int = 20, _ random: inout SeededGenerator
  ) throws {
    try database.write { (group) throws(StorageError) in try insert(group, 0..<rows, byteCount: byteCount, &random) }
    try database.write { (group) throws(StorageError) in try thin(group, keepingEvery: kept) }
  }
}

/// What a file says about its own space.
package struct SpaceFacts {
  package let physical: UInt64
  package let logical: UInt64
  package let used: UInt64
  package let topSlotCount: Int
  package let evacuation: Evacuation

  package init(_ database: Database) throws(StorageError) {
    physical = try database.fileByteCount()
    let snapshot = try database.snapshot()
    logical = snapshot.byteCount
    let free = try FreeSpace(snapshot.space, top: snapshot.topRef, logicalByteCount: logical, path: "")
    used = logical - free.freeByteCount
    let top = try snapshot.space.refs(at: snapshot.topRef)
    topSlotCount = top.count
    evacuation = Evacuation(snapshot.space, slot: top.count > 11 ? top.element(unchecked: 11) : 0, logicalByteCount: logical)
  }
}
