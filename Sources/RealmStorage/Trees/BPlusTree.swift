/// Where an element of a B+ tree lies.
package struct TreePosition {
  package let leaf: Ref
  /// Index inside the leaf.
  package let index: Int
}

/// A B+ tree of collection elements, backlinks, index lists or log entries. F5.
///
/// A value: the root's ref. Mutations leave the new root in `root` for the caller to store.
package struct BPlusTree<Family: LeafFamily> {
  package var root: Ref
  package let family: Family

  package init(root: Ref, family: Family) { (self.root, self.family) = (root, family) }

  // MARK: Reading

  /// O(1).
  package func count(_ space: NodeSpace) throws(StorageError) -> Int {
    let node = try space.node(at: root)
    return node.header.isInner ? try InnerNode(space, node).total : try family.count(space, root)
  }

  /// - Throws: `.corruptNode` when `index` is not below the count, or the tree is damaged.
  package func locate(_ space: NodeSpace, _ index: Int) throws(StorageError) -> TreePosition {
    var (ref, index, depth) = (root, index, 0)
    while true {
      let node = try space.node(at: ref)
      if !node.header.isInner { return TreePosition(leaf: ref, index: index) }
      depth += 1
      guard depth < BPlusTreeLimits.depth else { throw node.broken("the B+ tree is too deep") }
      let inner = try InnerNode(space, node)
      let place = try inner.child(space, containing: index)
      ref = try node.child(place.child + 1)
      index -= place.start
    }
  }

  package func element(_ space: NodeSpace, _ index: Int) throws(StorageError) -> Family.Element {
    let position = try locate(space, index)
    return try family.element(space, position.leaf, position.index)
  }

  /// Calls `body` with every leaf in order: its ref, the index of its first element, its count. Stops when `body` returns false.
  /// - Returns: whether all leaves were visited.
  @discardableResult
  package func forEachLeaf(
    _ space: NodeSpace, _ body: (_ leaf: Ref, _ first: Int, _ count: Int) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    var first = 0
    var budget = space.nodeBudget
    return try visit(space, root, depth: 0, first: &first, budget: &budget, body)
  }

  private func visit(
    _ space: NodeSpace, _ ref: Ref, depth: Int, first: inout Int, budget: inout Int,
    _ body: (_ leaf: Ref, _ first: Int, _ count: Int) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    let node = try space.node(at: ref)
    budget -= 1
    guard budget > 0, depth < BPlusTreeLimits.depth else { throw node.broken("the B+ tree reaches a node more than once") }
    guard node.header.isInner else {
      let count = try family.count(space, ref)
      try space.checkCount(count, of: node)
      defer { first += count }
      return try body(ref, first, count)
    }
    let inner = try InnerNode(space, node)
    let start = first
    for child in 0..<inner.childCount where try !visit(space, node.child(child + 1), depth: depth + 1, first: &first, budget: &budget, body) {
      return false
    }
    guard first - start == inner.total else { throw node.broken("says \(inner.total) elements, its leaves hold \(first - start)") }
    return true
  }
}

package enum BPlusTreeLimits {
  /// More than any tree needs: 1000 elements a leaf, at least two children a node.
  static let depth = 40
  /// More elements than any file can have, few enough for the totals of many trees to be added.
  static let total: Int64 = 1 << 47
  /// The same of each child in compact form: a node has less than 2^24 children.
  static let perChild: Int64 = 1 << 39
}

/// An inner node, checked: `[compact tag or offsets, children..., tagged total]`.
struct InnerNode {
  /// Places in the node; the last element is the total.
  enum Slot {
    /// A tagged number of elements in each child, or a ref to the starts of all children but the first.
    static let starts = 0
    static let firstChild = 1
  }

  let node: Node
  let childCount: Int
  let total: Int
  /// Elements per child in compact form, 0 in offsets form.
  let perChild: Int
  private let offsets: Ref

  @inline(__always) init(_ space: NodeSpace, _ node: Node) throws(StorageError) {
    self.node = node
    guard node.header.hasRefs, node.header.schemeBits == 0, node.count >= 3 else { throw node.broken("is no inner node of a B+ tree") }
    childCount = node.count - 2
    let last = node.element(unchecked: node.count - 1)
    guard last & 1 == 1, last > 0, last >> 1 < BPlusTreeLimits.total else { throw node.broken("the total of a B+ tree node is missing or too large") }
    total = Int(last >> 1)
    let first = node.element(unchecked: Slot.starts)
    if first & 1 == 1 {
      guard first > 1, first >> 1 < BPlusTreeLimits.perChild else { throw node.broken("elements per child is not positive or too large") }
      perChild = Int(first >> 1)
      offsets = .null
    } else {
      perChild = 0
      offsets = Ref(element: first)
    }
  }

  /// The child that holds element `index`, and the index of that child's first element.
  @inline(__always) func child(_ space: NodeSpace, containing index: Int) throws(StorageError) -> (child: Int, start: Int) {
    guard UInt(bitPattern: index) < UInt(bitPattern: total) else { throw node.missing(index) }
    if perChild > 0 {
      let child = index / perChild
      guard child < childCount else { throw node.broken("element \(index) lies behind the last child") }
      return (child, child * perChild)
    }
    let starts = try offsetArray(space)
    let child = starts.countNotAbove(unsigned: UInt64(index))
    return (child, child == 0 ? 0 : Int(clamping: starts.unsignedElement(unchecked: child - 1)))
  }

  func offsetArray(_ space: NodeSpace) throws(StorageError) -> Node {
    let starts = try space.integers(at: offsets)
    guard starts.count == childCount - 1 else { throw starts.broken("has \(starts.count) offsets for \(childCount) children") }
    return starts
  }

  /// The index of a child's first element and its element count.
  func extent(_ space: NodeSpace, ofChild child: Int) throws(StorageError) -> (start: Int, count: Int) {
    if perChild > 0 {
      let start = child * perChild
      return (start, child == childCount - 1 ? total - start : perChild)
    }
    let starts = try offsetArray(space)
    let start = child == 0 ? 0 : Int(clamping: starts.unsignedElement(unchecked: child - 1))
    let end = child == childCount - 1 ? total : Int(clamping: starts.unsignedElement(unchecked: child))
    guard end >= start, end <= total else { throw starts.broken("offsets do not ascend") }
    return (start, end - start)
  }
}
