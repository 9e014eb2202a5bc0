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

  /// The largest number, or 0.
  var largest: UInt32 {
    var result: UInt32 = 0
    for number in self { result = Swift.max(result, number) }
    return result
  }

  /// The first place of the smallest number that is not below the given one.
  func placeOfSmallest(atLeast bound: UInt32) -> Int? {
    var (best, bestStart) = (UInt32.max, -1)
    var start = 0
    while start < count {
      let end = Swift.min(start + 1024, count)
      let distance = smallestDistance(above: bound, start, end)
      if distance < best {
        (best, bestStart) = (distance, start)
        if distance == 0 { break }
      }
      start = end
    }
    // What is below the bound has wrapped around.
    guard bestStart >= 0, best <= UInt32.max - bound else { return nil }
    var place = bestStart
    while self[place] &- bound != best { place += 1 }
    return place
  }

  /// The smallest difference to the bound, modulo 2^32, of some elements.
  private func smallestDistance(above bound: UInt32, _ start: Int, _ end: Int) -> UInt32 {
    let bounds = SIMD16<UInt32>(repeating: bound)
    var low = SIMD16<UInt32>(repeating: .max)
    var index = start
    // SAFETY: sixteen elements before `end`, which the caller takes from this array, exist.
    unsafe withUnsafeBytes { bytes in
      while index + 16 <= end {
        low = pointwiseMin(low, unsafe bytes.loadUnaligned(fromByteOffset: index << 2, as: SIMD16<UInt32>.self) &- bounds)
        index += 16
      }
    }
    var result = low.min()
    while index < end {
      result = Swift.min(result, self[index] &- bound)
      index += 1
    }
    return result
  }
}
