import TestSupport
import Testing

@testable import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite(.mustEnd) struct OutgrownMappingTests {
  @Test func aFileThatOutgrowsItsMappingIsMappedAnewAndOldSnapshotsStayReadable() throws {
    let directory = TestDirectory()
    var options = DatabaseOptions()
    options.reservedByteCount = 1 << 20
    let database = try Database.open(path: directory.file("grow.realm"), options: options)
    var column = ColumnKey.null
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Blob")
      column = try table.addColumn(ColumnDefinition("data", .binary))
    }
    var snapshots: [(Snapshot, Int)] = []
    var payload = [UInt8](repeating: 0, count: 200_000)
    for round in 0..<60 {
      for index in payload.indices { payload[index] = UInt8(truncatingIfNeeded: index &+ round) }
      try database.write { (group) throws(StorageError) in
        guard let table = try group.table(named: "class_Blob") else { throw .noSuchTable(name: "class_Blob") }
        try table.set(table.createObject(), column, .binary(payload))
      }
      if round % 10 == 0 { snapshots.append((try database.snapshot(), round + 1)) }
    }
    #expect(try database.spaceUse().totalByteCount > 12_000_000, "the file did not outgrow the reservation of 4 MiB")
    for (snapshot, count) in snapshots {
      let table = try #require(try snapshot.openGroup().table(named: "class_Blob"))
      #expect(try table.count() == count)
      let last = try #require(try table.keys().last)
      guard case .binary(let bytes) = try table.value(last, column) else { throw StorageError.typeMismatch(reason: "no binary") }
      #expect(bytes[7] == UInt8(truncatingIfNeeded: 7 + count - 1))
    }
    snapshots = []
    #expect(try database.compact())
    try database.read { (group) throws(StorageError) in
      let table = try group.table(named: "class_Blob")
      let count = try table?.count()
      #expect(count == 60)
    }
  }

  /// What needed the memory had given up a leaf of the file, and nobody knows of its copy.
  @Test func aTransactionThatWasOutOfMemoryIsNotCommitted() throws {
    let directory = TestDirectory()
    var options = DatabaseOptions()
    options.reservedByteCount = 1 << 20
    let path = directory.file()
    let database = try Database.open(path: path, options: options)
    var (column, key) = (ColumnKey.null, ObjectKey.null)
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Blob")
      column = try table.addColumn(ColumnDefinition("data", .binary))
      key = try table.createObject()
      try table.set(key, column, .binary([UInt8](repeating: 1, count: 1000)))
    }
    let transaction = try database.beginWrite()
    let group = try transaction.openGroup()
    let table = try #require(try group.table(named: "class_Blob"))
    #expect(throws: StorageError.self) { try table.set(key, column, .binary([UInt8](repeating: 2, count: 5_000_000))) }
    try table.set(table.createObject(), column, .binary([3]))
    #expect { try transaction.commit(group) } throws: { error in
      if case .outOfDiskSpace = error as? StorageError { true } else { false }
    }
    transaction.cancel()
    #expect(try FileContents.violations(path).isEmpty)
    try database.write { (group) throws(StorageError) in
      try group.table(named: "class_Blob")?.set(key, column, .binary([4]))
    }
    #expect(try FileContents.violations(path).isEmpty)
  }

  #if os(Linux)
    @Test func whatIsRolledBackGivesItsMemoryBack() throws {
      let directory = TestDirectory()
      let database = try Database.open(path: directory.file())
      var column = ColumnKey.null
      try database.write { (group) throws(StorageError) in
        column = try group.addTable("class_Blob").addColumn(ColumnDefinition("data", .binary))
      }
      let payload = [UInt8](repeating: 1, count: 1_000_000)
      let transaction = try database.beginWrite()
      let group = try transaction.openGroup()
      let savepoint = try transaction.savepoint(group)
      let table = try #require(try group.table(named: "class_Blob"))
      for _ in 0..<100 { try table.set(table.createObject(), column, .binary(payload)) }
      let scratch = transaction.scratch
      #expect(Self.residentByteCount(scratch) > 90_000_000)
      try transaction.commit(transaction.rollBack(group, to: savepoint))
      #expect(Self.residentByteCount(scratch) < 4_000_000)
    }

    /// Of the first 128 MiB of scratch memory.
    private static func residentByteCount(_ scratch: Scratch) -> Int {
      let (pageByteCount, pageCount) = (4096, 128 << 8)
      var pages = [UInt8](repeating: 0, count: pageCount)
      _ = mincore(UnsafeMutableRawPointer(mutating: scratch.address(Ref(scratch.space.scratchStart))), pageCount * pageByteCount, &pages)
      return pages.count { $0 & 1 != 0 } * pageByteCount
    }
  #endif
}
