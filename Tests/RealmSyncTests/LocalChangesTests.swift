import Changesets
import RealmStorage
import RealmSync
import TestSupport
import Testing

/// What a transaction leaves for peers.
@Suite struct LocalChangesTests {
  /// Who wrote last wins, however long the transaction took.
  @Test func aChangeIsAsOldAsItsCommit() throws {
    let clock = TestClock()
    let file = try SyncFile { clock.now }
    clock.now = 1000
    try file.write { group in
      _ = try group.addTable("class_T")
      clock.now = 5000
    }
    #expect(try file.entries().last?.timestamp == 5000)
    #expect(try file.database.upload(after: 0).changesets.map(\.timestamp) == [5000])
    // That of what was downloaded is somebody else's.
    try file.database.setFileIdent(3, salt: 5)
    try file.receive([], serverVersion: 1, origin: 9, timestamp: 77)
    #expect(try file.entries().last?.timestamp == 77)
  }

  /// Peers never have them.
  @Test func anAsymmetricObjectThatIsDeletedIsNotErasedElsewhere() throws {
    let file = try SyncFile()
    let bytes = try file.write { group in
      let table = try group.addTable("class_Event", kind: .asymmetric)
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("_id", .int)))
      try table.createObject(primaryKey: 1)
      try table.removeAllObjects()
    }
    #expect(try Changeset(parsing: bytes).instructions.map(\.code) == [.addTable, .createObject])
    #expect(try file.violations().isEmpty)
  }
}
