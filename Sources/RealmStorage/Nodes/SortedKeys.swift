extension [ObjectKey] {
  /// The keys ascending, each once.
  /// - Throws: `.interrupted`.
  package func sortedUnique(_ cancellation: Cancellation?) throws(StorageError) -> [ObjectKey] {
    var ascends = true
    for begin in stride(from: 0, to: Swift.max(count - 1, 0), by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, Swift.max(count - 1, 0))
      if ascends { for index in block where self[index] >= self[index + 1] { ascends = false } }
    }
    if ascends { return self }
    var numbers: [UInt64] = []
    numbers.reserveCapacity(count)
    // In the order of the signed keys.
    for begin in stride(from: 0, to: count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, count)
      for key in self[block] { numbers.append(UInt64(bitPattern: key.rawValue) ^ 1 << 63) }
    }
    try sortPacked(&numbers, lowestBit: 0, cancellation)
    var result: [ObjectKey] = []
    result.reserveCapacity(count)
    for begin in stride(from: 0, to: count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, count)
      for index in block {
        let key = ObjectKey(Int64(bitPattern: numbers[index] ^ 1 << 63))
        if key != result.last { result.append(key) }
      }
    }
    return result
  }
}
