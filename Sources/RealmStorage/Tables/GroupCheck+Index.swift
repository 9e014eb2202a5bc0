// Indexes of a table against its objects. F9.

extension GroupCheck {
  /// The rules of ``IndexCheck``; and every live object is there once, or every pair of a word and an object whose text or list has it.
  func checkIndex(_ table: CheckedTable, _ column: ColumnDescription) throws(StorageError) {
    let isFullText = column.specAttributes.contains(.fullTextIndexed)
    checker.depth = 4
    defer { checker.depth = 1 }
    let isPrimaryKey = column.key == table.description.primaryKeyColumn?.key
    let contents: IndexContents = isFullText ? .words : column.isCollection ? .wordsOfLists : isPrimaryKey ? .primaryKeys : .values
    var check = IndexCheck(checker, contents, ClusterObjects(space: checker.space, root: table.description.clusterRoot, column: column))
    try check.run(column.indexRef)
    if !checker.coversEverything { return }
    switch contents {
    case .values, .primaryKeys: check.compare(with: table.live)
    case .words: check.compare(with: try wordsOfTexts(table, column))
    case .wordsOfLists: check.compare(with: try wordsOfLists(table, column))
    }
  }

  /// The pairs of word and object that the texts of a column call for.
  private func wordsOfTexts(_ table: CheckedTable, _ column: ColumnDescription) throws(StorageError) -> IndexEntries {
    var entries = IndexEntries()
    try ClusterTree.forEachCluster(checker.space, table.description.clusterRoot) { (cluster) throws(StorageError) in
      let reader = try LeafReader(checker.space, cluster.column(column.leafIndex), .string, enumKeys: column.enumKeysRef)
      for row in 0..<min(cluster.count, reader.count) {
        guard case .string(let text) = try reader.value(row) else { continue }
        entries.add(words: Set(Tokenizer.tokens(of: text)), of: cluster.key(row), checker.seed)
      }
      return true
    }
    return entries
  }

  /// The same for the elements of lists.
  private func wordsOfLists(_ table: CheckedTable, _ column: ColumnDescription) throws(StorageError) -> IndexEntries {
    var entries = IndexEntries()
    try ClusterTree.forEachCluster(checker.space, table.description.clusterRoot) { (cluster) throws(StorageError) in
      let roots = try checker.space.refs(at: cluster.column(column.leafIndex))
      for row in 0..<min(cluster.count, roots.count) {
        let root = try roots.child(row)
        if root.isNull { continue }
        var words: Set<[UInt8]> = []
        try LeafWalk.forEachLeaf(checker.space, root) { (leaf) throws(StorageError) in
          let reader = try LeafReader(checker.space, leaf, column.elementKind)
          try checker.spend(reader.count, checker.space.node(at: leaf))
          for index in 0..<reader.count {
            if case .string(let word) = try reader.value(index) { words.insert(word) }
          }
          return true
        }
        entries.add(words: words, of: cluster.key(row), checker.seed)
      }
      return true
    }
    return entries
  }
}

/// The values of one column, looked up object by object.
private struct ClusterObjects: IndexedObjects {
  let space: NodeSpace
  let root: Ref
  let column: ColumnDescription
  /// The cluster that was read last.
  private var cached: (cluster: Ref, reader: LeafReader)?

  init(space: NodeSpace, root: Ref, column: ColumnDescription) { (self.space, self.root, self.column) = (space, root, column) }

  func count() throws(StorageError) -> Int { try ClusterTree.count(space, root) }

  mutating func value(of key: Int64) throws(StorageError) -> Value? {
    guard key >= 0, let place = try ClusterTree.find(space, root, ObjectKey(key)) else { return nil }
    let reader: LeafReader
    if let cached, cached.cluster == place.cluster.node.ref {
      reader = cached.reader
    } else {
      reader = try LeafReader(space, place.cluster.column(column.leafIndex), column.leafKind, enumKeys: column.enumKeysRef)
      cached = (place.cluster.node.ref, reader)
    }
    let value = try reader.value(place.row)
    // Links to tombstones are indexed as null (F9.1).
    if case .typedLink(let link) = value, link.key.isUnresolved { return .null }
    return value
  }
}
