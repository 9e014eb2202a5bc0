// Inner nodes of the cluster tree: adding children, splitting, dropping, rebasing, merging.

extension ClusterEditor {
  /// Hangs `right` behind the cursor's cluster into the tree, splitting inner nodes and growing a new root where needed.
  /// Counts on the path already include everything.
  mutating func addSibling(
    _ scratch: Scratch, _ right: Ref, _ rightOffset: UInt64, totalCount: Int
  ) throws(StorageError) {
    var (right, rightOffset, totalCount) = (right, rightOffset, totalCount)
    var level = path.count - 1
    while level >= 0 {
      let step = path[level]
      totalCount = ClusterInner.objectCount(scratch.slot(step.ref, ClusterInner.Slot.objectCount))
      guard let split = try insertChild(scratch, step.ref, after: step.child, offset: rightOffset &- step.offset, right) else { return }
      (right, rightOffset) = (split.right, split.offset &+ step.offset)
      level -= 1
    }
    // The root itself was split.
    let depth = try scratch.space.node(at: root).header.isInner ? UInt64(scratch.slot(root, ClusterInner.Slot.depth) >> 1) + 1 : 1
    let parent = try scratch.createRefs(count: ClusterInner.Slot.firstChild + 2, capacity: 16, flags: NodeHeader.Flags.inner)
    if rightOffset != 1 << (8 * depth) || depth >= 8 {
      scratch.setChild(parent, ClusterInner.Slot.offsets, try scratch.createIntegers([0, Int64(bitPattern: rightOffset)], .unsigned))
    }
    scratch.setTagged(parent, ClusterInner.Slot.depth, depth)
    scratch.setTagged(parent, ClusterInner.Slot.objectCount, UInt64(totalCount))
    scratch.setChild(parent, ClusterInner.Slot.firstChild, root)
    scratch.setChild(parent, ClusterInner.Slot.firstChild + 1, right)
    root = parent
  }

  private struct InnerSplit {
    let right: Ref
    /// Relative to the node that was split.
    let offset: UInt64
  }

  /// - Parameter offset: of the new child, relative to the node.
  private mutating func insertChild(
    _ scratch: Scratch, _ ref: Ref, after child: Int, offset: UInt64, _ new: Ref
  ) throws(StorageError) -> InnerSplit? {
    let inner = try ClusterInner(scratch.space, scratch.space.refs(at: ref))
    let staysCompact =
      inner.isCompact && child == inner.childCount - 1 && inner.depth < 8 && offset == UInt64(child + 1) << (8 * UInt64(inner.depth))
    if !staysCompact {
      try useOffsets(scratch, ref)
      var offsets = Ref(element: scratch.slot(ref, ClusterInner.Slot.offsets))
      try scratch.insert(&offsets, child + 1, Int64(bitPattern: offset), .unsigned)
      scratch.setChild(ref, ClusterInner.Slot.offsets, offsets)
    }
    var node = ref
    try scratch.insert(&node, child + 1 + ClusterInner.Slot.firstChild, new.element)
    if node != ref { replaceOnPath(scratch, ref, by: node) }
    let childCount = inner.childCount + 1
    guard childCount > Cluster.objectLimit else { return nil }
    return try splitInner(scratch, node, at: child + 1 == inner.childCount ? childCount - 1 : childCount / 2)
  }

  /// A node on the path moved while it grew: its parent, or `root`, gets the new ref.
  private mutating func replaceOnPath(_ scratch: Scratch, _ old: Ref, by new: Ref) {
    if root == old { root = new }
    for index in path.indices where path[index].ref == old {
      path[index] = Step(ref: new, child: path[index].child, offset: path[index].offset)
      if index > 0 { scratch.setChild(path[index - 1].ref, path[index - 1].child + ClusterInner.Slot.firstChild, new) }
    }
  }

  private func splitInner(_ scratch: Scratch, _ ref: Ref, at child: Int) throws(StorageError) -> InnerSplit {
    let space = scratch.space
    let inner = try ClusterInner(space, space.refs(at: ref))
    let border = inner.offset(child)
    let movedCount = inner.childCount - child
    let right = try scratch.createRefs(
      count: ClusterInner.Slot.firstChild + movedCount, capacity: movedCount == 1 ? 32 : 0, flags: NodeHeader.Flags.inner)
    var total = 0
    var offsets: [Int64] = []
    for index in 0..<movedCount {
      let moved = try inner.node.child(child + index + ClusterInner.Slot.firstChild)
      total += try ClusterTree.count(space, moved)
      offsets.append(Int64(bitPattern: inner.offset(child + index) &- border))
      scratch.setChild(right, ClusterInner.Slot.firstChild + index, moved)
    }
    if movedCount > 1 && !inner.isCompact { scratch.setChild(right, ClusterInner.Slot.offsets, try scratch.createIntegers(offsets, .unsigned)) }
    scratch.setTagged(right, ClusterInner.Slot.depth, UInt64(inner.depth))
    scratch.setTagged(right, ClusterInner.Slot.objectCount, UInt64(total))
    if !inner.isCompact {
      var keys = try inner.node.child(ClusterInner.Slot.offsets)
      try scratch.remove(&keys, child..<inner.childCount, keepingWidth: true)
      scratch.setChild(ref, ClusterInner.Slot.offsets, keys)
    }
    var node = ref
    try scratch.remove(&node, child + ClusterInner.Slot.firstChild..<inner.childCount + ClusterInner.Slot.firstChild)
    addToCount(scratch, ref, -Int64(total))
    return InnerSplit(right: right, offset: border)
  }

  /// Gives an inner node in compact form an array of offsets.
  func useOffsets(_ scratch: Scratch, _ ref: Ref) throws(StorageError) {
    let inner = try ClusterInner(scratch.space, scratch.space.refs(at: ref))
    if inner.isCompact {
      let offsets = (0..<inner.childCount).map { Int64(bitPattern: inner.offset($0)) }
      scratch.setChild(ref, ClusterInner.Slot.offsets, try scratch.createIntegers(offsets, .unsigned))
    } else {
      var offsets = try inner.node.child(ClusterInner.Slot.offsets)
      try scratch.makeWritable(&offsets)
      scratch.setChild(ref, ClusterInner.Slot.offsets, offsets)
    }
  }

  // MARK: Removing

  /// Removes an object's row from the tree. What the row owned (collections, links, index entries) is the caller's to release before.
  /// - Returns: false if there is no such object.
  package mutating func remove(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) -> Bool {
    guard let row = try row(scratch, of: key) else { return false }
    try remove(scratch, rows: CollectionOfOne(row))
    return true
  }

  /// Puts the cursor on the cluster of `keys[begin]`, and appends to `rows`, which is empty, where that object and those behind it lie, as long as
  /// they are in this cluster and ascend.
  /// - Returns: the index of the first key that is elsewhere or in no cluster.
  mutating func appendRows(_ scratch: Scratch, of keys: [ObjectKey], from begin: Int, to rows: inout [Int]) throws(StorageError) -> Int {
    try seek(scratch, keys[begin])
    let cluster = try cluster(scratch)
    var index = begin
    var previous = -1
    while index < keys.count {
      let target = UInt64(bitPattern: keys[index].rawValue)
      guard target >= leafOffset, target <= leafLast, let row = cluster.row(ofRelative: target &- leafOffset), row > previous else { break }
      rows.append(row)
      previous = row
      index += 1
    }
    return index
  }

  /// Removes several rows of the cursor's cluster at once: ascending, different, not none. May forget the cursor.
  package mutating func remove<Rows: BidirectionalCollection<Int>>(_ scratch: Scratch, rows: Rows) throws(StorageError) {
    let count = try cluster(scratch).count
    let left = count - rows.count
    precondition(left >= 0 && rows.first! >= 0 && rows.last! < count)
    if scratch.slot(leaf, Cluster.Slot.keys) & 1 == 1 && rows.first == left {
      scratch.setTagged(leaf, Cluster.Slot.keys, UInt64(left))
    } else {
      try useKeys(scratch, leaf)
      var keys = Ref(element: scratch.slot(leaf, Cluster.Slot.keys))
      try scratch.remove(&keys, rows: rows, keepingWidth: true)
      scratch.setChild(leaf, Cluster.Slot.keys, keys)
    }
    for index in 0..<layout.count {
      guard let slot = layout[index] else { continue }
      var ref = Ref(element: scratch.slot(leaf, Cluster.Slot.firstColumn + index))
      try Leaf.remove(scratch, slot, &ref, rows: rows)
      scratch.setChild(leaf, Cluster.Slot.firstColumn + index, ref)
    }
    for step in path { addToCount(scratch, step.ref, -Int64(rows.count)) }
    if path.isEmpty { return }
    if left == 0 {
      try scratch.freeTree(leaf)
      try dropChildren(scratch)
      forgetCursor()
    } else if left < Cluster.objectLimit / 2 {
      if try mergeWithRight(scratch, level: path.count - 1) { forgetCursor() }
    }
    try collapseRoot(scratch)
  }

  /// The cursor's cluster is gone: takes it out of its parent, and parents that become empty out of theirs.
  private mutating func dropChildren(_ scratch: Scratch) throws(StorageError) {
    var level = path.count - 1
    while level >= 0 {
      let step = path[level]
      let inner = try ClusterInner(scratch.space, scratch.space.refs(at: step.ref))
      if inner.childCount == 1 {
        if level == 0 {
          // The last object of the tree is gone.
          try scratch.freeTree(inner.isCompact ? .null : inner.node.child(ClusterInner.Slot.offsets))
          try scratch.free(step.ref)
          root = try createCluster(scratch)
          return
        }
        try scratch.freeTree(inner.isCompact ? .null : inner.node.child(ClusterInner.Slot.offsets))
        try scratch.free(step.ref)
        level -= 1
        continue
      }
      try dropChild(scratch, step.ref, step.child, inner)
      if inner.childCount - 1 < Cluster.objectLimit / 2 { _ = try mergeWithRight(scratch, level: level - 1) }
      return
    }
  }

  private func dropChild(_ scratch: Scratch, _ ref: Ref, _ child: Int, _ inner: ClusterInner) throws(StorageError) {
    if child == 0 {
      // The first offset must stay 0: what the next child loses in its offset it gets in its keys.
      let delta = inner.offset(1)
      var next = try inner.node.child(ClusterInner.Slot.firstChild + 1)
      try rebase(scratch, &next, by: delta)
      scratch.setChild(ref, ClusterInner.Slot.firstChild + 1, next)
    }
    if !(inner.isCompact && child == inner.childCount - 1) {
      try useOffsets(scratch, ref)
      var offsets = Ref(element: scratch.slot(ref, ClusterInner.Slot.offsets))
      try scratch.remove(&offsets, child == 0 ? 1 : child, keepingWidth: true)
      scratch.setChild(ref, ClusterInner.Slot.offsets, offsets)
    }
    var node = ref
    try scratch.remove(&node, child + ClusterInner.Slot.firstChild)
  }

  /// Adds `delta` to every key below a node without changing the node's own offset.
  private func rebase(_ scratch: Scratch, _ ref: inout Ref, by delta: UInt64) throws(StorageError) {
    if delta == 0 { return }
    try scratch.makeWritable(&ref)
    if try !scratch.space.node(at: ref).header.isInner {
      try useKeys(scratch, ref)
      var keys = Ref(element: scratch.slot(ref, Cluster.Slot.keys))
      try scratch.add(&keys, from: 0, Int64(bitPattern: delta))
      return scratch.setChild(ref, Cluster.Slot.keys, keys)
    }
    try useOffsets(scratch, ref)
    var offsets = Ref(element: scratch.slot(ref, ClusterInner.Slot.offsets))
    try scratch.add(&offsets, from: 1, Int64(bitPattern: delta))
    scratch.setChild(ref, ClusterInner.Slot.offsets, offsets)
    var first = Ref(element: scratch.slot(ref, ClusterInner.Slot.firstChild))
    try rebase(scratch, &first, by: delta)
    scratch.setChild(ref, ClusterInner.Slot.firstChild, first)
  }

  /// Merges the child on the path at `level` with its right sibling if both together have fewer than 192 entries.
  private mutating func mergeWithRight(_ scratch: Scratch, level: Int) throws(StorageError) -> Bool {
    guard level >= 0 else { return false }
    let space = scratch.space
    let step = path[level]
    let inner = try ClusterInner(space, space.refs(at: step.ref))
    guard step.child + 1 < inner.childCount else { return false }
    let left = try inner.node.child(step.child + ClusterInner.Slot.firstChild)
    var right = try inner.node.child(step.child + 1 + ClusterInner.Slot.firstChild)
    let delta = inner.offset(step.child + 1) &- inner.offset(step.child)
    let (leftNode, rightNode) = (try space.refs(at: left), try space.refs(at: right))
    let limit = Cluster.objectLimit * 3 / 4
    if leftNode.header.isInner {
      guard leftNode.count + rightNode.count - 2 * ClusterInner.Slot.firstChild < limit else { return false }
      try scratch.makeWritable(&right)
      try mergeInner(scratch, step.ref, step.child, left, right, delta: delta)
    } else {
      let counts = (try Cluster(space, leftNode, offset: 0).count, try Cluster(space, rightNode, offset: 0).count)
      guard counts.0 + counts.1 < limit else { return false }
      try scratch.makeWritable(&right)
      try mergeLeaves(scratch, left, right, delta: delta)
    }
    let reread = try ClusterInner(space, space.refs(at: step.ref))
    if !(reread.isCompact && step.child + 1 == reread.childCount - 1) {
      try useOffsets(scratch, step.ref)
      var offsets = Ref(element: scratch.slot(step.ref, ClusterInner.Slot.offsets))
      try scratch.remove(&offsets, step.child + 1, keepingWidth: true)
      scratch.setChild(step.ref, ClusterInner.Slot.offsets, offsets)
    }
    var node = step.ref
    try scratch.remove(&node, step.child + 1 + ClusterInner.Slot.firstChild)
    return true
  }

  private func mergeLeaves(_ scratch: Scratch, _ left: Ref, _ right: Ref, delta: UInt64) throws(StorageError) {
    try useKeys(scratch, left)
    try useKeys(scratch, right)
    let moved = try scratch.space.integers(at: Ref(element: scratch.slot(right, Cluster.Slot.keys)))
    var keys = Ref(element: scratch.slot(left, Cluster.Slot.keys))
    var values: [Int64] = []
    for index in 0..<moved.count { values.append(Int64(bitPattern: moved.unsignedElement(unchecked: index) &+ delta)) }
    try scratch.insert(&keys, scratch.header(keys).count, contentsOf: values, .unsigned)
    scratch.setChild(left, Cluster.Slot.keys, keys)
    try scratch.free(moved.ref)
    for index in 0..<layout.count {
      guard let slot = layout[index] else { continue }
      var ref = Ref(element: scratch.slot(left, Cluster.Slot.firstColumn + index))
      try Leaf.merge(scratch, slot, &ref, appending: Ref(element: scratch.slot(right, Cluster.Slot.firstColumn + index)))
      scratch.setChild(left, Cluster.Slot.firstColumn + index, ref)
    }
    try scratch.free(right)
  }

  private func mergeInner(
    _ scratch: Scratch, _ parent: Ref, _ child: Int, _ left: Ref, _ right: Ref, delta: UInt64
  ) throws(StorageError) {
    let space = scratch.space
    var left = left
    try scratch.makeWritable(&left)
    try useOffsets(scratch, left)
    let (leftInner, rightInner) = (try ClusterInner(space, space.refs(at: left)), try ClusterInner(space, space.refs(at: right)))
    var offsets = try leftInner.node.child(ClusterInner.Slot.offsets)
    var values: [Int64] = []
    var children: [Int64] = []
    for index in 0..<rightInner.childCount {
      values.append(Int64(bitPattern: rightInner.offset(index) &+ delta))
      children.append(rightInner.node.element(unchecked: index + ClusterInner.Slot.firstChild))
    }
    try scratch.insert(&offsets, leftInner.childCount, contentsOf: values, .unsigned)
    scratch.setChild(left, ClusterInner.Slot.offsets, offsets)
    addToCount(scratch, left, Int64(rightInner.objectCount))
    try scratch.insert(&left, leftInner.childCount + ClusterInner.Slot.firstChild, contentsOf: children)
    scratch.setChild(parent, child + ClusterInner.Slot.firstChild, left)
    if !rightInner.isCompact { try scratch.free(rightInner.node.child(ClusterInner.Slot.offsets)) }
    try scratch.free(right)
  }

  /// A root with a single child is replaced by it; its only offset is 0.
  private mutating func collapseRoot(_ scratch: Scratch) throws(StorageError) {
    while true {
      let node = try scratch.space.refs(at: root)
      guard node.header.isInner else { return }
      let inner = try ClusterInner(scratch.space, node)
      guard inner.childCount == 1 else { return }
      let child = try node.child(ClusterInner.Slot.firstChild)
      if !inner.isCompact { try scratch.free(node.child(ClusterInner.Slot.offsets)) }
      try scratch.free(root)
      root = child
      forgetCursor()
    }
  }

  /// Removes every object. What the objects own in other tables is the caller's to release before.
  package mutating func removeAll(_ scratch: Scratch) throws(StorageError) {
    try scratch.freeTree(root)
    root = try createCluster(scratch)
    forgetCursor()
  }

  /// Calls `body` with every cluster, made writable, after changing the layout of columns.
  package mutating func forEachWritableCluster(
    _ scratch: Scratch, _ body: (_ cluster: inout Ref) throws(StorageError) -> Void
  ) throws(StorageError) {
    forgetCursor()
    try visit(scratch, &root, depth: 0, body)
  }

  private func visit(_ scratch: Scratch, _ ref: inout Ref, depth: Int, _ body: (inout Ref) throws(StorageError) -> Void) throws(StorageError) {
    try scratch.makeWritable(&ref)
    let node = try scratch.space.refs(at: ref)
    guard depth < 10 else { throw node.broken("the cluster tree is too deep") }
    guard node.header.isInner else { return try body(&ref) }
    for child in 0..<(try ClusterInner(scratch.space, node).childCount) {
      var childRef = try node.child(child + ClusterInner.Slot.firstChild)
      try visit(scratch, &childRef, depth: depth + 1, body)
      scratch.setChild(ref, child + ClusterInner.Slot.firstChild, childRef)
    }
  }
}
