import ChangesetModel
import Changesets
import RealmStorage
import RealmSync
import SyncSimulation
import TestSupport
import Testing

/// What a set of subscriptions selects comes in parts and is applied at once.
@Suite struct PendingBootstrapStoreTests {
  private let file: SyncFile
  private let subscriptions: SubscriptionStore
  private let store: PendingBootstrapStore

  init() throws {
    file = try SyncFile()
    try file.database.setFileIdent(2, salt: 1000)
    subscriptions = try SubscriptionStore(file.database)
    try subscriptions.change(now: Timestamp(seconds: 0, nanoseconds: 0), newID: { ObjectID(high: 0, low: 1) }) {
      $0.add(className: "P", query: "TRUEPREDICATE")
    }
    store = try PendingBootstrapStore(file.database)
  }

  /// Objects of the class of the simulation, after its schema.
  private func changesets(_ keys: Range<Int64>, withSchema: Bool) -> [DownloadedChangeset] {
    var result: [DownloadedChangeset] = []
    if withSchema { result.append(download(RandomHistory.baseChangeset.encoded())) }
    for key in keys {
      var changeset = Changeset()
      changeset.append(.createObject(ObjectAddress(table: changeset.intern("P"), key: .int(key))))
      result.append(download(changeset.encoded()))
    }
    return result
  }

  private func download(_ bytes: [UInt8]) -> DownloadedChangeset {
    DownloadedChangeset(serverVersion: 1, clientVersion: 0, timestamp: 0, origin: 1, bytes: bytes)
  }

  private let progress = SyncProgress(
    download: SyncStatus.Cursor(serverVersion: 1, clientVersion: 0), latestServer: SyncStatus.Server(version: 1, salt: 77),
    upload: SyncStatus.Cursor())

  private func objectCount() throws -> Int? { try file.database.read { (group) throws(StorageError) in try group.table(named: "class_P")?.count() } }

  @Test func nothingIsSeenBeforeTheLastPart() throws {
    try store.add(changesets(100..<103, withSchema: true), queryVersion: 1, progress: nil, estimate: 0.5)
    #expect(try objectCount() == nil && subscriptions.latest().state == .bootstrapping)
    #expect(try store.pending()?.changesetCount == 4 && store.pending()?.progress == nil)
    #expect(try file.database.syncStatus().downloadableByteCount == 5000)
    try store.add(changesets(103..<105, withSchema: false), queryVersion: 1, progress: progress, estimate: 1)
    #expect(try store.pending()?.changesetCount == 6 && store.pending()?.progress == progress)
    let before = try file.database.snapshot().version
    let version = try store.finish()
    #expect(version == before + 1, "one transaction")
    let model = try file.database.read { (group) throws(StorageError) in try ModelRealm(group) }
    #expect((100..<105).allSatisfy { model.classes["P"]?.objects[.int($0)] != nil })
    #expect(try store.pending() == nil && file.database.syncStatus().download == progress.download)
    #expect(try subscriptions.sets().map(\.version) == [1] && subscriptions.active().state == .awaitingMark)
    try subscriptions.completeMark()
    #expect(try subscriptions.active().state == .complete)
    #expect(try file.violations().isEmpty)
  }

  @Test func aBootstrapThatWasInterruptedIsThrownAwayAndAskedForAgain() throws {
    try store.add(changesets(0..<3, withSchema: true), queryVersion: 1, progress: nil, estimate: 0.1)
    #expect(try store.finish() == nil)
    #expect(try store.pending() == nil && objectCount() == nil && subscriptions.latest().state == .pending)
  }

  @Test func onlyOneSetsBootstrapIsKept() throws {
    try store.add(changesets(0..<3, withSchema: true), queryVersion: 1, progress: nil, estimate: 0)
    try subscriptions.change(now: Timestamp(seconds: 1, nanoseconds: 0), newID: { ObjectID(high: 0, low: 2) }) { $0.removeAll { _ in true } }
    try store.add([], queryVersion: 2, progress: nil, estimate: 0)
    #expect(try store.pending()?.queryVersion == 2 && store.pending()?.changesetCount == 0)
  }

  @Test func aBootstrapWithoutChangesetsIsFinishedToo() throws {
    try store.add([], queryVersion: 1, progress: progress, estimate: 1)
    #expect(try store.finish() != nil)
    #expect(try store.pending() == nil && subscriptions.active().version == 1)
  }

  @Test func largeBootstrapsAreAppliedInPortions() throws {
    var all = changesets(0..<1, withSchema: true)
    for key in Int64(1)...40 {
      var changeset = Changeset()
      let object = ObjectAddress(table: changeset.intern("P"), key: .int(key))
      changeset.append(.createObject(object))
      let text = changeset.add([UInt8](repeating: 65, count: 100_000)[...])
      let place = Place(object: object, field: changeset.intern("s"), path: changeset.add(path: []))
      changeset.append(.update(place, .string(text), isDefault: false))
      all.append(download(changeset.encoded()))
    }
    try store.add(all, queryVersion: 1, progress: progress, estimate: 1)
    try store.finish()
    let model = try file.database.read { (group) throws(StorageError) in try ModelRealm(group) }
    #expect(model.classes["P"]?.objects[.int(40)]?.properties["s"] == .string(String(repeating: "A", count: 100_000)))
  }

  /// A value of an object holds less than 16 MiB.
  @Test func aChangesetThatIsTooLongForAValueIsKept() throws {
    var changeset = Changeset()
    for key in Int64(1)...17 {
      let object = ObjectAddress(table: changeset.intern("P"), key: .int(key))
      changeset.append(.createObject(object))
      let text = changeset.add([UInt8](repeating: UInt8(64 + key), count: 1 << 20)[...])
      let place = Place(object: object, field: changeset.intern("s"), path: changeset.add(path: []))
      changeset.append(.update(place, .string(text), isDefault: false))
    }
    let all = changesets(0..<0, withSchema: true) + [download(changeset.encoded())]
    try #require(all[1].bytes.count > 17 << 20)
    try store.add(all, queryVersion: 1, progress: progress, estimate: 1)
    try store.finish()
    let model = try file.database.read { (group) throws(StorageError) in try ModelRealm(group) }
    for key in Int64(1)...17 {
      let text = String(repeating: Character(UnicodeScalar(UInt8(64 + key))), count: 1 << 20)
      #expect(model.classes["P"]?.objects[.int(key)]?.properties["s"] == .string(text))
    }
  }

  @Test func aBootstrapForASetThatIsNotThereIsRefused() throws {
    #expect(throws: SyncError.self) { try store.add([], queryVersion: 9, progress: nil, estimate: 0) }
    #expect(try store.pending() == nil)
  }

  @Test func aChangesetThatCannotBeAppliedLeavesTheFileAsItWas() throws {
    try store.add(changesets(0..<3, withSchema: false), queryVersion: 1, progress: progress, estimate: 1)
    let version = try file.database.snapshot().version
    let error = #expect(throws: SyncError.self) { try store.finish() }
    #expect("\(try #require(error))".contains("changeset 0"))
    #expect(try file.database.snapshot().version == version && store.pending()?.changesetCount == 3)
  }
}
