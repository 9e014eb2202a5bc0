/// Numbers of a search index that its readers and writers share.
package enum IndexLimits {
  /// Entries of a leaf and children of an inner node. F2.6.
  package static let fanOut = 1000
  /// Where our own leaves split. Keys of consecutive integers lie far apart, so that every insertion meets a leaf that no cache holds:
  /// a smaller one is moved and copied faster, and the tree is no deeper.
  static let leafFanOut = 256
  /// The last offset that has a level of its own: what still collides there shares a list. F9.4.
  static let lastOffset = 200
  /// More inner nodes on one path than any level needs.
  static let depth = 40

  /// Whether entries of the level at `offset` may have sub-indexes.
  @inline(__always) static func allowsLevel(below offset: Int) -> Bool { offset + 4 <= lastOffset }
}

/// What stands beside a key in a leaf of an index. F9.3. Zero stands for no entry at all.
struct IndexEntry: Equatable {
  let element: Int64

  static let none = IndexEntry(element: 0)
  @inline(__always) init(element: Int64) { self.element = element }
  @inline(__always) init(_ key: ObjectKey) {
    precondition(key.rawValue >= 0, "only live objects are in an index")
    element = key.rawValue << 1 | 1
  }
  @inline(__always) init(_ ref: Ref) { element = ref.element }

  @inline(__always) var isNone: Bool { element == 0 }
  /// The only object under the key; nil if the entry is a ref.
  @inline(__always) var object: ObjectKey? {
    element & 1 == 1 ? ObjectKey(Int64(bitPattern: UInt64(bitPattern: element) >> 1)) : nil
  }
  /// Root of a list or of a sub-index, if the entry is no object.
  @inline(__always) var ref: Ref { Ref(element: element) }

  /// Whether the entry, which is a ref, leads to the next level rather than to a list.
  @inline(__always) func isSubIndex(_ space: NodeSpace) throws(StorageError) -> Bool { try space.node(at: ref).header.hasContext }
}

/// A node of one level of an index, checked: its keys are one fewer than its slots and 32 bits wide.
struct IndexNode {
  enum Slot {
    /// Entries or children follow.
    static let keys = 0
  }

  let node: Node
  let keys: Node

  @inline(__always) init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    node = try space.refs(at: ref)
    guard node.header.hasContext, node.count > 0 else { throw node.broken("is no node of a search index") }
    keys = try space.integers(at: Ref(element: node.slot(unchecked: IndexNode.Slot.keys)))
    guard keys.header.widthIndex == 6, keys.count == node.count - 1 else { throw badKeys() }
  }
  @inline(never) private func badKeys() -> StorageError { keys.broken("is no key array of \(node.count - 1) elements of 32 bits") }

  @inline(__always) var isInner: Bool { node.header.isInner }
  /// Entries or children. Taken from the node, whose header is at hand before that of its keys.
  @inline(__always) var count: Int { node.count &- 1 }
  /// The number of keys below `key`.
  /// - Parameter last: the last key, where the parent told it.
  @inline(__always) func position(of key: Int32, last: Int32?) -> Int {
    guard let last else { return keys.countBelow(int32: key) }
    return keys.countBelow(int32: key, first: count == 0 ? 0 : keys.int32(unchecked: 0), last: last)
  }
  /// Where `key` would be if the keys were spread evenly between `first` and `last`.
  @inline(__always) func guess(of key: Int32, first: Int32, last: Int32) -> Int { evenPosition(of: key, first: first, last: last, count: count) }
  /// Position `index` must exist.
  @inline(__always) func entry(_ index: Int) -> IndexEntry { IndexEntry(element: node.slot(unchecked: index &+ 1)) }
  @inline(__always) func child(_ index: Int) throws(StorageError) -> Ref { try node.child(index + 1) }
  /// The largest key below the node.
  func lastKey() throws(StorageError) -> Int32 {
    guard count > 0 else { throw node.broken("an index node below the root is empty") }
    return keys.int32(unchecked: count - 1)
  }
}

/// One level of an index: a B+ tree from 4-byte keys to entries. F9.3.
enum IndexLevel {
  /// Flags of a leaf; inner nodes have `Flags.inner` in addition.
  static let flags = NodeHeader.Flags.context

  static func create(_ scratch: Scratch, capacity: Int = 4) throws(StorageError) -> Ref {
    let root = try scratch.createRefs(count: 1, capacity: capacity + 1, flags: flags)
    scratch.setChild(root, IndexNode.Slot.keys, try scratch.createIntegers(widthIndex: 6, capacityBytes: capacity * 4))
    return root
  }

  /// A level with a single entry.
  static func create(_ scratch: Scratch, key: Int32, _ entry: IndexEntry) throws(StorageError) -> Ref {
    var root = try create(scratch)
    try insertSlot(scratch, &root, 0, key: key, entry)
    return root
  }

  /// The entry under `key`, or none.
  @inline(__always) static func entry(_ space: NodeSpace, _ root: Ref, key: Int32) throws(StorageError) -> IndexEntry {
    var node = try IndexNode(space, root)
    guard node.count > 0 else { return .none }
    // What the keys of the node lie between, as far as its ancestors tell: only the speed depends on it.
    var (first, last) = (node.keys.int32(unchecked: 0), node.keys.int32(unchecked: node.count &- 1))
    for _ in 0..<IndexLimits.depth {
      guard node.count > 0 else { return .none }
      let guess = node.guess(of: key, first: first, last: last)
      // No slot of a sound node is 0. Looking at the guessed one brings its part of the node into the cache while the keys are still on
      // their way.
      guard !node.entry(guess).isNone else { return try damagedEntry(space, root, key: key) }
      let position = node.keys.countBelow(int32: key, guess: guess, end: node.count)
      guard position < node.count else { return .none }
      let found = node.keys.int32(unchecked: position)
      if !node.isInner { return found == key ? node.entry(position) : .none }
      if position > 0 { first = node.keys.int32(unchecked: position &- 1) }
      last = found
      node = try IndexNode(space, node.child(position))
    }
    throw tooDeep(root)
  }

  /// The same for an index with a node that has empty slots.
  @inline(never) private static func damagedEntry(_ space: NodeSpace, _ root: Ref, key: Int32) throws(StorageError) -> IndexEntry {
    var node = try IndexNode(space, root)
    for _ in 0..<IndexLimits.depth {
      let position = node.position(of: key, last: nil)
      guard position < node.count else { return .none }
      if !node.isInner { return node.keys.int32(unchecked: position) == key ? node.entry(position) : .none }
      node = try IndexNode(space, node.child(position))
    }
    throw tooDeep(root)
  }

  @inline(never) static func tooDeep(_ root: Ref) -> StorageError { .corruptNode(ref: root, reason: "the index is too deep") }

  // MARK: Slots of a writable node

  static func insertSlot(_ scratch: Scratch, _ ref: inout Ref, _ position: Int, key: Int32, _ entry: IndexEntry) throws(StorageError) {
    var keys = Ref(element: scratch.slot(ref, IndexNode.Slot.keys))
    try scratch.insert(&keys, position, Int64(key))
    scratch.setChild(ref, IndexNode.Slot.keys, keys)
    try scratch.insert(&ref, position + 1, entry.element)
  }

  static func removeSlot(_ scratch: Scratch, _ ref: inout Ref, _ position: Int) throws(StorageError) {
    var keys = Ref(element: scratch.slot(ref, IndexNode.Slot.keys))
    try scratch.remove(&keys, position, keepingWidth: true)
    scratch.setChild(ref, IndexNode.Slot.keys, keys)
    try scratch.remove(&ref, position + 1)
  }

  static func setKey(_ scratch: Scratch, _ ref: Ref, _ position: Int, _ key: Int32) throws(StorageError) {
    var keys = Ref(element: scratch.slot(ref, IndexNode.Slot.keys))
    try scratch.set(&keys, position, Int64(key))
    scratch.setChild(ref, IndexNode.Slot.keys, keys)
  }

  /// Frees a node and its key array, but nothing that its entries refer to.
  static func freeNode(_ scratch: Scratch, _ ref: Ref) throws(StorageError) {
    try scratch.free(scratch.space.node(at: ref).child(IndexNode.Slot.keys))
    try scratch.free(ref)
  }
}
