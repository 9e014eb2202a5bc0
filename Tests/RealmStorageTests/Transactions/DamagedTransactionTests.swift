import TestSupport
import Testing

@testable import RealmStorage

/// What fuzzing found in transactions and verification.
@Suite(.mustEnd) struct DamagedTransactionTests {
  /// The header is sound; a transaction notices the rest. It must give up its claims once.
  @Test func aTransactionThatCannotBeginGivesUpItsClaimsOnce() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in _ = try group.addTable("class_A") }
    let storage = try FileStorage(path: directory.file(), mode: .readWrite)
    let top = try FileHeader.read(from: storage).selectedTopRef
    // The top array is no array of refs any more.
    let flags = try storage.read(1, at: top.byteOffset + 4)
    try storage.write([flags[0] & ~0x40], at: top.byteOffset + 4)
    for _ in 0..<3 { #expect(throws: StorageError.self) { try database.beginWrite() } }
    try storage.write(flags, at: top.byteOffset + 4)
    try database.write { (group) throws(StorageError) in _ = try group.addTable("class_B") }
  }

  @Test func aVersionThatNoFileReachesIsDamage() throws {
    let directory = TestDirectory()
    do {
      let database = try Database.open(path: directory.file())
      try database.write { (group) throws(StorageError) in _ = try group.addTable("class_A") }
    }
    let storage = try FileStorage(path: directory.file(), mode: .readWrite)
    let top = try FileHeader.read(from: storage).selectedTopRef
    // The slots are 32 bits wide; behind the top array the file is free.
    let old = try storage.read(8 + 11 * 4, at: top.byteOffset)
    #expect(old[4] & 7 == 6)
    var wide = Array(old[..<8])
    wide[4] |= 7
    for slot in 0..<11 { wide += old[(8 + slot * 4)..<(12 + slot * 4)] + [0, 0, 0, 0] }
    wide.replaceSubrange(8 + 6 * 8..<8 + 7 * 8, with: [0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    try storage.write(wide, at: top.byteOffset)
    #expect { try Database.open(path: directory.file()) } throws: { error in "\(error)".contains("Invalid version") }
  }

  /// A blob of seven bytes where seven numbers of two bytes were: writing them would reach into the next node.
  @Test(arguments: [WidthScheme.blob, .bytes]) func anArrayWithTheSizeOfABlobIsNotWrittenTo(_ scheme: WidthScheme) throws {
    let directory = TestDirectory()
    let path = directory.file()
    let database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Item")
      let numbers = try table.addColumn(ColumnDefinition("number", .int))
      for number in 1...7 as ClosedRange<Int64> { try table.setInt(table.createObject(), numbers, number * 1000) }
    }
    let snapshot = try database.snapshot()
    let table = try #require(try snapshot.openGroup().table(named: "class_Item"))
    var clusters: [Cluster] = []
    var walk = table.clusterWalk()
    try walk.append(to: &clusters, limit: 1)
    let leaf = try snapshot.space.node(at: clusters[0].column(LeafColumn(table.column(named: "number")).leafIndex))
    #expect(leaf.header.width == 16)
    let file = try FileStorage(path: path, mode: .readWrite)
    try file.write([UInt8(scheme.rawValue << 3 | 5)], at: leaf.ref.byteOffset + 4)
    let transaction = try database.beginWrite()
    defer { transaction.cancel() }
    let group = try transaction.openGroup()
    let items = try #require(try group.table(named: "class_Item"))
    let (keys, number) = (try items.keys(), try items.column(named: "number").key)
    #expect(throws: StorageError.self) { try items.setInt(keys[6], number, 5) }
    #expect(throws: StorageError.self) { try items.createObject() }
    #expect(throws: StorageError.self) { try items.remove(keys[0]) }
    // The nodes beside it are as they were.
    for index in 0..<40 { _ = try group.addTable("class_Other\(index)") }
  }
}

/// An old file without index of its primary key, with a negative object key: the upgrade builds the index.
@Suite(.needsOlderFormats, .mustEnd) struct DamagedUpgradeTests {
  @Test func anUpgradeRefusesALiveObjectWithANegativeKey() throws {
    let directory = TestDirectory()
    let path = try directory.copy("older/v11.realm")
    let storage = try FileStorage(path: path, mode: .readWrite)
    // The array of object keys at 0x1a8 has elements of 64 bits.
    for element in 0..<7 { try storage.write([UInt8](repeating: 0xFE, count: 8), at: UInt64(0x1B0 + 8 * element)) }
    #expect(throws: StorageError.self) { try Database.open(path: path) }
  }
}
