import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Where a commit and a copy put the leaves of neighbouring clusters.
@Suite(.mustEnd) struct ColumnwiseOrderTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private static let rowCount = 40 * Cluster.objectLimit

  /// - Parameter commitsSchema: in a transaction before the one that adds the objects, as programs do.
  private func fill(_ database: Database, commitsSchema: Bool = false) throws {
    if commitsSchema { try database.write { (group) throws(StorageError) in try addTable(group) } }
    try database.write { (group) throws(StorageError) in
      if !commitsSchema { try addTable(group) }
      guard let table = try group.table(named: "class_Item") else { throw .noSuchTable(name: "class_Item") }
      let age = try table.column(named: "age").key
      let name = try table.column(named: "name").key
      let score = try table.column(named: "score").key
      for id in 0..<Self.rowCount {
        try table.createObject(primaryKey: Int64(id)) { (object) throws(StorageError) in
          try object.set(age, int: Int64(id % 100))
          // Long enough for leaves of several arrays.
          try object.set(name, string: "the name of number \(id)".utf8Span.span.bytes)
          try object.set(score, double: Double(id))
        }
      }
    }
  }

  private func addTable(_ group: Group) throws(StorageError) {
    let table = try group.addTable("class_Item")
    try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
    for (name, type) in [("age", ColumnType.int), ("name", .string), ("score", .double)] { _ = try table.addColumn(ColumnDefinition(name, type)) }
  }

  /// The bytes from the end of each leaf of a column to the next one's beginning, in the order of the clusters.
  private func gaps(_ snapshot: Snapshot, _ name: String) throws -> [Int] {
    let space = snapshot.space
    let table = try #require(try Group(reading: space, top: snapshot.topRef).table(named: "class_Item"))
    let column = LeafColumn(try table.column(named: name))
    var clusters: [Cluster] = []
    var walk = table.clusterWalk()
    try walk.append(to: &clusters, limit: .max)
    #expect(clusters.count == Self.rowCount / Cluster.objectLimit)
    let leaves = try clusters.map { try space.node(at: $0.column(column.leafIndex)) }
    return zip(leaves, leaves.dropFirst()).map { Int($1.ref.byteOffset) - Int($0.ref.byteOffset) - $0.byteCount }
  }

  /// - Parameter other: bytes of the column's other arrays in each cluster.
  private func check(_ snapshot: Snapshot, _ name: String, other: ClosedRange<Int>) throws {
    let gaps = try gaps(snapshot, name)
    for (index, gap) in gaps.enumerated() where (index + 1) % ColumnwiseOrder.clusterLimit != 0 {
      #expect(other.contains(gap), "\(name), behind cluster \(index)")
    }
    #expect(gaps[ColumnwiseOrder.clusterLimit - 1] > other.upperBound, "the next group begins elsewhere")
  }

  @Test(arguments: [false, true]) func theLeavesOfAColumnFollowEachOther(behindASchema commitsSchema: Bool) throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try fill(database, commitsSchema: commitsSchema)
    let copy = directory.file("copy.realm")
    try database.snapshot().write(toFile: copy)
    for path in [path, copy] {
      let snapshot = try Database.open(path: path).snapshot()
      try check(snapshot, "age", other: 0...0)
      try check(snapshot, "score", other: 0...0)
      // Offsets, nulls and the text of 256 names.
      try check(snapshot, "name", other: 512...8192)
    }
  }

  @Test func aClusterFollowsItsFirstColumn() throws {
    let database = try Database.open(path: directory.file())
    try fill(database)
    let snapshot = try database.snapshot()
    let table = try #require(try Group(reading: snapshot.space, top: snapshot.topRef).table(named: "class_Item"))
    let column = LeafColumn(try table.column(named: "id"))
    var clusters: [Cluster] = []
    var walk = table.clusterWalk()
    try walk.append(to: &clusters, limit: .max)
    for cluster in clusters {
      let leaf = try snapshot.space.node(at: cluster.column(column.leafIndex))
      #expect(leaf.ref.byteOffset + UInt64(leaf.byteCount) == cluster.node.ref.byteOffset)
    }
  }
}
