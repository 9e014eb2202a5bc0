/// Reading a whole B+ tree leaf by leaf, whatever its leaves hold.
package enum LeafWalk {
  /// Calls `body` with the ref of every leaf in order, until it returns false. A null root is an empty collection.
  /// - Throws: `.corruptNode` if the tree is damaged; a forged tree ends the walk after as many nodes as fit the file.
  @discardableResult
  package static func forEachLeaf(
    _ space: NodeSpace, _ root: Ref, _ body: (Ref) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    if root.isNull { return true }
    var budget = space.nodeBudget
    return try visit(space, root, depth: 0, budget: &budget, body)
  }

  private static func visit(
    _ space: NodeSpace, _ ref: Ref, depth: Int, budget: inout Int, _ body: (Ref) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    let node = try space.node(at: ref)
    budget -= 1
    guard budget > 0, depth < BPlusTreeLimits.depth else { throw node.broken("the B+ tree reaches a node more than once") }
    guard node.header.isInner else {
      try space.checkCount(node.count, of: node)
      return try body(ref)
    }
    let inner = try InnerNode(space, node)
    for child in 0..<inner.childCount where try !visit(space, node.child(child + 1), depth: depth + 1, budget: &budget, body) {
      return false
    }
    return true
  }

  /// The number of elements, from the root alone.
  package static func count(_ space: NodeSpace, _ root: Ref, _ kind: LeafKind) throws(StorageError) -> Int {
    if root.isNull { return 0 }
    let node = try space.node(at: root)
    return node.header.isInner ? try InnerNode(space, node).total : try LeafReader(space, root, kind).count
  }
}
