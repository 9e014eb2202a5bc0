/// Where the primary key of an object probably lies in the file, before its cluster has been looked at.
///
/// Each cluster is laid down behind its first column (`ColumnwiseOrder`), so that the primary keys of most clusters lie at the same distance
/// from them. Looking there while the cluster is still on its way into the cache saves waiting for one after the other. Nothing is believed:
/// the value is read again the proper way.
struct LeafHint {
  /// From the first element to the cluster; 0 while nothing is known.
  private var distance: UInt64 = 0
  /// 4 to 7 for 8 to 64 bits.
  private var widthIndex: UInt32 = 7

  /// Whether the primary key is found where it is expected.
  @inline(__always) func confirms(_ space: NodeSpace, cluster: Ref, row: UInt64, _ primaryKey: Int64) -> Bool {
    guard distance > 0, row < UInt64(Cluster.objectLimit) else { return false }
    let start = cluster.byteOffset &- distance
    // Reading the leaf will begin with its header, which mostly lies on another line of the cache.
    let header = NodeHeader(word: UInt64(bitPattern: space.peek(at: start &- 8)))
    let found = space.peek(at: start &+ row << UInt64(widthIndex &- 4))
    // The bits above the element's belong to others.
    return header.widthIndex == widthIndex && (found ^ primaryKey) << (64 &- 8 << Int64(widthIndex &- 4)) == 0
  }

  /// What the leaf and the cluster turned out to be.
  @inline(never) mutating func learn(_ leaf: Node, cluster: Ref) {
    guard leaf.header.widthIndex >= 4, leaf.ref.byteOffset < cluster.byteOffset else { return }
    (distance, widthIndex) = (cluster.byteOffset - leaf.ref.byteOffset - 8, leaf.header.widthIndex)
  }
}
