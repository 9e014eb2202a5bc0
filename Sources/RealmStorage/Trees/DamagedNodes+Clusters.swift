extension DamagedNodes {
  /// A node of a tree of clusters, read so that it leads to the leaves of most columns, or to other such nodes.
  /// - Parameter leafIndexes: those of the columns; empty to take the node for what it says.
  /// - Throws: `.corruptNode` if it is no list of refs.
  static func clusterNode(_ space: NodeSpace, _ ref: Ref, _ leafIndexes: [Int]) throws(StorageError) -> Node {
    let list = try? space.refs(at: ref)
    guard let last = leafIndexes.max() else { return if let list { list } else { try space.refs(at: ref) } }
    func isCluster(_ node: Node) -> Bool {
      guard isTagged(node, Cluster.Slot.keys) || isRef(space, node, Cluster.Slot.keys, mayBeNull: false) else { return false }
      return leafIndexes.count { isRef(space, node, Cluster.Slot.firstColumn + $0, mayBeNull: false) } * 2 > leafIndexes.count
    }
    if let list, list.header.isInner ? childCount(space, list) == list.count - ClusterInner.Slot.firstChild : isCluster(list) { return list }
    let count = Cluster.Slot.firstColumn + last + 1
    if let cluster = node(space, ref, .bits, flags: NodeHeader.Flags.refs, count: count, isSound: isCluster) { return cluster }
    if let inner = innerNode(space, ref) { return inner }
    return if let list { list } else { try space.refs(at: ref) }
  }

  /// With as many children as there are.
  private static func innerNode(_ space: NodeSpace, _ ref: Ref) -> Node? {
    let (first, flags) = (ClusterInner.Slot.firstChild, NodeHeader.Flags.refs | NodeHeader.Flags.inner)
    let limit = min((try? space.node(at: ref))?.count ?? .max, first + Cluster.objectLimit)
    for widthIndex in (0...UInt32(7)).reversed() {
      func node(_ count: Int) -> Node? {
        try? space.node(at: ref, assuming: NodeHeader(flags: flags, scheme: .bits, widthIndex: widthIndex, count: count))
      }
      // Behind its last child stand other nodes, whose headers are no refs.
      var count = first
      while count < limit, let longer = node(count + 1), childCount(space, longer) == count + 1 - first { count += 1 }
      if count > first, let found = node(count) { return found }
    }
    return nil
  }

  /// How many nodes an inner node leads to; nil if it cannot be one.
  private static func childCount(_ space: NodeSpace, _ node: Node) -> Int? {
    guard node.count > ClusterInner.Slot.firstChild,
      [ClusterInner.Slot.depth, ClusterInner.Slot.objectCount].allSatisfy({ node.element(unchecked: $0) & 1 == 1 })
    else { return nil }
    return (ClusterInner.Slot.firstChild..<node.count).count { isRef(space, node, $0, mayBeNull: false) }
  }
}
