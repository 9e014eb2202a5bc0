/// A list of object keys under one key of an index. F9.4.
struct IndexList {
  private(set) var tree: BPlusTree<IntegerFamily>

  init(_ root: Ref) { tree = BPlusTree(root: root, family: IntegerFamily()) }

  static func create(_ scratch: Scratch, _ first: ObjectKey, _ second: ObjectKey) throws(StorageError) -> IndexList {
    IndexList(try scratch.createIntegers([first.rawValue, second.rawValue]))
  }

  var entry: IndexEntry { IndexEntry(tree.root) }
  func count(_ space: NodeSpace) throws(StorageError) -> Int { try tree.count(space) }

  /// - Throws: `.corruptNode` if there is no such element or no live object can have this key.
  @inline(__always) func key(_ space: NodeSpace, _ index: Int) throws(StorageError) -> ObjectKey {
    try IndexList.checked(tree.element(space, index), tree.root)
  }

  private static func checked(_ value: Int64, _ ref: Ref) throws(StorageError) -> ObjectKey {
    guard value >= 0 else { throw .corruptNode(ref: ref, reason: "an index list holds the object key \(value)") }
    return ObjectKey(value)
  }

  /// Calls `body` with every key in list order until it returns false.
  /// - Returns: whether it never did.
  @discardableResult
  func forEach(_ space: NodeSpace, _ body: (ObjectKey) throws(StorageError) -> Bool) throws(StorageError) -> Bool {
    try tree.forEachLeaf(space) { (leaf, _, _) throws(StorageError) -> Bool in
      let node = try space.integers(at: leaf)
      for index in 0..<node.count where try !body(IndexList.checked(node.element(unchecked: index), leaf)) { return false }
      return true
    }
  }

  /// The number of leading elements for which `isBefore` holds. Looks at the last one first: new objects mostly have the highest keys.
  @inline(__always)
  func partition(_ space: NodeSpace, _ isBefore: (ObjectKey) throws(StorageError) -> Bool) throws(StorageError) -> Int {
    let count = try count(space)
    guard count > 0 else { throw .corruptNode(ref: tree.root, reason: "an index list is empty") }
    if try isBefore(key(space, count - 1)) { return count }
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) >> 1
      if try isBefore(key(space, middle)) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place of `key` anywhere in a list whose order is not to be relied on.
  func linearIndex(_ space: NodeSpace, of key: ObjectKey) throws(StorageError) -> Int? {
    var found: Int?
    try tree.forEachLeaf(space) { (leaf, first, _) throws(StorageError) -> Bool in
      if let index = try space.integers(at: leaf).firstIndex(of: key.rawValue) { found = first + index }
      return found == nil
    }
    return found
  }

  mutating func insert(_ scratch: Scratch, at index: Int, _ key: ObjectKey) throws(StorageError) {
    try tree.insert(scratch, at: index, key.rawValue)
  }

  /// Removes element `index`. A list that becomes empty is freed.
  /// - Returns: what is to stand in the index: the list, or nothing.
  mutating func remove(_ scratch: Scratch, at index: Int) throws(StorageError) -> IndexEntry {
    try tree.remove(scratch, index)
    if try tree.count(scratch.space) > 0 { return entry }
    try scratch.freeTree(tree.root)
    return .none
  }
}
