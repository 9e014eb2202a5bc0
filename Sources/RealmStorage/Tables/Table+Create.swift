// Creating objects with an Int primary key and their first values, the fastest way to fill a table.

/// An object that was just created, to be given its first values: they need no entries in the log, and there is nothing to release.
///
/// Valid only inside the closure that it is passed to. Until the closure ends nothing else may be done with its table, reading the new
/// object included: some of its leaves may not have its row yet.
package struct NewObject {
  package let key: ObjectKey
  private let place: WritingPlace
  /// Where the object is.
  private var cluster: Ref
  private var row: Int
  /// The columns, by leaf index, whose leaves do not have the object's row yet: it is the last one, and each leaf gets it with the
  /// value at once or, at the end, with the default.
  private var missing: UInt64
  /// Each value is written down for others.
  private let records: Bool

  fileprivate init(_ table: Table, _ scratch: Scratch, _ key: ObjectKey, row: Int, missing: UInt64 = 0) {
    (self.key, self.row, self.missing) = (key, row, missing)
    place = WritingPlace(table, scratch)
    cluster = table.state.liveLeaf
    records = table.group.recorder != nil
  }

  /// Whether a value of this kind may be stored in the leaf of a column without further ado.
  @inline(__always) private func isPlain(_ table: Table, _ column: ColumnKey, _ kind: LeafKind) throws(StorageError) -> Bool {
    let access = try table.access(column)
    return access.isPlain && access.kind == kind && !records
  }

  @inline(__always) private func leaf(_ scratch: Scratch, _ column: ColumnKey) -> Ref {
    Ref(element: scratch.slot(cluster, column.leafIndex + 1))
  }

  /// Whether a leaf lacks the row.
  @inline(__always) private func lacks(_ column: ColumnKey) -> Bool {
    column.leafIndex < 64 && missing & 1 << UInt64(column.leafIndex) != 0
  }

  /// A leaf has got its value, and perhaps moved. Not to be called before: what was refused is still missing.
  @inline(__always) private mutating func didStore(_ scratch: Scratch, _ column: ColumnKey, _ old: Ref, _ leaf: Ref) {
    if column.leafIndex < 64 { missing &= ~(1 << UInt64(column.leafIndex)) }
    if leaf != old { scratch.setChild(cluster, column.leafIndex + 1, leaf) }
  }

  /// Gives every leaf that lacks the row its default value.
  fileprivate mutating func complete(_ table: Table, _ scratch: Scratch) throws(StorageError) {
    while missing != 0 {
      let leafIndex = missing.trailingZeroBitCount
      missing &= missing - 1
      guard let slot = table.state.live.layout[leafIndex] else { continue }
      var leaf = Ref(element: scratch.slot(cluster, leafIndex + 1))
      let old = leaf
      try Leaf.insertDefault(scratch, slot, &leaf, row)
      if leaf != old { scratch.setChild(cluster, leafIndex + 1, leaf) }
    }
  }

  package mutating func set(_ column: ColumnKey, int value: Int64) throws(StorageError) {
    let place = place
    try place.use { (table, scratch) throws(StorageError) in
      guard try isPlain(table, column, .int) else { return try set(table, scratch, column, .int(value)) }
      let old = leaf(scratch, column)
      var leaf = old
      if lacks(column) { try scratch.insert(&leaf, row, value) } else { try scratch.set(&leaf, row, value) }
      didStore(scratch, column, old, leaf)
    }
  }

  package mutating func set(_ column: ColumnKey, double value: Double) throws(StorageError) {
    let place = place
    try place.use { (table, scratch) throws(StorageError) in
      guard try isPlain(table, column, .double) else { return try set(table, scratch, column, .double(value)) }
      let old = leaf(scratch, column)
      var leaf = old
      if lacks(column) { try DoubleLeaf.insert(scratch, &leaf, row, value) } else { try DoubleLeaf.set(scratch, &leaf, row, value) }
      didStore(scratch, column, old, leaf)
    }
  }

  /// - Parameter value: UTF-8.
  package mutating func set(_ column: ColumnKey, string value: RawSpan) throws(StorageError) {
    let place = place
    try place.use { (table, scratch) throws(StorageError) in
      guard try isPlain(table, column, .string) else { return try set(table, scratch, column, .string(StringLeaf.bytes(value))) }
      let old = leaf(scratch, column)
      var leaf = old
      if lacks(column) { try StringLeaf.insert(scratch, &leaf, row, value) } else { try StringLeaf.set(scratch, &leaf, row, value) }
      didStore(scratch, column, old, leaf)
    }
  }

  /// - Throws: `.noSuchObject`.
  package mutating func set(_ column: ColumnKey, link target: ObjectKey) throws(StorageError) {
    let place = place
    try place.use { (table, scratch) throws(StorageError) in
      let access = try table.access(column)
      guard access.kind == .link, target.rawValue >= 0, !records else { return try set(table, scratch, column, .link(target)) }
      let targets = try table.group.heldState(access.oppositeTable)
      guard targets.use({ $0.kind }) != .embedded, access.oppositeTable != table.key else {
        return try set(table, scratch, column, .link(target))
      }
      let old = leaf(scratch, column)
      var leaf = old
      let lacksRow = lacks(column)
      if !lacksRow, try scratch.space.integers(at: leaf).element(row) != 0 { return try set(table, scratch, column, .link(target)) }
      // Finds the target, too.
      try place.use(targets) { (targets) throws(StorageError) in
        try targets.addBacklink(scratch, access.oppositeColumn, target, origin: key)
      }
      if lacksRow {
        try scratch.insert(&leaf, row, target.rawValue &+ 1)
      } else {
        try scratch.set(&leaf, row, target.rawValue &+ 1)
      }
      didStore(scratch, column, old, leaf)
    }
  }

  /// A value of any type; see `Table.set`.
  package mutating func set(_ column: ColumnKey, _ value: Value) throws(StorageError) {
    let place = place
    try place.use { (table, scratch) throws(StorageError) in
      let access = try table.access(column)
      let isNull = if case .null = value { true } else { false }
      if access.isPlain, !records, access.isNullable || !isNull {
        let old = leaf(scratch, column)
        var leaf = old
        if lacks(column) { try Leaf.insert(scratch, access.kind, &leaf, row, value) } else { try Leaf.set(scratch, access.kind, &leaf, row, value) }
        return didStore(scratch, column, old, leaf)
      }
      // A link that was never set is null at the end.
      if isNull, access.kind == .link, !records, lacks(column) { return }
      try set(table, scratch, column, value)
    }
  }

  /// What cannot be put into a leaf just like that.
  @inline(never)
  private mutating func set(_ table: Table, _ scratch: Scratch, _ column: ColumnKey, _ value: Value) throws(StorageError) {
    try complete(table, scratch)
    try table.set(key, column, value)
    // It may have moved the cluster.
    row = try table.seek(scratch, key)
    cluster = table.state.liveLeaf
  }
}

/// A table and the scratch memory of its writer, neither of them counted: counting is a fifth of what it takes to create an object.
private struct WritingPlace {
  private let group: Uncounted<Group>
  private let state: Uncounted<TableState>
  private let scratch: Uncounted<Scratch>

  /// Valid while the caller has the table.
  init(_ table: Table, _ scratch: Scratch) {
    (group, state, self.scratch) = (Uncounted(table.group), Uncounted(table.state), Uncounted(scratch))
  }

  @inline(__always)
  func use<Result>(_ body: (Table, Scratch) throws(StorageError) -> Result) throws(StorageError) -> Result {
    try use(state) { (table) throws(StorageError) in
      try scratch.use { (scratch) throws(StorageError) in try body(table, scratch) }
    }
  }

  /// Another table of the group.
  @inline(__always)
  func use<Result>(_ state: Uncounted<TableState>, _ body: (Table) throws(StorageError) -> Result) throws(StorageError) -> Result {
    try group.use { (group) throws(StorageError) in
      try state.use { (state) throws(StorageError) in try body(Table(group: group, state: state)) }
    }
  }
}

extension Table {
  /// Creates an object with an Int primary key.
  @discardableResult
  package func createObject(primaryKey: Int64) throws(StorageError) -> ObjectKey {
    try createObject(primaryKey: primaryKey) { (_) throws(StorageError) in }
  }

  /// Creates an object with an Int primary key and lets `body` set its first values.
  /// - Throws: `.duplicatePrimaryKey`, `.typeMismatch`, and what `body` throws; then the object exists all the same.
  @discardableResult
  package func createObject(
    primaryKey: Int64, _ body: (inout NewObject) throws(StorageError) -> Void
  ) throws(StorageError) -> ObjectKey {
    guard let columnKey = state.primaryKey, kind != .embedded, state.tombstones == nil, group.recorder == nil, try access(columnKey).kind == .int,
      try !storedIndexRoot(columnKey).isNull
    else {
      let key = try createObject(primaryKey: .int(primaryKey))
      let scratch = try writing()
      var object = NewObject(self, scratch, key, row: try seek(scratch, key))
      try body(&object)
      return key
    }
    return try changing { (scratch) throws(StorageError) in try createObject(scratch, columnKey, primaryKey, body) }
  }

  /// Where nobody has to be told of it, and no tombstone waits for it.
  @inline(__always) private func createObject(
    _ scratch: Scratch, _ columnKey: ColumnKey, _ primaryKey: Int64, _ body: (inout NewObject) throws(StorageError) -> Void
  ) throws(StorageError) -> ObjectKey {
    let isDeferred = try defersIndex(primaryKey)
    if !isDeferred { try flushDeferredIndex() }
    let key = try nextObjectKey(scratch, squeezed: false)
    if !isDeferred {
      let indexes = try writableIndexes(scratch)
      var root = Ref(element: scratch.slot(indexes, columnKey.leafIndex))
      if try SearchIndex.insertIfFresh(scratch, &root, key, integer: primaryKey) {
        scratch.setChild(indexes, columnKey.leafIndex, root)
      } else {
        if try find(primaryKey: primaryKey) != nil { throw .duplicatePrimaryKey(table: nameText) }
        try insertIntoIndex(scratch, key, columnKey, integer: primaryKey)
      }
    }
    var object = try newObject(scratch, key, columnKey, primaryKey)
    group.log.createObject(self.key, key)
    do throws(StorageError) { try body(&object) } catch {
      try object.complete(self, scratch)
      throw error
    }
    try object.complete(self, scratch)
    return key
  }

  private func newObject(
    _ scratch: Scratch, _ key: ObjectKey, _ columnKey: ColumnKey, _ primaryKey: Int64
  ) throws(StorageError) -> NewObject {
    if state.indexedColumns.count == 1, state.live.layout.count <= 64,
      let row = try state.live.appendRow(scratch, key, integer: primaryKey, inColumn: columnKey.leafIndex)
    {
      storeLiveRoot(scratch)
      return NewObject(self, scratch, key, row: row, missing: state.occupiedColumns & ~(1 << UInt64(columnKey.leafIndex)))
    }
    guard let row = try state.live.insert(scratch, key, integer: primaryKey, inColumn: columnKey.leafIndex) else {
      throw .invalidArgument(reason: "the object key \(key.rawValue) is in use")
    }
    storeLiveRoot(scratch)
    for index in state.indexedColumns where index != columnKey.leafIndex {
      if let column = state.columns[index] { try insertIntoIndex(scratch, key, column, self.row(key).value(column)) }
    }
    return NewObject(self, scratch, key, row: row)
  }

  // MARK: Filling an empty table

  /// Objects with ascending keys that fill an empty table need no index before somebody looks: none can be a duplicate, and the index
  /// is built in one go, from the column, when it is first used or when the transaction commits.
  private func defersIndex(_ primaryKey: Int64) throws(StorageError) -> Bool {
    if let last = state.lastDeferredKey {
      guard primaryKey > last else { return false }
    } else {
      guard state.indexedColumns.count == 1, try count() == 0 else { return false }
    }
    state.lastDeferredKey = primaryKey
    return true
  }

  /// Builds the index of the primary key if that was put off.
  @inline(__always) func flushDeferredIndex() throws(StorageError) {
    if state.lastDeferredKey != nil { try buildDeferredIndex() }
  }

  @inline(never) private func buildDeferredIndex() throws(StorageError) {
    state.lastDeferredKey = nil
    guard let column = primaryKeyColumn else { return }
    let scratch = try writing()
    try scratch.freeTree(indexRoot(column))
    let root = try builtIndex(scratch, column)
    scratch.setChild(try writableIndexes(scratch), column.leafIndex, root)
  }
}
