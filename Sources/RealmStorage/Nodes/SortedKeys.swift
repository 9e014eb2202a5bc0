extension [ObjectKey] {
  /// The keys ascending, each once.
  /// - Throws: `.interrupted`.
  package func sortedUnique(_ cancellation: Cancellation?) throws(StorageError) -> [ObjectKey] {
    var ascends = true
    try cancellation.inBlocks(0..<Swift.max(count - 1, 0)) { block in
      if ascends { for index in block where self[index] >= self[index + 1] { ascends = false } }
    }
    if ascends { return self }
    var numbers: [UInt64] = []
    numbers.reserveCapacity(count)
    // In the order of the signed keys.
    try cancellation.inBlocks(0..<count) { block in
      for key in self[block] { numbers.append(UInt64(bitPattern: key.rawValue) ^ 1 << 63) }
    }
    try sortPacked(&numbers, lowestBit: 0, cancellation)
    var result: [ObjectKey] = []
    result.reserveCapacity(count)
    try cancellation.inBlocks(0..<count) { block in
      for index in block {
        let key = ObjectKey(Int64(bitPattern: numbers[index] ^ 1 << 63))
        if key != result.last { result.append(key) }
      }
    }
    return result
  }
}
