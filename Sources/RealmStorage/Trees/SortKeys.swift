/// What rows are sorted by: one unsigned number for each row, in the order of the values, and the rows whose value has none.
///
/// Where values do not fit into 64 bits, equal keys mean only that the values have to be compared: `isExact` is false then.
package struct SortKeys {
  /// By position: the order in which rows were appended. Zero for rows without number.
  package var keys: [UInt64] = []
  /// Positions of nulls, ascending.
  package var nulls: [UInt32] = []
  /// Positions of NaNs of floating-point columns, ascending; they come after the nulls, among themselves by their bits, which `keys` holds.
  package var notNumbers: [UInt32] = []
  package var isExact = true
  /// Text: what all values begin with and the keys leave out.
  package private(set) var prefix: [UInt8] = []
  /// A text did not begin with `prefix`: the keys are worthless, and all have to be made again with this one.
  package private(set) var shorterPrefix: [UInt8]?

  package init(prefix: [UInt8] = []) { self.prefix = prefix }

  package mutating func reserve(_ count: Int) { keys.reserveCapacity(count) }
  /// A row whose value only comparisons can order.
  package mutating func append(undecided value: Value) {
    isExact = false
    if case .null = value { appendNull() } else { keys.append(0) }
  }
  /// A row whose value is known to have this rank; nil is null.
  package mutating func append(rank: UInt64?) {
    if let rank { keys.append(rank) } else { appendNull() }
  }

  @inline(__always) mutating func append(_ key: UInt64) { keys.append(key) }
  @inline(__always) mutating func appendNull() {
    nulls.append(UInt32(truncatingIfNeeded: keys.count))
    keys.append(0)
  }
  @inline(__always) mutating func append(integer: Int64) { keys.append(UInt64(bitPattern: integer) ^ 1 << 63) }

  @inline(__always) mutating func append(_ number: Double) {
    if number.isNaN {
      notNumbers.append(UInt32(truncatingIfNeeded: keys.count))
      keys.append(number.bitPattern)
      return
    }
    // Adding zero turns -0 into 0.
    let bits = (number + 0).bitPattern
    let isNegative = UInt64(bitPattern: Int64(bitPattern: bits) &>> 63)
    keys.append(bits ^ (isNegative | 1 << 63))
  }

  mutating func append(_ timestamp: Timestamp) {
    // Within these seconds, which is until the year 2261, the nanoseconds since 1970 fit.
    let limit: Int64 = 9_200_000_000
    let seconds = max(-limit, min(limit, timestamp.seconds))
    if seconds != timestamp.seconds { isExact = false }
    append(integer: seconds * 1_000_000_000 + (seconds == timestamp.seconds ? Int64(timestamp.nanoseconds) : 0))
  }

  /// Sign, decimal magnitude and the first 14 digits.
  mutating func append(_ decimal: Decimal128) {
    if decimal.isNaN {
      isExact = false
      return keys.append(0)
    }
    var magnitude: UInt64 = 0
    if !decimal.isFinite {
      magnitude = ~0 >> 2
    } else {
      let coefficient = decimal.coefficient
      if coefficient != 0 {
        let digitCount = PowersOfTen.digitCount(coefficient)
        var leading: UInt64
        if digitCount <= 14 {
          leading = UInt64(truncatingIfNeeded: coefficient) &* UInt64(truncatingIfNeeded: PowersOfTen[14 - digitCount])
        } else {
          leading = UInt64(truncatingIfNeeded: coefficient / PowersOfTen[digitCount - 14])
          isExact = false
        }
        leading = min(leading, 1 << 47 - 1)
        magnitude = UInt64(digitCount + decimal.exponent + 6200) << 47 | leading
      }
    }
    keys.append(decimal.isNegative ? 1 << 63 - magnitude : 1 << 63 + magnitude)
  }

  /// The eight bytes behind the common prefix; shorter texts end in zeros.
  @inline(__always) mutating func append(_ text: UnsafeRawBufferPointer) {
    let skip = prefix.count
    if skip > 0 {
      var common = 0
      while common < skip && common < text.count, unsafe text[common] == prefix[common] { common &+= 1 }
      if common < skip {
        if shorterPrefix.map({ $0.count > common }) ?? true { shorterPrefix = Array(prefix[..<common]) }
        return keys.append(0)
      }
    }
    let rest = text.count &- skip
    if rest >= 8 {
      if rest > 8 { isExact = false }
      return keys.append(UInt64(bigEndian: unsafe text.loadUnaligned(fromByteOffset: skip, as: UInt64.self)))
    }
    var key: UInt64 = 0
    for index in 0..<rest { key |= UInt64(unsafe text[skip &+ index]) &<< UInt64(truncatingIfNeeded: 56 &- index &* 8) }
    // A zero at the end looks like a shorter text.
    if rest > 0, unsafe text[text.count &- 1] == 0 { isExact = false }
    keys.append(key)
  }
}

extension ClusterBatch {
  /// Appends the keys of the masked rows, ascending.
  package func appendSortKeys(_ column: LeafColumn, _ masks: [RowMask], to keys: inout SortKeys) throws(StorageError) {
    for index in clusters.indices where !masks[index].isEmpty {
      try cancellation?.check()
      let cluster = clusters[index]
      let ref = try cluster.column(column.leafIndex)
      guard try append(column, ref, masks[index], cluster.count, &keys) else { throw Self.tooShort(cluster, column) }
    }
  }

  /// - Returns: false if the leaf is too short.
  private func append(
    _ column: LeafColumn, _ ref: Ref, _ mask: RowMask, _ count: Int, _ keys: inout SortKeys
  ) throws(StorageError) -> Bool {
    switch column.kind {
    case .int:
      let leaf = try space.integers(at: ref)
      guard leaf.count >= count else { return false }
      mask.forEach { keys.append(integer: leaf.element(unchecked: $0)) }
    case .nullableInt:
      let leaf = try NullableIntegerLeaf(space, ref)
      guard leaf.count >= count else { return false }
      mask.forEach { row in
        let number = leaf.node.element(unchecked: row + 1)
        if number == leaf.sentinel { keys.appendNull() } else { keys.append(integer: number) }
      }
    case .bool, .link:
      let leaf = try space.integers(at: ref)
      guard leaf.count >= count else { return false }
      let (low, high): (Int64, Int64) = column.kind == .bool ? (0, 1) : (1, .max)
      mask.forEach { row in
        let number = leaf.element(unchecked: row)
        if number < low || number > high { keys.appendNull() } else { keys.append(integer: number) }
      }
    case .double:
      let leaf = try DoubleLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in if let number = try leaf.number(row) { keys.append(number) } else { keys.appendNull() } }
    case .float:
      let leaf = try FloatLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in
        if let number = try leaf.number(row) { keys.append(Double(number)) } else { keys.appendNull() }
      }
    default: return try appendOthers(column, ref, mask, count, &keys)
    }
    return true
  }

  private func appendOthers(
    _ column: LeafColumn, _ ref: Ref, _ mask: RowMask, _ count: Int, _ keys: inout SortKeys
  ) throws(StorageError) -> Bool {
    switch column.kind {
    case .string:
      let leaf = try StringLeaf(space, ref, enumKeys: column.enumKeys)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in
        if let text = try unsafe leaf.bytes(row) { unsafe keys.append(text) } else { keys.appendNull() }
      }
    case .binary:
      let leaf = try BinaryLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in
        if let bytes = try unsafe leaf.bytes(row) { unsafe keys.append(bytes) } else { keys.appendNull() }
      }
    case .timestamp:
      let leaf = try TimestampLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.timestamp(row) { keys.append(value) } else { keys.appendNull() } }
    case .decimal:
      let leaf = try DecimalLeaf(space, ref)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.decimal(row) { keys.append(value) } else { keys.appendNull() } }
    case .objectID:
      let leaf = try FixedBytesLeaf(space, ref, .objectID)
      guard leaf.count >= count else { return false }
      keys.isExact = false
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.objectID(row) { keys.append(value.high) } else { keys.appendNull() } }
    case .uuid:
      let leaf = try FixedBytesLeaf(space, ref, .uuid)
      guard leaf.count >= count else { return false }
      keys.isExact = false
      try mask.forEach { (row) throws(StorageError) in if let value = try leaf.uuid(row) { keys.append(value.high) } else { keys.appendNull() } }
    default:
      // Mixed and whatever has no number: all values have to be compared.
      let reader = try LeafReader(space, ref, column.kind, enumKeys: column.enumKeys)
      guard reader.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in keys.append(undecided: try reader.value(row)) }
    }
    return true
  }
}

extension Cluster {
  /// The value of a row; what comparisons of rows with equal keys read.
  package func value(_ space: NodeSpace, _ column: LeafColumn, _ row: Int) throws(StorageError) -> Value {
    try LeafReader(space, self.column(column.leafIndex), column.kind, enumKeys: column.enumKeys).value(row)
  }
}
