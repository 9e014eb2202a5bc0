/// Which of the up to 256 rows of a cluster are meant: bit `row & 63` of word `row >> 6`.
///
/// Bits at and above the cluster's number of objects are never set in a mask that a kernel returns.
package struct RowMask: Equatable, Sendable {
  package var word0, word1, word2, word3: UInt64

  @inline(__always) package init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
    (self.word0, self.word1, self.word2, self.word3) = (word0, word1, word2, word3)
  }
  /// The first `count` rows, at most 256.
  @inline(__always) package init(first count: Int) {
    self.init(RowMask.ones(count), RowMask.ones(count &- 64), RowMask.ones(count &- 128), RowMask.ones(count &- 192))
  }
  @inline(__always) private static func ones(_ count: Int) -> UInt64 { count >= 64 ? ~0 : count <= 0 ? 0 : ~(~0 << UInt64(count)) }
  @inline(__always) package init(row: Int) {
    self.init(0, 0, 0, 0)
    insert(row)
  }

  package static let empty = RowMask(0, 0, 0, 0)

  @inline(__always) package var isEmpty: Bool { word0 | word1 | word2 | word3 == 0 }
  /// The number of rows.
  @inline(__always) package var count: Int {
    word0.nonzeroBitCount &+ word1.nonzeroBitCount &+ word2.nonzeroBitCount &+ word3.nonzeroBitCount
  }

  @inline(__always) package func contains(_ row: Int) -> Bool { word(row >> 6) >> UInt64(row & 63) & 1 != 0 }
  @inline(__always) package mutating func insert(_ row: Int) {
    let bit: UInt64 = 1 << UInt64(row & 63)
    switch row >> 6 {
    case 0: word0 |= bit
    case 1: word1 |= bit
    case 2: word2 |= bit
    default: word3 |= bit
    }
  }
  /// Word 0...3.
  @inline(__always) package func word(_ index: Int) -> UInt64 {
    switch index {
    case 0: word0
    case 1: word1
    case 2: word2
    default: word3
    }
  }

  @inline(__always) package static func & (a: RowMask, b: RowMask) -> RowMask {
    RowMask(a.word0 & b.word0, a.word1 & b.word1, a.word2 & b.word2, a.word3 & b.word3)
  }
  @inline(__always) package static func | (a: RowMask, b: RowMask) -> RowMask {
    RowMask(a.word0 | b.word0, a.word1 | b.word1, a.word2 | b.word2, a.word3 | b.word3)
  }
  @inline(__always) package static func &= (a: inout RowMask, b: RowMask) { a = a & b }
  @inline(__always) package static func |= (a: inout RowMask, b: RowMask) { a = a | b }
  /// The rows that are not in `other`.
  @inline(__always) package func subtracting(_ other: RowMask) -> RowMask {
    RowMask(word0 & ~other.word0, word1 & ~other.word1, word2 & ~other.word2, word3 & ~other.word3)
  }
  /// The first `count` rows without these.
  @inline(__always) package func complement(of count: Int) -> RowMask { RowMask(first: count).subtracting(self) }

  /// The lowest row.
  package var first: Int? {
    for index in 0..<4 {
      let bits = word(index)
      if bits != 0 { return index << 6 | bits.trailingZeroBitCount }
    }
    return nil
  }

  /// Calls `body` with every row, ascending.
  @inline(__always) package func forEach<Failure: Error>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<4 {
      var bits = word(index)
      while bits != 0 {
        try body(index << 6 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  /// The rows of this mask that `test` accepts.
  @inline(__always) package func filter<Failure: Error>(_ test: (Int) throws(Failure) -> Bool) throws(Failure) -> RowMask {
    var result = RowMask.empty
    for index in 0..<4 {
      var bits = word(index)
      var kept: UInt64 = 0
      while bits != 0 {
        let lowest = bits & (0 &- bits)
        if try test(index << 6 | bits.trailingZeroBitCount) { kept |= lowest }
        bits ^= lowest
      }
      switch index {
      case 0: result.word0 = kept
      case 1: result.word1 = kept
      case 2: result.word2 = kept
      default: result.word3 = kept
      }
    }
    return result
  }
}

/// Gathers the answers of `test` for rows 0..<count, at most 256, as bytes, which the compiler can vectorise, and packs them into bits.
@inline(__always) func rowMask(count: Int, _ test: (Int) -> Bool) -> RowMask {
  unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { buffer in
    // SAFETY: the buffer has 256 bytes, all of which are written before they are read.
    guard let bytes = buffer.baseAddress else { return .empty }
    for row in 0..<count { unsafe bytes.storeBytes(of: test(row) ? 1 : 0, toByteOffset: row, as: UInt8.self) }
    if count < 256 { unsafe (bytes + count).initializeMemory(as: UInt8.self, repeating: 0, count: 256 - count) }
    return unsafe RowMask(packBits(bytes, 0), packBits(bytes, 64), packBits(bytes, 128), packBits(bytes, 192))
  }
}

/// 64 bytes, each 0 or 1, as the bits of one number.
@inline(__always) private func packBits(_ bytes: UnsafeMutableRawPointer, _ offset: Int) -> UInt64 {
  var word: UInt64 = 0
  for group in 0..<8 {
    let eight = unsafe bytes.load(fromByteOffset: offset &+ group &* 8, as: UInt64.self)
    // Byte i times 2^(7 * (8 - i)) lands on bit 56 + i, and no two products meet.
    word |= ((eight &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(truncatingIfNeeded: group &* 8)
  }
  return word
}
