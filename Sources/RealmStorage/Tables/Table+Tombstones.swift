// Unresolved objects (F7.4): rows that only hold a primary key and backlinks, until their object is created.

extension Table {
  /// Whether links wait for objects of the table, or once did.
  var hasTombstones: Bool { state.tombstones != nil }

  /// The object with a primary key, or a tombstone for it when it is not here (yet): the one that exists already or a new one.
  ///
  /// Links may be set to the returned key; they read as null until `createObject` with this primary key makes them real.
  package func tombstone(primaryKey: Value) throws(StorageError) -> ObjectKey {
    guard let column = primaryKeyColumn, primaryKey.fits(column) else { throw .invalidArgument(reason: "'\(className)' has no such primary key") }
    if let live = try find(primaryKey: primaryKey) { return live }
    return try tombstone(column, primaryKey)
  }

  private func tombstone(_ column: ColumnDescription, _ primaryKey: Value) throws(StorageError) -> ObjectKey {
    let global = try globalKey(primaryKey)
    if let existing = try existingTombstone(global, primaryKey, column) { return existing }
    let scratch = try writing()
    let local = try allocateLocalKey(scratch, global)
    let key = ObjectKey(local).unresolved
    try insertTombstoneRow(scratch, key)
    try store(scratch, key, column, primaryKey)
    return key
  }

  /// The same in a table without primary key: for the object that is to have this key.
  package func tombstone(of key: ObjectKey) throws(StorageError) -> ObjectKey {
    guard key.rawValue >= 0, !hasPrimaryKey else { throw .invalidArgument(reason: "'\(className)' has no such object to wait for") }
    if try contains(key) { return key }
    let scratch = try writing()
    if try !hasTombstone(key.unresolved) { try insertTombstoneRow(scratch, key.unresolved) }
    return key.unresolved
  }

  /// Turns a live object into a tombstone: what links to it keeps the link, which reads as null; its own values are gone.
  /// - Returns: the tombstone's key, or nil if nothing links to the object: it is deleted then.
  @discardableResult
  package func makeTombstone(_ key: ObjectKey) throws(StorageError) -> ObjectKey? {
    guard key.rawValue >= 0, try contains(key) else { throw .noSuchObject(key: key) }
    guard kind != .embedded else { throw .invalidArgument(reason: "embedded objects have no tombstones") }
    let scratch = try writing()
    guard try backlinkCount(key) > 0 else {
      try removeObject(key)
      return nil
    }
    let target: ObjectKey
    if let column = primaryKeyColumn {
      target = try tombstone(column, row(key).value(column))
    } else {
      target = key.unresolved
      if try !hasTombstone(target) { try insertTombstoneRow(scratch, target) }
    }
    try moveBacklinks(scratch, from: key, to: target)
    try removeObject(key)
    // The object may have been the only one to link to itself.
    return try contains(target) ? target : nil
  }

  /// An object was created: if a tombstone waited for it, its backlinks move over and the tombstone goes.
  func resurrect(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ primaryKey: Value) throws(StorageError) {
    guard state.tombstones != nil else { return }
    guard let waiting = try existingTombstone(globalKey(primaryKey), primaryKey, column) else { return }
    try moveBacklinks(scratch, from: waiting, to: key)
    if try contains(waiting) { try removeTombstone(scratch, waiting) }
  }

  /// The same for an object without primary key, whose tombstone has the key derived from its own.
  func resurrect(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) {
    let waiting = key.unresolved
    guard try contains(waiting) else { return }
    try moveBacklinks(scratch, from: waiting, to: key)
    if try contains(waiting) { try removeTombstone(scratch, waiting) }
  }

  private func existingTombstone(_ global: GlobalKey, _ primaryKey: Value, _ column: ColumnDescription) throws(StorageError) -> ObjectKey? {
    guard let tombstones = state.tombstones else { return nil }
    let local = try collisionEntry(global)?.local ?? global.localKey.rawValue
    let key = ObjectKey(local).unresolved
    guard let place = try ClusterTree.find(space, tombstones.root, key) else { return nil }
    let stored = try Row(space: space, cluster: place.cluster, row: place.row).value(column)
    return stored.isIdentical(to: primaryKey) ? key : nil
  }

  private func hasTombstone(_ key: ObjectKey) throws(StorageError) -> Bool {
    guard let tombstones = state.tombstones else { return false }
    return try ClusterTree.find(space, tombstones.root, key) != nil
  }

  private func globalKey(_ primaryKey: Value) throws(StorageError) -> GlobalKey {
    guard let key = GlobalKey(primaryKey: primaryKey) else { throw .typeMismatch(reason: "\(primaryKey) cannot be a primary key") }
    return key
  }

  private func insertTombstoneRow(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) {
    if state.tombstones == nil { state.tombstones = try ClusterEditor.create(scratch, layout: state.live.layout) }
    guard try state.tombstones?.insert(scratch, key) != nil else { throw .invalidArgument(reason: "the tombstone exists already") }
    storeTombstoneRoot(scratch)
  }

  /// Every link to one object or tombstone is rewritten to name another one.
  private func moveBacklinks(_ scratch: Scratch, from: ObjectKey, to: ObjectKey) throws(StorageError) {
    for column in state.columns {
      guard let column, column.type == .backlink else { continue }
      let origins = try backlinks(from, column.key)
      if origins.isEmpty { continue }
      let origin = try group.table(column.oppositeTable)
      guard let forward = origin.columnOrNil(column.oppositeColumn) else { continue }
      for originKey in origins {
        try origin.replaceStoredLink(
          originKey, forward, from: ObjectLink(table: key, key: from), to: ObjectLink(table: key, key: to))
        try addBacklink(scratch, column.key, to, origin: originKey)
      }
      try clearBacklinks(scratch, from, column)
    }
  }

  private func clearBacklinks(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription) throws(StorageError) {
    try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in
      try scratch.makeWritable(&leaf)
      let element = scratch.slot(leaf, row)
      if element != 0 && element & 1 == 0 { try scratch.freeTree(Ref(element: element)) }
      scratch.setChild(leaf, row, .null)
    }
  }

  func removeTombstoneIfUnused(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) {
    guard try backlinkCount(key) == 0 else { return }
    try removeTombstone(scratch, key)
  }

  private func removeTombstone(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) {
    if let column = primaryKeyColumn {
      try removeCollision(scratch, globalKey(row(key).value(column)))
    }
    _ = try releaseOutgoing(scratch, key)
    try removeRow(scratch, key)
  }

  // MARK: The collision map: two global keys whose local keys would coincide

  private struct Collision {
    var global: GlobalKey
    var local: Int64
  }

  private func collisions() throws(StorageError) -> [Collision] {
    let map = try space.refs(at: state.ref).child(TableTopSlot.collisionMap)
    if map.isNull { return [] }
    let node = try space.refs(at: map)
    let (low, high) = (try space.integers(at: node.child(CollisionMapSlot.low)), try space.integers(at: node.child(CollisionMapSlot.high)))
    let local = try space.integers(at: node.child(CollisionMapSlot.local))
    guard low.count == high.count, low.count == local.count else { throw node.broken("the collision map has columns of different length") }
    return (0..<low.count).map {
      Collision(
        global: GlobalKey(high: UInt64(bitPattern: high.element(unchecked: $0)), low: UInt64(bitPattern: low.element(unchecked: $0))),
        local: local.element(unchecked: $0))
    }
  }

  private func collisionEntry(_ global: GlobalKey) throws(StorageError) -> Collision? {
    try collisions().first { $0.global == global }
  }

  private func storeCollisions(_ scratch: Scratch, _ entries: [Collision]) throws(StorageError) {
    try scratch.freeTree(Ref(element: scratch.slot(state.ref, TableTopSlot.collisionMap)))
    guard !entries.isEmpty else { return scratch.setChild(state.ref, TableTopSlot.collisionMap, .null) }
    let sorted = entries.sorted { ($0.global.high, $0.global.low) < ($1.global.high, $1.global.low) }
    let map = try scratch.createRefs(count: CollisionMapSlot.count)
    scratch.setChild(map, CollisionMapSlot.low, try scratch.createIntegers(sorted.map { Int64(bitPattern: $0.global.low) }))
    scratch.setChild(map, CollisionMapSlot.high, try scratch.createIntegers(sorted.map { Int64(bitPattern: $0.global.high) }))
    scratch.setChild(map, CollisionMapSlot.local, try scratch.createIntegers(sorted.map(\.local)))
    scratch.setChild(state.ref, TableTopSlot.collisionMap, map)
  }

  /// The local key for a global one: its own low bits unless another tombstone has them already.
  private func allocateLocalKey(_ scratch: Scratch, _ global: GlobalKey) throws(StorageError) -> Int64 {
    if let entry = try collisionEntry(global) { return entry.local }
    let wanted = global.localKey.rawValue
    guard let column = primaryKeyColumn, try hasTombstone(ObjectKey(wanted).unresolved) else { return wanted }
    var entries = try collisions()
    let other = try globalKey(row(ObjectKey(wanted).unresolved).value(column))
    if !entries.contains(where: { $0.global == other }) { entries.append(Collision(global: other, local: wanted)) }
    let sequence = UInt64(bitPattern: scratch.slot(state.ref, TableTopSlot.objectSequence)) >> 1
    scratch.setTagged(state.ref, TableTopSlot.objectSequence, sequence + 1)
    let local = Int64(bitPattern: 0x4000_0000_0000_0000 | sequence)
    entries.append(Collision(global: global, local: local))
    try storeCollisions(scratch, entries)
    return local
  }

  private func removeCollision(_ scratch: Scratch, _ global: GlobalKey) throws(StorageError) {
    let entries = try collisions()
    guard entries.contains(where: { $0.global == global }) else { return }
    try storeCollisions(scratch, entries.filter { $0.global != global })
  }
}

/// Slots of the map of keys that collided (F7.4): three arrays of one length.
enum CollisionMapSlot {
  static let low = 0
  static let high = 1
  static let local = 2
  static let count = 3
}
