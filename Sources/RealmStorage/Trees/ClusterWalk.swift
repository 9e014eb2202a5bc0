/// Goes through the clusters of a table in key order, a batch at a time, so that whoever reads them can have many reads of memory under way.
package struct ClusterWalk {
  package let space: NodeSpace
  private var pending: Ref?
  private var path: [(inner: ClusterInner, offset: UInt64, child: Int)] = []
  private var budget: Int
  private let warmth = Warmth()
  private static let depthLimit = 10

  package init(_ space: NodeSpace, root: Ref) {
    self.space = space
    pending = root
    budget = space.nodeBudget
  }

  /// Appends the next clusters, so that `clusters` has at most `limit`. Nothing is appended at the end of the tree.
  /// - Throws: `.corruptNode`; a forged tree ends the walk after as many nodes as fit the file.
  package mutating func append(to clusters: inout [Cluster], limit: Int) throws(StorageError) {
    if let root = pending {
      pending = nil
      try enter(space.refs(at: root), offset: 0, &clusters)
    }
    while clusters.count < limit, !path.isEmpty {
      let level = path.count - 1
      let (inner, offset, child) = path[level]
      let end = min(inner.childCount, child + limit - clusters.count)
      let next = inner.depth == 1 ? try append(inner, offset, child..<end, &clusters) : child
      path[level].child = next
      if next < end {
        path[level].child = next + 1
        try enter(space.refs(at: inner.node.child(next + 3)), offset: offset &+ inner.offset(next), &clusters)
      }
      if path.count == level + 1 && path[level].child == inner.childCount { path.removeLast() }
    }
  }

  /// Appends children as long as they are clusters.
  /// - Returns: the first that is not, or the end of the range.
  private mutating func append(
    _ inner: ClusterInner, _ offset: UInt64, _ children: Range<Int>, _ clusters: inout [Cluster]
  ) throws(StorageError) -> Int {
    let space = space
    // As in `ClusterBatch.warm`: waits for all of them at once.
    var sum: Int64 = 0
    for child in children { sum ^= space.peek(at: UInt64(bitPattern: inner.node.slot(unchecked: child + 3))) }
    warmth.sum = UInt64(bitPattern: sum)
    for child in children {
      let node = try space.refs(at: inner.node.child(child + 3))
      if node.header.isInner { return child }
      budget -= 1
      guard budget > 0 else { throw node.broken("the cluster tree reaches a node more than once") }
      clusters.append(try Cluster(space, node, offset: offset &+ inner.offset(child)))
    }
    return children.upperBound
  }

  @inline(__always)
  private mutating func enter(_ node: Node, offset: UInt64, _ clusters: inout [Cluster]) throws(StorageError) {
    budget -= 1
    guard budget > 0 else { throw node.broken("the cluster tree reaches a node more than once") }
    if node.header.isInner {
      guard path.count < Self.depthLimit else { throw node.broken("the cluster tree is too deep") }
      path.append((try ClusterInner(space, node), offset, 0))
    } else {
      clusters.append(try Cluster(space, node, offset: offset))
    }
  }
}

/// What a scan needs to know of a column: trivial to copy, unlike `ColumnDescription`.
package struct LeafColumn: Sendable {
  package let leafIndex: Int
  package let kind: LeafKind
  package let isNullable: Bool
  /// The distinct values of an enumerated column, else null.
  package let enumKeys: Ref
}

/// Up to 32 clusters that are looked at together.
///
/// `narrow` takes a mask for each cluster and keeps the rows that satisfy a condition; clusters whose mask is empty already are not read.
/// Members that read leaves throw `.interrupted` before the next one when `cancellation` says so.
package struct ClusterBatch {
  package static let limit = 32

  package let space: NodeSpace
  package private(set) var clusters: [Cluster] = []
  /// Asked at every leaf that is read.
  package let cancellation: Cancellation?
  private let warmth = Warmth()

  package init(_ space: NodeSpace, _ cancellation: Cancellation?) {
    (self.space, self.cancellation) = (space, cancellation)
    clusters.reserveCapacity(Self.limit)
  }

  /// A batch of clusters of the caller's choice, as many as it likes.
  package init(_ space: NodeSpace, _ clusters: [Cluster], _ cancellation: Cancellation?) {
    (self.space, self.clusters, self.cancellation) = (space, clusters, cancellation)
  }

  /// Replaces the clusters by the next ones.
  /// - Returns: false at the end.
  package mutating func advance(_ walk: inout ClusterWalk, limit: Int = ClusterBatch.limit) throws(StorageError) -> Bool {
    clusters.removeAll(keepingCapacity: true)
    try walk.append(to: &clusters, limit: limit)
    return !clusters.isEmpty
  }

  package var rowCount: Int {
    var count = 0
    for cluster in clusters { count += cluster.count }
    return count
  }

  /// Masks of all rows.
  package func fill(_ masks: inout [RowMask]) {
    masks.removeAll(keepingCapacity: true)
    for cluster in clusters { masks.append(RowMask(first: cluster.count)) }
  }

  /// Whether all masks are empty.
  package static func isEmpty(_ masks: [RowMask]) -> Bool {
    for mask in masks where !mask.isEmpty { return false }
    return true
  }
  /// Reads a little of every leaf of a column that will be needed. The processor waits for many lines of memory at once this way, and for one
  /// leaf after the other later on.
  @inline(__always) func warm(_ masks: [RowMask], _ column: LeafColumn) throws(StorageError) {
    // Too long for that, see `Node.sample`.
    if column.kind == .double { return }
    var sum: UInt64 = 0
    for index in clusters.indices where !masks[index].isEmpty {
      sum ^= try space.node(at: clusters[index].column(column.leafIndex)).sample()
    }
    warmth.sum = sum
  }

  /// Calls `body` with the leaves of a column that have masked rows: number of the cluster, leaf, mask and number of rows.
  /// - Parameter body: returns false if the leaf is too short.
  @inline(__always) func forEachLeaf(
    _ column: LeafColumn, _ masks: [RowMask], _ body: (Int, Ref, RowMask, Int) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try warm(masks, column)
    for index in clusters.indices where !masks[index].isEmpty {
      try cancellation?.check()
      let cluster = clusters[index]
      guard try body(index, cluster.column(column.leafIndex), masks[index], cluster.count) else { throw Self.tooShort(cluster, column) }
    }
  }

  /// The leaves of a column of plain integers, read ahead in the same way.
  @inline(__always) func integerLeaves(_ column: LeafColumn) throws(StorageError) -> [Node] {
    var leaves: [Node] = []
    leaves.reserveCapacity(clusters.count)
    var sum: UInt64 = 0
    for index in clusters.indices {
      let leaf = try space.integers(at: clusters[index].column(column.leafIndex))
      if leaf.count < clusters[index].count { throw Self.tooShort(clusters[index], column) }
      sum ^= leaf.sample()
      leaves.append(leaf)
    }
    warmth.sum = sum
    return leaves
  }

  package static func count(_ masks: [RowMask]) -> Int {
    var count = 0
    for mask in masks { count &+= mask.count }
    return count
  }

  @inline(never) static func tooShort(_ cluster: Cluster, _ column: LeafColumn) -> StorageError {
    cluster.node.broken("the leaf of column \(column.leafIndex) has fewer elements than the cluster's \(cluster.count)")
  }

  /// Appends the keys of the masked rows.
  package func appendKeys(_ masks: [RowMask], to keys: inout [ObjectKey]) throws(StorageError) {
    for index in clusters.indices where !masks[index].isEmpty {
      try cancellation?.check()
      let cluster = clusters[index]
      masks[index].forEach { keys.append(cluster.key($0)) }
    }
  }
}

/// Where the results of reading ahead go, so that the compiler does not leave it out.
private final class Warmth {
  var sum: UInt64 = 0
}
