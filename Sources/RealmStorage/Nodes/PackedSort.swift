/// Sorts unsigned numbers ascending by their bits from `lowestBit` on, keeping the order of those that are equal there.
///
/// Least significant digit first; digits in which all numbers agree cost nothing.
/// - Throws: `.interrupted`; the items are in no order then, and some may be there twice.
package func sortPacked(_ items: inout [UInt64], lowestBit: Int, _ cancellation: Cancellation?) throws(StorageError) {
  let count = items.count
  if count < 2 { return }
  guard count >= 512 else {
    // The bits below are positions, which ascend among equals: sorting by all bits keeps their order.
    return items.sort()
  }
  var varying: UInt64 = 0
  for begin in stride(from: 0, to: count, by: Cancellation.blockSize) {
    let block = try cancellation.block(begin, count)
    for index in block { varying |= items[index] ^ items[0] }
  }
  varying &= ~0 << UInt64(lowestBit)
  guard varying != 0 else { return }
  let (begin, end) = (varying.trailingZeroBitCount, 64 - varying.leadingZeroBitCount)
  // Digits of at most 11 bits, all of about the same length.
  let passCount = (end - begin + 10) / 11
  let digitBits = (end - begin + passCount - 1) / passCount
  var spare = unsafe [UInt64](unsafeUninitializedCapacity: count) { _, initialized in initialized = count }
  var shift = UInt64(begin)
  for _ in 0..<passCount {
    try unsafe items.withUnsafeMutableBufferPointer { (source) throws(StorageError) in
      try unsafe spare.withUnsafeMutableBufferPointer { (target) throws(StorageError) in
        if let from = source.baseAddress, let to = target.baseAddress { try unsafe distribute(from, to, count, shift, digitBits, cancellation) }
      }
    }
    swap(&items, &spare)
    shift += UInt64(digitBits)
  }
}

/// One pass. Both arrays have `count` elements.
private func distribute(
  _ source: UnsafeMutablePointer<UInt64>, _ target: UnsafeMutablePointer<UInt64>, _ count: Int, _ shift: UInt64, _ digitBits: Int,
  _ cancellation: Cancellation?
) throws(StorageError) {
  let (bucketCount, mask) = (1 << digitBits, UInt64(1) << UInt64(digitBits) - 1)
  try unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: bucketCount) { (places) throws(StorageError) in
    // SAFETY: filled here, and indexed by digits below `bucketCount` only; the places are distinct and below `count`.
    unsafe places.initialize(repeating: 0)
    guard let places = places.baseAddress else { return }
    for begin in stride(from: 0, to: count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, count)
      for index in block { unsafe places[Int(truncatingIfNeeded: source[index] &>> shift & mask)] &+= 1 }
    }
    var total: UInt32 = 0
    for digit in 0..<bucketCount {
      let size = unsafe places[digit]
      unsafe places[digit] = total
      total &+= size
    }
    for begin in stride(from: 0, to: count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, count)
      for index in block {
        let item = unsafe source[index]
        let digit = Int(truncatingIfNeeded: item &>> shift & mask)
        let place = unsafe places[digit]
        unsafe target[Int(place)] = item
        unsafe places[digit] = place &+ 1
      }
    }
  }
}
