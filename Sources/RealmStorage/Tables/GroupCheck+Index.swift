// Search indexes: keys in order, every object once and under its own value. F9.

/// What one index should hold and what has been found so far.
struct IndexWalk {
  let table: VerifiedTable
  let column: ColumnDescription
  /// Words of a text or of a list instead of whole values (F9.5).
  let holdsWords: Bool
  /// The 4-byte keys from the root to the present entry.
  var path: [Int32] = []
  var entryCount = 0
  var entrySum: UInt64 = 0
  /// The cluster that was read last.
  var cached: (cluster: Ref, reader: LeafReader)?
}

/// The run of objects under one entry of an index.
private struct IndexRun {
  var last: (key: Int64, value: Value)?
  var bytes: IndexBytes?
  var isSorted = true
}

extension Verifier {
  /// 51 levels of general keys; words may go deeper by a few.
  private static let indexDepthLimit = 60

  func verifyIndex(_ table: VerifiedTable, _ column: ColumnDescription) throws(StorageError) {
    let isFullText = column.specAttributes.contains(.fullTextIndexed)
    var walk = IndexWalk(table: table, column: column, holdsWords: isFullText || column.isCollection)
    depth = 4
    defer { depth = 1 }
    try indexLevel(column.indexRef, &walk)
    if walk.holdsWords {
      let expected = try expectedWords(walk, isFullText: isFullText)
      if expected.count != walk.entryCount || expected.sum != walk.entrySum {
        fail("the index holds \(walk.entryCount) pairs of word and object, the objects have \(expected.count), and they differ")
      }
    } else if walk.entryCount != table.liveCount {
      fail("the index lists \(walk.entryCount) objects, the table has \(table.liveCount)")
    } else if walk.entrySum != table.liveSum {
      fail("the index lists some objects twice and others not at all")
    }
  }

  // MARK: Nodes

  /// One level of keys: a B+ tree of index nodes whose keys ascend throughout.
  private func indexLevel(_ ref: Ref, _ walk: inout IndexWalk) throws(StorageError) {
    guard walk.path.count <= Verifier.indexDepthLimit else { throw .corruptNode(ref: ref, reason: "the index is nested too deeply") }
    var previous: Int32?
    _ = try indexNode(ref, level: 0, expectedLast: nil, previous: &previous, &walk)
  }

  /// - Returns: the height of the node above the leaves of its level.
  private func indexNode(
    _ ref: Ref, level: Int, expectedLast: Int32?, previous: inout Int32?, _ walk: inout IndexWalk
  ) throws(StorageError) -> Int {
    let node = try claim(ref, "index node")
    guard node.header.hasRefs, node.header.hasContext, node.header.schemeBits == 0, node.count >= 1 else {
      throw node.broken("is no index node")
    }
    guard !node.header.isInner || node.count >= 2 else { throw node.broken("is an inner index node without children") }
    guard level < 12 else { throw node.broken("the index is too deep") }
    depth += 1
    defer { depth -= 1 }
    let keys = try claimIntegers(node.child(0), "index keys")
    // Readers address the array as 32-bit cells without looking (F9.3).
    guard keys.header.width == 32 else { throw keys.broken("index keys are \(keys.header.width) bits wide instead of 32") }
    guard keys.count == node.count - 1 else { throw node.broken("\(keys.count) keys for \(node.count - 1) index entries") }
    if keys.count > 1000 { fail("the index node \(ref) has \(keys.count) entries") }
    if keys.count == 0 && !(level == 0 && walk.path.isEmpty) { fail("the index node \(ref) is empty") }
    let last = keys.count > 0 ? Int32(truncatingIfNeeded: keys.element(unchecked: keys.count - 1)) : nil
    if let expectedLast, expectedLast != last { fail("the index node \(ref) does not end with the key that its parent says") }
    var height = -1
    for index in 0..<keys.count {
      let key = Int32(truncatingIfNeeded: keys.element(unchecked: index))
      if node.header.isInner {
        let below = try indexNode(node.child(index + 1), level: level + 1, expectedLast: key, previous: &previous, &walk)
        if height >= 0 && below != height { fail("the leaves below the index node \(ref) lie at different depths") }
        height = below
        continue
      }
      if let previous, key <= previous { fail("the keys of the index node \(ref) do not ascend") }
      previous = key
      walk.path.append(key)
      try indexEntry(node, index + 1, &walk)
      walk.path.removeLast()
    }
    return height + 1
  }

  private func indexEntry(_ node: Node, _ slot: Int, _ walk: inout IndexWalk) throws(StorageError) {
    let value = node.element(unchecked: slot)
    var run = IndexRun()
    if value & 1 == 1 { return try listed(Int64(bitPattern: UInt64(bitPattern: value) >> 1), &run, &walk) }
    let ref = Ref(element: value)
    guard reached.contains(ref) else { throw node.broken("the index entry \(slot) is no usable node of the tree") }
    if try space.node(at: ref).header.hasContext { return try indexLevel(ref, &walk) }
    var state = walk
    let count = try bplusTree(ref, "index list") { (leafRef) throws(StorageError) in
      let keys = try claimIntegers(leafRef, "index list")
      try spend(keys.count, keys)
      // Millions of zeros cost no bytes; each would be looked up and reported. Words of one object may repeat.
      if !(state.holdsWords && state.column.isCollection) {
        let objectCount = try ClusterTree.count(space, state.table.description.clusterRoot)
        guard keys.count <= objectCount else { throw keys.broken("an index list of \(keys.count) objects in a table of \(objectCount)") }
      }
      for index in 0..<keys.count { try listed(keys.element(unchecked: index), &run, &state) }
      return keys.count
    }.count
    walk = state
    if count == 0 { fail("the index list \(ref) is empty") }
    if !run.isSorted { note("the index list \(ref) is not sorted by value, as after an upgrade") }
  }

  /// One object under the present path.
  private func listed(_ key: Int64, _ run: inout IndexRun, _ walk: inout IndexWalk) throws(StorageError) {
    if walk.holdsWords {
      // The C++ engine repeats a key when one object's list holds a word twice (F9.5).
      if let last = run.last?.key, key <= last {
        if key < last || !walk.column.isCollection { fail("an index list of words is not strictly ascending at object \(key)") }
        if key == last { return }
      }
      run.last = (key, .null)
      walk.entryCount += 1
      walk.entrySum &+= Verifier.wordHash(walk.path, key, seed)
      return
    }
    walk.entryCount += 1
    walk.entrySum &+= mixed(UInt64(bitPattern: key) ^ seed)
    guard let value = try indexedValue(key, &walk) else { return fail("the index lists object \(key), which does not exist") }
    guard let bytes = IndexBytes(value) else { return fail("the index lists object \(key), whose value no index can hold") }
    for (level, part) in walk.path.enumerated() where bytes.key(offset: 4 * level) != part {
      fail("the index lists object \(key) under keys that are not those of its value")
      break
    }
    if let first = run.bytes {
      if first != bytes && 4 * walk.path.count <= 200 { fail("different values share an index list at depth \(walk.path.count)") }
    } else {
      run.bytes = bytes
    }
    if let last = run.last {
      let order = Value.compare(last.value, value)
      if order > 0 { run.isSorted = false }
      if order == 0 && last.key >= key {
        fail("objects \(last.key) (\(last.value)) and \(key) (\(value)) with equal values are not in order in an index list")
      }
      if order == 0 && walk.column.key == walk.table.description.primaryKeyColumn?.key {
        fail("objects \(last.key) and \(key) have the same primary key")
      }
    }
    run.last = (key, value)
  }

  /// The value by which an object is indexed, or nil if there is no such object.
  private func indexedValue(_ key: Int64, _ walk: inout IndexWalk) throws(StorageError) -> Value? {
    guard key >= 0, let place = try ClusterTree.find(space, walk.table.description.clusterRoot, ObjectKey(key)) else { return nil }
    let reader: LeafReader
    if let cached = walk.cached, cached.cluster == place.cluster.node.ref {
      reader = cached.reader
    } else {
      reader = try LeafReader(
        space, place.cluster.column(walk.column.leafIndex), walk.column.leafKind, enumKeys: walk.column.enumKeysRef)
      walk.cached = (place.cluster.node.ref, reader)
    }
    let value = try reader.value(place.row)
    // Links to tombstones are indexed as null (F9.1).
    if case .typedLink(let link) = value, link.key.isUnresolved { return .null }
    return value
  }

  // MARK: Words

  /// A word's place is its keys, or one level more where a shorter word shares them (F9.5): such a last key says nothing.
  private static func wordHash(_ path: [Int32], _ key: Int64, _ seed: UInt64) -> UInt64 {
    var parts = path[...]
    if parts.count > 1, let last = parts.last, last == IndexKey.null || last == IndexKey.end { parts.removeLast() }
    var hash = seed
    for part in parts { hash = mixed(hash &+ UInt64(UInt32(bitPattern: part))) }
    return mixed(hash ^ UInt64(bitPattern: key))
  }

  private static func path(of word: [UInt8]) -> [Int32] {
    var keys: [Int32] = []
    var offset = 0
    repeat {
      keys.append(IndexKey.key(ofBytes: word, offset: offset))
      offset += 4
    } while offset < word.count
    return keys
  }

  /// The pairs of word and object that the objects call for.
  private func expectedWords(_ walk: IndexWalk, isFullText: Bool) throws(StorageError) -> (count: Int, sum: UInt64) {
    var (count, sum) = (0, UInt64(0))
    let column = walk.column
    func add(_ words: Set<[UInt8]>, _ key: ObjectKey) {
      count += words.count
      for word in words { sum &+= Verifier.wordHash(Verifier.path(of: word), key.rawValue, seed) }
    }
    try ClusterTree.forEachCluster(space, walk.table.description.clusterRoot) { (cluster) throws(StorageError) in
      let ref = try cluster.column(column.leafIndex)
      if isFullText {
        let reader = try LeafReader(space, ref, .string, enumKeys: column.enumKeysRef)
        for row in 0..<min(cluster.count, reader.count) {
          if case .string(let text) = try reader.value(row) { add(Set(Tokenizer.tokens(of: text)), cluster.key(row)) }
        }
        return true
      }
      let roots = try space.refs(at: ref)
      for row in 0..<min(cluster.count, roots.count) {
        let root = try roots.child(row)
        if root.isNull { continue }
        var words: Set<[UInt8]> = []
        try LeafWalk.forEachLeaf(space, root) { (leaf) throws(StorageError) in
          let reader = try LeafReader(space, leaf, column.elementKind)
          try spend(reader.count, space.node(at: leaf))
          for index in 0..<reader.count {
            if case .string(let word) = try reader.value(index) { words.insert(word) }
          }
          return true
        }
        add(words, cluster.key(row))
      }
      return true
    }
    return (count, sum)
  }
}
