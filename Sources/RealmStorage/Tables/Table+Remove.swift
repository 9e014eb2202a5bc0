// Deleting many objects: what a deleted query or collection comes to.

extension Table {
  /// Deletes objects, with the outcome of deleting one after the other in the order of their keys. Works cluster by cluster, so that every
  /// leaf is touched once for all of its objects.
  /// - Throws: `.noSuchObject`; some of the objects are deleted then.
  package func remove(_ keys: [ObjectKey]) throws(StorageError) {
    let scratch = try writing()
    let sorted = keys.sorted()
    guard isSimple else {
      // Deleting one may delete another, if both are embedded objects.
      for key in sorted {
        if kind == .embedded, try !contains(key) { continue }
        try remove(key)
      }
      return
    }
    var rows: [Int] = []
    var begin = 0
    while begin < sorted.count {
      guard sorted[begin].rawValue >= 0 else { throw .noSuchObject(key: sorted[begin]) }
      rows.removeAll(keepingCapacity: true)
      rows.append(try seek(scratch, sorted[begin]))
      var end = begin + 1
      while end < sorted.count, let place = try state.live.place(space, sorted[end]), place.row > rows[rows.count - 1] {
        rows.append(place.row)
        end += 1
      }
      try removeRows(scratch, rows, sorted[begin..<end])
      begin = end
    }
  }

  /// Objects own nothing, nobody links to them, and their own links lead to top-level objects of other tables.
  private var isSimple: Bool {
    guard state.backlinkColumns.isEmpty else { return false }
    return state.owningColumns.allSatisfy { index in
      let access = state.access[index]
      guard access.kind == .link, access.oppositeTable != key, let target = try? group.table(access.oppositeTable) else { return false }
      return target.kind != .embedded
    }
  }

  /// Deletes rows of the cursor's cluster.
  private func removeRows(_ scratch: Scratch, _ rows: [Int], _ keys: ArraySlice<ObjectKey>) throws(StorageError) {
    for index in state.indexedColumns {
      guard let column = state.columns[index] else { continue }
      let (kind, leaf) = (state.access[index].kind, try state.live.column(scratch, index))
      let isPlainInt = kind == .int && column.enumKeysRef.isNull && !column.attributes.contains(.fullTextIndexed)
      for (row, key) in zip(rows, keys) {
        if isPlainInt {
          try removeFromIndex(scratch, key, column.key, integer: space.integers(at: leaf).element(row))
        } else {
          try removeFromIndex(scratch, key, column, self.row(key).value(column))
        }
      }
    }
    for index in state.owningColumns {
      let access = state.access[index]
      let leaf = try state.live.column(scratch, index)
      let targets = try group.table(access.oppositeTable)
      for (row, key) in zip(rows, keys) {
        let stored = try space.integers(at: leaf).element(row)
        if stored != 0 { try targets.removeBacklink(scratch, access.oppositeColumn, ObjectKey(stored &- 1), origin: key) }
      }
    }
    try state.live.remove(scratch, rows: rows)
    storeLiveRoot(scratch)
    for key in keys { group.log.removeObject(self.key, key) }
  }
}
