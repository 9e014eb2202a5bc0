// What is asked of many objects at once: those that are a great part of the table are met by going through its clusters, which costs less than
// descending to each.

extension Table {
  /// The positions of those of some objects that exist, in key order.
  package func positions(of objects: KeySet) throws(StorageError) -> [Int] {
    var positions: [Int] = []
    guard try objects.areMany(among: count()) else {
      for key in objects.ascending() { if let position = try position(of: key) { positions.append(position) } }
      return positions
    }
    var first = 0
    try ClusterTree.forEachCluster(space, state.liveRoot) { (cluster) throws(StorageError) in
      for row in 0..<cluster.count where objects.contains(cluster.key(row)) { positions.append(first + row) }
      first += cluster.count
      return true
    }
    return positions
  }

  /// Finds the objects that link to some others, as far as these exist.
  /// - Parameters:
  ///   - column: of the backlinks.
  ///   - known: those that need not be found.
  ///   - limit: how many there are at all.
  package func addOrigins(
    of objects: KeySet, _ column: ColumnKey, besides known: KeySet, limit: Int, to found: inout KeySet
  ) throws(StorageError) {
    guard try objects.areMany(among: count()) else {
      for key in objects.ascending() where try contains(key) {
        for origin in try backlinks(key, column) where !known.contains(origin) { found.insert(origin) }
      }
      return
    }
    let space = space
    try ClusterTree.forEachCluster(space, state.liveRoot) { (cluster) throws(StorageError) in
      let leaf = try space.refs(at: cluster.column(column.leafIndex))
      for row in 0..<cluster.count where objects.contains(cluster.key(row)) {
        let element = try leaf.element(row)
        if element == 0 { continue }
        for origin in try origins(element) where !known.contains(ObjectKey(origin)) { found.insert(ObjectKey(origin)) }
      }
      return found.count < limit
    }
  }
}
