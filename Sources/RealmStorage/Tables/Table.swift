/// What one transaction knows of a table. Shared by all `Table` values that stand for it.
package final class TableState {
  package internal(set) var ref: Ref
  package internal(set) var name: [UInt8]
  package let key: TableKey
  package let kind: TableKind
  /// By leaf index; nil is vacant.
  package internal(set) var columns: [ColumnDescription?]
  /// Keys of the public columns in spec order.
  package internal(set) var publicColumns: [ColumnKey]
  package internal(set) var primaryKey: ColumnKey?
  var searchIndexes: Ref
  var live: ClusterEditor
  var tombstones: ClusterEditor?
  var isWritable = false
  /// Positions in the enum keys of enumerated columns, by leaf index, for writers.
  var enumPositions: [Int: [[UInt8]?: Int64]] = [:]
  /// Columns that need more than storing a value: indexed, linked, collections, Mixed, enumerated.
  var needsCare: [Bool] = []

  init(space: NodeSpace, ref: Ref, name: [UInt8], slot: Int) throws(StorageError) {
    let description = try TableDescription(space: space, ref: ref, name: name, slot: slot)
    self.ref = ref
    self.name = name
    key = description.key
    kind = description.kind
    columns = []
    publicColumns = []
    searchIndexes = description.searchIndexesRef
    live = ClusterEditor(root: description.clusterRoot, layout: [])
    tombstones = description.tombstoneRoot.isNull ? nil : ClusterEditor(root: description.tombstoneRoot, layout: [])
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
    needsCare = columns.map { column in
      guard let column else { return true }
      return !column.indexRef.isNull || column.isCollection || !column.enumKeysRef.isNull || column.type == .link || column.type == .mixed
        || column.type == .backlink || column.type == .typedLink
    }
  }

  /// The top, spec and arrays of a new table without columns.
  static func create(_ scratch: Scratch, key: TableKey, kind: TableKind) throws(StorageError) -> Ref {
    let ref = try scratch.createRefs(count: 14)
    let spec = try scratch.createRefs(count: 6)
    scratch.setChild(spec, 0, try scratch.createIntegers())
    scratch.setChild(spec, 1, try NameArray.create(scratch, []))
    scratch.setChild(spec, 2, try scratch.createIntegers())
    scratch.setChild(spec, 5, try scratch.createIntegers())
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
}

/// A table of a snapshot or write transaction: a small value, cheap to pass around.
package struct Table {
  package let group: Group
  package let state: TableState

  package var key: TableKey { state.key }
  package var kind: TableKind { state.kind }
  package var nameText: String { String(decoding: state.name, as: UTF8.self) }
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
  private func noSuchColumn(_ key: ColumnKey) -> StorageError { .noSuchColumn(table: nameText, name: "with key \(key.rawValue)") }

  package var publicColumns: [ColumnDescription] { state.publicColumns.compactMap { state.columns[$0.leafIndex] } }
  package var primaryKeyColumn: ColumnDescription? { state.primaryKey.flatMap { columnOrNil($0) } }

  // MARK: Objects

  /// Number of live objects. O(1).
  package func count() throws(StorageError) -> Int { try ClusterTree.count(space, state.live.root) }

  /// Whether a live object, or a tombstone if the key is negative, exists.
  package func contains(_ key: ObjectKey) throws(StorageError) -> Bool {
    let root = tree(of: key)
    return root.isNull ? false : try ClusterTree.find(space, root, key) != nil
  }

  /// The tree that holds a key: live objects or tombstones; null if the table has no tombstones.
  @inline(__always) func tree(of key: ObjectKey) -> Ref { key.rawValue >= 0 ? state.live.root : state.tombstones?.root ?? .null }

  package func keys() throws(StorageError) -> [ObjectKey] { try ClusterTree.keys(space, state.live.root) }

  package func tombstoneKeys() throws(StorageError) -> [ObjectKey] {
    guard let tombstones = state.tombstones else { return [] }
    return try ClusterTree.keys(space, tombstones.root)
  }

  /// Where an object lies, for reading several of its properties.
  /// - Throws: `.noSuchObject`.
  @inline(__always) package func row(_ key: ObjectKey) throws(StorageError) -> Row {
    let root = tree(of: key)
    guard !root.isNull, let place = try ClusterTree.find(space, root, key) else { throw .noSuchObject(key: key) }
    return Row(space: space, cluster: place.cluster, row: place.row)
  }

  /// A property's value.
  /// - Throws: `.noSuchObject`, `.noSuchColumn`, `.corruptNode`; `.typeMismatch` for collections and backlinks, which have none.
  package func value(_ key: ObjectKey, _ columnKey: ColumnKey) throws(StorageError) -> Value {
    let column = try column(columnKey)
    guard !column.isCollection, column.isPublic else { throw .typeMismatch(reason: "a property of '\(nameText)' is no single value") }
    return try row(key).value(column)
  }

  /// A required Int property, without going through `Value`.
  @inline(__always) package func int(_ key: ObjectKey, _ column: ColumnKey) throws(StorageError) -> Int64 {
    try row(key).int(column)
  }

  /// Calls `body` with every cluster of live objects in key order until it returns false.
  package func forEachCluster(_ body: (Cluster) throws(StorageError) -> Bool) throws(StorageError) {
    try ClusterTree.forEachCluster(space, state.live.root, body)
  }
}

/// One object of a table: its cluster and its place there. Valid until something in the table changes.
package struct Row {
  let space: NodeSpace
  package let cluster: Cluster
  package let row: Int

  package var key: ObjectKey { cluster.key(row) }

  @inline(__always) package func leaf(_ column: ColumnKey) throws(StorageError) -> Ref { try cluster.column(column.leafIndex) }

  /// A required Int property.
  @inline(__always) package func int(_ column: ColumnKey) throws(StorageError) -> Int64 {
    try space.integers(at: leaf(column)).element(row)
  }

  package func value(_ column: ColumnDescription) throws(StorageError) -> Value {
    let leaf = try leaf(column.key)
    if !column.enumKeysRef.isNull {
      return try StringLeaf(space, column.enumKeysRef).value(Int(clamping: space.integers(at: leaf).element(row)))
    }
    return try Leaf.value(space, column.leafKind, leaf, row)
  }

  /// The root of a collection property; null while it was never touched.
  package func collection(_ column: ColumnKey) throws(StorageError) -> Ref {
    let node = try space.refs(at: leaf(column))
    guard row < node.count else { throw node.missing(row) }
    return try node.child(row)
  }
}
