extension Table {
  // MARK: Creating

  /// Creates an object with default values.
  /// - Parameter primaryKey: required exactly for tables with a primary key.
  /// - Throws: `.duplicatePrimaryKey`, `.typeMismatch`, `.invalidArgument` for embedded tables.
  @discardableResult
  package func createObject(primaryKey: Value? = nil) throws(StorageError) -> ObjectKey {
    guard kind != .embedded else { throw .invalidArgument(reason: "embedded objects are created where they belong") }
    guard let column = primaryKeyColumn else {
      guard primaryKey == nil else { throw .invalidArgument(reason: "'\(className)' has no primary key") }
      return try insertNew(nextObjectKey(writing(), squeezed: true))
    }
    guard let primaryKey else { throw .invalidArgument(reason: "'\(className)' needs a primary key") }
    if try find(primaryKey: primaryKey) != nil { throw .duplicatePrimaryKey(table: nameText) }
    return try createObject(column, primaryKey)
  }

  /// The object with a primary key, created if there is none.
  package func findOrCreateObject(primaryKey: Value) throws(StorageError) -> (key: ObjectKey, isNew: Bool) {
    guard let column = primaryKeyColumn else { throw .invalidArgument(reason: "'\(className)' has no primary key") }
    if let key = try find(primaryKey: primaryKey) { return (key, false) }
    return (try createObject(column, primaryKey), true)
  }

  private func createObject(_ column: ColumnDescription, _ primaryKey: Value) throws(StorageError) -> ObjectKey {
    try admit(primaryKey, column)
    return try insertNew(nextObjectKey(writing(), squeezed: false), column, primaryKey)
  }

  private func insertNew(_ key: ObjectKey, _ column: ColumnDescription, _ primaryKey: Value) throws(StorageError) -> ObjectKey {
    let scratch = try writing()
    try insertRow(scratch, key, primaryKey: (column, primaryKey))
    group.log.createObject(self.key, key)
    if let recorder = group.recorder { try recorder.didCreate(key, in: self) }
    try resurrect(scratch, key, column, primaryKey)
    return key
  }

  /// Creates an object under a key of the caller's choice.
  /// - Parameter primaryKey: in a table with one, and only there.
  /// - Throws: `.invalidArgument` if the key is in use or negative; as `createObject(primaryKey:)`.
  package func createObject(withKey key: ObjectKey, primaryKey: Value? = nil) throws(StorageError) {
    guard hasPrimaryKey == (primaryKey != nil), key.rawValue >= 0 else {
      throw .invalidArgument(reason: "objects of '\(className)' cannot choose their key")
    }
    guard try !contains(key) else { throw .invalidArgument(reason: "the object key \(key.rawValue) is in use") }
    guard let column = primaryKeyColumn, let primaryKey else {
      _ = try insertNew(key)
      return
    }
    try admit(primaryKey, column)
    _ = try insertNew(key, column, primaryKey)
  }

  private func insertNew(_ key: ObjectKey) throws(StorageError) -> ObjectKey {
    let scratch = try writing()
    try insertRow(scratch, key, primaryKey: nil)
    if kind == .embedded { group.log.createEmbeddedObject(self.key, key) } else { group.log.createObject(self.key, key) }
    if let recorder = group.recorder { try recorder.didCreate(key, in: self) }
    if state.tombstones != nil { try resurrect(scratch, key) }
    return key
  }

  /// An embedded object without owner yet; the caller stores the link at once.
  func createEmbedded() throws(StorageError) -> ObjectKey { try insertNew(nextObjectKey(writing(), squeezed: true)) }

  private func insertRow(_ scratch: Scratch, _ key: ObjectKey, primaryKey: (ColumnDescription, Value)?) throws(StorageError) {
    guard try state.live.insert(scratch, key) != nil else { throw .invalidArgument(reason: "the object key \(key.rawValue) is in use") }
    storeLiveRoot(scratch)
    if let (column, value) = primaryKey { try store(scratch, key, column, value) }
    for index in state.indexedColumns {
      guard let column = state.columns[index] else { continue }
      if let primaryKey, column.key == primaryKey.0.key {
        try insertIntoIndex(scratch, key, column, primaryKey.1)
      } else {
        try insertIntoIndex(scratch, key, column, try row(key).value(self.column(column.key)))
      }
    }
  }

  /// Objects created from now on have keys from this one on.
  package func nextKeyBound() throws(StorageError) -> ObjectKey {
    let sequence = try space.refs(at: state.ref).tagged(TableTopSlot.objectSequence) ?? 0
    let isSqueezed = state.primaryKey == nil
    return ObjectKey(Int64(bitPattern: isSqueezed ? sequence & 0xFF | (sequence & 0xFFFF_FF00) << 8 : sequence))
  }

  /// The next key of the table's sequence that is not in use (F7.6).
  func nextObjectKey(_ scratch: Scratch, squeezed: Bool) throws(StorageError) -> ObjectKey {
    var sequence = UInt64(bitPattern: scratch.slot(state.ref, TableTopSlot.objectSequence)) >> 1
    while true {
      let value = squeezed ? sequence & 0xFF | (sequence & 0xFFFF_FF00) << 8 : sequence
      let key = ObjectKey(Int64(bitPattern: value))
      sequence += 1
      // Leaves the cursor where the object will be inserted, and the tree's root in scratch memory even if the object is refused then.
      let row = try state.live.row(scratch, of: key)
      storeLiveRoot(scratch)
      if row == nil {
        scratch.setTagged(state.ref, TableTopSlot.objectSequence, sequence)
        return key
      }
      guard sequence >> 63 == 0 else { throw .corruptNode(ref: state.ref, reason: "'\(className)' has no object keys left") }
    }
  }

  // MARK: Deleting

  /// Deletes an object: links to it become null or leave their collections, embedded objects that it owns go with it.
  /// - Throws: `.noSuchObject`.
  package func remove(_ key: ObjectKey) throws(StorageError) {
    // Leaves the cursor on the object.
    guard key.rawValue >= 0 else { throw .noSuchObject(key: key) }
    _ = try seek(writing(), key)
    try removeObject(key)
  }

  /// Removes an object and the embedded objects below it, without recursion: they may form long chains.
  func removeObject(_ key: ObjectKey) throws(StorageError) {
    var pending = try removeAlone(key)
    while let next = pending.popLast() {
      let table = try group.table(next.table)
      if try table.contains(next.key) { pending.append(contentsOf: try table.removeAlone(next.key)) }
    }
  }

  /// - Returns: the embedded objects that the object owned, which have lost their only link; the first one is last.
  private func removeAlone(_ key: ObjectKey) throws(StorageError) -> [ObjectLink] {
    let scratch = try writing()
    let identity = try group.recorder?.identityBeforeRemoval(key, in: self)
    try nullifyLinks(to: key)
    try unindex(scratch, key)
    let owned = try releaseOutgoing(scratch, key)
    try removeRow(scratch, key)
    group.log.removeObject(self.key, key)
    if let identity { try group.recorder?.didRemove(identity, from: self) }
    return owned.reversed()
  }

  /// Takes the object out of the indexes.
  private func unindex(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) {
    for index in state.indexedColumns {
      guard let column = state.columns[index] else { continue }
      try removeFromIndex(scratch, key, column, row(key).value(column))
    }
  }

  /// Removes the backlinks of everything the object links to and frees its collections and its own backlink lists.
  /// - Returns: the embedded objects that it owned.
  func releaseOutgoing(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) -> [ObjectLink] {
    var owned: [ObjectLink] = []
    for index in state.backlinkColumns {
      let row = try row(key)
      let element = try space.refs(at: row.cluster.column(index)).element(row.row)
      if element != 0 && element & 1 == 0 { try scratch.freeTree(Ref(element: element)) }
    }
    for index in state.owningColumns {
      guard let column = state.columns[index] else { continue }
      if state.access[index].kind == .link {
        try releaseLink(scratch, key, column, &owned)
        continue
      }
      let released = try releaseProperty(key, column)
      for link in released.links where !link.key.isNull {
        let target = try group.table(link.table)
        try target.removeBacklink(scratch, backlinkColumn(for: column, in: target), link.key, origin: key)
        if column.type == .link && target.kind == .embedded { owned.append(link) }
      }
      for tree in released.trees { try scratch.freeTree(tree) }
    }
    return owned
  }

  private func releaseLink(
    _ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ owned: inout [ObjectLink]
  ) throws(StorageError) {
    guard case .link(let link) = try row(key).value(column) else { return }
    let target = try group.table(column.oppositeTable)
    try target.removeBacklink(scratch, column.oppositeColumn, link, origin: key)
    if target.kind == .embedded { owned.append(ObjectLink(table: column.oppositeTable, key: link)) }
  }

  func removeRow(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) {
    if key.rawValue >= 0 {
      _ = try state.live.remove(scratch, key)
      storeLiveRoot(scratch)
    } else {
      _ = try state.tombstones?.remove(scratch, key)
      storeTombstoneRoot(scratch)
    }
  }

  /// Deletes every object.
  package func removeAllObjects() throws(StorageError) {
    try remove(keys())
  }
}
