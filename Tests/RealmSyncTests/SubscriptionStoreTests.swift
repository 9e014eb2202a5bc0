import RealmStorage
import RealmSync
import TestSupport
import Testing

/// Subscriptions in the file.
@Suite struct SubscriptionStoreTests {
  private let file: SyncFile
  private let store: SubscriptionStore
  private let now = Timestamp(seconds: 100, nanoseconds: 5)

  init() throws {
    file = try SyncFile()
    store = try SubscriptionStore(file.database)
  }

  @discardableResult private func change(_ body: (inout SubscriptionEditing) -> Void) throws -> SubscriptionSet {
    var next: UInt32 = 0
    return try store.change(
      now: now,
      newID: {
        next += 1; return ObjectID(high: 7, low: next)
      }, body)
  }

  @Test func aFileBeginsWithTheEmptySetWhichIsToBeSent() throws {
    let sets = try store.sets()
    #expect(sets.map(\.version) == [0] && sets[0].state == .pending && sets[0].subscriptions.isEmpty)
    #expect(try store.active() == sets[0] && store.pending(after: -1) == sets[0] && store.pending(after: 0) == nil)
    // A second look finds what the first one made.
    let version = try file.database.snapshot().version
    _ = try SubscriptionStore(file.database)
    #expect(try file.database.snapshot().version == version)
  }

  @Test func eachChangeAddsASetThatBeginsWithTheSubscriptionsOfTheNewest() throws {
    let base = try file.database.snapshot().version
    let first = try change { $0.add(className: "Person", query: "age > 5") }
    #expect(first.version == 1 && first.state == .pending && first.snapshotVersion == base)
    let second = try change { $0.set("all", className: "Dog", query: "TRUEPREDICATE") }
    #expect(second.version == 2 && second.subscriptions.map(\.className) == ["Person", "Dog"])
    #expect(second.subscriptions[0] == first.subscriptions[0] && second.subscriptions[1].name == "all")
    #expect(try store.latest() == second && store.pending(after: 0) == first && store.pending(after: 1) == second)
  }

  @Test func aNamedSubscriptionKeepsItsIdentityWhenItsQueryChanges() throws {
    let first = try change { $0.set("mine", className: "Person", query: "a > 1") }
    let second = try store.change(now: Timestamp(seconds: 200, nanoseconds: 0), newID: { ObjectID(high: 0, low: 0) }) {
      $0.set("mine", className: "Person", query: "a > 2")
    }
    let (old, new) = (first.subscriptions[0], second.subscriptions[0])
    #expect(second.subscriptions.count == 1 && new.id == old.id && new.createdAt == old.createdAt)
    #expect(new.updatedAt == Timestamp(seconds: 200, nanoseconds: 0) && new.query == "a > 2")
  }

  @Test func unnamedSubscriptionsAreKnownByClassAndQuery() throws {
    let set = try change {
      $0.add(className: "Person", query: "a > 1")
      $0.add(className: "Person", query: "a > 1")
      $0.add(className: "Person", query: "a > 2")
      $0.set("named", className: "Person", query: "a > 1")
    }
    #expect(set.subscriptions.count == 3)
    let rest = try change { $0.removeAll { $0.name == nil } }
    #expect(rest.subscriptions.map(\.name) == ["named"])
  }

  @Test func aRefusedSetHasTheServersText() throws {
    try change { $0.add(className: "Person", query: "nonsense") }
    try store.refuse(1, "what is that")
    let set = try store.latest()
    #expect(set.state == .error && set.error == "what is that")
    #expect(try store.active().version == 0 && store.pending(after: 0) == nil)
    #expect(throws: SyncError.self) { try store.refuse(7, "which") }
  }

  @Test func subscriptionsAreNothingToPeers() throws {
    try change { $0.add(className: "Person", query: "age > 5") }
    #expect(try file.database.upload(after: 0).changesets.isEmpty)
    #expect(try file.violations().isEmpty)
  }

  @Test func tablesOfAnotherVersionAreLeftAlone() throws {
    try file.write { group in
      let registry = try #require(try group.table(named: "sync_internal_schemas"))
      let key = try #require(try registry.find(primaryKey: .string(Array("flx_subscription_store".utf8))))
      try registry.set(key, registry.column(named: "schema_version").key, .int(3))
    }
    #expect(throws: SyncError.self) { try SubscriptionStore(file.database) }
    #expect(throws: SyncError.self) { try store.change(now: now, newID: { ObjectID(high: 0, low: 0) }) { _ in } }
  }

  @Test func tablesOfAnotherFormAreLeftAlone() throws {
    try file.write { group in
      let table = try #require(try group.table(named: "flx_subscription_sets"))
      try table.addColumn(ColumnDefinition("more", .int))
    }
    let error = #expect(throws: SyncError.self) { try store.latest() }
    #expect("\(try #require(error))".contains("'flx_subscription_sets'"))
  }

  @Test func theNumberOfOlderFilesBecomesAnEntryOfTheRegistry() throws {
    let old = try SyncFile()
    _ = try SubscriptionStore(old.database)
    try old.write { group in
      try group.removeTable(#require(try group.table(named: "sync_internal_schemas")).key)
      let table = try group.addTable("flx_metadata")
      let column = try table.addColumn(ColumnDefinition("schema_version", .int))
      try table.set(table.createObject(), column, .int(2))
    }
    #expect(try SubscriptionStore(old.database).sets().map(\.version) == [0])
    _ = try PendingBootstrapStore(old.database)
    let (legacy, entries) = try old.database.read { (group) throws(StorageError) in
      (try group.table(named: "flx_metadata"), try group.table(named: "sync_internal_schemas")?.count())
    }
    #expect(legacy == nil && entries == 2)
    #expect(try SubscriptionStore(old.database).sets().map(\.version) == [0])
  }
}
