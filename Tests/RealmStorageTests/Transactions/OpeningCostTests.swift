import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Opening a file and reading one property looks at the same few nodes, however large the file is.
@Suite(.serialized, .mustEnd) struct OpeningCostTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private static let counts = [100, 5000, isFullRun ? 1_000_000 : 60_000]

  /// Negative, so that nothing tries whether the ids are counted up like the object keys (`KeyGuess`).
  private static func id(_ number: Int) -> Int64 { -1 - Int64(number) * 7919 }

  private func fill(_ path: String, count: Int) throws {
    var options = DatabaseOptions()
    options.durability = .unsafe
    let database = try Database.open(path: path, options: options)
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Item")
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
      let number = try table.addColumn(ColumnDefinition("number", .int))
      let name = try table.addColumn(ColumnDefinition("name", .string))
      for id in 0..<count {
        try table.createObject(primaryKey: Self.id(id)) { (object) throws(StorageError) in
          try object.set(number, int: Int64(id) &* 1_000_003)
          try object.set(name, string: "number \(id)".utf8Span.span.bytes)
        }
      }
    }
    // Leaves a free list behind.
    for part in 0..<4 {
      try database.write { (group) throws(StorageError) in
        let table = try group.table(named: "class_Item")!
        for id in stride(from: part, to: count, by: 97) {
          try table.setInt(table.find(primaryKey: Self.id(id))!, number(table), Int64(id) &* 1_000_003)
        }
      }
    }
  }

  private func number(_ table: Table) throws(StorageError) -> ColumnKey { try table.column(named: "number").key }

  /// The nodes that opening the file and reading `number` of the object with `id` need.
  private func neededNodes(_ snapshot: Snapshot, id: Int64) throws -> [Node] {
    let space = snapshot.space
    var nodes: [Node] = []
    @discardableResult func need(_ ref: Ref) throws -> Node {
      nodes.append(try space.node(at: ref))
      return nodes.last!
    }
    func needTree(_ ref: Ref) throws {
      let node = try need(ref)
      guard node.header.hasRefs else { return }
      for index in 0..<node.count where node.element(unchecked: index) & 1 == 0 && node.element(unchecked: index) != 0 {
        try needTree(Ref(element: node.element(unchecked: index)))
      }
    }
    let top = try need(snapshot.topRef)
    try needTree(top.child(0))
    try need(top.child(1))
    let table = try #require(try snapshot.openGroup().table(named: "class_Item"))
    let tableTop = try need(table.state.ref)
    try needTree(tableTop.child(0))
    for slot in [4, 7, 8] { try need(tableTop.child(slot)) }

    var ref = try table.storedIndexRoot(table.state.primaryKey!)
    let key = IndexKey.key(ofInt: id, offset: 0)
    while true {
      let node = try IndexNode(space, ref)
      try need(ref)
      try need(node.keys.ref)
      guard node.isInner else { break }
      ref = try node.child(node.position(of: key, last: nil))
    }
    let object = try #require(try table.find(primaryKey: id))
    var relative = UInt64(object.rawValue)
    ref = table.state.live.root
    while true {
      let node = try need(ref)
      let first = node.element(unchecked: 0)
      if first & 1 == 0 && first != 0 { try need(Ref(element: first)) }
      guard node.header.isInner else { break }
      let inner = try ClusterInner(space, node)
      let child = inner.child(containing: relative)
      relative -= inner.offset(child)
      ref = try node.child(child + 3)
    }
    let row = try table.row(object)
    try need(row.leaf(table.state.primaryKey!))
    try need(row.leaf(number(table)))
    return nodes
  }

  /// Everything that should not be looked at is made unreadable: a node whose header is all ones is an error wherever it is met.
  @Test func openingAndOneReadNeedOnlyTheNodesOnTheWayToTheValue() throws {
    var needed: [(nodes: Int, bytes: Int)] = []
    for count in Self.counts {
      let path = directory.file("\(count).realm")
      try fill(path, count: count)
      let wanted = count / 2 + 3
      let database = try Database.open(path: path)
      let snapshot = try database.snapshot()
      let nodes = try neededNodes(snapshot, id: Self.id(wanted))
      var image = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      var kept = [UInt8](repeating: 0xFF, count: image.count)
      kept.replaceSubrange(0..<24, with: image[0..<24])
      for node in nodes {
        let range = Int(node.ref.byteOffset)..<Int(node.ref.byteOffset) + node.byteCount
        kept.replaceSubrange(range, with: image[range])
      }
      image = kept
      let blank = try directory.write(image, as: "\(count)-blank.realm")
      let other = try Database.open(path: blank)
      let value = try other.read { (group) throws(StorageError) in
        let table = try group.table(named: "class_Item")!
        return try table.row(primaryKey: Self.id(wanted))!.int(number(table))
      }
      #expect(value == Int64(wanted) * 1_000_003)
      // Another object is unreadable, unless it shares the leaves of the wanted one.
      if count > 1000 {
        #expect(throws: StorageError.self) {
          try other.read { (group) throws(StorageError) in try group.table(named: "class_Item")!.row(primaryKey: Self.id(0)) != nil }
        }
      }
      other.close()
      needed.append((nodes.count, nodes.reduce(0) { $0 + $1.byteCount }))
      print("\(count) objects, \(image.count) bytes: opening and one read look at \(nodes.count) nodes of together \(needed.last!.bytes) bytes")
    }
    // More objects mean a level more in the index and in the cluster tree, with inner nodes up to their limits, and nothing else.
    #expect(needed.last!.nodes <= needed[0].nodes + 2 * 2 + 2 * 2)
    #expect(needed.last!.bytes <= 32 << 10)
  }
}
