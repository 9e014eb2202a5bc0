/// The objects of a table, by key. F7. Reading only; `ClusterEditor` changes one.
package enum ClusterTree {
  private static let depthLimit = 10

  /// The cluster and row of an object, or nil.
  /// - Throws: `.corruptNode`.
  /// - Parameter approach: called with the ref of the cluster and the key relative to it before the cluster is looked at, if it is not the
  ///   root. What it does with the file must not depend on the cluster being sound.
  @inline(__always)
  package static func find(
    _ space: NodeSpace, _ root: Ref, _ key: ObjectKey, approach: (Ref, UInt64) -> Void = { (_, _) in }
  ) throws(StorageError) -> (cluster: Cluster, row: Int)? {
    var relative = UInt64(bitPattern: key.rawValue)
    var offset: UInt64 = 0
    var node = try space.refs(at: root)
    var depth = 0
    while node.header.isInner {
      depth += 1
      guard depth < depthLimit else { throw node.broken("the cluster tree is too deep") }
      let (child, start) = try ClusterInner.place(of: relative, space, node)
      guard start <= relative else { return nil }
      relative &-= start
      offset &+= start
      let next = try node.child(child &+ 3)
      if node.slot(unchecked: ClusterInner.Slot.depth) == ClusterInner.lastLevelTag { approach(next, relative) }
      node = try space.refs(at: next)
    }
    let cluster = try Cluster(space, node, offset: offset)
    guard let row = cluster.row(ofRelative: relative) else { return nil }
    return (cluster, row)
  }

  /// O(1).
  package static func count(_ space: NodeSpace, _ root: Ref) throws(StorageError) -> Int {
    let node = try space.refs(at: root)
    return node.header.isInner ? try ClusterInner(space, node).objectCount : try Cluster(space, node, offset: 0).count
  }

  /// Calls `body` with every cluster in key order until it returns false.
  @discardableResult
  package static func forEachCluster(
    _ space: NodeSpace, _ root: Ref, _ body: (Cluster) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    var budget = space.nodeBudget
    return try visit(space, root, offset: 0, depth: 0, budget: &budget, body)
  }

  private static func visit(
    _ space: NodeSpace, _ ref: Ref, offset: UInt64, depth: Int, budget: inout Int, _ body: (Cluster) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    let node = try space.refs(at: ref)
    budget -= 1
    guard budget > 0, depth < depthLimit else { throw node.broken("the cluster tree reaches a node more than once") }
    guard node.header.isInner else { return try body(Cluster(space, node, offset: offset)) }
    let inner = try ClusterInner(space, node)
    for child in 0..<inner.childCount {
      let start = offset &+ inner.offset(child)
      if try !visit(space, node.child(child + 3), offset: start, depth: depth + 1, budget: &budget, body) { return false }
    }
    return true
  }

  /// The number of objects if their keys are 0, 1, 2 and so on, as they are where none was ever deleted: then each is the position of its object.
  /// Nil if they are not. O(log n).
  private static func countIfDense(_ space: NodeSpace, _ root: Ref) throws(StorageError) -> Int? {
    var (ref, offset) = (root, UInt64(0))
    for _ in 0..<depthLimit {
      let node = try space.refs(at: ref)
      guard node.header.isInner else {
        let cluster = try Cluster(space, node, offset: offset)
        let objectCount = try count(space, root)
        return cluster.count > 0 && cluster.key(cluster.count - 1).rawValue == Int64(objectCount) - 1 ? objectCount : nil
      }
      let inner = try ClusterInner(space, node)
      guard inner.childCount > 0 else { return nil }
      offset &+= inner.offset(inner.childCount - 1)
      ref = try node.child(inner.childCount + 2)
    }
    return nil
  }

  /// The cluster and row of the object at a position in key order: found as its key where keys are positions, else by counting.
  package static func locate(_ space: NodeSpace, _ root: Ref, position: Int) throws(StorageError) -> (cluster: Cluster, row: Int)? {
    if position >= 0, try countIfDense(space, root) != nil { return try find(space, root, ObjectKey(Int64(position))) }
    var (ref, offset, remaining) = (root, UInt64(0), position)
    for _ in 0..<depthLimit {
      let node = try space.refs(at: ref)
      guard node.header.isInner else {
        let cluster = try Cluster(space, node, offset: offset)
        return remaining >= 0 && remaining < cluster.count ? (cluster, remaining) : nil
      }
      let inner = try ClusterInner(space, node)
      var child = 0
      while child < inner.childCount {
        let count = try count(space, node.child(child + 3))
        if remaining < count { break }
        remaining -= count
        child += 1
      }
      guard child < inner.childCount else { return nil }
      offset &+= inner.offset(child)
      ref = try node.child(child + 3)
    }
    throw .corruptNode(ref: root, reason: "the cluster tree is too deep")
  }

  /// The position of an object in key order; nil if there is none with that key.
  package static func position(_ space: NodeSpace, _ root: Ref, of key: ObjectKey) throws(StorageError) -> Int? {
    if let count = try countIfDense(space, root) { return key.rawValue >= 0 && key.rawValue < Int64(count) ? Int(key.rawValue) : nil }
    var (ref, relative, before, offset) = (root, UInt64(bitPattern: key.rawValue), 0, UInt64(0))
    for _ in 0..<depthLimit {
      let node = try space.refs(at: ref)
      guard node.header.isInner else { return try Cluster(space, node, offset: offset).row(ofRelative: relative).map { before + $0 } }
      let (child, start) = try ClusterInner.place(of: relative, space, node)
      guard start <= relative else { return nil }
      for earlier in 0..<child { before += try count(space, node.child(earlier + 3)) }
      relative &-= start
      offset &+= start
      ref = try node.child(child + 3)
    }
    throw .corruptNode(ref: root, reason: "the cluster tree is too deep")
  }

  /// All keys in order; for callers that change the tree while they go through it.
  package static func keys(_ space: NodeSpace, _ root: Ref) throws(StorageError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    result.reserveCapacity(min(try count(space, root), space.plausibleCount))
    try forEachCluster(space, root) { (cluster) throws(StorageError) in
      for row in 0..<cluster.count { result.append(cluster.key(row)) }
      return true
    }
    return result
  }
}
