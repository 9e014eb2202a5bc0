/// The steps that bring the contents of an older file to format 24, inside one write transaction. F11.
package enum FormatUpgrade {
  /// - Parameter version: the stored format: 10, 11, 20, 21, 22 or 23.
  package static func run(_ group: Group, from version: Int) throws(StorageError) {
    for key in try group.tableKeys() {
      let table = try group.table(key)
      if version < 22 { try indexPrimaryKey(table) }
      if version == 21 || version == 22 { try convertDictionaries(table) }
      if version < 24 { try sortSets(table) }
    }
    if version == 22 {
      for key in try group.tableKeys() where try group.table(key).kind == .asymmetric { try group.table(key).removeAllObjects() }
    }
    if version < 24 {
      for key in try group.tableKeys() { try replaceLinkListType(group.table(key)) }
    }
  }

  private static func indexPrimaryKey(_ table: Table) throws(StorageError) {
    guard let column = table.primaryKeyColumn, try !table.hasIndex(column) else { return }
    try table.buildIndex(column)
  }

  /// Before format 23 a dictionary was a small cluster tree with the columns key and value.
  private static func convertDictionaries(_ table: Table) throws(StorageError) {
    for column in table.publicColumns where column.isDictionary {
      for object in try table.keys() {
        let root = try table.row(object).collection(column.key)
        if root.isNull { continue }
        let entries = try oldEntries(table.space, root).sorted { compareBytes($0.key, $1.key) < 0 }
        for (entry, next) in zip(entries, entries.dropFirst()) where entry.key == next.key {
          throw .corruptNode(ref: root, reason: "a dictionary holds the same key twice")
        }
        let scratch = try table.writing()
        var keys = try BPlusTree.create(scratch, family: ValueFamily(.string, isNullable: false))
        var values = try BPlusTree.create(scratch, family: ValueFamily(.mixed, isNullable: true))
        for entry in entries {
          try keys.append(scratch, .string(entry.key))
          try values.append(scratch, entry.value)
        }
        let dictionary = try scratch.createRefs(count: 2)
        scratch.setChild(dictionary, 0, keys.root)
        scratch.setChild(dictionary, 1, values.root)
        try scratch.freeTree(root)
        try storeRoot(table, scratch, object, column, dictionary)
      }
    }
  }

  private static func oldEntries(_ space: NodeSpace, _ root: Ref) throws(StorageError) -> [(key: [UInt8], value: Value)] {
    var entries: [(key: [UInt8], value: Value)] = []
    try ClusterTree.forEachCluster(space, root) { (cluster) throws(StorageError) in
      let (keys, values) = (try StringLeaf(space, cluster.column(0)), try MixedLeaf(space, cluster.column(1)))
      for row in 0..<cluster.count {
        guard case .string(let key) = try keys.value(row) else { throw cluster.node.broken("a dictionary key is null") }
        entries.append((key, try values.value(row)))
      }
      return true
    }
    return entries
  }

  /// Sets of strings, binaries and Mixed values were in an older order.
  private static func sortSets(_ table: Table) throws(StorageError) {
    for column in table.publicColumns where column.isSet && (column.type == .string || column.type == .binary || column.type == .mixed) {
      for object in try table.keys() {
        let set = try table.collection(object, column.key)
        // The elements differ, so they take up space.
        let place = try table.row(object).collection(column.key)
        guard try set.count() <= table.space.plausibleCount else {
          throw .corruptNode(ref: place, reason: "is a set of more elements than the file has bytes")
        }
        let values = try set.all()
        let sorted = values.sorted { Value.compare($0, $1) < 0 }
        if zip(values, sorted).allSatisfy({ $0.isIdentical(to: $1) }) { continue }
        let scratch = try table.writing()
        var tree = try BPlusTree.create(scratch, family: ValueFamily(column.elementKind, isNullable: column.isNullable))
        for value in sorted { try tree.append(scratch, value) }
        try scratch.freeTree(table.row(object).collection(column.key))
        try storeRoot(table, scratch, object, column, tree.root)
      }
    }
  }

  private static func storeRoot(
    _ table: Table, _ scratch: Scratch, _ object: ObjectKey, _ column: ColumnDescription, _ root: Ref
  ) throws(StorageError) {
    try table.updateLeaf(scratch, object, column.leafIndex) { (leaf, row) throws(StorageError) in
      try scratch.makeWritable(&leaf)
      scratch.setChild(leaf, row, root)
    }
  }

  /// Link lists had a type of their own, 13, in column keys; the types array of the spec keeps it (F11).
  private static func replaceLinkListType(_ table: Table) throws(StorageError) {
    let hasOldKeys = table.state.columns.contains { column in
      guard let column else { return false }
      return column.key != modern(column.key) || column.oppositeColumn != modern(column.oppositeColumn)
    }
    guard hasOldKeys else { return }
    let scratch = try table.writing()
    try table.editSpec(scratch) { (spec) throws(StorageError) in
      spec.keys = spec.keys.map { modern(ColumnKey(rawValue: $0)).rawValue }
    }
    var columns = Ref(element: scratch.slot(table.state.ref, TableTopSlot.oppositeColumns))
    for index in 0..<(try scratch.space.integers(at: columns).count) {
      let old = try scratch.space.integers(at: columns).element(index)
      let new = modern(ColumnKey(rawValue: old)).rawValue
      if new != old { try scratch.set(&columns, index, new) }
    }
    scratch.setChild(table.state.ref, TableTopSlot.oppositeColumns, columns)
    try table.reload()
  }

  private static func modern(_ key: ColumnKey) -> ColumnKey {
    guard key != .null, key.typeNumber == Int(ColumnType.legacyLinkList.rawValue) else { return key }
    return ColumnKey(rawValue: key.rawValue & ~(0x3F << 16) | Int64(ColumnType.link.rawValue) << 16)
  }
}
