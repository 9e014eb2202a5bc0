// Enumerated string columns (F4.2): honoured and preserved when the file has them; we never create one.

extension Table {
  /// New objects of an enumerated column get the index of null or of the empty string, which may have to be added first.
  func prepareEnumerations(_ scratch: Scratch) throws(StorageError) {
    for column in state.columns {
      guard let column, !column.enumKeysRef.isNull else { continue }
      let index = try enumPosition(scratch, column, column.isNullable ? .null : .string([]))
      state.live.layout[column.leafIndex]?.enumeratedDefault = index
      state.tombstones?.layout[column.leafIndex]?.enumeratedDefault = index
    }
  }

  /// The index of a value among the distinct values of an enumerated column; a new value is appended.
  func enumPosition(_ scratch: Scratch, _ column: ColumnDescription, _ value: Value) throws(StorageError) -> Int64 {
    let wanted: [UInt8]?
    switch value {
    case .null: wanted = nil
    case .string(let bytes): wanted = bytes
    default: throw typeMismatch(value, column)
    }
    // The caller may have looked it up before this transaction appended a value.
    let column = state.columns[column.leafIndex] ?? column
    let leafIndex = column.leafIndex
    if state.enumPositions[leafIndex] == nil {
      let leaf = try StringLeaf(scratch.space, column.enumKeysRef)
      if !scratch.space.isDirty(column.enumKeysRef) { try scratch.space.checkCount(leaf.count, of: leaf.text) }
      var positions: [[UInt8]?: Int64] = [:]
      for index in 0..<leaf.count {
        switch try leaf.value(index) {
        case .string(let bytes): positions[bytes] = Int64(index)
        default: positions.updateValue(Int64(index), forKey: nil)
        }
      }
      state.enumPositions[leafIndex] = positions
    }
    if let known = state.enumPositions[leafIndex]?[wanted] { return known }
    return try appendEnumValue(scratch, column, value, wanted)
  }

  private func appendEnumValue(
    _ scratch: Scratch, _ column: ColumnDescription, _ value: Value, _ bytes: [UInt8]?
  ) throws(StorageError) -> Int64 {
    var keys = column.enumKeysRef
    let index = try StringLeaf(scratch.space, keys).count
    try StringLeaf.insert(scratch, &keys, index, value)
    try setEnumKeys(scratch, keys, of: column)
    state.enumPositions[column.leafIndex]?[bytes] = Int64(index)
    return Int64(index)
  }

  /// Stores where the distinct values of an enumerated column are now.
  func setEnumKeys(_ scratch: Scratch, _ keys: Ref, of column: ColumnDescription) throws(StorageError) {
    guard let position = state.publicColumns.firstIndex(of: column.key) else { throw .noSuchColumn(table: nameText, name: "") }
    var spec = Ref(element: scratch.slot(state.ref, TableTopSlot.spec))
    try scratch.makeWritable(&spec)
    scratch.setChild(state.ref, TableTopSlot.spec, spec)
    var all = Ref(element: scratch.slot(spec, SpecSlot.enumKeys))
    try scratch.makeWritable(&all)
    scratch.setChild(all, position, keys)
    scratch.setChild(spec, SpecSlot.enumKeys, all)
    state.columns[column.leafIndex] = column.with(enumKeysRef: keys)
    group.enumerationStamp += 1
  }
}
