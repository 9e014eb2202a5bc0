import RealmStorage

// Values and collections as canonical JSON.

extension Exporter {
  /// Twice the limit of the format (F2.6).
  private static let nestingLimit = 200

  /// One value, nested collections included.
  func write(_ value: Value, linkTarget: TableKey?, nesting: Int) throws(StorageError) {
    switch value {
    case .list(let root) where !root.isNull:
      try guardNesting(nesting, root)
      try writeElements(root, .mixed, linkTarget: nil, digestLimit: nil, nesting: nesting + 1)
    case .dictionary(let root) where !root.isNull:
      try guardNesting(nesting, root)
      try writeDictionary(root, hasIntegerKeys: false, digestLimit: nil, nesting: nesting + 1)
    default:
      try CanonicalJSON.append(value, linkTarget: linkTarget, to: &output.buffer, tableName: index.name) {
        (_, _) throws(StorageError) in
      }
    }
  }

  private func guardNesting(_ nesting: Int, _ root: Ref) throws(StorageError) {
    guard nesting < Exporter.nestingLimit else { throw .corruptNode(ref: root, reason: "collections are nested too deeply") }
  }

  /// The collection of one object; a null root is an empty one.
  func writeCollection(_ column: ColumnDescription, _ root: Ref) throws(StorageError) {
    if column.isDictionary { return try writeDictionary(root, hasIntegerKeys: column.hasIntegerKeys, digestLimit: digestLimit, nesting: 0) }
    if column.isSet { output.append("{\"$set\":") }
    try writeElements(
      root, column.elementKind, linkTarget: column.type == .link ? column.oppositeTable : nil, digestLimit: digestLimit, nesting: 0)
    if column.isSet { output.append("}") }
  }

  private func writeElements(
    _ root: Ref, _ kind: LeafKind, linkTarget: TableKey?, digestLimit: Int?, nesting: Int
  ) throws(StorageError) {
    if let digestLimit, try LeafWalk.count(space, root, kind) > digestLimit {
      return try writeDigest { (write) throws(StorageError) in
        try LeafWalk.forEachLeaf(space, root) { (leaf) throws(StorageError) in
          let reader = try reader(leaf, kind)
          for index in 0..<reader.count {
            try write { () throws(StorageError) in try self.write(reader.value(index), linkTarget: linkTarget, nesting: nesting) }
          }
          return true
        }
      }
    }
    output.append("[")
    var isFirst = true
    try LeafWalk.forEachLeaf(space, root) { (leaf) throws(StorageError) in
      let reader = try reader(leaf, kind)
      for index in 0..<reader.count {
        if !isFirst { output.append(",") }
        isFirst = false
        try write(reader.value(index), linkTarget: linkTarget, nesting: nesting)
        if !keepsLine { try output.flushIfLong() }
      }
      return true
    }
    output.append("]")
  }

  /// `{"$digest":…}` of the elements that `body` writes one by one.
  private func writeDigest(
    _ body: (_ write: (() throws(StorageError) -> Void) throws(StorageError) -> Void) throws(StorageError) -> Void
  ) throws(StorageError) {
    var digest = LineDigest()
    var count = 0
    let kept = keepsLine
    keepsLine = true
    let start = output.buffer.count
    try body { (element) throws(StorageError) in
      try element()
      digest.add(Array(output.buffer[start...]))
      output.buffer.removeSubrange(start...)
      count += 1
    }
    keepsLine = kept
    output.append("{\"$digest\":{\"count\":\(count),\"sha256\":\"\(digest.finish())\",\"first\":")
    CanonicalJSON.appendArray(digest.first, to: &output.buffer)
    output.append(",\"last\":")
    CanonicalJSON.appendArray(digest.last, to: &output.buffer)
    output.append("}}")
  }

  // MARK: Dictionaries

  private func writeDictionary(_ root: Ref, hasIntegerKeys: Bool, digestLimit: Int?, nesting: Int) throws(StorageError) {
    output.append("{\"$dictionary\":")
    defer { output.append("}") }
    if root.isNull { return output.append("[]") }
    let entries = try DictionaryEntries(self, root, hasIntegerKeys: hasIntegerKeys)
    if let digestLimit, entries.count > digestLimit {
      return try writeDigest { (write) throws(StorageError) in
        try entries.forEach { (key, value) throws(StorageError) in
          try write { () throws(StorageError) in try self.writeEntry(key, value, nesting) }
        }
      }
    }
    output.append("[")
    var isFirst = true
    try entries.forEach { (key, value) throws(StorageError) in
      if !isFirst { output.append(",") }
      isFirst = false
      try writeEntry(key, value, nesting)
      if !keepsLine { try output.flushIfLong() }
    }
    output.append("]")
  }

  private func writeEntry(_ key: Value, _ value: Value, _ nesting: Int) throws(StorageError) {
    output.append("[")
    try write(key, linkTarget: nil, nesting: nesting)
    output.append(",")
    try write(value, linkTarget: nil, nesting: nesting)
    output.append("]")
  }
}

/// The entries of a dictionary in key order, in either form (F6.4, F11).
struct DictionaryEntries {
  private let exporter: Exporter
  private let hasIntegerKeys: Bool
  private var keyLeaves: [Ref] = []
  private var valueLeaves: [Ref] = []
  /// Sorted; only below format 23, where dictionaries are small.
  private var legacy: [(key: Value, value: Value)]?
  let count: Int

  init(_ exporter: Exporter, _ root: Ref, hasIntegerKeys: Bool) throws(StorageError) {
    self.exporter = exporter
    self.hasIntegerKeys = hasIntegerKeys
    let space = exporter.space
    if exporter.format < 23 {
      let entries = try DictionaryEntries.readLegacy(exporter, root)
      legacy = entries
      count = entries.count
      return
    }
    let node = try space.refs(at: root)
    guard node.count == 2, !node.header.isInner else { throw node.broken("is no dictionary") }
    let keyCount = try LeafWalk.count(space, node.child(DictionarySlot.keys), hasIntegerKeys ? .int : .string)
    let valueCount = try LeafWalk.count(space, node.child(DictionarySlot.values), .mixed)
    guard keyCount == valueCount, try !node.child(DictionarySlot.keys).isNull, try !node.child(DictionarySlot.values).isNull else {
      throw node.broken("a dictionary with \(keyCount) keys and \(valueCount) values")
    }
    count = keyCount
    var (keys, values): ([Ref], [Ref]) = ([], [])
    try LeafWalk.forEachLeaf(space, node.child(DictionarySlot.keys)) { (leaf) throws(StorageError) in
      keys.append(leaf)
      return true
    }
    try LeafWalk.forEachLeaf(space, node.child(DictionarySlot.values)) { (leaf) throws(StorageError) in
      values.append(leaf)
      return true
    }
    (keyLeaves, valueLeaves) = (keys, values)
  }

  private static func readLegacy(_ exporter: Exporter, _ root: Ref) throws(StorageError) -> [(key: Value, value: Value)] {
    let space = exporter.space
    var entries: [(key: Value, value: Value)] = []
    try ClusterTree.forEachCluster(space, root) { (cluster) throws(StorageError) in
      try exporter.meet(cluster.node.ref)
      let keys = try LeafReader(space, cluster.column(0), .string)
      let values = try LeafReader(space, cluster.column(1), .mixed)
      guard keys.count == cluster.count, values.count == cluster.count else {
        throw cluster.node.broken("a dictionary cluster with \(keys.count) keys and \(values.count) values")
      }
      for row in 0..<cluster.count { try entries.append((keys.value(row), values.value(row))) }
      return true
    }
    entries.sort { Value.compare($0.key, $1.key) < 0 }
    return entries
  }

  func forEach(_ body: (Value, Value) throws(StorageError) -> Void) throws(StorageError) {
    if let legacy {
      for entry in legacy { try body(entry.key, entry.value) }
      return
    }
    var nextLeaf = 0
    var values: LeafReader?
    var position = 0
    for leaf in keyLeaves {
      let keys = try exporter.reader(leaf, hasIntegerKeys ? .int : .string)
      for index in 0..<keys.count {
        while values == nil || position >= values?.count ?? 0 {
          guard nextLeaf < valueLeaves.count else { throw .corruptNode(ref: leaf, reason: "a dictionary has fewer values than keys") }
          values = try exporter.reader(valueLeaves[nextLeaf], .mixed)
          nextLeaf += 1
          position = 0
        }
        guard let values else { return }
        try body(keys.value(index), values.value(position))
        position += 1
      }
    }
  }
}
