extension Table {
  /// The object with an Int primary key, if it lies where it is expected.
  @inline(__always) func guessedRow(_ column: ColumnKey, _ primaryKey: Int64) throws(StorageError) -> Row? {
    let guess = state.keyGuess
    guard guess.isWorthwhile else { return nil }
    let key = ObjectKey(primaryKey &- guess.distance)
    guard key.rawValue >= 0, let place = try ClusterTree.find(space, state.liveRoot, key) else { return nil }
    let row = Row(space: space, cluster: place.cluster, row: place.row)
    return try row.int(column) == primaryKey ? row : nil
  }
}

extension Table {
  /// The row of an object that the index names for an Int primary key; nil if that is not its value.
  /// - Throws: `.noSuchObject`, `.corruptNode`.
  @inline(__always) func indexedRow(_ key: ObjectKey, _ column: ColumnKey, _ primaryKey: Int64) throws(StorageError) -> Row? {
    let space = space
    let hint = state.leafHint
    var isConfirmed = false
    let place = try ClusterTree.find(space, state.liveRoot, key) { (cluster, relative) in
      isConfirmed = hint.confirms(space, cluster: cluster, row: relative, primaryKey)
    }
    guard let place else { throw .noSuchObject(key: key) }
    let row = Row(space: space, cluster: place.cluster, row: place.row)
    guard try row.int(column) == primaryKey else { return nil }
    if !isConfirmed { try state.leafHint.learn(space.integers(at: row.leaf(column)), cluster: place.cluster.node.ref) }
    return row
  }
}
