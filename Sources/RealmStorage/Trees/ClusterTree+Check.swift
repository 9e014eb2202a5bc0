/// The keys of one cluster.
struct ClusterRows {
  let base: UInt64
  let keys: Node?
  let count: Int
  @inline(__always) func unsignedKey(_ row: Int) -> UInt64 { base &+ (keys?.unsignedElement(unchecked: row) ?? UInt64(row)) }
  @inline(__always) func key(_ row: Int) -> Int64 { Int64(bitPattern: unsignedKey(row)) }
}

/// The check of one cluster tree (F7):
///
///  1. inner nodes have a depth that is one more than that of their children, a count and 1 to 256 children;
///  2. there is an offset for each child, and they ascend, or none at all;
///  3. a cluster has keys, at most 256, and lies at the bottom; only the root may be empty;
///  4. keys ascend over the whole tree, and each lies in the range that leads to its cluster;
///  5. counts are what the clusters hold together;  6. no node has another role.
struct ClusterTreeCheck {
  let checker: Checker
  let role: String
  /// Checks the columns of a cluster.
  let columns: (Node, ClusterRows) throws(StorageError) -> Void
  /// The last key met, to see that keys ascend over the whole tree; nil if nodes that are not covered lie in between.
  private var previous: UInt64?

  private static let depthLimit = 10

  init(_ checker: Checker, _ role: String, columns: @escaping (Node, ClusterRows) throws(StorageError) -> Void) {
    (self.checker, self.role, self.columns) = (checker, role, columns)
  }

  /// How a node is reached.
  private struct Path {
    var base: UInt64 = 0
    var level = 0
    /// What the parent says; nil for the root.
    var depth: Int?
    /// The first key behind the node's range, relative to `base`; nil if there is no end.
    var limit: UInt64?
  }

  /// - Returns: the number of objects.
  mutating func run(_ root: Ref) throws(StorageError) -> Int {
    previous = nil
    return try node(root, Path())
  }

  private mutating func node(_ ref: Ref, _ path: Path) throws(StorageError) -> Int {
    guard checker.isUsable(ref) else { throw .corruptNode(ref: ref, reason: "\(role) is no usable node of the tree") }
    let node = try checker.space.refs(at: ref)
    if !checker.covers(ref) {
      previous = nil
      return try ClusterTree.count(checker.space, ref)
    }
    guard path.level <= ClusterTreeCheck.depthLimit else { throw node.broken("\(role) is too deep") }
    return try node.header.isInner ? inner(node, path) : cluster(node, path)
  }

  private mutating func inner(_ node: Node, _ path: Path) throws(StorageError) -> Int {
    let ref = node.ref
    _ = try checker.claim(ref, role + " (inner)")
    guard node.count >= 4, let nodeDepth = try node.tagged(ClusterInner.Slot.depth), let total = try node.tagged(ClusterInner.Slot.objectCount) else {
      throw node.broken("\(role): an inner node lacks depth, count or children")
    }
    let childCount = node.count - 3
    guard nodeDepth >= 1, nodeDepth <= 10, childCount <= Cluster.objectLimit else {
      throw node.broken("\(role): an inner node has depth \(nodeDepth) and \(childCount) children")
    }
    if let expected = path.depth, expected != Int(nodeDepth) { checker.fail("\(role): \(ref) has depth \(nodeDepth), expected was \(expected)") }
    checker.depth += 1
    defer { checker.depth -= 1 }
    let offsets = try offsets(node, childCount: childCount)
    let shift = 8 * nodeDepth
    func start(_ index: Int) -> UInt64 { offsets?.unsignedElement(unchecked: index) ?? (shift < 64 ? UInt64(index) << shift : 0) }
    var count = 0
    for index in 0..<childCount {
      let end = index + 1 < childCount ? start(index + 1) : path.limit
      let child = Path(
        base: path.base &+ start(index), level: path.level + 1, depth: Int(nodeDepth) - 1, limit: end.map { $0 &- start(index) })
      count += try self.node(node.child(index + 3), child)
    }
    if UInt64(count) != total { checker.fail("\(role): \(ref) says \(total) objects, there are \(count)") }
    return count
  }

  /// Nil in compact form.
  private func offsets(_ node: Node, childCount: Int) throws(StorageError) -> Node? {
    if node.element(unchecked: 0) == 0 { return nil }
    let array = try checker.claimIntegers(node.child(0), role + " offsets")
    guard array.count == childCount else { throw array.broken("\(array.count) offsets for \(childCount) children") }
    if array.unsignedElement(unchecked: 0) != 0 { checker.note("\(role): the first offset of \(node.ref) is not 0") }
    for index in 1..<max(childCount, 1) where array.unsignedElement(unchecked: index - 1) >= array.unsignedElement(unchecked: index) {
      throw array.broken("\(role): the offsets do not ascend")
    }
    return array
  }

  private mutating func cluster(_ node: Node, _ path: Path) throws(StorageError) -> Int {
    _ = try checker.claim(node.ref, role + " cluster")
    if let depth = path.depth, depth != 0 { checker.fail("\(role): the cluster \(node.ref) lies \(depth) levels above the bottom") }
    guard node.count >= 1 else { throw node.broken("\(role): an empty cluster array") }
    let first = node.element(unchecked: 0)
    checker.depth += 1
    defer { checker.depth -= 1 }
    let keys = first & 1 == 1 ? nil : try checker.claimIntegers(Ref(element: first), role + " keys")
    let count = keys?.count ?? Int(truncatingIfNeeded: first >> 1)
    guard count >= 0, count <= Cluster.objectLimit else { throw node.broken("\(role): a cluster of \(count) objects") }
    if path.level > 0 && count == 0 { checker.fail("\(role): the cluster \(node.ref) is empty") }
    let rows = ClusterRows(base: path.base, keys: keys, count: count)
    checkKeys(rows, node.ref, path)
    try columns(node, rows)
    return count
  }

  private mutating func checkKeys(_ rows: ClusterRows, _ ref: Ref, _ path: Path) {
    guard rows.count > 0 else { return }
    for row in 0..<rows.count {
      let key = rows.unsignedKey(row)
      if let previous, previous >= key {
        checker.fail("\(role): key \(Int64(bitPattern: key)) follows \(Int64(bitPattern: previous)) in \(ref)")
        break
      }
      previous = key
    }
    let last = rows.unsignedKey(rows.count - 1)
    previous = last
    // Who looks for the key would be led to the next cluster.
    if let limit = path.limit, last &- path.base >= limit {
      checker.fail("\(role): key \(Int64(bitPattern: last)) in \(ref) lies beyond the range of its cluster")
    }
  }
}

extension ClusterTree {
  /// The rules of ``ClusterTreeCheck``, and that each leaf of a column holds as many values as the cluster has objects, by `layout`.
  /// - Parameter layout: by leaf index; nil is vacant.
  /// - Throws: `.corruptNode` that names the first broken one.
  package static func check(_ space: NodeSpace, _ root: Ref, layout: [ColumnSlot?]) throws(StorageError) {
    try Checker.first(space, root) { (checker) throws(StorageError) in
      var check = ClusterTreeCheck(checker, "objects") { (node, rows) throws(StorageError) in
        for (leafIndex, slot) in layout.enumerated() {
          guard let slot else { continue }
          let leaf = try node.child(leafIndex + 1)
          let count = try Leaf.count(space, slot.kind, leaf)
          if count != rows.count { checker.fail("node \(leaf): \(count) values for \(rows.count) objects") }
          try checker.claimAll(leaf, "column \(leafIndex)")
        }
      }
      _ = try check.run(root)
    }
  }
}
