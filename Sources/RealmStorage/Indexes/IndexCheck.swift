/// A walk over a whole index that verifies its form. F9.3:
///
///  1. every node has the refs and the context flag, and a key array that is 32 bits wide and one shorter than the node;
///  2. nodes have at most as many entries as the fan-out; only the root of the whole index may be empty; an inner root has two children;
///  3. keys ascend strictly across a level, and an inner node's key is the last one of its child;
///  4. the leaves of a level are equally deep;
///  5. lists are not empty, hold plain integers and have no context flag.
///
/// What hangs below a path of keys is for `Terminals` to judge.
struct IndexCheck<Terminals: IndexTerminals> {
  let space: NodeSpace
  let fanOut: Int
  var terminals: Terminals
  private var path: [Int32] = []
  private var budget: Int

  init(_ space: NodeSpace, fanOut: Int, _ terminals: Terminals) {
    (self.space, self.fanOut, self.terminals) = (space, fanOut, terminals)
    budget = space.nodeBudget
  }

  /// What one level has seen so far.
  private struct Level {
    var lastKey: Int32?
    var leafDepth: Int?
  }

  mutating func run(_ root: Ref) throws(StorageError) { try checkLevel(root) }

  private mutating func checkLevel(_ root: Ref) throws(StorageError) {
    guard path.count <= IndexLimits.lastOffset / 4 else { throw broken(root, "the index has too many levels") }
    let node = try IndexNode(space, root)
    if node.isInner && node.count < 2 { throw broken(root, "an inner root has \(node.count) children") }
    if node.count == 0 {
      if !path.isEmpty { throw broken(root, "a sub-index is empty") }
      return
    }
    var level = Level()
    try checkNode(node, &level, depth: 0)
  }

  private mutating func checkNode(_ node: IndexNode, _ level: inout Level, depth: Int) throws(StorageError) {
    budget -= 1
    guard budget > 0, depth < IndexLimits.depth else { throw node.node.broken("the index reaches a node more than once") }
    guard node.count > 0 else { throw node.node.broken("an index node below the root is empty") }
    guard node.count <= fanOut else { throw node.node.broken("an index node has \(node.count) entries, at most \(fanOut) are allowed") }
    if !node.isInner {
      if let other = level.leafDepth, other != depth { throw node.node.broken("a leaf of the index is at depth \(depth), others at \(other)") }
      level.leafDepth = depth
    }
    for index in 0..<node.count {
      let key = node.keys.int32(unchecked: index)
      if node.isInner {
        let child = try IndexNode(space, node.child(index))
        try checkNode(child, &level, depth: depth + 1)
        guard try child.lastKey() == key else { throw node.node.broken("key \(index) is not the last one of its child") }
      } else {
        if let last = level.lastKey, last >= key { throw node.keys.broken("key \(index) of an index does not ascend") }
        level.lastKey = key
        path.append(key)
        try checkEntry(node.entry(index))
        path.removeLast()
      }
    }
  }

  private mutating func checkEntry(_ entry: IndexEntry) throws(StorageError) {
    if let object = entry.object { return try terminals.check(path, [object], isList: false, entry.ref) }
    if try entry.isSubIndex(space) { return try checkLevel(entry.ref) }
    let list = IndexList(entry.ref)
    var keys: [ObjectKey] = []
    try list.forEach(space) { (key) throws(StorageError) -> Bool in
      keys.append(key)
      return true
    }
    if keys.isEmpty { throw broken(entry.ref, "an index list is empty") }
    try terminals.check(path, keys, isList: true, entry.ref)
  }

  private func broken(_ ref: Ref, _ reason: String) -> StorageError { .corruptNode(ref: ref, reason: reason) }
}

/// Judges what an index files below each path of keys.
protocol IndexTerminals {
  mutating func check(_ path: [Int32], _ keys: [ObjectKey], isList: Bool, _ ref: Ref) throws(StorageError)
}

extension SearchIndex {
  /// Verifies the form of an index (F9.3) and its contents: every expected object is there once, below the keys of its value; a list's
  /// objects have the same index bytes, unless there is no further level, and stand in the order of F9.4.
  /// - Parameters:
  ///   - expected: every live object with its value.
  ///   - allowsOlderOrder: accepts lists of different values in another order, as upgraded files have them.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package static func check(
    _ space: NodeSpace, _ root: Ref, expected: some Sequence<(ObjectKey, Value)>, allowsOlderOrder: Bool = false,
    fanOut: Int = IndexLimits.fanOut
  ) throws(StorageError) {
    var probes: [ObjectKey: ValueProbe] = [:]
    for (key, value) in expected { probes[key] = try ValueProbe(value) }
    var check = IndexCheck(space, fanOut: fanOut, SearchIndexTerminals(probes: probes, allowsOlderOrder: allowsOlderOrder))
    try check.run(root)
    if let (key, _) = check.terminals.probes.first {
      throw .corruptNode(ref: root, reason: "object \(key.rawValue) is missing in the index")
    }
  }
}

private struct SearchIndexTerminals: IndexTerminals {
  /// Objects that were not met yet.
  var probes: [ObjectKey: ValueProbe]
  let allowsOlderOrder: Bool

  mutating func check(_ path: [Int32], _ keys: [ObjectKey], isList: Bool, _ ref: Ref) throws(StorageError) {
    let sharesBytes = IndexLimits.allowsLevel(below: 4 * (path.count - 1))
    var last: (key: ObjectKey, probe: ValueProbe)?
    for key in keys {
      guard let probe = probes.removeValue(forKey: key) else {
        throw .corruptNode(ref: ref, reason: "the index holds object \(key.rawValue), which does not exist or is there twice")
      }
      for (level, expected) in path.enumerated() where probe.key(offset: 4 * level) != expected {
        throw .corruptNode(ref: ref, reason: "the index files object \(key.rawValue) under another value")
      }
      if let last {
        if sharesBytes && !probe.hasSameBytes(as: last.probe) {
          throw .corruptNode(ref: ref, reason: "an index list mixes values at level \(path.count - 1)")
        }
        let order = Value.compare(last.probe.value, probe.value)
        if order > 0 && !allowsOlderOrder || order == 0 && last.key >= key {
          throw .corruptNode(ref: ref, reason: "object \(key.rawValue) is out of order in an index list")
        }
      }
      last = (key, probe)
    }
  }
}

extension FullTextIndex {
  /// Verifies the form of an index (F9.3) and that exactly the tokens of the given texts lead to their objects, in ascending order.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package static func check(
    _ space: NodeSpace, _ root: Ref, expected: some Sequence<(ObjectKey, [UInt8]?)>, fanOut: Int = IndexLimits.fanOut
  ) throws(StorageError) {
    var objects: [[UInt8]: Set<ObjectKey>] = [:]
    for (key, text) in expected { for token in text.map(Tokenizer.tokens) ?? [] { objects[token, default: []].insert(key) } }
    var check = IndexCheck(space, fanOut: fanOut, FullTextTerminals(objects: objects))
    try check.run(root)
    if let (token, _) = check.terminals.objects.first {
      throw .corruptNode(ref: root, reason: "the word \(String(decoding: token, as: UTF8.self)) is missing in the index")
    }
  }
}

private struct FullTextTerminals: IndexTerminals {
  /// Tokens that were not met yet.
  var objects: [[UInt8]: Set<ObjectKey>]

  mutating func check(_ path: [Int32], _ keys: [ObjectKey], isList: Bool, _ ref: Ref) throws(StorageError) {
    var token: [UInt8] = []
    for key in path { for shift in [24, 16, 8, 0] as [UInt32] { token.append(UInt8(truncatingIfNeeded: UInt32(bitPattern: key) >> shift)) } }
    // Tokens hold neither X nor zero, so these are the padding.
    while let last = token.last, last == 0 || last == 0x58 { token.removeLast() }
    guard let expected = objects.removeValue(forKey: token) else {
      throw .corruptNode(ref: ref, reason: "the word \(String(decoding: token, as: UTF8.self)) is in no text, or twice in the index")
    }
    for (level, key) in path.enumerated() where IndexKey.key(ofBytes: token, offset: 4 * level) != key {
      throw .corruptNode(ref: ref, reason: "the path to a word spells no word")
    }
    if Set(keys) != expected { throw .corruptNode(ref: ref, reason: "a word's list does not hold the objects that contain it") }
    for index in keys.indices.dropFirst() where keys[index - 1] > keys[index] {
      throw .corruptNode(ref: ref, reason: "a word's list does not ascend")
    }
  }
}
