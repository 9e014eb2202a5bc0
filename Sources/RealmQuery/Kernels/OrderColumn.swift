package import RealmStorage

/// What rows are sorted by or made distinct by.
package struct OrderColumn {
  package enum Source {
    case column(LeafColumn)
    /// A path over to-one links that ends at `column` of the last target.
    case linked([(link: LeafColumn, target: Table)], LeafColumn)
    /// Anything else; nil says that a link on the way is null.
    case computed((ObjectKey, Cancellation?) throws(StorageError) -> Value?)
  }
  package let source: Source
  package let isAscending: Bool

  package init(_ source: Source, isAscending: Bool = true) { (self.source, self.isAscending) = (source, isAscending) }
  package init(_ column: ColumnDescription, isAscending: Bool = true) { self.init(.column(LeafColumn(column)), isAscending: isAscending) }
}

/// Positions of rows in the order of one column.
struct ColumnOrder {
  /// Stable; NaNs included.
  var values: [UInt32] = []
  var nulls: [UInt32] = []
  /// Rows with a null link on the path.
  var missing: [UInt32] = []
}

/// How sort keys and positions share 64 bits: the distance from the smallest (or, descending, the largest) key above, the position below.
struct Packing {
  let isAscending: Bool
  let positionBits: Int
  let positionMask: UInt64
  private let low: UInt64
  private let high: UInt64
  private let drop: UInt64
  /// Keys that differ may be packed alike.
  var dropsBits: Bool { drop > 0 }

  init(_ keys: SortKeys, _ isAscending: Bool, _ cancellation: Cancellation?) throws(StorageError) {
    self.isAscending = isAscending
    positionBits = Int.bitWidth - max(keys.keys.count - 1, 1).leadingZeroBitCount
    positionMask = 1 << UInt64(positionBits) - 1
    var (low, high) = (UInt64.max, UInt64.min)
    try Self.forEachNumber(keys, cancellation) { _, key in
      low = min(low, key)
      high = max(high, key)
    }
    (self.low, self.high) = (low, high)
    let keyBits = low > high ? 0 : 64 - (high - low).leadingZeroBitCount
    drop = UInt64(max(0, keyBits + positionBits - 64))
  }

  /// Positions ascend.
  func items(_ keys: SortKeys, _ cancellation: Cancellation?) throws(StorageError) -> [UInt64] {
    var items: [UInt64] = []
    items.reserveCapacity(keys.keys.count)
    let shift = UInt64(positionBits)
    if isAscending {
      try Self.forEachNumber(keys, cancellation) { position, key in
        items.append(((key &- low) &>> drop) &<< shift | UInt64(truncatingIfNeeded: position))
      }
    } else {
      try Self.forEachNumber(keys, cancellation) { position, key in
        items.append(((high &- key) &>> drop) &<< shift | UInt64(truncatingIfNeeded: position))
      }
    }
    return items
  }

  /// Rows that are neither null nor NaN.
  @inline(__always) private static func forEachNumber(
    _ keys: SortKeys, _ cancellation: Cancellation?, _ body: (Int, UInt64) -> Void
  ) throws(StorageError) {
    if keys.nulls.isEmpty && keys.notNumbers.isEmpty {
      for begin in stride(from: 0, to: keys.keys.count, by: Cancellation.blockSize) {
        let block = try cancellation.block(begin, keys.keys.count)
        for position in block { body(position, keys.keys[position]) }
      }
      return
    }
    var all = keys.nulls + keys.notNumbers
    try all.sort(cancellation, by: <)
    var skipped = all[...]
    for begin in stride(from: 0, to: keys.keys.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, keys.keys.count)
      for position in block {
        if let next = skipped.first, Int(next) == position { skipped.removeFirst() } else { body(position, keys.keys[position]) }
      }
    }
  }
}
