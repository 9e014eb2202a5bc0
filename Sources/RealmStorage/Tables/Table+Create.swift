// Creating objects with an Int primary key and their first values, the fastest way to fill a table.

/// An object that was just created, to be given its first values: they need no entries in the log, and there is nothing to release.
///
/// Valid only inside the closure that it is passed to.
package struct NewObject {
  package let key: ObjectKey
  private let table: Table
  private let scratch: Scratch
  /// Where the object is.
  private var cluster: Ref
  private var row: Int

  fileprivate init(_ table: Table, _ scratch: Scratch, _ key: ObjectKey, row: Int) {
    (self.table, self.scratch, self.key, self.row) = (table, scratch, key, row)
    cluster = table.state.live.leaf
  }

  /// Passes the leaf of a plain column; false if the column is of another kind or needs more than that.
  @inline(__always) private func store(
    _ column: ColumnKey, _ kind: LeafKind, _ body: (inout Ref) throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    let access = try table.access(column)
    guard access.isPlain, access.kind == kind else { return false }
    var leaf = Ref(element: scratch.slot(cluster, column.leafIndex + 1))
    let old = leaf
    try body(&leaf)
    if leaf != old { scratch.setChild(cluster, column.leafIndex + 1, leaf) }
    return true
  }

  package mutating func set(_ column: ColumnKey, int value: Int64) throws(StorageError) {
    let isStored = try store(column, .int) { (leaf) throws(StorageError) in try scratch.set(&leaf, row, value) }
    if !isStored { try set(column, .int(value)) }
  }

  package mutating func set(_ column: ColumnKey, double value: Double) throws(StorageError) {
    let isStored = try store(column, .double) { (leaf) throws(StorageError) in try DoubleLeaf.set(scratch, &leaf, row, value) }
    if !isStored { try set(column, .double(value)) }
  }

  /// - Parameter value: UTF-8.
  package mutating func set(_ column: ColumnKey, string value: [UInt8]) throws(StorageError) {
    let isStored = try store(column, .string) { (leaf) throws(StorageError) in try StringLeaf.set(scratch, &leaf, row, value) }
    if !isStored { try set(column, .string(value)) }
  }

  /// - Throws: `.noSuchObject`.
  package mutating func set(_ column: ColumnKey, link target: ObjectKey) throws(StorageError) {
    let access = try table.access(column)
    guard access.kind == .link, target.rawValue >= 0 else { return try set(column, .link(target)) }
    let targets = try table.group.table(access.oppositeTable)
    guard targets.kind != .embedded, access.oppositeTable != table.key else { return try set(column, .link(target)) }
    var leaf = Ref(element: scratch.slot(cluster, column.leafIndex + 1))
    let old = leaf
    // Finds the target, too.
    guard try scratch.space.integers(at: leaf).element(row) == 0 else { return try set(column, .link(target)) }
    try targets.addBacklink(scratch, access.oppositeColumn, target, origin: key)
    try scratch.set(&leaf, row, target.rawValue &+ 1)
    if leaf != old { scratch.setChild(cluster, column.leafIndex + 1, leaf) }
  }

  /// A value of any type; see `Table.set`.
  package mutating func set(_ column: ColumnKey, _ value: Value) throws(StorageError) {
    try table.set(key, column, value)
    // It may have moved the cluster.
    row = try table.seek(scratch, key)
    cluster = table.state.live.leaf
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
    guard let columnKey = state.primaryKey, kind != .embedded, state.tombstones == nil, try access(columnKey).kind == .int,
      try !indexRoot(columnKey).isNull
    else {
      let key = try createObject(primaryKey: .int(primaryKey))
      let scratch = try writing()
      var object = NewObject(self, scratch, key, row: try seek(scratch, key))
      try body(&object)
      return key
    }
    let scratch = try writing()
    let key = try nextObjectKey(scratch, squeezed: false)
    let indexes = try writableIndexes(scratch)
    var root = Ref(element: scratch.slot(indexes, columnKey.leafIndex))
    let isFiled = try SearchIndex.insertIfFresh(scratch, &root, key, integer: primaryKey)
    if !isFiled, try find(primaryKey: primaryKey) != nil { throw .duplicatePrimaryKey(table: nameText) }
    guard let row = try state.live.insert(scratch, key, integer: primaryKey, inColumn: columnKey.leafIndex) else {
      throw .invalidArgument(reason: "the object key \(key.rawValue) is in use")
    }
    storeLiveRoot(scratch)
    if isFiled {
      scratch.setChild(indexes, columnKey.leafIndex, root)
    } else {
      try insertIntoIndex(scratch, key, columnKey, integer: primaryKey)
    }
    for index in state.indexedColumns where index != columnKey.leafIndex {
      if let column = state.columns[index] { try insertIntoIndex(scratch, key, column, self.row(key).value(column)) }
    }
    group.log.createObject(self.key, key)
    var object = NewObject(self, scratch, key, row: row)
    try body(&object)
    return key
  }
}
