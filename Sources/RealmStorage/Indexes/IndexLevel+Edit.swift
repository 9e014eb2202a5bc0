/// What a general and a full-text index do differently when they change: which key a level has for the value, and what becomes of
/// the entry under it. Used generically and specialised.
protocol IndexEdit {
  func key(offset: Int) -> Int32
  /// Entries and children per node.
  var fanOut: Int { get }
  /// The object that is filed or withdrawn.
  var object: ObjectKey { get }
  /// The entry of the object alone, for a key that the level at `offset` does not have.
  func fresh(_ scratch: Scratch, offset: Int) throws(StorageError) -> IndexEntry
  /// Adds the object to the entry under its key in the level at `offset`.
  func merge(_ scratch: Scratch, into entry: IndexEntry, offset: Int) throws(StorageError) -> IndexEntry
  /// Takes the object out of the entry; none if nothing is left.
  func withdraw(_ scratch: Scratch, from entry: IndexEntry, offset: Int) throws(StorageError) -> IndexEntry
}

extension IndexLevel {
  // MARK: Inserting

  static func insert<Edit: IndexEdit>(_ scratch: Scratch, _ root: inout Ref, _ edit: Edit, offset: Int) throws(StorageError) {
    let right = try insert(scratch, &root, edit, key: edit.key(offset: offset), last: nil, offset: offset, depth: 0)
    if right.isNull { return }
    let (leftKey, rightKey) = (try IndexNode(scratch.space, root).lastKey(), try IndexNode(scratch.space, right).lastKey())
    var parent = try scratch.createRefs(count: 1, capacity: 8, flags: flags | NodeHeader.Flags.inner)
    scratch.setChild(parent, IndexNode.Slot.keys, try scratch.createIntegers(widthIndex: 6, capacityBytes: 32))
    try insertSlot(scratch, &parent, 0, key: leftKey, IndexEntry(root))
    try insertSlot(scratch, &parent, 1, key: rightKey, IndexEntry(right))
    root = parent
  }

  /// - Parameter last: the node's last key, where the parent told it.
  /// - Returns: the right part of a node that had to be split, or null.
  private static func insert<Edit: IndexEdit>(
    _ scratch: Scratch, _ ref: inout Ref, _ edit: Edit, key: Int32, last: Int32?, offset: Int, depth: Int
  ) throws(StorageError) -> Ref {
    try scratch.makeWritable(&ref)
    let node = try IndexNode(scratch.space, ref)
    let position = node.position(of: key, last: last)
    if node.isInner { return try insertBelow(scratch, &ref, node, position, edit, key: key, offset: offset, depth: depth) }
    if position < node.count && node.keys.int32(unchecked: position) == key {
      let merged = try edit.merge(scratch, into: node.entry(position), offset: offset)
      scratch.setChild(ref, position + 1, merged.ref)
      return .null
    }
    let entry = try edit.fresh(scratch, offset: offset)
    let fanOut = min(edit.fanOut, IndexLimits.leafFanOut)
    return try add(scratch, &ref, position, key: key, entry, fanOut: fanOut, isAppend: position == node.count)
  }

  private static func insertBelow<Edit: IndexEdit>(
    _ scratch: Scratch, _ ref: inout Ref, _ node: IndexNode, _ position: Int, _ edit: Edit, key: Int32, offset: Int, depth: Int
  ) throws(StorageError) -> Ref {
    guard node.count > 0, depth < IndexLimits.depth else { throw node.node.broken("an inner node of an index is empty or too deep") }
    // A key beyond all others goes into the last child, whose last key it becomes.
    let isAppend = position == node.count
    let index = isAppend ? position - 1 : position
    var child = try node.child(index)
    let last = node.keys.int32(unchecked: index)
    let right = try insert(scratch, &child, edit, key: key, last: last, offset: offset, depth: depth + 1)
    scratch.setChild(ref, index + 1, child)
    if right.isNull {
      if isAppend { try setKey(scratch, ref, index, key) }
      return .null
    }
    try setKey(scratch, ref, index, IndexNode(scratch.space, child).lastKey())
    let rightKey = try IndexNode(scratch.space, right).lastKey()
    return try add(scratch, &ref, index + 1, key: rightKey, IndexEntry(right), fanOut: edit.fanOut, isAppend: isAppend)
  }

  /// Adds a slot to a writable node, splitting it if it is full: in the middle, or behind all when keys come in order.
  private static func add(
    _ scratch: Scratch, _ ref: inout Ref, _ position: Int, key: Int32, _ entry: IndexEntry, fanOut: Int, isAppend: Bool
  ) throws(StorageError) -> Ref {
    let count = scratch.header(ref).count - 1
    if count < fanOut {
      try insertSlot(scratch, &ref, position, key: key, entry)
      return .null
    }
    let at = isAppend ? count : count / 2
    var keys = Ref(element: scratch.slot(ref, IndexNode.Slot.keys))
    let rightKeys = try scratch.splitElements(&keys, at: at)
    scratch.setChild(ref, IndexNode.Slot.keys, keys)
    var right = try scratch.splitElements(&ref, at: at + 1)
    try scratch.insert(&right, 0, rightKeys.element)
    if position <= at && !isAppend {
      try insertSlot(scratch, &ref, position, key: key, entry)
    } else {
      try insertSlot(scratch, &right, position - at, key: key, entry)
    }
    return right
  }

  /// Adds an entry under a key that the level does not have, where that changes a single leaf of scratch memory.
  /// - Returns: false if it would change more, or the key exists; nothing was changed then.
  static func insertIfFresh(_ scratch: Scratch, _ root: inout Ref, key: Int32, _ entry: IndexEntry) throws(StorageError) -> Bool {
    guard let place = try leafInScratch(scratch, root, key: key), place.node.keys.int32(unchecked: place.position) != key,
      place.node.count < IndexLimits.leafFanOut
    else { return false }
    var leaf = place.leaf
    try insertSlot(scratch, &leaf, place.position, key: key, entry)
    if place.parent.isNull { root = leaf } else { scratch.setChild(place.parent, place.slot, leaf) }
    return true
  }

  /// Where a key is or would be in a leaf.
  struct LeafPlace {
    let leaf: Ref
    let node: IndexNode
    /// Of the first key that is not below it.
    let position: Int
    /// Null for a root.
    let parent: Ref
    /// The leaf's in its parent.
    let slot: Int
  }

  /// The leaf of a key, if it lies in scratch memory with its keys and all nodes above it, and has a key that is not below it; else nil.
  @inline(__always) static func leafInScratch(_ scratch: Scratch, _ root: Ref, key: Int32) throws(StorageError) -> LeafPlace? {
    var (ref, parent, slot) = (root, Ref.null, 0)
    var last: Int32?
    for _ in 0..<IndexLimits.depth {
      guard scratch.space.isDirty(ref) else { return nil }
      let node = try IndexNode(scratch.space, ref)
      let position = node.position(of: key, last: last)
      guard position < node.count else { return nil }
      if !node.isInner {
        guard scratch.space.isDirty(node.keys.ref) else { return nil }
        return LeafPlace(leaf: ref, node: node, position: position, parent: parent, slot: slot)
      }
      (parent, slot, last) = (ref, position + 1, node.keys.int32(unchecked: position))
      ref = try node.child(position)
    }
    throw tooDeep(root)
  }

  // MARK: Removing

  /// - Returns: whether the level is empty now; then its root is an empty leaf.
  static func remove<Edit: IndexEdit>(_ scratch: Scratch, _ root: inout Ref, _ edit: Edit, offset: Int) throws(StorageError) -> Bool {
    let remaining = try remove(scratch, &root, edit, key: edit.key(offset: offset), last: nil, offset: offset, depth: 0)
    for _ in 0..<IndexLimits.depth {
      let node = try IndexNode(scratch.space, root)
      guard node.isInner && node.count < 2 else { break }
      let child = node.count == 1 ? try node.child(0) : try create(scratch)
      try freeNode(scratch, root)
      root = child
    }
    return remaining == 0
  }

  /// - Returns: how many slots the node has left.
  private static func remove<Edit: IndexEdit>(
    _ scratch: Scratch, _ ref: inout Ref, _ edit: Edit, key: Int32, last: Int32?, offset: Int, depth: Int
  ) throws(StorageError) -> Int {
    try scratch.makeWritable(&ref)
    let node = try IndexNode(scratch.space, ref)
    let position = node.position(of: key, last: last)
    guard position < node.count, depth < IndexLimits.depth else { throw missing(ref, edit.object) }
    if node.isInner {
      var child = try node.child(position)
      let oldLast = node.keys.int32(unchecked: position)
      let remaining = try remove(scratch, &child, edit, key: key, last: oldLast, offset: offset, depth: depth + 1)
      scratch.setChild(ref, position + 1, child)
      if remaining > 0 {
        // Only the removal of the last key itself can change which one is last.
        if key != oldLast { return node.count }
        let lastKey = try IndexNode(scratch.space, child).lastKey()
        if lastKey != oldLast { try setKey(scratch, ref, position, lastKey) }
        return node.count
      }
      try freeNode(scratch, child)
    } else {
      guard node.keys.int32(unchecked: position) == key else { throw missing(ref, edit.object) }
      let rest = try edit.withdraw(scratch, from: node.entry(position), offset: offset)
      if !rest.isNone {
        scratch.setChild(ref, position + 1, rest.ref)
        return node.count
      }
    }
    try removeSlot(scratch, &ref, position)
    return node.count - 1
  }

  static func missing(_ ref: Ref, _ key: ObjectKey) -> StorageError {
    .corruptNode(ref: ref, reason: "the index does not hold object \(key.rawValue) under its value")
  }
  static func present(_ ref: Ref, _ key: ObjectKey) -> StorageError {
    .corruptNode(ref: ref, reason: "the index holds object \(key.rawValue) already")
  }

  /// What is left of a sub-index after the object went: `remove` for an entry that leads to the next level.
  static func withdrawBelow<Edit: IndexEdit>(
    _ scratch: Scratch, _ entry: IndexEntry, _ edit: Edit, offset: Int
  ) throws(StorageError) -> IndexEntry {
    var root = entry.ref
    if try !remove(scratch, &root, edit, offset: offset + 4) { return IndexEntry(root) }
    try freeNode(scratch, root)
    return .none
  }
}
