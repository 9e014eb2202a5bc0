/// Finds a pattern in a block of bytes, eight places at a time: two of its bytes are compared at every place, and all of it where both fit.
struct TextSearch: Sendable {
  let pattern: TextPattern
  /// Offsets of the two bytes in the pattern; the same if it has one byte only.
  private var first = 0
  private var second = 0

  /// - Parameter pattern: not empty.
  init(_ pattern: TextPattern) {
    self.pattern = pattern
    second = pattern.count - 1
  }

  /// Picks the two bytes of the pattern that are rarest in a sample of the text.
  mutating func adapt(to sample: UnsafeRawBufferPointer) {
    var frequencies = [Int](repeating: 0, count: 256)
    for index in 0..<sample.count { frequencies[Int(unsafe sample[index])] += 1 }
    func frequency(_ index: Int) -> Int {
      let byte = pattern.bytes[index]
      return pattern.masks[index] == 0 ? frequencies[Int(byte)] : frequencies[Int(byte)] + frequencies[Int(byte & ~CaseFolding.bit)]
    }
    let order = (0..<pattern.count).sorted { frequency($0) < frequency($1) }
    first = order[0]
    second = order.count > 1 ? order[1] : order[0]
  }

  /// The place of the first occurrence that begins at or after `start` and ends inside the block.
  @inline(__always)
  func find(in block: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = block.baseAddress else { return nil }
    let lastPlace = block.count &- pattern.count
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (firstByte, firstMask) = (UInt64(pattern.bytes[first]) &* ones, UInt64(pattern.masks[first]) &* ones)
    let (secondByte, secondMask) = (UInt64(pattern.bytes[second]) &* ones, UInt64(pattern.masks[second]) &* ones)
    // Eight bytes behind the larger offset lie in the block up to this place.
    let lastWide = block.count &- max(first, second) &- 8
    var place = start
    while place <= lastWide {
      let a = unsafe base.loadUnaligned(fromByteOffset: place &+ first, as: UInt64.self)
      let b = unsafe base.loadUnaligned(fromByteOffset: place &+ second, as: UInt64.self)
      let difference = ((a | firstMask) ^ firstByte) | ((b | secondMask) ^ secondByte)
      // The top bit of every byte that is zero; above such a byte there may be false ones.
      var zeros = (difference &- ones) & ~difference & 0x8080_8080_8080_8080
      while zeros != 0 {
        let candidate = place &+ zeros.trailingZeroBitCount &>> 3
        if candidate <= lastPlace, unsafe pattern.fits(base + candidate) { return candidate }
        zeros &= zeros &- 1
      }
      place &+= 8
    }
    while place <= lastPlace {
      if unsafe pattern.fits(base + place) { return place }
      place &+= 1
    }
    return nil
  }
}
