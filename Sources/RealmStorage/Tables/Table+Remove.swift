// Deleting many objects: what a deleted query or collection comes to.

extension Table {
  /// Deletes objects, with the outcome of deleting one after the other in the order of their keys. Works cluster by cluster and collection by
  /// collection, so that every leaf is touched once for all of its objects.
  /// - Throws: `.noSuchObject`; some of the objects are deleted then.
  package func remove(_ keys: [ObjectKey]) throws(StorageError) {
    let scratch = try writing()
    let sorted = Table.sorted(keys)
    guard kind != .embedded, group.recorder == nil else {
      // Deleting one embedded object may delete another. What is recorded has the order of the objects.
      for key in sorted {
        if kind == .embedded, try !contains(key) { continue }
        try remove(key)
      }
      return
    }
    try nullifyLinks(scratch, to: sorted)
    guard isSimple else {
      for key in sorted { try remove(key) }
      return
    }
    let doomed = try collect(sorted)
    try unindex(scratch, doomed)
    try removeRows(scratch, sorted)
    for links in doomed.links { try removeBacklinks(scratch, links) }
    for column in doomed.rebuilt { try rebuildIndex(scratch, column) }
  }

  static func sorted(_ keys: [ObjectKey]) -> [ObjectKey] {
    // Negative keys, which are refused, come last.
    var numbers = keys.map { UInt64(bitPattern: $0.rawValue) }
    radixSort(&numbers)
    return numbers.map { ObjectKey(Int64(bitPattern: $0)) }
  }

  /// What else has to change when objects go.
  private struct Doomed {
    /// Indexed columns whose index is better built anew afterwards, because most of the table goes.
    var rebuilt: [ColumnDescription] = []
    /// Per other indexed column of integers: the values, in the order of the objects.
    var integers: [(column: ColumnDescription, values: [(value: Int64, object: ObjectKey)])] = []
    /// Per other indexed column of another type.
    var others: [(column: ColumnDescription, values: [(value: Value, object: ObjectKey)])] = []
    /// Per link column: target and origin.
    var links: [(access: ColumnAccess, pairs: [(target: Int64, origin: Int64)])] = []
  }

  /// - Throws: `.noSuchObject`, before anything has changed in this table but links to the objects.
  private func collect(_ keys: [ObjectKey]) throws(StorageError) -> Doomed {
    var doomed = Doomed()
    let count = try count()
    let goesMostly = keys.count > 1000 && keys.count * 4 > count - keys.count
    for index in state.indexedColumns {
      guard let column = state.columns[index] else { continue }
      let isGeneral = !column.attributes.contains(.fullTextIndexed)
      let isPlainInt = column.leafKind == .int && column.enumKeysRef.isNull && isGeneral
      // An index of Mixed values is built value by value.
      if goesMostly && isGeneral && column.type != .mixed {
        doomed.rebuilt.append(column)
      } else if isPlainInt {
        doomed.integers.append((column, []))
      } else {
        doomed.others.append((column, []))
      }
    }
    for index in state.owningColumns { doomed.links.append((state.access[index], [])) }
    // Reading a key out of the lists in the loop would copy a whole description for each object.
    let integerKeys = doomed.integers.map(\.column.key)
    let linkKeys = doomed.links.map(\.access.key)
    for key in keys {
      let row = try row(key)
      for index in integerKeys.indices { doomed.integers[index].values.append((try row.int(integerKeys[index]), key)) }
      for index in doomed.others.indices { doomed.others[index].values.append((try row.value(doomed.others[index].column), key)) }
      for index in linkKeys.indices {
        let stored = try row.int(linkKeys[index])
        if stored != 0 { doomed.links[index].pairs.append((stored &- 1, key.rawValue)) }
      }
    }
    return doomed
  }

  /// Takes the objects out of the indexes.
  private func unindex(_ scratch: Scratch, _ doomed: Doomed) throws(StorageError) {
    for (column, values) in doomed.others {
      for (value, key) in values { try removeFromIndex(scratch, key, column, value) }
    }
    for (column, values) in doomed.integers { try removeFromIndex(scratch, column.key, values) }
  }

  private func rebuildIndex(_ scratch: Scratch, _ column: ColumnDescription) throws(StorageError) {
    try scratch.freeTree(indexRoot(column))
    let root = try builtIndex(scratch, column)
    scratch.setChild(try writableIndexes(scratch), column.leafIndex, root)
  }

  /// By target, then by origin.
  /// - Parameter pairs: by origin.
  private static func sorted(_ pairs: [(target: Int64, origin: Int64)]) -> [(target: Int64, origin: Int64)] {
    guard pairs.allSatisfy({ $0.target >> 31 == 0 && $0.origin >> 32 == 0 }) else {
      return pairs.sorted { $0.target != $1.target ? $0.target < $1.target : $0.origin < $1.origin }
    }
    var packed = pairs.map { UInt64($0.target) << 32 | UInt64($0.origin) }
    // The origins ascend already.
    radixSort(&packed, fromBit: 32)
    return packed.map { (Int64($0 >> 32), Int64($0 & 0xFFFF_FFFF)) }
  }

  /// Removes backlinks target by target.
  private func removeBacklinks(
    _ scratch: Scratch, _ links: (access: ColumnAccess, pairs: [(target: Int64, origin: Int64)])
  ) throws(StorageError) {
    let targets = try group.table(links.access.oppositeTable)
    let pairs = Table.sorted(links.pairs)
    var begin = 0
    while begin < pairs.count {
      var end = begin + 1
      while end < pairs.count && pairs[end].target == pairs[begin].target { end += 1 }
      let origins = pairs[begin..<end].map(\.origin)
      try targets.removeBacklinks(scratch, links.access.oppositeColumn, ObjectKey(pairs[begin].target), origins: origins)
      begin = end
    }
  }

  /// Takes the rows out of the clusters, cluster by cluster.
  private func removeRows(_ scratch: Scratch, _ sorted: [ObjectKey]) throws(StorageError) {
    var rows: [Int] = []
    var begin = 0
    while begin < sorted.count {
      rows.removeAll(keepingCapacity: true)
      let end = try state.live.appendRows(scratch, of: sorted, from: begin, to: &rows)
      storeLiveRoot(scratch)
      guard end > begin else { throw .noSuchObject(key: sorted[begin]) }
      try state.live.remove(scratch, rows: rows)
      storeLiveRoot(scratch)
      for key in sorted[begin..<end] { group.log.removeObject(self.key, key) }
      begin = end
    }
  }

  /// Objects own nothing, and their own links lead to top-level objects of other tables.
  private var isSimple: Bool {
    state.owningColumns.allSatisfy { index in
      let access = state.access[index]
      guard access.kind == .link, access.oppositeTable != key, let target = try? group.table(access.oppositeTable) else { return false }
      return target.kind != .embedded
    }
  }
}
