import Testing

@testable import RealmStorage

/// What fuzzing found in transactions and verification.
@Suite struct DamagedTransactionTests {
  /// The header is sound; a transaction notices the rest. It must give up its claims once.
  @Test func aTransactionThatCannotBeginGivesUpItsClaimsOnce() throws {
    let directory = try RealmDirectory()
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
    let directory = try RealmDirectory()
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
}

/// An old file without index of its primary key, with a negative object key: the upgrade builds the index.
@Suite(.enabled(if: Shared.isThere, "../shared is not there")) struct DamagedUpgradeTests {
  @Test func anUpgradeRefusesALiveObjectWithANegativeKey() throws {
    let directory = try RealmDirectory()
    let path = try directory.copy("older/v11.realm")
    let storage = try FileStorage(path: path, mode: .readWrite)
    // The array of object keys at 0x1a8 has elements of 64 bits.
    for element in 0..<7 { try storage.write([UInt8](repeating: 0xFE, count: 8), at: UInt64(0x1B0 + 8 * element)) }
    #expect(throws: StorageError.self) { try Database.open(path: path) }
  }
}
