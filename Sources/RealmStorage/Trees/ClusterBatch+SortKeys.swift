extension ClusterBatch {
  /// Appends the keys of the masked rows, ascending.
  package func appendSortKeys(_ column: LeafColumn, _ masks: [RowMask], to keys: inout SortKeys) throws(StorageError) {
    for index in clusters.indices where !masks[index].isEmpty {
      try cancellation?.check()
      let cluster = clusters[index]
      let ref = try cluster.column(column.leafIndex)
      guard try append(column, ref, masks[index], cluster.count, &keys) else { throw Self.tooShort(cluster, column) }
    }
  }

  /// - Returns: false if the leaf is too short.
  private func append(
    _ column: LeafColumn, _ ref: Ref, _ mask: RowMask, _ count: Int, _ keys: inout SortKeys
  ) throws(StorageError) -> Bool {
    switch column.kind {
    case .int:
      let leaf = try space.integers(at: ref)
      guard leaf.count >= count else { return false }
      mask.forEach { keys.append(integer: leaf.element(unchecked: $0)) }
    case .nullableInt:
      let leaf = try NullableIntegerLeaf(space, ref)
      guard leaf.count >= count else { return false }
      mask.forEach { row in
        let number = leaf.node.element(unchecked: row + 1)
        if number == leaf.sentinel { keys.appendNull() } else { keys.append(integer: number) }
      }
    case .bool, .link:
      let leaf = try space.integers(at: ref)
      guard leaf.count >= count else { return false }
      let (low, high): (Int64, Int64) = column.kind == .bool ? (0, 1) : (1, .max)
      mask.forEach { row in
        let number = leaf.element(unchecked: row)
        if number < low || number > high { keys.appendNull() } else { keys.append(integer: number) }
      }
    case .double:
      let leaf = try DoubleLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in if let number = try leaf.number(row) { keys.append(number) } else { keys.appendNull() } }
    case .float:
      let leaf = try FloatLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in
        if let number = try leaf.number(row) { keys.append(number) } else { keys.appendNull() }
      }
    default: return try appendOthers(column, ref, mask, count, &keys)
    }
    return true
  }

  private func appendOthers(
    _ column: LeafColumn, _ ref: Ref, _ mask: RowMask, _ count: Int, _ keys: inout SortKeys
  ) throws(StorageError) -> Bool {
    switch column.kind {
    case .string:
      let leaf = try StringLeaf(space, ref, enumKeys: column.enumKeys)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in
        if let text = try unsafe leaf.bytes(row) { unsafe keys.append(text) } else { keys.appendNull() }
      }
    case .binary:
      let leaf = try BinaryLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in
        if let bytes = try unsafe leaf.bytes(row) { unsafe keys.append(bytes) } else { keys.appendNull() }
      }
    case .timestamp:
      let leaf = try TimestampLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.timestamp(row) { keys.append(value) } else { keys.appendNull() } }
    case .decimal:
      let leaf = try DecimalLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.decimal(row) { keys.append(value) } else { keys.appendNull() } }
    case .objectID:
      let leaf = try FixedBytesLeaf(space, ref, .objectID)
      guard leaf.count >= count else { return false }
      keys.isExact = false
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.objectID(row) { keys.append(value.high) } else { keys.appendNull() } }
    case .uuid:
      let leaf = try FixedBytesLeaf(space, ref, .uuid)
      guard leaf.count >= count else { return false }
      keys.isExact = false
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.uuid(row) { keys.append(value.high) } else { keys.appendNull() } }
    default:
      // Mixed and whatever has no number: all values have to be compared.
      let reader = try LeafReader(space, ref, column.kind, enumKeys: column.enumKeys)
      guard reader.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in keys.append(undecided: try reader.value(row)) }
    }
    return true
  }
}
