/// How the leaves of neighbouring clusters follow each other in the file: column by column, so that a scan of one column finds many of its
/// leaves on a page, in lines of memory that the processor fetches ahead. Only the first column stays with its cluster, as a lookup by
/// primary key needs both.
///
/// The format leaves the order open as long as children come before their parents where it matters.
enum ColumnwiseOrder {
  /// Clusters whose leaves are laid out together: as many as a scan reads ahead.
  static let clusterLimit = ClusterBatch.limit

  /// Whether a node's children are clusters: no other inner node has a tagged number in slot 1.
  static func applies(to inner: Node) -> Bool {
    inner.header.isInner && inner.header.hasRefs && inner.count > ClusterInner.Slot.firstChild
      && inner.element(unchecked: ClusterInner.Slot.depth) == ClusterInner.lastLevelTag
  }
  /// Whether a child of such a node really is a cluster, and one that it costs little to keep in memory together with its neighbours.
  static func includes(_ header: NodeHeader) -> Bool { header.hasRefs && !header.isInner && header.count <= slotLimit }
  /// A damaged header may claim sixteen million slots without any bytes for them. Tables with more columns than that are laid out cluster by cluster.
  private static let slotLimit = 1024

  /// Calls `body` for what hangs at each slot of each cluster, and with nil for the cluster itself, in the order of the file.
  static func forEachPart(
    slotCounts: [Int], _ body: (_ cluster: Int, _ slot: Int?) throws(StorageError) -> Void
  ) throws(StorageError) {
    // Slot 0 has the keys, slot 1 the first column.
    var slot = (slotCounts.max() ?? 0) - 1
    while slot > 1 {
      for cluster in slotCounts.indices where slot < slotCounts[cluster] { try body(cluster, slot) }
      slot -= 1
    }
    for cluster in slotCounts.indices {
      if slotCounts[cluster] > 1 { try body(cluster, 1) }
      if slotCounts[cluster] > 0 { try body(cluster, 0) }
      try body(cluster, nil)
    }
  }
}
