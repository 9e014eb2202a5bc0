package import RealmStorage

/// Objects of one table in some order, to be sorted, made distinct and cut; in the end `keys()`.
///
/// The stages of Q13 are methods, called in the order in which they are written there. Valid while the snapshot is.
package struct RowOrder {
  let space: NodeSpace
  /// Asked at every leaf and, where keys are moved about, for every few thousand of them; members throw `.interrupted`.
  let cancellation: Cancellation?
  var clusters: [Cluster]
  /// Cluster << 8 | row.
  var places: [UInt32]
  /// The places ascend without repetition.
  var isAscending: Bool
  /// The place that came last when the rows were cut for the last time (`TableScan.firstRows`).
  var last: UInt32?

  package init(_ space: NodeSpace, _ cancellation: Cancellation? = nil) {
    (self.space, self.cancellation, clusters, places, isAscending) = (space, cancellation, [], [], true)
  }

  /// The matches of a scan, in key order.
  package init(_ scan: TableScan) throws(StorageError) {
    var order = RowOrder(scan.table.group.space, scan.cancellation)
    try scan.forEachBatch { (batch, masks) throws(StorageError) in
      try order.append(batch, masks)
      return true
    }
    self = order
  }

  /// Objects by key, in this order; an object may come more than once. Keys without object are left out.
  package init(_ table: Table, _ keys: [ObjectKey], _ cancellation: Cancellation? = nil) throws(StorageError) {
    self.init(table.group.space, cancellation)
    isAscending = false
    var known: [UInt64: Int] = [:]
    var last: (index: Int, cluster: Cluster)?
    for (position, key) in keys.enumerated() where key.rawValue >= 0 {
      if position & 255 == 0 { try cancellation?.check() }
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

  mutating func append(_ batch: ClusterBatch, _ masks: [RowMask]) throws(StorageError) {
    for index in masks.indices where !masks[index].isEmpty {
      try cancellation?.check()
      let base = UInt32(clusters.count) << 8
      clusters.append(batch.clusters[index])
      masks[index].forEach { places.append(base | UInt32(truncatingIfNeeded: $0)) }
    }
  }

  package var count: Int { places.count }

  func key(_ place: UInt32) -> ObjectKey { clusters[Int(place >> 8)].key(Int(place & 0xFF)) }

  package func keys() throws(StorageError) -> KeySequence {
    var result = KeySequence(isInKeyOrder: isAscending)
    var begin = 0
    while begin < places.count {
      try cancellation?.check()
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
  mutating func take(_ positions: [UInt32]) throws(StorageError) {
    var taken: [UInt32] = []
    taken.reserveCapacity(positions.count)
    let places = places
    for begin in stride(from: 0, to: positions.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, positions.count)
      for position in positions[block] { taken.append(places[Int(position)]) }
    }
    self.places = taken
    isAscending = false
  }

  /// SORT: stable, the first column decides.
  package mutating func sort(by columns: [OrderColumn]) throws(StorageError) {
    for column in columns.reversed() {
      let order = try order(column, isAscending: column.isAscending)
      try take(column.isAscending ? order.nulls + order.values + order.missing : order.missing + order.values + order.nulls)
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
      for begin in stride(from: 0, to: combined.count, by: Cancellation.blockSize) {
        let block = try cancellation.block(begin, combined.count)
        for position in block where combined[position] >= 0 {
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
    }
    var seen = [Bool](repeating: false, count: places.count + 1)
    var kept: [UInt32] = []
    let places = places
    for begin in stride(from: 0, to: combined.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, combined.count)
      for position in block where combined[position] >= 0 && !seen[Int(combined[position])] {
        seen[Int(combined[position])] = true
        kept.append(places[position])
      }
    }
    self.places = kept
  }
}
