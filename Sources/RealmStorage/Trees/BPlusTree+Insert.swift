extension BPlusTree {
  /// A tree without elements.
  package static func create(_ scratch: Scratch, family: Family) throws(StorageError) -> BPlusTree {
    BPlusTree(root: try family.create(scratch), family: family)
  }

  /// A node that had no room: its right part, and how many elements stayed in the left one.
  private struct Split {
    let leftCount: Int
    let right: Ref
    let rightCount: Int
  }

  package mutating func append(_ scratch: Scratch, _ element: Family.Element) throws(StorageError) {
    try insert(scratch, at: count(scratch.space), element)
  }

  /// Inserts before element `index`; `index == count` appends, which keeps the compact form.
  package mutating func insert(_ scratch: Scratch, at index: Int, _ element: Family.Element) throws(StorageError) {
    if let split = try insert(scratch, &root, index, element, depth: 0) {
      let level = try scratch.createRefs(count: 0, capacity: 8, flags: NodeHeader.Flags.inner)
      root = try makeParent(scratch, level, left: root, split)
    }
  }

  private func makeParent(_ scratch: Scratch, _ fresh: Ref, left: Ref, _ split: Split) throws(StorageError) -> Ref {
    var parent = fresh
    // Compact only where every child but the last is as full as its level allows.
    let leftNode = try scratch.space.node(at: left)
    let compact: Int
    if leftNode.header.isInner {
      let inner = try InnerNode(scratch.space, leftNode)
      compact = inner.perChild * family.fanOut
    } else {
      compact = family.fanOut
    }
    let first: Int64
    if compact > 0 && split.leftCount == compact {
      first = Int64(compact) << 1 | 1
    } else {
      first = try scratch.createIntegers([Int64(split.leftCount)], .unsigned).element
    }
    try scratch.insert(
      &parent, 0, contentsOf: [first, left.element, split.right.element, Int64(split.leftCount + split.rightCount) << 1 | 1])
    return parent
  }

  private func insert(
    _ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ element: Family.Element, depth: Int
  ) throws(StorageError) -> Split? {
    let node = try scratch.space.node(at: ref)
    guard depth < BPlusTreeLimits.depth else { throw node.broken("the B+ tree is too deep") }
    if !node.header.isInner { return try insertIntoLeaf(scratch, &ref, index, element) }
    try scratch.makeWritable(&ref)
    let inner = try InnerNode(scratch.space, scratch.space.node(at: ref))
    guard index >= 0, index <= inner.total else { throw inner.node.missing(index) }
    let isAppend = index == inner.total
    if !isAppend { try useOffsets(scratch, ref) }
    let child = isAppend ? inner.childCount - 1 : try inner.reread(scratch.space).child(scratch.space, containing: index).child
    let extent = try inner.reread(scratch.space).extent(scratch.space, ofChild: child)
    var childRef = try inner.node.child(child + 1)
    let split = try insert(scratch, &childRef, index - extent.start, element, depth: depth + 1)
    scratch.setChild(ref, child + 1, childRef)
    scratch.setTagged(ref, inner.childCount + 1, UInt64(inner.total + 1))
    try shiftOffsets(scratch, ref, from: child, by: 1)
    guard let split else { return nil }
    return try addChild(scratch, &ref, after: child, childStart: extent.start, split, isAppend: isAppend)
  }

  private func insertIntoLeaf(
    _ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ element: Family.Element
  ) throws(StorageError) -> Split? {
    let count = try family.count(scratch.space, ref)
    guard index >= 0, index <= count else { throw .invalidArgument(reason: "index \(index) of a collection with \(count) elements") }
    if count < family.fanOut {
      try family.insert(scratch, &ref, index, element)
      return nil
    }
    if index == count {
      var right = try family.create(scratch)
      try family.insert(scratch, &right, 0, element)
      return Split(leftCount: count, right: right, rightCount: 1)
    }
    // A full leaf splits at the insertion point; at the very front that would leave it empty but for the new element, so halve it.
    let at = index == 0 ? count / 2 : index
    let right = try family.split(scratch, &ref, at: at)
    try family.insert(scratch, &ref, index, element)
    return Split(leftCount: at + 1, right: right, rightCount: count - at)
  }

  /// Inserts the right half of a split child, splitting this node when it has too many children.
  private func addChild(
    _ scratch: Scratch, _ ref: inout Ref, after child: Int, childStart: Int, _ split: Split, isAppend: Bool
  ) throws(StorageError) -> Split? {
    let space = scratch.space
    var inner = try InnerNode(space, space.node(at: ref))
    if inner.perChild > 0 && (!isAppend || split.leftCount != inner.perChild) {
      try useOffsets(scratch, ref)
      inner = try inner.reread(space)
    }
    if inner.perChild == 0 {
      var offsets = try inner.node.child(InnerNode.Slot.starts)
      try scratch.insert(&offsets, child, Int64(childStart + split.leftCount), .unsigned)
      scratch.setChild(ref, InnerNode.Slot.starts, offsets)
    }
    try scratch.insert(&ref, child + 2, split.right.element)
    let childCount = inner.childCount + 1
    guard childCount > family.fanOut else { return nil }
    return try splitInner(scratch, &ref, at: isAppend ? childCount - 1 : childCount / 2, total: inner.total)
  }

  /// `ref` is an inner node, as `InnerNode` found it, with more than `child` children.
  private func splitInner(_ scratch: Scratch, _ ref: inout Ref, at child: Int, total: Int) throws(StorageError) -> Split {
    let node = try scratch.space.node(at: ref)
    let first = node.element(unchecked: InnerNode.Slot.starts)
    var right = try scratch.createRefs(count: 0, capacity: node.count - child, flags: NodeHeader.Flags.inner)
    var children: [Int64] = []
    for index in child + 1..<node.count - 1 { children.append(node.element(unchecked: index)) }
    let leftCount: Int
    var rightFirst = first
    if first & 1 == 1 {
      leftCount = Int(first >> 1) * child
    } else {
      // childCount - 1 offsets: the left node keeps child - 1 of them, entry child - 1 is the border itself.
      var offsets = Ref(element: first)
      let starts = try scratch.space.integers(at: offsets)
      leftCount = Int(clamping: try starts.unsignedElement(child - 1))
      var rest: [Int64] = []
      for index in child..<starts.count { rest.append(Int64(bitPattern: starts.unsignedElement(unchecked: index)) &- Int64(leftCount)) }
      rightFirst = try scratch.createIntegers(rest, .unsigned).element
      try scratch.remove(&offsets, child - 1..<starts.count, keepingWidth: true)
      scratch.setChild(ref, InnerNode.Slot.starts, offsets)
    }
    try scratch.insert(&right, 0, contentsOf: [rightFirst] + children + [Int64(total - leftCount) << 1 | 1])
    try scratch.remove(&ref, child + 1..<scratch.header(ref).count - 1)
    scratch.setTagged(ref, child + 1, UInt64(leftCount))
    return Split(leftCount: leftCount, right: right, rightCount: total - leftCount)
  }

  // MARK: Offsets

  /// Turns a writable inner node into offsets form.
  func useOffsets(_ scratch: Scratch, _ ref: Ref) throws(StorageError) {
    let inner = try InnerNode(scratch.space, scratch.space.node(at: ref))
    guard inner.perChild > 0 else { return }
    var starts: [Int64] = []
    for child in 1..<max(inner.childCount, 1) { starts.append(Int64(child * inner.perChild)) }
    scratch.setChild(ref, InnerNode.Slot.starts, try scratch.createIntegers(starts, .unsigned))
  }

  /// Adds `delta` to the starts of all children behind `child`, in offsets form.
  func shiftOffsets(_ scratch: Scratch, _ ref: Ref, from child: Int, by delta: Int) throws(StorageError) {
    let inner = try InnerNode(scratch.space, scratch.space.node(at: ref))
    guard inner.perChild == 0, child < inner.childCount - 1 else { return }
    var offsets = try inner.node.child(InnerNode.Slot.starts)
    try scratch.add(&offsets, from: child, Int64(delta))
    scratch.setChild(ref, InnerNode.Slot.starts, offsets)
  }

  // MARK: Replacing

  package mutating func set(_ scratch: Scratch, _ index: Int, _ element: Family.Element) throws(StorageError) {
    try set(scratch, &root, index, element, depth: 0)
  }

  private func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ element: Family.Element, depth: Int) throws(StorageError) {
    let node = try scratch.space.node(at: ref)
    guard depth < BPlusTreeLimits.depth else { throw node.broken("the B+ tree is too deep") }
    if !node.header.isInner { return try family.set(scratch, &ref, index, element) }
    try scratch.makeWritable(&ref)
    let inner = try InnerNode(scratch.space, scratch.space.node(at: ref))
    let place = try inner.child(scratch.space, containing: index)
    var child = try inner.node.child(place.child + 1)
    try set(scratch, &child, index - place.start, element, depth: depth + 1)
    scratch.setChild(ref, place.child + 1, child)
  }

  /// Makes the leaf that holds `index` writable, with the path above it, and lets `body` change it.
  package mutating func updateLeaf(
    _ scratch: Scratch, _ index: Int, _ body: (_ leaf: inout Ref, _ index: Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    try updateLeaf(scratch, &root, index, depth: 0, body)
  }

  private func updateLeaf(
    _ scratch: Scratch, _ ref: inout Ref, _ index: Int, depth: Int, _ body: (inout Ref, Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    let node = try scratch.space.node(at: ref)
    guard depth < BPlusTreeLimits.depth else { throw node.broken("the B+ tree is too deep") }
    if !node.header.isInner { return try body(&ref, index) }
    try scratch.makeWritable(&ref)
    let inner = try InnerNode(scratch.space, scratch.space.node(at: ref))
    let place = try inner.child(scratch.space, containing: index)
    var child = try inner.node.child(place.child + 1)
    try updateLeaf(scratch, &child, index - place.start, depth: depth + 1, body)
    scratch.setChild(ref, place.child + 1, child)
  }
}
