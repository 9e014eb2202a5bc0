import ChangesetModel
import Foundation
import RealmStorage
import RealmSync
import SyncSimulation
import TestSupport
import Testing

/// Files that clients of the original left behind, at every stage of synchronising.
@Suite struct OriginalFilesTests {
  private static let files = Fixture.files("sync")

  private struct Failure: Error { let text: String }

  /// A copy of a file, opened as any other.
  private static func open(_ fixture: Fixture, _ directory: TestDirectory) throws -> Database {
    let path = directory.file()
    try Data(fixture.bytes).write(to: URL(fileURLWithPath: path))
    return try Database.open(path: path, options: DatabaseOptions())
  }

  private static func recorded(_ fixture: Fixture) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: fixture.sideCar) as? [String: Any] ?? [:]
  }

  private static func check(_ database: Database) throws {
    let snapshot = try database.snapshot()
    #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24).violations.isEmpty)
  }

  @Test(arguments: files) func theStatusIsReadAsTheOriginalReadsIt(_ fixture: Fixture) throws {
    let directory = TestDirectory(inMemory: true)
    let database = try Self.open(fixture, directory)
    defer { database.close() }
    let recorded = try #require(try Self.recorded(fixture)["history"] as? [String: Any])
    func number(_ name: String) -> UInt64 { (recorded[name] as? NSNumber)?.uint64Value ?? .max }
    var expected = SyncStatus()
    (expected.fileIdent, expected.fileIdentSalt) = (number("client_file_ident"), number("client_file_ident_salt"))
    expected.latestServer = SyncStatus.Server(version: number("latest_server_version"), salt: number("latest_server_version_salt"))
    expected.download = SyncStatus.Cursor(serverVersion: number("download_server_version"), clientVersion: number("download_client_version"))
    expected.upload = SyncStatus.Cursor(serverVersion: number("upload_server_version"), clientVersion: number("upload_client_version"))
    (expected.downloadedByteCount, expected.downloadableByteCount) = (number("downloaded_bytes"), number("downloadable_bytes"))
    (expected.uploadedByteCount, expected.uploadableByteCount) = (number("uploaded_bytes"), number("uploadable_bytes"))
    #expect(try database.syncStatus() == expected)
    try Self.check(database)
  }

  @Test(arguments: files) func theHistoryIsReadAsTheOriginalReadsIt(_ fixture: Fixture) throws {
    let directory = TestDirectory(inMemory: true)
    let database = try Self.open(fixture, directory)
    defer { database.close() }
    let snapshot = try database.snapshot()
    let history = SyncHistory(root: try TopArray(snapshot.space, at: snapshot.topRef).history)
    let entries = try #require(try Self.recorded(fixture)["entries"] as? [[String: Any]])
    try #require(try history.count(snapshot.space) == entries.count)
    for (index, recorded) in entries.enumerated() {
      let entry = try history.entry(snapshot.space, index)
      let version = (recorded["version"] as? NSNumber)?.uint64Value ?? 0
      #expect(try history.firstBase(snapshot.space, version: snapshot.version) + UInt64(index) + 1 == version)
      func isSame(_ stored: [UInt8]?, _ name: String) throws -> Bool {
        let expected = (recorded[name] as? String).map(RecordedOperation.hexadecimal)
        return try stored.map { try StoredChangeset.bytes($0, version: version) } == expected
      }
      #expect(try isSame(entry.changeset, "changeset") && isSame(entry.reciprocal, "reciprocal"), "version \(version)")
      #expect(entry.origin == (recorded["origin_file_ident"] as? NSNumber)?.uint64Value)
      #expect(entry.timestamp == (recorded["origin_timestamp"] as? NSNumber)?.uint64Value)
      #expect(entry.serverVersion == (recorded["remote_version"] as? NSNumber)?.uint64Value)
    }
  }

  @Test(arguments: files) func theObjectsAreThoseOfTheOriginal(_ fixture: Fixture) throws {
    let directory = TestDirectory(inMemory: true)
    let database = try Self.open(fixture, directory)
    defer { database.close() }
    let state = RecordedState(classes: try Self.recorded(fixture)["state"] as? [String: [String: Any]] ?? [:])
    let realm = try database.read { (group) throws(StorageError) in try ModelRealm(group) }
    #expect(state.difference(from: realm) == nil)
  }

  @Test(arguments: files) func theyAreWrittenFurther(_ fixture: Fixture) throws {
    let directory = TestDirectory(inMemory: true)
    let database = try Self.open(fixture, directory)
    defer { database.close() }
    let before = try database.syncStatus()
    let count = try database.upload(after: 0).changesets.count
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Added")
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("_id", .int)))
      _ = try table.findOrCreateObject(primaryKey: .int(1))
    }
    #expect(try database.upload(after: 0).changesets.count == count + 1)
    let status = try database.syncStatus()
    #expect(status.fileIdent == before.fileIdent && status.uploadableByteCount > before.uploadableByteCount)
    try Self.check(database)
  }

  @Test func subscriptionsAreReadAsTheOriginalReadsThem() throws {
    var count = 0
    for fixture in Self.files {
      let recorded = try Self.recorded(fixture)["internal"] as? [String: [String: Any]] ?? [:]
      guard let rows = recorded["flx_subscription_sets"]?["objects"] as? [String: [String: Any]] else { continue }
      count += 1
      let directory = TestDirectory(inMemory: true)
      let database = try Self.open(fixture, directory)
      defer { database.close() }
      let store = try SubscriptionStore(database)
      let sets = try store.sets()
      #expect(sets.map { String($0.version) }.sorted() == rows.keys.sorted())
      for set in sets {
        let row = try #require(rows[String(set.version)])
        #expect(set.state.rawValue == (row["state"] as? NSNumber)?.int64Value && set.error == row["error"] as? String)
        #expect(set.snapshotVersion == (row["snapshot_version"] as? NSNumber)?.uint64Value)
        let subscriptions = row["subscriptions"] as? [[String: Any]] ?? []
        #expect(set.subscriptions.map(\.query) == subscriptions.map { $0["query"] as? String })
        #expect(set.subscriptions.map(\.className) == subscriptions.map { $0["object_class"] as? String })
        #expect(set.subscriptions.map(\.name) == subscriptions.map { $0["name"] as? String })
      }
      let next = try store.change(now: Timestamp(seconds: 1, nanoseconds: 0), newID: { ObjectID(high: 1, low: 1) }) {
        $0.add(className: "Person", query: "TRUEPREDICATE")
      }
      #expect(try next.version == sets.last!.version + 1 && store.latest() == next)
      try Self.check(database)
    }
    #expect(count >= 10)
  }

  @Test func bootstrapsAreFinishedOrThrownAway() throws {
    var (finished, discarded) = (0, 0)
    for fixture in Self.files {
      let recorded = try Self.recorded(fixture)["internal"] as? [String: [String: Any]] ?? [:]
      guard let rows = recorded["flx_pending_bootstrap"]?["objects"] as? [String: [String: Any]], let row = rows.first else { continue }
      let directory = TestDirectory(inMemory: true)
      let database = try Self.open(fixture, directory)
      defer { database.close() }
      let store = try PendingBootstrapStore(database)
      let pending = try #require(try store.pending())
      #expect(String(pending.queryVersion) == row.key && pending.changesetCount == (row.value["changesets"] as? [Any])?.count)
      #expect((pending.progress == nil) == (row.value["progress"] is NSNull))
      // The original has taken a part out of this one without applying it: what the rest changes is not there.
      if fixture.name.contains("partly-applied") {
        #expect(throws: SyncError.self) { try store.finish() }
        continue
      }
      if try store.finish() == nil { discarded += 1 } else { finished += 1 }
      #expect(try store.pending() == nil)
      try Self.check(database)
    }
    #expect(finished >= 1 && discarded >= 1)
  }

  @Test func resetsAndMigrationsAreRead() throws {
    var (resets, migrations) = (0, 0)
    for fixture in Self.files {
      let recorded = try Self.recorded(fixture)["internal"] as? [String: [String: Any]] ?? [:]
      let directory = TestDirectory(inMemory: true)
      let database = try Self.open(fixture, directory)
      defer { database.close() }
      func row(_ table: String) -> [String: Any]? { (recorded[table]?["objects"] as? [String: [String: Any]])?.values.first }
      if let row = row("client_reset_metadata") {
        resets += 1
        let record = try #require(try ClientResetRecord.read(database))
        #expect(record.errorText == row["error_msg"] as? String && record.errorCode == (row["error_code"] as? NSNumber)?.int64Value)
        #expect(record.mode.rawValue == (row["mode"] as? NSNumber)?.int64Value && record.libraryVersion == row["core_version"] as? String)
      }
      let migration = try MigrationRecord.read(database)
      let recordedMigration = row("flx_migration")
      #expect((migration == nil) == (recordedMigration == nil))
      guard let migration, let recordedMigration else { continue }
      migrations += 1
      #expect(migration.state.rawValue == (recordedMigration["state"] as? NSNumber)?.int64Value)
      #expect(
        migration.query == recordedMigration["query_string"] as? String && migration.partition == recordedMigration["original_partition"] as? String)
      #expect(migration.firstSubscriptionVersion == (recordedMigration["sentinel_subscription_set_version"] as? NSNumber)?.int64Value)
    }
    #expect(resets == 1 && migrations == 3)
  }
}
