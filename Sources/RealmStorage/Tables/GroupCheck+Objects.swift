// The objects of a table and its tombstones, column by column. F3.13, F4.6, F4.7, F7.

extension GroupCheck {
  /// The rules of objects and tombstones:
  ///  1. those of their cluster trees; live keys are 0 and above, those of tombstones -2 and below, as their primary keys say;
  ///  2. a cluster has a leaf for every column, with as many values as objects, and nothing in vacant slots;
  ///  3. null only where it is allowed, dates are canonical;  4. a backlink list has at least two entries;
  ///  5. an embedded object has one incoming link, or none, which is noted;  6. where no index shows it, primary keys are unique;
  ///  7. an object and a tombstone do not have the same primary key.
  func checkObjects(_ slot: Int) throws(StorageError) {
    guard let table = tables[slot] else { return }
    let description = table.description
    let walk = ObjectWalk(self, table)
    guard description.columns.contains(where: { isInFocus(table, $0) }) || isInFocus(description.key) else { return }
    checker.depth = 3
    defer { checker.depth = 1 }
    var objects = ClusterTreeCheck(checker, "objects") { [self] (node, rows) throws(StorageError) in
      try checkCluster(walk, node, rows, isTombstone: false)
    }
    _ = try objects.run(description.clusterRoot)
    tables[slot]?.live = walk.live
    objectCount += walk.live.count
    checkPrimaryKeyHashes(walk)
    if description.tombstoneRoot.isNull { return }
    var tombstones = ClusterTreeCheck(checker, "tombstones") { [self] (node, rows) throws(StorageError) in
      try checkCluster(walk, node, rows, isTombstone: true)
    }
    _ = try tombstones.run(description.tombstoneRoot)
    checkTombstonesAreGone(walk)
  }

  private func checkCluster(_ walk: ObjectWalk, _ node: Node, _ rows: ClusterRows, isTombstone: Bool) throws(StorageError) {
    let description = walk.table.description
    for row in 0..<rows.count {
      let key = rows.key(row)
      if isTombstone {
        if key > -2 { checker.fail("a tombstone has the key \(key)") }
      } else {
        if key < 0 { checker.fail("a live object has the key \(key)") }
        if checker.coversEverything { walk.live.add(key, checker.seed) }
      }
    }
    guard node.count > walk.lastLeafIndex + 1 else {
      throw node.broken("a cluster with \(node.count) slots, leaf index \(walk.lastLeafIndex) needs one more than that")
    }
    let countsLinks = checker.coversEverything && isInFocus(description.key)
    walk.incoming = description.kind == .embedded && !isTombstone && countsLinks ? [Int](repeating: 0, count: rows.count) : []
    for slot in 1..<node.count {
      let position = slot - 1 < walk.table.positions.count ? walk.table.positions[slot - 1] : -1
      guard position >= 0 else {
        if node.element(unchecked: slot) != 0 { checker.fail("slot \(slot) of the cluster \(node.ref) is in use but there is no such column") }
        continue
      }
      let column = description.columns[position]
      if !isInFocus(walk.table, column) { continue }
      checker.place.column = label(column)
      linkOrigin = (description.key, column.key)
      checker.attempt { () throws(StorageError) in
        let ref = try node.child(slot)
        if ref.isNull { throw node.broken("slot \(slot) is empty") }
        try checkColumn(walk, column, ref, rows, isTombstone: isTombstone)
      }
      checker.place.object = nil
      linkOrigin = nil
    }
    checker.place.column = ""
    for row in walk.incoming.indices where walk.incoming[row] != 1 {
      checker.place.object = rows.key(row)
      let count = walk.incoming[row]
      // The original leaves such objects behind when it removes a column, a table or a dictionary that held them.
      if count == 0 { checker.note("an embedded object without a parent") } else { checker.fail("an embedded object with \(count) incoming links") }
      checker.place.object = nil
    }
    if isTombstone { try checkTombstoneKeys(walk, node, rows) }
  }

  private func checkColumn(
    _ walk: ObjectWalk, _ column: ColumnDescription, _ ref: Ref, _ rows: ClusterRows, isTombstone: Bool
  ) throws(StorageError) {
    guard checker.covers(ref) else {
      let count = try column.enumKeysRef.isNull ? Leaf.count(checker.space, column.leafKind, ref) : checker.space.integers(at: ref).count
      guard count == rows.count else { throw .corruptNode(ref: ref, reason: "\(count) values for \(rows.count) objects") }
      return
    }
    let before = checker.depth
    defer { checker.depth = before }
    switch column.leafKind {
    case .backlink: try checkBacklinks(walk, column, ref, rows)
    case .collection:
      let node = try checker.claimRefs(ref, "column '\(checker.place.column)'")
      guard node.count == rows.count else { throw node.broken("\(node.count) values for \(rows.count) objects") }
      checker.depth += 1
      for row in 0..<node.count {
        let root = try node.child(row)
        if root.isNull { continue }
        checker.place.object = rows.key(row)
        checker.attempt { () throws(StorageError) in try checkCollection(column, root, checksOrder: !isTombstone) }
        checker.depth = before + 1
      }
    case .mixed: _ = try mixedLeaf(ref, "column '\(checker.place.column)'", nesting: 0, rows: rows)
    case let kind:
      let reader = try Leaf.check(checker, ref, kind, "column '\(checker.place.column)'", rowCount: rows.count, enumKeys: column.enumKeysRef)
      if kind != .int && kind != .nullableInt { try checkScalars(reader, column, rows) }
      if !isTombstone && walk.hashesPrimaryKeys && column.key == walk.table.description.primaryKeyColumn?.key {
        for row in 0..<reader.count { walk.addPrimaryKey(try reader.value(row)) }
      }
    }
  }

  private func checkBacklinks(
    _ walk: ObjectWalk, _ column: ColumnDescription, _ ref: Ref, _ rows: ClusterRows
  ) throws(StorageError) {
    let node = try checker.claim(ref, "column '\(checker.place.column)'")
    guard node.header.hasRefs, node.header.schemeBits == 0 else { throw node.broken("a backlink column without the refs flag") }
    guard node.count == rows.count else { throw node.broken("\(node.count) values for \(rows.count) objects") }
    let place = ledger.position(
      LinkLedger.Column(targetTable: walk.table.description.key, originTable: column.oppositeTable, originColumn: column.oppositeColumn))
    checker.depth += 1
    defer { checker.depth -= 1 }
    for row in 0..<node.count {
      let value = node.element(unchecked: row)
      let target = rows.key(row)
      var count = 0
      if value == 0 { continue }
      if value & 1 == 1 {
        ledger.addBacklink(at: place, target: target, origin: Int64(bitPattern: UInt64(bitPattern: value) >> 1))
        count = 1
      } else {
        checker.place.object = target
        // Upgraded files may have more than 1000 in one leaf (F3.13).
        let tree = BPlusTreeCheck(checker, "backlink list", .int, leafLimit: .max) { [self] (leafRef) throws(StorageError) in
          let keys = try checker.claimIntegers(leafRef, "backlink list")
          try checker.spend(keys.count, keys)
          for index in 0..<keys.count { ledger.addBacklink(at: place, target: target, origin: keys.element(unchecked: index)) }
          return keys.count
        }
        count = try tree.run(Ref(element: value))
        if count < 2 { checker.fail("a backlink list with \(count) entries") }
      }
      if !walk.incoming.isEmpty { walk.incoming[row] += count }
    }
  }

  // MARK: Primary keys

  /// Where no index can show it: no two objects with the same primary key.
  private func checkPrimaryKeyHashes(_ walk: ObjectWalk) {
    let hashes = walk.primaryKeyHashes.sorted()
    for index in 1..<max(hashes.count, 1) where hashes[index - 1] == hashes[index] {
      return checker.fail("a primary key is used twice")
    }
  }

  /// F7.4: a tombstone goes when an object with its primary key comes.
  private func checkTombstonesAreGone(_ walk: ObjectWalk) {
    if walk.tombstoneHashes.isEmpty { return }
    let live = Set(walk.primaryKeyHashes)
    for (key, hash) in walk.tombstoneHashes where live.contains(hash) {
      checker.fail("the tombstone \(key) has the primary key of an object")
    }
  }

  /// F7.4: a tombstone's key follows from its primary key.
  private func checkTombstoneKeys(_ walk: ObjectWalk, _ node: Node, _ rows: ClusterRows) throws(StorageError) {
    guard let column = walk.table.description.primaryKeyColumn else { return }
    let reader = try LeafReader(checker.space, node.child(column.leafIndex + 1), column.leafKind, enumKeys: column.enumKeysRef)
    for row in 0..<min(rows.count, reader.count) {
      let primaryKey = try reader.value(row)
      walk.addTombstone(rows.key(row), primaryKey)
      guard let global = GlobalKey(primaryKey: primaryKey) else { continue }
      let local = walk.collision(global) ?? global.localKey
      if rows.key(row) != local.unresolved.rawValue {
        checker.fail("the tombstone \(rows.key(row)) belongs to a primary key whose tombstone is \(local.unresolved.rawValue)")
      }
    }
  }

  // MARK: Values

  /// Null only where it is allowed, dates in canonical form (F3.16).
  private func checkScalars(_ reader: LeafReader, _ column: ColumnDescription, _ rows: ClusterRows) throws(StorageError) {
    let hasRules = !column.isNullable || column.type == .timestamp || column.type == .link || column.type == .typedLink
    // In a whole version, also for what reading the values says of them.
    guard hasRules || checker.coversEverything else { return }
    defer { checker.place.object = nil }
    for row in 0..<reader.count {
      switch try reader.value(row) {
      case .null where !column.isNullable && column.type != .link && column.type != .typedLink:
        checker.place.object = rows.key(row)
        checker.fail("null in a column that is not nullable")
      case .timestamp(let date): checkTimestamp(date, rows.key(row))
      case .link(let key):
        addLink(column.oppositeTable, target: key.rawValue, origin: rows.key(row))
      case .typedLink(let link):
        addLink(link.table, target: link.key.rawValue, origin: rows.key(row))
      default: break
      }
    }
  }

  func checkTimestamp(_ date: Timestamp, _ key: Int64?) {
    let (seconds, nanoseconds) = (date.seconds, date.nanoseconds)
    guard abs(Int64(nanoseconds)) > 999_999_999 || seconds > 0 && nanoseconds < 0 || seconds < 0 && nanoseconds > 0 else { return }
    let before = checker.place.object
    checker.place.object = key ?? before
    checker.fail("the date (\(seconds), \(nanoseconds)) is not canonical")
    checker.place.object = before
  }
}

/// What is collected while the objects of one table are walked.
final class ObjectWalk {
  let table: CheckedTable
  let lastLeafIndex: Int
  /// Only needed where the primary key has no index (formats below 22), and where there are tombstones.
  let hashesPrimaryKeys: Bool
  var live = IndexEntries()
  /// Incoming links of each row of the present cluster, in embedded tables.
  var incoming: [Int] = []
  /// Of live objects, and with their keys of tombstones.
  private(set) var primaryKeyHashes: [UInt64] = []
  private(set) var tombstoneHashes: [(key: Int64, hash: UInt64)] = []
  private let collisions: [GlobalKey: ObjectKey]

  init(_ check: GroupCheck, _ table: CheckedTable) {
    self.table = table
    let description = table.description
    lastLeafIndex = description.columns.map(\.leafIndex).max() ?? -1
    let hasTombstones = check.checker.coversEverything && !description.tombstoneRoot.isNull
    hashesPrimaryKeys = description.primaryKeyColumn.map { $0.indexRef.isNull || hasTombstones } ?? false
    for column in description.columns where column.type == .backlink {
      check.ledger.addBacklinkColumn(
        LinkLedger.Column(targetTable: description.key, originTable: column.oppositeTable, originColumn: column.oppositeColumn))
    }
    collisions = ObjectWalk.readCollisions(check.checker.space, description.collisionMapRef)
  }

  /// Far more than any table has.
  private static let collisionLimit = 1 << 20

  private static func readCollisions(_ space: NodeSpace, _ ref: Ref) -> [GlobalKey: ObjectKey] {
    guard !ref.isNull, let map = try? space.refs(at: ref), map.count == CollisionMapSlot.count,
      let low = try? space.integers(at: map.child(CollisionMapSlot.low)),
      let high = try? space.integers(at: map.child(CollisionMapSlot.high)), let local = try? space.integers(at: map.child(CollisionMapSlot.local)),
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

  func addPrimaryKey(_ value: Value) { primaryKeyHashes.append(ObjectWalk.hash(value)) }
  func addTombstone(_ key: Int64, _ primaryKey: Value) {
    if hashesPrimaryKeys { tombstoneHashes.append((key, ObjectWalk.hash(primaryKey))) }
  }

  private static func hash(_ primaryKey: Value) -> UInt64 {
    var hasher = Hasher()
    switch primaryKey {
    case .int(let number): hasher.combine(number)
    case .string(let bytes): hasher.combine(bytes)
    case .objectID(let id): hasher.combine(id)
    case .uuid(let id): hasher.combine(id)
    default: hasher.combine(0xFF as UInt8)
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
