extension BPlusTree {
  package mutating func remove(_ scratch: Scratch, _ index: Int) throws(StorageError) {
    _ = try remove(scratch, &root, index, depth: 0)
    // A root with one child is replaced by the child.
    while true {
      let node = try scratch.space.node(at: root)
      guard node.header.isInner else { return }
      let inner = try InnerNode(scratch.space, node)
      guard inner.childCount == 1 else { return }
      let child = try node.child(InnerNode.Slot.firstChild)
      if inner.perChild == 0 { try scratch.free(node.child(InnerNode.Slot.starts)) }
      try scratch.free(root)
      root = child
    }
  }

  /// Frees all leaves and what they own, and starts again with an empty leaf.
  package mutating func removeAll(_ scratch: Scratch) throws(StorageError) {
    try scratch.freeTree(root)
    root = try family.create(scratch)
  }

  /// - Returns: how many elements (leaf) or children (inner node) remain in the node.
  private func remove(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, depth: Int) throws(StorageError) -> Int {
    let node = try scratch.space.node(at: ref)
    guard depth < BPlusTreeLimits.depth else { throw node.broken("the B+ tree is too deep") }
    if !node.header.isInner {
      let count = try family.count(scratch.space, ref)
      guard index >= 0, index < count else { throw .invalidArgument(reason: "index \(index) of a collection with \(count) elements") }
      try family.remove(scratch, &ref, index)
      return count - 1
    }
    try scratch.makeWritable(&ref)
    try useOffsets(scratch, ref)
    let inner = try InnerNode(scratch.space, scratch.space.node(at: ref))
    let place = try inner.child(scratch.space, containing: index)
    var child = try inner.node.child(place.child + 1)
    let isLeaf = try !scratch.space.node(at: child).header.isInner
    let remaining = try remove(scratch, &child, index - place.start, depth: depth + 1)
    scratch.setChild(ref, place.child + 1, child)
    scratch.setTagged(ref, inner.childCount + 1, UInt64(inner.total - 1))
    try shiftOffsets(scratch, ref, from: place.child, by: -1)
    let childTotal = try inner.reread(scratch.space).extent(scratch.space, ofChild: place.child).count
    if childTotal == 0 {
      guard inner.childCount > 1 else { return 1 }
      try scratch.freeTree(child)
      try dropChild(scratch, &ref, place.child)
      return inner.childCount - 1
    }
    if remaining < family.fanOut / 2, place.child + 1 < inner.childCount,
      try mergeChildren(scratch, &ref, place.child, remaining: remaining, areLeaves: isLeaf)
    {
      return inner.childCount - 1
    }
    return inner.childCount
  }

  /// Takes a child that is empty or was merged into its left neighbour out of the node (in offsets form).
  private func dropChild(_ scratch: Scratch, _ ref: inout Ref, _ child: Int) throws(StorageError) {
    let inner = try InnerNode(scratch.space, scratch.space.node(at: ref))
    var offsets = try inner.node.child(InnerNode.Slot.starts)
    if inner.childCount > 1 { try scratch.remove(&offsets, max(child - 1, 0), keepingWidth: true) }
    scratch.setChild(ref, InnerNode.Slot.starts, offsets)
    try scratch.remove(&ref, child + 1)
  }

  /// Merges a child below half size with its right sibling if the sum is below three quarters of the maximum.
  private func mergeChildren(
    _ scratch: Scratch, _ ref: inout Ref, _ child: Int, remaining: Int, areLeaves: Bool
  ) throws(StorageError) -> Bool {
    let space = scratch.space
    let inner = try InnerNode(space, space.node(at: ref))
    var left = try inner.node.child(child + 1)
    let right = try inner.node.child(child + 2)
    let leftCount = try inner.extent(space, ofChild: child).count
    if areLeaves {
      let rightCount = try family.count(space, right)
      guard remaining + rightCount < family.fanOut * 3 / 4 else { return false }
      try family.merge(scratch, &left, appending: right)
    } else {
      let rightInner = try InnerNode(space, space.node(at: right))
      guard remaining + rightInner.childCount < family.fanOut * 3 / 4 else { return false }
      try mergeInner(scratch, &left, leftTotal: leftCount, right)
    }
    scratch.setChild(ref, child + 1, left)
    // The border between the two goes; the right one's end becomes the left one's.
    var offsets = try space.node(at: ref).child(InnerNode.Slot.starts)
    try scratch.remove(&offsets, child, keepingWidth: true)
    scratch.setChild(ref, InnerNode.Slot.starts, offsets)
    try scratch.remove(&ref, child + 2)
    return true
  }

  private func mergeInner(_ scratch: Scratch, _ left: inout Ref, leftTotal: Int, _ source: Ref) throws(StorageError) {
    var right = source
    try scratch.makeWritable(&left)
    try scratch.makeWritable(&right)
    try useOffsets(scratch, left)
    try useOffsets(scratch, right)
    let space = scratch.space
    let leftInner = try InnerNode(space, space.node(at: left))
    let rightInner = try InnerNode(space, space.node(at: right))
    var starts: [Int64] = [Int64(leftTotal)]
    let rightStarts = try rightInner.offsetArray(space)
    for index in 0..<rightStarts.count { starts.append(Int64(bitPattern: rightStarts.unsignedElement(unchecked: index)) &+ Int64(leftTotal)) }
    var children: [Int64] = []
    for index in 1...rightInner.childCount { children.append(rightInner.node.element(unchecked: index)) }
    var offsets = try leftInner.node.child(InnerNode.Slot.starts)
    try scratch.insert(&offsets, leftInner.childCount - 1, contentsOf: starts, .unsigned)
    scratch.setChild(left, InnerNode.Slot.starts, offsets)
    try scratch.insert(&left, leftInner.childCount + 1, contentsOf: children)
    scratch.setTagged(left, leftInner.childCount + rightInner.childCount + 1, UInt64(leftTotal + rightInner.total))
    try scratch.free(rightInner.node.child(InnerNode.Slot.starts))
    try scratch.free(right)
  }
}
