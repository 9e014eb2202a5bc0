/// The arrays of a spec, taken apart to be changed and written again; schemas change rarely.
struct SpecContents {
  var types: [Int64]
  var names: [[UInt8]]
  var attributes: [Int64]
  /// One ref per public column; nil if no column is enumerated.
  var enumKeys: [Int64]?
  var keys: [Int64]
  var count: Int { keys.count }

  /// Adds a column behind those of its sort.
  mutating func insert(_ column: NewColumn) {
    let position = column.name == nil ? count : names.count
    let dictionaryKeys = column.attributes.contains(.dictionary) ? Int64(ColumnType.string.rawValue) << 16 : 0
    types.insert(Int64(column.type.rawValue) | dictionaryKeys, at: position)
    attributes.insert(Int64(column.attributes.rawValue), at: position)
    keys.insert(column.key.rawValue, at: position)
    if let name = column.name {
      names.append(name)
      if enumKeys != nil { enumKeys?.append(0) }
    }
  }
}

extension Table {
  /// Rewrites the spec after `change`.
  func editSpec(_ scratch: Scratch, _ change: (inout SpecContents) throws(StorageError) -> Void) throws(StorageError) {
    var spec = Ref(element: scratch.slot(state.ref, TableTopSlot.spec))
    let arrays = try SpecArrays(space: scratch.space, ref: spec)
    func all(_ node: Node) -> [Int64] { (0..<node.count).map { node.element(unchecked: $0) } }
    var names: [[UInt8]] = []
    for index in 0..<arrays.publicCount { names.append(try arrays.name(index)) }
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

  /// How many columns were removed, which keeps the keys of later ones apart from theirs.
  func columnSequence() throws(StorageError) -> UInt64 { try space.refs(at: state.ref).tagged(TableTopSlot.columnSequence) ?? 0 }

  /// Gives new columns their entries in the index and opposite arrays.
  func fillSlots(_ scratch: Scratch, _ added: [NewColumn]) throws(StorageError) {
    try editSlots(scratch) { (indexes, tables, columns) throws(StorageError) in
      for column in added {
        let leafIndex = column.key.leafIndex
        while scratch.header(indexes).count <= leafIndex { try scratch.append(&indexes, 0) }
        while scratch.header(tables).count <= leafIndex { try scratch.append(&tables, Int64(TableKey.null.rawValue)) }
        while scratch.header(columns).count <= leafIndex { try scratch.append(&columns, ColumnKey.null.rawValue) }
        scratch.setChild(indexes, leafIndex, .null)
        try scratch.set(&tables, leafIndex, Int64(column.oppositeTable.rawValue))
        try scratch.set(&columns, leafIndex, column.oppositeColumn.rawValue)
      }
    }
  }

  /// Resets the entries of a column that goes, and frees its index.
  func clearSlots(_ scratch: Scratch, leafIndex: Int) throws(StorageError) {
    try editSlots(scratch) { (indexes, tables, columns) throws(StorageError) in
      try scratch.freeTree(Ref(element: scratch.slot(indexes, leafIndex)))
      scratch.setChild(indexes, leafIndex, .null)
      try scratch.set(&tables, leafIndex, Int64(TableKey.null.rawValue))
      try scratch.set(&columns, leafIndex, ColumnKey.null.rawValue)
    }
  }

  private func editSlots(
    _ scratch: Scratch, _ change: (_ indexes: inout Ref, _ tables: inout Ref, _ columns: inout Ref) throws(StorageError) -> Void
  ) throws(StorageError) {
    var indexes = try writableIndexes(scratch)
    var tables = Ref(element: scratch.slot(state.ref, TableTopSlot.oppositeTables))
    var columns = Ref(element: scratch.slot(state.ref, TableTopSlot.oppositeColumns))
    try scratch.makeWritable(&tables)
    try scratch.makeWritable(&columns)
    try change(&indexes, &tables, &columns)
    scratch.setChild(state.ref, TableTopSlot.indexes, indexes)
    scratch.setChild(state.ref, TableTopSlot.oppositeTables, tables)
    scratch.setChild(state.ref, TableTopSlot.oppositeColumns, columns)
    state.searchIndexes = indexes
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
