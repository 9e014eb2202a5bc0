package import RealmStorage

/// Objects of one table in some order, to be sorted, made distinct and cut; in the end `keys()`.
///
/// The stages of `queries.md` section 13 are methods, called in the order in which they are written there. Valid while the snapshot is.
package struct RowOrder {
  let space: NodeSpace
  var clusters: [Cluster]
  /// Cluster << 8 | row.
  var places: [UInt32]
  /// The places ascend without repetition.
  var isAscending: Bool
  /// The place that came last when the rows were cut for the last time (`TableScan.firstRows`).
  var last: UInt32?

  package init(_ space: NodeSpace) { (self.space, clusters, places, isAscending) = (space, [], [], true) }

  /// The matches of a scan, in key order.
  package init(_ scan: TableScan) throws(ScanError) {
    var order = RowOrder(scan.table.group.space)
    try scan.forEachBatch { (batch, masks) throws(StorageError) in
      order.append(batch, masks)
      return true
    }
    self = order
  }

  /// Objects by key, in this order; an object may come more than once. Keys without object are left out.
  package init(_ table: Table, _ keys: [ObjectKey]) throws(StorageError) {
    self.init(table.group.space)
    isAscending = false
    var known: [UInt64: Int] = [:]
    var last: (index: Int, cluster: Cluster)?
    for key in keys where key.rawValue >= 0 {
      let relative = UInt64(bitPattern: key.rawValue)
      if let last, relative >= last.cluster.offset, let row = last.cluster.row(ofRelative: relative &- last.cluster.offset) {
        places.append(UInt32(last.index) << 8 | UInt32(row))
        continue
      }
      guard let (cluster, row) = try table.cluster(of: key) else { continue }
      var index = known[cluster.offset]
      if index == nil {
        index = clusters.count
        known[cluster.offset] = clusters.count
        clusters.append(cluster)
      }
      guard let index else { continue }
      last = (index, cluster)
      places.append(UInt32(index) << 8 | UInt32(row))
    }
  }

  mutating func append(_ batch: ClusterBatch, _ masks: [RowMask]) {
    for index in masks.indices where !masks[index].isEmpty {
      let base = UInt32(clusters.count) << 8
      clusters.append(batch.clusters[index])
      masks[index].forEach { places.append(base | UInt32(truncatingIfNeeded: $0)) }
    }
  }

  package var count: Int { places.count }

  func key(_ place: UInt32) -> ObjectKey { clusters[Int(place >> 8)].key(Int(place & 0xFF)) }

  package func keys() -> KeySequence {
    var result = KeySequence(isInKeyOrder: isAscending)
    var begin = 0
    while begin < places.count {
      let end = min(begin + KeySequence.chunkLimit, places.count)
      result.append(places[begin..<end].map { key($0) })
      begin = end
    }
    return result
  }

  /// LIMIT.
  package mutating func keepFirst(_ count: Int) {
    if places.count > count { places.removeLast(places.count - max(count, 0)) }
  }

  /// Takes the rows at these positions, in this order.
  mutating func take(_ positions: [UInt32]) {
    var taken: [UInt32] = []
    taken.reserveCapacity(positions.count)
    for position in positions { taken.append(places[Int(position)]) }
    places = taken
    isAscending = false
  }

  /// SORT: stable, the first column decides.
  package mutating func sort(by columns: [OrderColumn]) throws(StorageError) {
    for column in columns.reversed() {
      let order = try order(column, isAscending: column.isAscending)
      take(column.isAscending ? order.nulls + order.values + order.missing : order.missing + order.values + order.nulls)
    }
  }

  /// DISTINCT: keeps the first row of each combination of values; rows with a null link on a path are dropped.
  package mutating func keepDistinct(by columns: [OrderColumn]) throws(StorageError) {
    if columns.isEmpty { return }
    // By position: a number for the combination of values; -1 where the row is dropped.
    var combined = [Int32](repeating: 0, count: places.count)
    for (index, column) in columns.enumerated() {
      let codes = try codes(column)
      if index == 0 {
        combined = codes.codes
        continue
      }
      var pairs: [UInt64: Int32] = [:]
      for position in combined.indices where combined[position] >= 0 {
        let code = codes.codes[position]
        if code < 0 {
          combined[position] = -1
          continue
        }
        let pair = UInt64(UInt32(bitPattern: combined[position])) << 32 | UInt64(UInt32(bitPattern: code))
        let next = Int32(truncatingIfNeeded: pairs.count)
        combined[position] = pairs[pair] ?? next
        if combined[position] == next { pairs[pair] = next }
      }
    }
    var seen = [Bool](repeating: false, count: places.count + 1)
    var kept: [UInt32] = []
    for position in combined.indices where combined[position] >= 0 && !seen[Int(combined[position])] {
      seen[Int(combined[position])] = true
      kept.append(places[position])
    }
    places = kept
  }
}
