// Searches in unsorted numbers of 32 bits, sixteen at a time.

extension Array<UInt32> {
  /// The first place of a number.
  func firstPlace(of number: UInt32) -> Int? {
    let wanted = SIMD16<UInt32>(repeating: number)
    let whole = count & ~15
    // SAFETY: sixteen elements from a multiple of sixteen below `whole` exist.
    let found = unsafe withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int? in
      var start = 0
      while start < whole {
        let numbers = unsafe bytes.loadUnaligned(fromByteOffset: start << 2, as: SIMD16<UInt32>.self)
        if any(numbers .== wanted) { return start }
        start += 16
      }
      return nil
    }
    var place = found ?? whole
    while place < count {
      if self[place] == number { return place }
      place += 1
    }
    return nil
  }

  /// All bits that some number has. It needs as many as the largest one.
  var union: UInt32 {
    var bits = SIMD16<UInt32>.zero
    var place = 0
    // SAFETY: sixteen elements from `place` on exist.
    unsafe withUnsafeBytes { bytes in
      while place + 16 <= count {
        bits |= unsafe bytes.loadUnaligned(fromByteOffset: place << 2, as: SIMD16<UInt32>.self)
        place += 16
      }
    }
    var result = bits.indices.reduce(0) { $0 | bits[$1] }
    while place < count {
      result |= self[place]
      place += 1
    }
    return result
  }

  /// The first place of the smallest number that is not below the given one. Only numbers below 2^32 - 1 are found.
  func placeOfSmallest(atLeast bound: UInt32) -> Int? {
    // The distance to the bound, what is below it wrapped around, less 2^31: the order of signed numbers, which more processors can compare.
    let bias = Int32(bitPattern: bound ^ 1 << 31)
    var best = Int32(bitPattern: (bound == 0 ? .max : 0 &- bound) ^ 1 << 31)
    var place: Int?
    var start = 0
    // SAFETY: sixteen elements from `start` on exist.
    unsafe withUnsafeBytes { bytes in
      let biases = SIMD16<Int32>(repeating: bias)
      var bests = SIMD16<Int32>(repeating: best)
      while start + 16 <= count && best != .min {
        let distances = unsafe bytes.loadUnaligned(fromByteOffset: start << 2, as: SIMD16<Int32>.self) &- biases
        if any(distances .< bests) {
          (best, place) = (distances.min(), start)
          bests = SIMD16(repeating: best)
        }
        start += 16
      }
    }
    while start < count && best != .min {
      let distance = Int32(bitPattern: self[start]) &- bias
      if distance < best { (best, place) = (distance, start) }
      start += 1
    }
    guard var found = place else { return nil }
    while Int32(bitPattern: self[found]) &- bias != best { found += 1 }
    return found
  }
}
