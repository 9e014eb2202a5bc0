// The objects of a table and its tombstones, column by column. F3.13, F4.6, F4.7, F7.

extension Verifier {
  func verifyObjects(_ slot: Int) throws(StorageError) {
    guard let table = tables[slot] else { return }
    let description = table.description
    let walk = ObjectWalk(self, table)
    depth = 3
    defer { depth = 1 }
    var previous: UInt64?
    _ = try clusterTree(description.clusterRoot, "objects", previous: &previous) { (node, rows) throws(StorageError) in
      try verifyCluster(walk, node, rows, isTombstone: false)
    }
    tables[slot]?.liveCount = walk.liveCount
    tables[slot]?.liveSum = walk.liveSum
    result.objectCount += walk.liveCount
    verifyPrimaryKeyHashes(walk)
    if description.tombstoneRoot.isNull { return }
    previous = nil
    _ = try clusterTree(description.tombstoneRoot, "tombstones", previous: &previous) { (node, rows) throws(StorageError) in
      try verifyCluster(walk, node, rows, isTombstone: true)
    }
  }

  private func verifyCluster(_ walk: ObjectWalk, _ node: Node, _ rows: ClusterRows, isTombstone: Bool) throws(StorageError) {
    let description = walk.table.description
    for row in 0..<rows.count {
      let key = rows.key(row)
      if isTombstone {
        if key > -2 { fail("a tombstone has the key \(key)") }
      } else {
        if key < 0 { fail("a live object has the key \(key)") }
        walk.liveSum &+= mixed(UInt64(bitPattern: key) ^ seed)
      }
    }
    if !isTombstone { walk.liveCount += rows.count }
    guard node.count > walk.lastLeafIndex + 1 else {
      throw node.broken("a cluster with \(node.count) slots, leaf index \(walk.lastLeafIndex) needs one more than that")
    }
    walk.incoming = description.kind == .embedded && !isTombstone ? [Int](repeating: 0, count: rows.count) : []
    for slot in 1..<node.count {
      let position = slot - 1 < walk.table.positions.count ? walk.table.positions[slot - 1] : -1
      guard position >= 0 else {
        if node.element(unchecked: slot) != 0 { fail("slot \(slot) of the cluster \(node.ref) is in use but there is no such column") }
        continue
      }
      let column = description.columns[position]
      columnName = label(column)
      linkOrigin = (description.key, column.key)
      attempt { () throws(StorageError) in
        let ref = try node.child(slot)
        if ref.isNull { throw node.broken("slot \(slot) is empty") }
        try verifyColumn(walk, column, ref, rows, isTombstone: isTombstone)
      }
      objectKey = nil
      linkOrigin = nil
    }
    columnName = ""
    for row in walk.incoming.indices where walk.incoming[row] != 1 {
      objectKey = rows.key(row)
      fail("an embedded object with \(walk.incoming[row]) incoming links")
      objectKey = nil
    }
    if isTombstone { try verifyTombstoneKeys(walk, node, rows) }
  }

  private func verifyColumn(
    _ walk: ObjectWalk, _ column: ColumnDescription, _ ref: Ref, _ rows: ClusterRows, isTombstone: Bool
  ) throws(StorageError) {
    let before = depth
    defer { depth = before }
    switch column.leafKind {
    case .backlink: try verifyBacklinks(walk, column, ref, rows)
    case .collection:
      let node = try claimRefs(ref, "column '\(columnName)'")
      guard node.count == rows.count else { throw node.broken("\(node.count) values for \(rows.count) objects") }
      depth += 1
      for row in 0..<node.count {
        let root = try node.child(row)
        if root.isNull { continue }
        objectKey = rows.key(row)
        attempt { () throws(StorageError) in try verifyCollection(column, root, checksOrder: !isTombstone) }
        depth = before + 1
      }
    case .mixed: _ = try mixedLeaf(ref, "column '\(columnName)'", nesting: 0, rows: rows) { _ in }
    case let kind:
      let reader = try leaf(ref, kind, "column '\(columnName)'", rows: rows, enumKeys: column.enumKeysRef)
      if kind != .int && kind != .nullableInt { try verifyScalars(reader, column, rows) }
      if !isTombstone && walk.hashesPrimaryKeys && column.key == walk.table.description.primaryKeyColumn?.key {
        try walk.hashPrimaryKeys(reader)
      }
    }
  }

  private func verifyBacklinks(
    _ walk: ObjectWalk, _ column: ColumnDescription, _ ref: Ref, _ rows: ClusterRows
  ) throws(StorageError) {
    let node = try claim(ref, "column '\(columnName)'")
    guard node.header.hasRefs, node.header.schemeBits == 0 else { throw node.broken("a backlink column without the refs flag") }
    guard node.count == rows.count else { throw node.broken("\(node.count) values for \(rows.count) objects") }
    let place = ledger.position(
      LinkLedger.Column(targetTable: walk.table.description.key, originTable: column.oppositeTable, originColumn: column.oppositeColumn))
    depth += 1
    defer { depth -= 1 }
    for row in 0..<node.count {
      let value = node.element(unchecked: row)
      let target = rows.key(row)
      var count = 0
      if value == 0 { continue }
      if value & 1 == 1 {
        ledger.addBacklink(at: place, target: target, origin: Int64(bitPattern: UInt64(bitPattern: value) >> 1))
        count = 1
      } else {
        objectKey = target
        count = try bplusTree(Ref(element: value), "backlink list", leafLimit: .max) { (leafRef) throws(StorageError) in
          let keys = try claimIntegers(leafRef, "backlink list")
          try spend(keys.count, keys)
          for index in 0..<keys.count { ledger.addBacklink(at: place, target: target, origin: keys.element(unchecked: index)) }
          return keys.count
        }.count
        if count < 2 { fail("a backlink list with \(count) entries") }
      }
      if !walk.incoming.isEmpty { walk.incoming[row] += count }
    }
  }

  // MARK: Primary keys

  /// Where no index can show it: no two objects with the same primary key.
  private func verifyPrimaryKeyHashes(_ walk: ObjectWalk) {
    let hashes = walk.primaryKeyHashes.sorted()
    for index in 1..<max(hashes.count, 1) where hashes[index - 1] == hashes[index] {
      return fail("a primary key is used twice")
    }
  }

  /// F7.4: a tombstone's key follows from its primary key.
  private func verifyTombstoneKeys(_ walk: ObjectWalk, _ node: Node, _ rows: ClusterRows) throws(StorageError) {
    guard let column = walk.table.description.primaryKeyColumn else { return }
    let reader = try LeafReader(space, node.child(column.leafIndex + 1), column.leafKind, enumKeys: column.enumKeysRef)
    for row in 0..<min(rows.count, reader.count) {
      guard let global = GlobalKey(primaryKey: try reader.value(row)) else { continue }
      let local = walk.collision(global) ?? global.localKey
      if rows.key(row) != local.unresolved.rawValue {
        fail("the tombstone \(rows.key(row)) belongs to a primary key whose tombstone is \(local.unresolved.rawValue)")
      }
    }
  }

  // MARK: Links

  /// F7.5, after all tables were walked.
  func verifyLinks() {
    for (position, entry) in ledger.entries.enumerated() where !entry.isBalanced {
      let column = ledger.columns[position]
      let origin = self.column(column.originTable, column.originColumn)
      let originName = table(column.originTable)?.name ?? "#\(column.originTable.rawValue)"
      let columnName = origin.map(label) ?? "#\(column.originColumn.rawValue)"
      let target = table(column.targetTable)?.name ?? "#\(column.targetTable.rawValue)"
      let what = "links from '\(originName)'.'\(columnName)' to table '\(target)'"
      guard entry.hasBacklinkColumn else {
        failGlobally("\(what) have no backlink column")
        continue
      }
      // Backlinks of a removed column may be anything (F4.4).
      let isDangling = origin == nil
      let counts = "\(entry.links.count) links, \(entry.backlinks.count) backlinks"
      guard ledger.hasPairs else {
        report("\(what) do not match the backlinks: \(counts)", asNote: isDangling)
        continue
      }
      for difference in ledger.differences(entry, limit: 10) {
        report(
          "\(what): object \(difference.target) has backlinks from \(Verifier.short(difference.backlinks)), "
            + "links come from \(Verifier.short(difference.links))", asNote: isDangling)
      }
    }
  }

  private func report(_ message: String, asNote: Bool) {
    if asNote { note(message) } else { failGlobally(message) }
  }
  private static func short(_ keys: [Int64]) -> String {
    keys.isEmpty ? "nowhere" : keys.prefix(8).map(String.init).joined(separator: ", ") + (keys.count > 8 ? " and \(keys.count - 8) more" : "")
  }
}

/// What is collected while the objects of one table are walked.
final class ObjectWalk {
  let table: VerifiedTable
  let lastLeafIndex: Int
  /// Only needed where the primary key has no index (formats below 22).
  let hashesPrimaryKeys: Bool
  var liveCount = 0
  var liveSum: UInt64 = 0
  /// Incoming links of each row of the present cluster, in embedded tables.
  var incoming: [Int] = []
  private(set) var primaryKeyHashes: [UInt64] = []
  private let collisions: [GlobalKey: ObjectKey]

  init(_ verifier: Verifier, _ table: VerifiedTable) {
    self.table = table
    let description = table.description
    lastLeafIndex = description.columns.map(\.leafIndex).max() ?? -1
    hashesPrimaryKeys = description.primaryKeyColumn?.indexRef.isNull ?? false
    for column in description.columns where column.type == .backlink {
      verifier.ledger.addBacklinkColumn(
        LinkLedger.Column(targetTable: description.key, originTable: column.oppositeTable, originColumn: column.oppositeColumn))
    }
    collisions = ObjectWalk.readCollisions(verifier.space, description.collisionMapRef)
  }

  /// Far more than any table has.
  private static let collisionLimit = 1 << 20

  private static func readCollisions(_ space: NodeSpace, _ ref: Ref) -> [GlobalKey: ObjectKey] {
    guard !ref.isNull, let map = try? space.refs(at: ref), map.count == 3, let low = try? space.integers(at: map.child(0)),
      let high = try? space.integers(at: map.child(1)), let local = try? space.integers(at: map.child(2)),
      low.count == high.count, low.count == local.count, low.count <= collisionLimit
    else { return [:] }
    var collisions: [GlobalKey: ObjectKey] = [:]
    for index in 0..<low.count {
      let (high, low) = (high.element(unchecked: index), low.element(unchecked: index))
      collisions[GlobalKey(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))] = ObjectKey(local.element(unchecked: index))
    }
    return collisions
  }

  /// The local key that the collision map gives to a primary key.
  func collision(_ key: GlobalKey) -> ObjectKey? { collisions[key] }

  func hashPrimaryKeys(_ reader: LeafReader) throws(StorageError) {
    for index in 0..<reader.count {
      var hasher = Hasher()
      switch try reader.value(index) {
      case .int(let number): hasher.combine(number)
      case .string(let bytes): hasher.combine(bytes)
      case .objectID(let id): hasher.combine(id)
      case .uuid(let id): hasher.combine(id)
      default: hasher.combine(0xFF as UInt8)
      }
      primaryKeyHashes.append(UInt64(bitPattern: Int64(hasher.finalize())))
    }
  }
}
