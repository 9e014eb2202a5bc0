import TestSupport
import Testing

@testable import RealmStorage

/// What debuggers and failing tests show of tables, groups and versions.
@Suite struct VersionTextTests {
  private let directory = TestDirectory()

  private func database() throws -> Database {
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      let (dogs, people) = (try group.addTable("class_Dog"), try group.addTable("class_Person"))
      try dogs.addColumn(ColumnDefinition("name", .string, .nullable))
      try people.addColumn(ColumnDefinition("dog", .link, .nullable, target: dogs.key))
      for _ in 0..<2 { try dogs.createObject() }
      _ = try group.addTable("class_Gone")
      try group.removeTable(group.table(inSlot: 2)!.key)
    }
    return database
  }

  @Test func tablesAndGroupsShowTheirNamesAndPlaces() throws {
    let snapshot = try database().snapshot()
    let group = try snapshot.openGroup()
    let (dogs, people) = (try #require(try group.table(inSlot: 0)), try #require(try group.table(inSlot: 1)))
    #expect(String(reflecting: dogs) == "table 0 \"class_Dog\" at \(dogs.state.ref): topLevel, 2 objects, [\"name\": string]")
    #expect(
      String(reflecting: group) == "group at \(group.topRef), reading: tables [\"class_Dog\" at \(dogs.state.ref), "
        + "\"class_Person\" at \(people.state.ref), free]")
    let link = try people.column(named: "dog")
    #expect(String(reflecting: link) == "\"dog\" of table 0 (\(String(reflecting: link.key)))")
    let backlinks = try #require(dogs.backlinkColumns.first)
    #expect(String(reflecting: backlinks) == "backlinks of table 1 (\(String(reflecting: backlinks.key)))")
  }

  @Test func clustersAndRowsShowTheirObjects() throws {
    let snapshot = try database().snapshot()
    let table = try #require(try snapshot.openGroup().table(inSlot: 0))
    let row = try table.row(ObjectKey(1))
    #expect(String(reflecting: row.cluster) == "cluster \(row.cluster.node.ref): 2 objects [0, 1], 2 columns")
    #expect(String(reflecting: row) == "object 1 in row 1 of cluster \(row.cluster.node.ref)")
    #expect(String(reflecting: Row(space: snapshot.space, cluster: row.cluster, row: 2)) == "no row")
  }

  @Test func transactionsShowTheirVersionAndWhatTheyHaveWritten() throws {
    let database = try database()
    let read = try database.beginRead()
    #expect(String(reflecting: read) == "version \(read.version), \(read.byteCount) bytes, top at \(read.topRef)")
    read.end()
    let snapshot = try database.snapshot()
    #expect(String(reflecting: snapshot).hasPrefix("snapshot of version \(snapshot.version), "))
    let write = try database.beginWrite()
    try write.openGroup().table(inSlot: 0)!.createObject()
    let text = String(reflecting: write)
    #expect(text.hasPrefix("writing on version \(snapshot.version), ") && text.contains(" bytes of new nodes, "), "\(text)")
    write.cancel()
    #expect(String(reflecting: write) == "ended transaction on version \(snapshot.version)")
  }
}
