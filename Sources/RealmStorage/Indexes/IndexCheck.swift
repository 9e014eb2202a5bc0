/// Where a check of an index finds what should be in it.
protocol IndexedObjects {
  /// The value that an object is filed under; nil if there is no such object.
  mutating func value(of key: Int64) throws(StorageError) -> Value?
  /// How many objects there are.
  func count() throws(StorageError) -> Int
}

/// A walk over a whole index that checks its form and its contents (F9.3, F9.4):
///
///  1. a node has the refs and the context flag, and a key array that is 32 bits wide and one shorter than the node;
///  2. it has at most as many entries as the fan-out, and only the root of the whole index may be empty;
///  3. keys ascend strictly across a level, and an inner node's key is the last one of its child;
///  4. the leaves of a level are equally deep;
///  5. lists are not empty, and hold no more objects than there are;
///  6. an object exists, and its value's bytes are the keys on the path to it;
///  7. the objects of a list have the same bytes, unless there is no further level, and stand in the order of F9.4;
///  8. primary keys are unique;  9. no node has another role.
///
/// Whether each object is there once follows from `entries`, which the caller compares with those that there ought to be. Of an index of words
/// (F9.5) rules 6 to 8 become: the objects of a list ascend.
struct IndexCheck<Objects: IndexedObjects> {
  let checker: Checker
  let contents: IndexContents
  var objects: Objects
  var fanOut = 1000
  /// Demands what our own edits see to, although readers do without: the values of a list ascend, an inner root has two children.
  var isStrict = false
  /// What was met.
  private(set) var entries = IndexEntries()
  /// The 4-byte keys from the root to the present entry.
  private var path: [Int32] = []

  /// 51 levels of general keys; words may go deeper by a few.
  private static var depthLimit: Int { 60 }
  private static var nodeDepthLimit: Int { 12 }

  init(_ checker: Checker, _ contents: IndexContents, _ objects: Objects) {
    (self.checker, self.contents, self.objects) = (checker, contents, objects)
  }

  mutating func run(_ root: Ref) throws(StorageError) { try level(root) }

  /// Compares what was met with what there ought to be.
  func compare(with expected: IndexEntries) {
    if contents == .words || contents == .wordsOfLists {
      if expected == entries { return }
      checker.fail("the index holds \(entries.count) pairs of word and object, the objects have \(expected.count), and they differ")
    } else if entries.count != expected.count {
      checker.fail("the index lists \(entries.count) objects, the table has \(expected.count)")
    } else if entries != expected {
      checker.fail("the index lists some objects twice and others not at all")
    }
  }

  /// One level of keys: a B+ tree of index nodes whose keys ascend throughout.
  private mutating func level(_ ref: Ref) throws(StorageError) {
    guard path.count <= Self.depthLimit else { throw .corruptNode(ref: ref, reason: "the index is nested too deeply") }
    if isStrict, let root = try? checker.space.refs(at: ref), root.header.isInner, root.count < 3 {
      checker.fail("the inner root \(ref) of an index has \(root.count - 1) children")
    }
    var previous: Int32?
    _ = try node(ref, level: 0, expectedLast: nil, previous: &previous)
  }

  /// - Returns: the height of the node above the leaves of its level; nil if it is not covered.
  private mutating func node(_ ref: Ref, level: Int, expectedLast: Int32?, previous: inout Int32?) throws(StorageError) -> Int? {
    if !checker.covers(ref) {
      previous = expectedLast
      return nil
    }
    let node = try checker.claim(ref, "index node")
    guard node.header.hasRefs, node.header.hasContext, node.header.schemeBits == 0, node.count >= 1 else {
      throw node.broken("is no index node")
    }
    guard !node.header.isInner || node.count >= 2 else { throw node.broken("is an inner index node without children") }
    guard level < (fanOut < 1000 ? IndexLimits.depth : Self.nodeDepthLimit) else { throw node.broken("the index is too deep") }
    checker.depth += 1
    defer { checker.depth -= 1 }
    let keys = try keys(of: node, mayBeEmpty: level == 0 && path.isEmpty)
    let last = keys.count > 0 ? Int32(truncatingIfNeeded: keys.element(unchecked: keys.count - 1)) : nil
    if let expectedLast, expectedLast != last { checker.fail("the index node \(ref) does not end with the key that its parent says") }
    var height: Int?
    for index in 0..<keys.count {
      let key = Int32(truncatingIfNeeded: keys.element(unchecked: index))
      if node.header.isInner {
        let below = try self.node(node.child(index + 1), level: level + 1, expectedLast: key, previous: &previous)
        if let height, let below, below != height { checker.fail("the leaves below the index node \(ref) lie at different depths") }
        height = below ?? height
        continue
      }
      if let previous, key <= previous { checker.fail("the keys of the index node \(ref) do not ascend") }
      previous = key
      path.append(key)
      try entry(node, index + 1)
      path.removeLast()
    }
    return node.header.isInner ? height.map { $0 + 1 } : 0
  }

  private func keys(of node: Node, mayBeEmpty: Bool) throws(StorageError) -> Node {
    let keys = try checker.claimIntegers(node.child(0), "index keys")
    // Readers address the array as 32-bit cells without looking (F9.3).
    guard keys.header.width == 32 else { throw keys.broken("index keys are \(keys.header.width) bits wide instead of 32") }
    guard keys.count == node.count - 1 else { throw node.broken("\(keys.count) keys for \(node.count - 1) index entries") }
    if keys.count > fanOut { checker.fail("the index node \(node.ref) has \(keys.count) entries") }
    if keys.count == 0 && !mayBeEmpty { checker.fail("the index node \(node.ref) is empty") }
    return keys
  }

  /// The run of objects under one entry of an index.
  private struct Run {
    var last: (key: Int64, value: Value)?
    var bytes: IndexBytes?
    var isSorted = true
  }

  private mutating func entry(_ node: Node, _ slot: Int) throws(StorageError) {
    let value = node.element(unchecked: slot)
    var run = Run()
    if value & 1 == 1 {
      if checker.coversEverything { try listed(Int64(bitPattern: UInt64(bitPattern: value) >> 1), &run) }
      return
    }
    let ref = Ref(element: value)
    guard checker.isUsable(ref) else { throw node.broken("the index entry \(slot) is no usable node of the tree") }
    if try checker.space.node(at: ref).header.hasContext { return try level(ref) }
    // Taken along by the walk over the list, which outlives no access to the check itself.
    var check = self
    let tree = BPlusTreeCheck(checker, "index list", .int) { (leafRef) throws(StorageError) in
      let keys = try check.checker.claimIntegers(leafRef, "index list")
      try check.checker.spend(keys.count, keys)
      if !check.checker.coversEverything { return keys.count }
      // Millions of zeros cost no bytes; each would be looked up and reported. Words of one object may repeat.
      if check.contents != .wordsOfLists {
        let objectCount = try check.objects.count()
        guard keys.count <= objectCount else { throw keys.broken("an index list of \(keys.count) objects in a table of \(objectCount)") }
      }
      for index in 0..<keys.count { try check.listed(keys.element(unchecked: index), &run) }
      return keys.count
    }
    let count = try tree.run(ref)
    self = check
    if count == 0 { checker.fail("the index list \(ref) is empty") }
    if run.isSorted { return }
    if isStrict { checker.fail("the index list \(ref) is not sorted by value") }
    if !isStrict { checker.note("the index list \(ref) is not sorted by value, as after an upgrade") }
  }

  /// One object under the present path.
  private mutating func listed(_ key: Int64, _ run: inout Run) throws(StorageError) {
    if contents == .words || contents == .wordsOfLists { return listedWord(key, &run) }
    entries.add(key, checker.seed)
    guard let value = try objects.value(of: key) else { return checker.fail("the index lists object \(key), which does not exist") }
    guard let bytes = IndexBytes(value) else { return checker.fail("the index lists object \(key), whose value no index can hold") }
    for (level, part) in path.enumerated() where bytes.key(offset: 4 * level) != part {
      checker.fail("the index lists object \(key) under keys that are not those of its value")
      break
    }
    if let first = run.bytes {
      if first != bytes && 4 * path.count <= 200 { checker.fail("different values share an index list at depth \(path.count)") }
    } else {
      run.bytes = bytes
    }
    if let last = run.last {
      let order = Value.compare(last.value, value)
      if order > 0 { run.isSorted = false }
      if order == 0 && last.key >= key {
        checker.fail("objects \(last.key) (\(last.value)) and \(key) (\(value)) with equal values are not in order in an index list")
      }
      if order == 0 && contents == .primaryKeys { checker.fail("objects \(last.key) and \(key) have the same primary key") }
    }
    run.last = (key, value)
  }

  private mutating func listedWord(_ key: Int64, _ run: inout Run) {
    // The C++ engine repeats a key when one object's list holds a word twice (F9.5).
    if let last = run.last?.key, key <= last {
      if key < last || contents == .words { checker.fail("an index list of words is not strictly ascending at object \(key)") }
      if key == last { return }
    }
    run.last = (key, .null)
    entries.add(path, key, checker.seed)
  }
}

/// What an index files.
enum IndexContents {
  case values, primaryKeys
  /// The words of a text, and the elements of a list (F9.5).
  case words, wordsOfLists
}

/// Objects, or pairs of word and object, counted and added up as keyed hashes: what an index has to hold, each once, in any order.
struct IndexEntries: Equatable {
  private(set) var count = 0
  private(set) var sum: UInt64 = 0

  mutating func add(_ key: Int64, _ seed: UInt64) {
    count += 1
    sum &+= mixed(UInt64(bitPattern: key) ^ seed)
  }

  /// A word's place is its keys, or one level more where a shorter word shares them (F9.5): such a last key says nothing.
  mutating func add(_ path: [Int32], _ key: Int64, _ seed: UInt64) {
    count += 1
    var parts = path[...]
    if parts.count > 1, let last = parts.last, last == IndexKey.null || last == IndexKey.end { parts.removeLast() }
    var hash = seed
    for part in parts { hash = mixed(hash &+ UInt64(UInt32(bitPattern: part))) }
    sum &+= mixed(hash ^ UInt64(bitPattern: key))
  }

  mutating func add(words: Set<[UInt8]>, of key: ObjectKey, _ seed: UInt64) {
    for word in words { add(IndexEntries.path(of: word), key.rawValue, seed) }
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
}

/// Values that are at hand.
struct KnownObjects: IndexedObjects {
  let values: [ObjectKey: Value]
  func value(of key: Int64) -> Value? { values[ObjectKey(key)] }
  func count() -> Int { values.count }
}
