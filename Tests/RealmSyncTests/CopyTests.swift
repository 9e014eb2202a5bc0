import RealmSync
import TestSupport
import Testing

@testable import RealmStorage

/// What becomes of the history when a file is copied.
@Suite(.mustEnd) struct CopyTests {
  private let directory = TestDirectory(inMemory: true)

  /// File 2, which has downloaded server version 5.
  private func file() throws -> SyncFile {
    let file = try SyncFile()
    try file.database.setFileIdent(2, salt: 99)
    try file.write { group in
      let table = try group.addTable("class_A")
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("_id", .int)))
    }
    try file.receive([], serverVersion: 5, origin: 3)
    return file
  }

  @Test func aCopyHasNoNameAndGoesOnWhereTheFileIs() throws {
    let file = try file()
    try file.acknowledge()
    let path = directory.file("copy.realm")
    try file.database.snapshot().write(toFile: path)
    let copy = try Database.open(path: path)
    var status = try file.database.syncStatus()
    status.fileIdent = 0
    #expect(try copy.syncStatus() == status)
    #expect(try SyncFile.entries(copy) == file.entries())
    try copy.setFileIdent(4, salt: 100)
    let named = try copy.syncStatus()
    #expect(named.fileIdent == 4 && named.latestServer == status.latestServer)
    #expect(named.download == SyncStatus.Cursor(serverVersion: 5) && named.upload.clientVersion == 0)
    #expect(try copy.upload(after: 0).changesets.isEmpty)
    copy.close()
  }

  @Test func whatTheServerMayNotHaveIsNotCopied() throws {
    let file = try file()
    let path = directory.file("copy.realm")
    #expect(throws: StorageError.invalidArgument(reason: "All client changes must be integrated in server before writing copy")) {
      try file.database.snapshot().write(toFile: path)
    }
    #expect(!FileCalls.exists(path))
    #expect(try file.database.snapshot().unconfirmedChangeCount() == 1)
  }

  @Test func aCopyWithoutHistoryIsAlwaysPossible() throws {
    let path = directory.file("copy.realm")
    let file = try file()
    try file.database.snapshot().write(toFile: path, content: .tablesOnly)
    var options = DatabaseOptions()
    options.historyType = .inRealm
    let copy = try Database.open(path: path, options: options)
    #expect(try copy.read { (group) throws(StorageError) in try group.table(named: "class_A") != nil })
    copy.close()
  }

  @Test func aCopyWithinAWriteTransactionIsRefused() throws {
    let file = try file()
    let transaction = try file.database.beginWrite()
    defer { transaction.cancel() }
    let group = try transaction.openGroup()
    #expect(throws: StorageError.self) { try transaction.write(group, toFile: directory.file("copy.realm")) }
    #expect(!FileCalls.exists(directory.file("copy.realm")))
  }

  @Test func compactionInPlaceKeepsNameStatusAndEntries() throws {
    let file = try file()
    let (entries, status) = (try file.entries(), try file.database.syncStatus())
    #expect(try file.database.compact())
    #expect(try file.entries() == entries)
    #expect(try file.database.syncStatus() == status)
    #expect(try file.database.upload(after: 0).changesets.count == 1)
  }
}
