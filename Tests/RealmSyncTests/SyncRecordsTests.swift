import RealmStorage
import RealmSync
import TestSupport
import Testing

/// What a file keeps of resets and migrations.
@Suite struct SyncRecordsTests {
  private let file: SyncFile
  private let time = Timestamp(seconds: 1000, nanoseconds: 1)

  init() throws { file = try SyncFile() }

  @Test(arguments: [
    (ClientResetRecord.Mode.discards, ClientResetRecord.Action.resetWithoutRecovery), (.recovers, .reset), (.recovers, .migrateToFlexible),
    (.discards, .revertToPartition),
  ])
  func aResetIsRememberedUntilItIsOver(_ mode: ClientResetRecord.Mode, _ action: ClientResetRecord.Action) throws {
    #expect(try ClientResetRecord.read(file.database) == nil)
    let record = ClientResetRecord(libraryVersion: "0.1.0", time: time, mode: mode, action: action, errorCode: 1032, errorText: "m")
    try record.store(in: file.database)
    #expect(try ClientResetRecord.read(file.database) == record)
    #expect(throws: SyncError.self, "one at a time") { try record.store(in: file.database) }
    try ClientResetRecord.remove(from: file.database)
    #expect(try ClientResetRecord.read(file.database) == nil)
  }

  @Test func aMigrationIsRememberedAndChanged() throws {
    #expect(try MigrationRecord.read(file.database) == nil)
    var record = MigrationRecord(startedAt: time, state: .inProgress, query: "TRUEPREDICATE", partition: "\"x\"")
    try record.store(in: file.database)
    #expect(try MigrationRecord.read(file.database) == record)
    (record.state, record.completedAt, record.firstSubscriptionVersion) = (.migrated, time, 3)
    try record.store(in: file.database)
    #expect(try MigrationRecord.read(file.database) == record)
    record.state = .rollbackInProgress
    try record.store(in: file.database)
    #expect(try MigrationRecord.read(file.database)?.state == .rollbackInProgress)
    try MigrationRecord.remove(from: file.database)
    #expect(try MigrationRecord.read(file.database) == nil && file.database.upload(after: 0).changesets.isEmpty)
  }

  @Test func aFileThatDoesNotSynchroniseTakesNoRecords() throws {
    let directory = TestDirectory(inMemory: true)
    let database = try Database.open(path: directory.file(), options: DatabaseOptions())
    defer { database.close() }
    #expect(throws: SyncError.self) { try SubscriptionStore(database) }
    #expect(throws: SyncError.self) { try MigrationRecord(startedAt: time, state: .migrated, query: "", partition: "").store(in: database) }
  }
}
