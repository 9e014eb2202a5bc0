/// The arrays of a spec, taken apart to be changed and written again; schemas change rarely.
struct SpecContents {
  var types: [Int64]
  var names: [[UInt8]]
  var attributes: [Int64]
  /// One ref per public column; nil if no column is enumerated.
  var enumKeys: [Int64]?
  var keys: [Int64]
  var count: Int { keys.count }
}

extension Table {
  /// Rewrites the spec after `change`.
  func editSpec(_ scratch: Scratch, _ change: (inout SpecContents) throws(StorageError) -> Void) throws(StorageError) {
    var spec = Ref(element: scratch.slot(state.ref, TableTopSlot.spec))
    let arrays = try SpecArrays(space: scratch.space, ref: spec)
    func all(_ node: Node) -> [Int64] { (0..<node.count).map { node.element(unchecked: $0) } }
    var names: [[UInt8]] = []
    for index in 0..<arrays.names.count { names.append(try arrays.names.name(index)) }
    let node = try scratch.space.refs(at: spec)
    let enumRef = try node.child(SpecSlot.enumKeys)
    var contents = SpecContents(
      types: all(arrays.types), names: names, attributes: all(arrays.attributes),
      enumKeys: enumRef.isNull ? nil : all(try scratch.space.refs(at: enumRef)), keys: all(arrays.keys))
    try change(&contents)
    try scratch.makeWritable(&spec)
    for slot in SpecSlot.all { try scratch.free(Ref(element: scratch.slot(spec, slot))) }
    scratch.setChild(spec, SpecSlot.types, try scratch.createIntegers(contents.types))
    scratch.setChild(spec, SpecSlot.names, try NameArray.create(scratch, contents.names))
    scratch.setChild(spec, SpecSlot.attributes, try scratch.createIntegers(contents.attributes))
    scratch.setChild(spec, SpecSlot.keys, try scratch.createIntegers(contents.keys))
    if let enumKeys = contents.enumKeys {
      var array = try scratch.createRefs(count: 0, capacity: enumKeys.count)
      try scratch.insert(&array, 0, contentsOf: enumKeys)
      scratch.setChild(spec, SpecSlot.enumKeys, array)
    } else {
      scratch.setChild(spec, SpecSlot.enumKeys, .null)
    }
    scratch.setChild(state.ref, TableTopSlot.spec, spec)
  }

  /// Resets the entries of a leaf index in the index and opposite arrays, adding them for a new one, freeing its index.
  func editSlots(_ scratch: Scratch, leafIndex: Int, isRemoval: Bool = false) throws(StorageError) {
    var indexes = try writableIndexes(scratch)
    var tables = Ref(element: scratch.slot(state.ref, TableTopSlot.oppositeTables))
    var columns = Ref(element: scratch.slot(state.ref, TableTopSlot.oppositeColumns))
    try scratch.makeWritable(&tables)
    try scratch.makeWritable(&columns)
    while scratch.header(indexes).count <= leafIndex { try scratch.append(&indexes, 0) }
    while scratch.header(tables).count <= leafIndex { try scratch.append(&tables, Int64(TableKey.null.rawValue)) }
    while scratch.header(columns).count <= leafIndex { try scratch.append(&columns, ColumnKey.null.rawValue) }
    if isRemoval { try scratch.freeTree(Ref(element: scratch.slot(indexes, leafIndex))) }
    scratch.setChild(indexes, leafIndex, .null)
    try scratch.set(&tables, leafIndex, Int64(TableKey.null.rawValue))
    try scratch.set(&columns, leafIndex, ColumnKey.null.rawValue)
    scratch.setChild(state.ref, TableTopSlot.indexes, indexes)
    scratch.setChild(state.ref, TableTopSlot.oppositeTables, tables)
    scratch.setChild(state.ref, TableTopSlot.oppositeColumns, columns)
    state.searchIndexes = indexes
  }

  func setOpposite(_ columnKey: ColumnKey, table: TableKey, column: ColumnKey) throws(StorageError) {
    let scratch = try writing()
    var tables = Ref(element: scratch.slot(state.ref, TableTopSlot.oppositeTables))
    var columns = Ref(element: scratch.slot(state.ref, TableTopSlot.oppositeColumns))
    try scratch.set(&tables, columnKey.leafIndex, Int64(table.rawValue))
    try scratch.set(&columns, columnKey.leafIndex, column.rawValue)
    scratch.setChild(state.ref, TableTopSlot.oppositeTables, tables)
    scratch.setChild(state.ref, TableTopSlot.oppositeColumns, columns)
    try reload()
  }

  /// The array of index roots, in scratch.
  func writableIndexes(_ scratch: Scratch) throws(StorageError) -> Ref {
    try flushDeferredIndex()
    var indexes = Ref(element: scratch.slot(state.ref, TableTopSlot.indexes))
    if !scratch.space.isDirty(indexes) {
      try scratch.makeWritable(&indexes)
      scratch.setChild(state.ref, TableTopSlot.indexes, indexes)
      state.searchIndexes = indexes
    }
    return indexes
  }
}
