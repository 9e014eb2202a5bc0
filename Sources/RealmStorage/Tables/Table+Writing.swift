extension Table {
  /// Prepares for a change: copies the table's top to scratch and counts the content version up, once per transaction.
  @inline(__always) func writing() throws(StorageError) -> Scratch {
    let scratch = try group.writing()
    if !state.isWritable { try makeWritable(scratch) }
    return scratch
  }

  /// The same for whoever has the scratch memory already.
  @inline(__always) func willChange(_ scratch: Scratch) throws(StorageError) {
    try group.willChange(scratch)
    if !state.isWritable { try makeWritable(scratch) }
  }

  /// The same for what is done so often that nothing should be counted.
  @inline(__always)
  func changing<Result>(_ body: (Scratch) throws(StorageError) -> Result) throws(StorageError) -> Result {
    guard let scratch = group.heldScratch else { throw .readOnly(path: "") }
    return try scratch.use { (scratch) throws(StorageError) in
      try willChange(scratch)
      return try body(scratch)
    }
  }

  private func makeWritable(_ scratch: Scratch) throws(StorageError) {
    try scratch.makeWritable(&state.ref)
    while scratch.header(state.ref).count < TableTopSlot.count { try scratch.append(&state.ref, 0) }
    group.setTableSlot(scratch, key.slot, .table(state.ref))
    let version = UInt64(bitPattern: scratch.slot(state.ref, TableTopSlot.contentVersion)) >> 1
    scratch.setTagged(state.ref, TableTopSlot.contentVersion, version + 1)
    state.isWritable = true
    try prepareEnumerations(scratch)
    try dropCollectionIndexes()
  }

  /// An index on a list of strings, which only the C++ API can make, is not kept up to date here: it goes before anything changes.
  private func dropCollectionIndexes() throws(StorageError) {
    for column in state.columns { if let column, column.isCollection, !column.indexRef.isNull { try removeIndex(column.key) } }
  }

  /// After any change of the trees: the table's top must name their roots.
  @inline(__always) func storeLiveRoot(_ scratch: Scratch) {
    scratch.setChild(state.ref, TableTopSlot.clusters, state.live.root)
  }
  func storeTombstoneRoot(_ scratch: Scratch) {
    scratch.setChild(state.ref, TableTopSlot.tombstones, state.tombstones?.root ?? .null)
  }

  /// Puts the cursor of the right tree on an object.
  /// - Returns: the row in the cursor's cluster.
  /// - Throws: `.noSuchObject`.
  @inline(__always) func seek(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) -> Int {
    if key.rawValue >= 0 {
      let row = try state.live.row(scratch, of: key)
      storeLiveRoot(scratch)
      guard let row else { throw .noSuchObject(key: key) }
      return row
    }
    let row = try state.tombstones?.row(scratch, of: key)
    storeTombstoneRoot(scratch)
    guard let row else { throw .noSuchObject(key: key) }
    return row
  }

  /// Changes the leaf of a column in the cluster of an object.
  @inline(__always) func updateLeaf(
    _ scratch: Scratch, _ key: ObjectKey, _ leafIndex: Int, _ body: (_ leaf: inout Ref, _ row: Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    let row = try seek(scratch, key)
    if key.rawValue >= 0 {
      // Every column was checked to have a leaf when the cluster was copied.
      let cluster = state.liveLeaf
      var leaf = Ref(element: scratch.slot(cluster, Cluster.Slot.firstColumn + leafIndex))
      guard !leaf.isNull else { throw .corruptNode(ref: cluster, reason: "column \(leafIndex) has no leaf") }
      let old = leaf
      try body(&leaf, row)
      if leaf != old { scratch.setChild(cluster, Cluster.Slot.firstColumn + leafIndex, leaf) }
    } else if let tombstones = state.tombstones {
      var leaf = try tombstones.column(scratch, leafIndex)
      try body(&leaf, row)
      tombstones.setColumn(scratch, leafIndex, leaf)
    }
  }

  // MARK: Setting values

  /// Sets a property that is no collection.
  ///
  /// Keeps backlinks, indexes and the log right. Storing null or another object in a link to an embedded table deletes the embedded
  /// object that was there. `.list(.null)` and `.dictionary(.null)` make a Mixed property an empty nested collection.
  /// - Throws: `.typeMismatch`, `.noSuchObject`, `.noSuchColumn`, `.invalidArgument` for the primary key, which never changes.
  package func set(_ key: ObjectKey, _ columnKey: ColumnKey, _ value: Value) throws(StorageError) {
    let access = try access(columnKey)
    if access.isPlain {
      if case .null = value, !access.isNullable { throw try typeMismatch(value, column(columnKey)) }
      let scratch = try writing()
      let kind = access.kind
      try updateLeaf(scratch, key, columnKey.leafIndex) { (leaf, row) throws(StorageError) in try Leaf.set(scratch, kind, &leaf, row, value) }
    } else {
      if columnKey == state.primaryKey { throw .invalidArgument(reason: "the primary key of an object cannot be changed") }
      if let recorder = group.recorder, value.isNestedCollection {
        let emptied = try recorder.empties(self.value(key, columnKey), value)
        try setWithCare(writing(), key, column(columnKey), value)
        group.log.set(self.key, columnKey, key)
        return try recorder.didSet(self, key, columnKey, emptied: emptied)
      }
      try setWithCare(writing(), key, column(columnKey), value)
    }
    group.log.set(self.key, columnKey, key)
    if let recorder = group.recorder { try recorder.didSet(self, key, columnKey) }
  }

  /// Sets a required Int property without index, the fastest write there is.
  package func setInt(_ key: ObjectKey, _ columnKey: ColumnKey, _ value: Int64) throws(StorageError) {
    let access = try access(columnKey)
    guard access.kind == .int, access.isPlain else { return try set(key, columnKey, .int(value)) }
    let scratch = try writing()
    try updateLeaf(scratch, key, columnKey.leafIndex) { (leaf, row) throws(StorageError) in try scratch.set(&leaf, row, value) }
    group.log.set(self.key, columnKey, key)
    if let recorder = group.recorder { try recorder.didSet(self, key, columnKey) }
  }

  func typeMismatch(_ value: Value, _ column: ColumnDescription) -> StorageError {
    .typeMismatch(reason: "\(value) does not fit '\(className).\(String(decoding: column.name, as: UTF8.self))'")
  }

  /// What a leaf would refuse is refused before anything changes.
  func admit(_ value: Value, _ column: ColumnDescription) throws(StorageError) {
    guard !column.isCollection, value.fits(column) else { throw typeMismatch(value, column) }
    try value.checkLimits()
  }

  /// Stores a value in a column that has an index, links, or enumerated strings. Does not log.
  func setWithCare(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) {
    try admit(value, column)
    switch column.type {
    case .link: try setLink(scratch, key, column, value)
    case .mixed: try setMixed(scratch, key, column, value.withoutTree)
    default: try replaceScalar(scratch, key, column, value)
    }
  }

  private func replaceScalar(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) {
    if try hasIndex(column) {
      let old = try row(key).value(column)
      if old.isIdentical(to: value) { return }
      try removeFromIndex(scratch, key, column, old)
      try store(scratch, key, column, value)
      try insertIntoIndex(scratch, key, column, value)
    } else {
      try store(scratch, key, column, value)
    }
  }

  /// Writes a value into its leaf and nothing else.
  func store(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) {
    if column.enumKeysRef.isNull {
      let kind = column.leafKind
      try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in try Leaf.set(scratch, kind, &leaf, row, value) }
    } else {
      let index = try enumPosition(scratch, column, value)
      try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in try scratch.set(&leaf, row, index) }
    }
  }

  private func setLink(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) {
    let target = try group.table(column.oppositeTable)
    switch value {
    case .null: break
    case .link(let targetKey):
      guard target.kind != .embedded else { throw .invalidArgument(reason: "embedded objects are created where they belong") }
      guard try target.contains(targetKey) else { throw .noSuchObject(key: targetKey) }
    default: throw typeMismatch(value, column)
    }
    try replaceLink(scratch, key, column, target, value)
  }

  func replaceLink(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ target: Table, _ value: Value) throws(StorageError) {
    let old = try row(key).value(column)
    if old.isIdentical(to: value) { return }
    try store(scratch, key, column, value)
    if case .link(let newKey) = value { try target.addBacklink(scratch, column.oppositeColumn, newKey, origin: key) }
    if case .link(let oldKey) = old {
      try target.removeBacklink(scratch, column.oppositeColumn, oldKey, origin: key)
      try target.removeIfOrphaned(oldKey)
    }
  }

  private func setMixed(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) {
    try checkMixedTarget(value, column)
    let old = try row(key).value(column)
    let isIndexed = try hasIndex(column)
    if isIndexed { try removeFromIndex(scratch, key, column, old) }
    let released = try releaseList(old)
    if case .typedLink(let link) = value { _ = try backlinkColumn(for: column, in: group.table(link.table)) }
    try store(scratch, key, column, value)
    if value.isNestedCollection { try giveIdentity(scratch, key, column) }
    if isIndexed { try insertIntoIndex(scratch, key, column, value) }
    if case .typedLink(let link) = value { try addTypedBacklink(scratch, column, link, origin: key) }
    try release(scratch, released, column, origin: key)
  }

  /// A nested collection in a Mixed property needs an identity, to be told from what takes its place later (F3.15). Nobody looks for it by
  /// that, so others may have the same: files of the original have such, and clusters that are joined.
  private func giveIdentity(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription) throws(StorageError) {
    try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in
      let present = try MixedLeaf(scratch.space, leaf)
      var identities = MixedIdentity(seed: key.rawValue &+ Int64(row) &+ group.changeNumber &* 127, count: present.count)
      var candidate = identities.next()
      while try present.hasKey(candidate) { candidate = identities.next() }
      try MixedLeaf.ensureKey(scratch, &leaf, row, unused: candidate)
    }
  }

  func checkMixedTarget(_ value: Value, _ column: ColumnDescription) throws(StorageError) {
    switch value {
    case .link: throw typeMismatch(value, column)
    case .typedLink(let link):
      let target = try group.table(link.table)
      guard target.kind == .topLevel else { throw .invalidArgument(reason: "a Mixed value can only link to a top-level class") }
      guard try target.contains(link.key) else { throw .noSuchObject(key: link.key) }
    default: break
    }
  }
}
