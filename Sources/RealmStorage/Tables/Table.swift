/// What one transaction knows of a table. Shared by all `Table` values that stand for it.
package final class TableState {
  // SAFETY: the hot properties go without the run-time check for overlapping accesses, which costs more than most operations on them. A
  // state belongs to one group, which is confined to one thread, and no access to one of them lasts while other code of ours runs: mutating
  // methods of `ClusterEditor` never call back into the table.
  @exclusivity(unchecked) private var uncheckedRef: Ref
  @exclusivity(unchecked) private var uncheckedLive: ClusterEditor
  @exclusivity(unchecked) private var uncheckedTombstones: ClusterEditor?
  @exclusivity(unchecked) private var uncheckedIsWritable = false
  @exclusivity(unchecked) private var uncheckedKind: TableKind
  @exclusivity(unchecked) private var uncheckedPrimaryKey: ColumnKey?
  @exclusivity(unchecked) private var uncheckedSearchIndexes: Ref
  @exclusivity(unchecked) private var uncheckedLastDeferredKey: Int64?
  @exclusivity(unchecked) private var uncheckedKeyGuess = KeyGuess()
  @exclusivity(unchecked) private var uncheckedLeafHint = LeafHint()
  @exclusivity(unchecked) private var uncheckedAccess: [ColumnAccess] = []
  @exclusivity(unchecked) private var uncheckedIndexedColumns: [Int] = []
  @exclusivity(unchecked) private var uncheckedOccupiedColumns: UInt64 = 0
  package internal(set) var ref: Ref {
    @inline(__always) _read { yield unsafe uncheckedRef }
    @inline(__always) _modify { yield unsafe &uncheckedRef }
  }
  package internal(set) var name: [UInt8]
  package let key: TableKey
  package internal(set) var kind: TableKind {
    @inline(__always) get { unsafe uncheckedKind }
    @inline(__always) set { unsafe uncheckedKind = newValue }
  }
  /// By leaf index; nil is vacant.
  package internal(set) var columns: [ColumnDescription?]
  /// Keys of the public columns in spec order.
  package internal(set) var publicColumns: [ColumnKey]
  package internal(set) var primaryKey: ColumnKey? {
    @inline(__always) get { unsafe uncheckedPrimaryKey }
    @inline(__always) set { unsafe uncheckedPrimaryKey = newValue }
  }
  var searchIndexes: Ref {
    @inline(__always) get { unsafe uncheckedSearchIndexes }
    @inline(__always) set { unsafe uncheckedSearchIndexes = newValue }
  }
  var live: ClusterEditor {
    @inline(__always) _read { yield unsafe uncheckedLive }
    @inline(__always) _modify { yield unsafe &uncheckedLive }
  }
  /// The root of the live objects, and the cluster that the cursor is on, without a coroutine: one keeps all that the editor holds.
  @inline(__always) var liveRoot: Ref { unsafe uncheckedLive.root }
  @inline(__always) var liveLeaf: Ref { unsafe uncheckedLive.leaf }
  var tombstones: ClusterEditor? {
    @inline(__always) _read { yield unsafe uncheckedTombstones }
    @inline(__always) _modify { yield unsafe &uncheckedTombstones }
  }
  var isWritable: Bool {
    @inline(__always) get { unsafe uncheckedIsWritable }
    @inline(__always) set { unsafe uncheckedIsWritable = newValue }
  }
  var keyGuess: KeyGuess {
    @inline(__always) get { unsafe uncheckedKeyGuess }
    @inline(__always) set { unsafe uncheckedKeyGuess = newValue }
  }
  var leafHint: LeafHint {
    @inline(__always) get { unsafe uncheckedLeafHint }
    @inline(__always) set { unsafe uncheckedLeafHint = newValue }
  }
  /// While the index of the primary key is put off (`Table.flushDeferredIndex`): the largest key so far.
  var lastDeferredKey: Int64? {
    @inline(__always) get { unsafe uncheckedLastDeferredKey }
    @inline(__always) set { unsafe uncheckedLastDeferredKey = newValue }
  }
  /// Positions in the enum keys of enumerated columns, by leaf index, for writers.
  var enumPositions: [Int: [[UInt8]?: Int64]] = [:]
  /// By leaf index.
  private(set) var access: [ColumnAccess] {
    @inline(__always) _read { yield unsafe uncheckedAccess }
    @inline(__always) _modify { yield unsafe &uncheckedAccess }
  }
  /// Leaf indexes of the columns with an index, of those that may hold on to other objects or to nodes of their own, and of the backlinks.
  private(set) var indexedColumns: [Int] {
    @inline(__always) _read { yield unsafe uncheckedIndexedColumns }
    @inline(__always) _modify { yield unsafe &uncheckedIndexedColumns }
  }
  private(set) var owningColumns: [Int] = []
  private(set) var backlinkColumns: [Int] = []
  /// A bit for each leaf index below 64 that is not vacant.
  private(set) var occupiedColumns: UInt64 {
    @inline(__always) get { unsafe uncheckedOccupiedColumns }
    @inline(__always) set { unsafe uncheckedOccupiedColumns = newValue }
  }

  init(space: NodeSpace, ref: Ref, name: [UInt8], slot: Int) throws(StorageError) {
    let description = try TableDescription(space: space, ref: ref, name: name, slot: slot)
    unsafe uncheckedRef = ref
    self.name = name
    key = description.key
    unsafe uncheckedKind = description.kind
    columns = []
    publicColumns = []
    unsafe uncheckedSearchIndexes = description.searchIndexesRef
    unsafe uncheckedLive = ClusterEditor(root: description.clusterRoot, layout: [])
    unsafe uncheckedTombstones = description.tombstoneRoot.isNull ? nil : ClusterEditor(root: description.tombstoneRoot, layout: [])
    adopt(description)
  }

  /// Takes over the columns after a change of the schema.
  func adopt(_ description: TableDescription) {
    columns = [ColumnDescription?](repeating: nil, count: description.leafSlotCount)
    for column in description.columns { columns[column.leafIndex] = column }
    publicColumns = description.publicColumns.map(\.key)
    primaryKey = description.primaryKeyColumn?.key
    searchIndexes = description.searchIndexesRef
    let layout = columns.map { column in
      column.map {
        ColumnSlot(kind: $0.enumKeysRef.isNull ? $0.leafKind : .int, isNullable: $0.isNullable, enumeratedDefault: $0.enumKeysRef.isNull ? nil : 0)
      }
    }
    live.layout = layout
    live.forgetCursor()
    tombstones?.layout = layout
    tombstones?.forgetCursor()
    enumPositions = [:]
    access = columns.map { ColumnAccess($0, primaryKey: primaryKey) }
    (indexedColumns, owningColumns, backlinkColumns) = ([], [], [])
    occupiedColumns = 0
    for case let column? in columns {
      if column.leafIndex < 64 { occupiedColumns |= 1 << UInt64(column.leafIndex) }
      if column.type == .backlink { backlinkColumns.append(column.leafIndex) }
      if !column.indexRef.isNull && !column.isCollection { indexedColumns.append(column.leafIndex) }
      if column.isCollection || column.type == .link || column.type == .mixed { owningColumns.append(column.leafIndex) }
    }
  }

  /// The top, spec and arrays of a new table without columns.
  static func create(_ scratch: Scratch, key: TableKey, kind: TableKind) throws(StorageError) -> Ref {
    let ref = try scratch.createRefs(count: TableTopSlot.count)
    let spec = try scratch.createRefs(count: SpecSlot.count)
    scratch.setChild(spec, SpecSlot.types, try scratch.createIntegers())
    scratch.setChild(spec, SpecSlot.names, try NameArray.create(scratch, []))
    scratch.setChild(spec, SpecSlot.attributes, try scratch.createIntegers())
    scratch.setChild(spec, SpecSlot.keys, try scratch.createIntegers())
    scratch.setChild(ref, TableTopSlot.spec, spec)
    scratch.setChild(ref, TableTopSlot.clusters, try ClusterEditor.create(scratch, layout: []).root)
    scratch.setTagged(ref, TableTopSlot.key, UInt64(key.rawValue))
    scratch.setChild(ref, TableTopSlot.indexes, try scratch.createRefs(count: 0))
    scratch.setTagged(ref, TableTopSlot.columnSequence, 0)
    scratch.setTagged(ref, TableTopSlot.contentVersion, 0)
    scratch.setChild(ref, TableTopSlot.oppositeTables, try scratch.createIntegers())
    scratch.setChild(ref, TableTopSlot.oppositeColumns, try scratch.createIntegers())
    scratch.setTagged(ref, TableTopSlot.objectSequence, 0)
    scratch.setTagged(ref, TableTopSlot.flags, UInt64(kind.rawValue))
    return ref
  }
}

/// Slots of a table's top array (F4.1).
enum TableTopSlot {
  static let spec = 0
  /// Held the columns in formats that nobody reads any more.
  static let unused = 1
  static let clusters = 2
  static let key = 3
  static let indexes = 4
  static let columnSequence = 5
  static let contentVersion = 6
  static let oppositeTables = 7
  static let oppositeColumns = 8
  static let objectSequence = 9
  static let collisionMap = 10
  static let primaryKey = 11
  static let flags = 12
  static let tombstones = 13
  static let count = 14
  /// Files of older engines end before the slots that are missing there.
  static let leastCount = 10
}

/// A table of a snapshot or write transaction: a small value, cheap to pass around.
package struct Table {
  package let group: Group
  package let state: TableState

  package var key: TableKey { state.key }
  package var kind: TableKind { state.kind }
  package var nameText: String { String(decoding: state.name, as: UTF8.self) }
  /// What users call it, in messages too: without the prefix of tables that are classes.
  package var className: String { nameText.hasPrefix("class_") ? String(nameText.dropFirst(6)) : nameText }
  @inline(__always) var space: NodeSpace { group.space }

  // MARK: Columns

  package func column(named name: String) throws(StorageError) -> ColumnDescription {
    let bytes = Array(name.utf8)
    for key in state.publicColumns { if let column = state.columns[key.leafIndex], column.name == bytes { return column } }
    throw .noSuchColumn(table: nameText, name: name)
  }

  @inline(__always) package func columnOrNil(_ key: ColumnKey) -> ColumnDescription? {
    let index = key.leafIndex
    guard index < state.columns.count, let column = state.columns[index], column.key == key else { return nil }
    return column
  }

  @inline(__always) package func column(_ key: ColumnKey) throws(StorageError) -> ColumnDescription {
    guard let column = columnOrNil(key) else { throw noSuchColumn(key) }
    return column
  }
  @inline(never) func noSuchColumn(_ key: ColumnKey) -> StorageError { .noSuchColumn(table: nameText, name: "with key \(key.rawValue)") }

  package var publicColumns: [ColumnDescription] { state.publicColumns.compactMap { state.columns[$0.leafIndex] } }
  package var primaryKeyColumn: ColumnDescription? { state.primaryKey.flatMap { columnOrNil($0) } }
  /// Whether there is a primary key; copies nothing.
  @inline(__always) package var hasPrimaryKey: Bool { state.primaryKey != nil }

  // MARK: Objects

  /// Number of live objects. O(1).
  package func count() throws(StorageError) -> Int { try ClusterTree.count(space, state.liveRoot) }

  /// Whether a live object, or a tombstone if the key is negative, exists.
  package func contains(_ key: ObjectKey) throws(StorageError) -> Bool {
    let root = tree(of: key)
    return root.isNull ? false : try ClusterTree.find(space, root, key) != nil
  }

  /// The tree that holds a key: live objects or tombstones; null if the table has no tombstones.
  @inline(__always) func tree(of key: ObjectKey) -> Ref { key.rawValue >= 0 ? state.liveRoot : state.tombstones?.root ?? .null }

  /// The key of the object at a position in key order.
  package func key(at position: Int) throws(StorageError) -> ObjectKey {
    guard let place = try ClusterTree.locate(space, state.liveRoot, position: position) else {
      throw .invalidArgument(reason: "there is no object at position \(position)")
    }
    return place.cluster.key(place.row)
  }

  /// The position of a live object in key order; nil if there is none with that key.
  package func position(of key: ObjectKey) throws(StorageError) -> Int? {
    key.rawValue < 0 ? nil : try ClusterTree.position(space, state.liveRoot, of: key)
  }

  package func keys() throws(StorageError) -> [ObjectKey] { try ClusterTree.keys(space, state.liveRoot) }

  package func tombstoneKeys() throws(StorageError) -> [ObjectKey] {
    guard let tombstones = state.tombstones else { return [] }
    return try ClusterTree.keys(space, tombstones.root)
  }

  /// Where an object lies, for reading several of its properties.
  /// - Throws: `.noSuchObject`.
  @inline(__always) package func row(_ key: ObjectKey) throws(StorageError) -> Row {
    guard let row = try rowIfPresent(key) else { throw .noSuchObject(key: key) }
    return row
  }
  /// The same; nil if there is no such object.
  @inline(__always) package func rowIfPresent(_ key: ObjectKey) throws(StorageError) -> Row? {
    if group.scratch != nil, let place = try state.live.place(space, key) { return Row(space: space, cluster: place.cluster, row: place.row) }
    let root = tree(of: key)
    guard !root.isNull, let place = try ClusterTree.find(space, root, key) else { return nil }
    return Row(space: space, cluster: place.cluster, row: place.row)
  }

  /// A property's value.
  /// - Throws: `.noSuchObject`, `.noSuchColumn`, `.corruptNode`; `.typeMismatch` for collections and backlinks, which have none.
  package func value(_ key: ObjectKey, _ columnKey: ColumnKey) throws(StorageError) -> Value {
    let column = try column(columnKey)
    guard !column.isCollection, column.isPublic else { throw .typeMismatch(reason: "a property of '\(className)' is no single value") }
    return try row(key).value(column)
  }

  /// A required Int property, without going through `Value`.
  @inline(__always) package func int(_ key: ObjectKey, _ column: ColumnKey) throws(StorageError) -> Int64 {
    try row(key).int(column)
  }

  /// The object with an Int primary key, without going through `Value`; nil if there is none.
  @inline(__always) package func row(primaryKey: Int64) throws(StorageError) -> Row? {
    guard let columnKey = state.primaryKey, try access(columnKey).kind == .int else { return try slowRow(primaryKey: primaryKey) }
    if let row = try guessedRow(columnKey, primaryKey) { return row }
    let root = try indexRoot(columnKey)
    guard !root.isNull, let key = try SearchIndex.candidate(space, root, integer: primaryKey) else {
      return root.isNull ? try slowRow(primaryKey: primaryKey) : nil
    }
    // The key of a list stands for an answer that has to be looked for.
    if key.isNull { return try slowRow(primaryKey: primaryKey) }
    guard let row = try indexedRow(key, columnKey, primaryKey) else { return nil }
    state.keyGuess.learn(primaryKey, key)
    return row
  }

  @inline(never) private func slowRow(primaryKey: Int64) throws(StorageError) -> Row? {
    guard let key = try find(primaryKey: .int(primaryKey)) else { return nil }
    return try row(key)
  }

  /// Calls `body` with every cluster of live objects in key order until it returns false.
  package func forEachCluster(_ body: (Cluster) throws(StorageError) -> Bool) throws(StorageError) {
    try ClusterTree.forEachCluster(space, state.liveRoot, body)
  }
}

/// One object of a table: its cluster and its place there. Valid until something in the table changes.
package struct Row {
  let space: NodeSpace
  package let cluster: Cluster
  package private(set) var row: Int

  @inline(__always) init(space: NodeSpace, cluster: Cluster, row: Int) {
    (self.space, self.cluster, self.row) = (space, cluster, row)
  }

  /// - Parameter row: below the cluster's count.
  @inline(__always) package init(_ table: Table, _ cluster: Cluster, _ row: Int) {
    self.init(space: table.group.space, cluster: cluster, row: row)
  }

  package var key: ObjectKey { cluster.key(row) }

  /// Steps to the next row of the cluster.
  /// - Returns: whether it is that of the object.
  @inline(__always) package mutating func advance(to key: ObjectKey) -> Bool {
    row += 1
    return row < cluster.count && cluster.key(row) == key
  }

  @inline(__always) package func leaf(_ column: ColumnKey) throws(StorageError) -> Ref { try cluster.column(column.leafIndex) }

  /// A required Int property.
  @inline(__always) package func int(_ column: ColumnKey) throws(StorageError) -> Int64 {
    try space.integers(at: leaf(column)).element(row)
  }

  package func value(_ column: ColumnDescription) throws(StorageError) -> Value {
    try value(column.key, column.leafKind, column.enumKeysRef)
  }

  @inline(__always) func value(_ column: ColumnKey, _ kind: LeafKind, _ enumKeysRef: Ref) throws(StorageError) -> Value {
    let leaf = try leaf(column)
    if !enumKeysRef.isNull {
      return try StringLeaf(space, enumKeysRef).value(Int(clamping: space.integers(at: leaf).element(row)))
    }
    return try Leaf.value(space, kind, leaf, row)
  }

  /// The root of a collection property; null while it was never touched.
  package func collection(_ column: ColumnKey) throws(StorageError) -> Ref {
    let node = try space.refs(at: leaf(column))
    guard row < node.count else { throw node.missing(row) }
    let root = try node.child(row)
    // A forged ref in the file must not name scratch memory of a writer.
    if space.isDirty(root) && !space.isDirty(node.ref) { throw node.broken("holds the ref \(root), which lies outside the file") }
    return root
  }
}
