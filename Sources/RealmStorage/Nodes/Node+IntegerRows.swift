// Conditions on arrays of integers, specialised for the width of the node.

/// The numbers that an array of each width can hold (F2.3): a condition that misses them all need not look at the array.
@inline(__always) private func representable(_ widthIndex: UInt32) -> (low: Int64, high: Int64) {
  switch widthIndex {
  case 0: (0, 0)
  case 1: (0, 1)
  case 2: (0, 3)
  case 3: (0, 15)
  case 4: (-0x80, 0x7F)
  case 5: (-0x8000, 0x7FFF)
  case 6: (-0x8000_0000, 0x7FFF_FFFF)
  default: (.min, .max)
  }
}

extension Node {
  /// The rows among elements `start..<start + count` of this integer array whose number lies in `low...high`.
  /// The caller guarantees the scheme, `count <= 256` and that the elements exist.
  func rows(from low: Int64, through high: Int64, start: Int = 0, count: Int) -> RowMask {
    assert(start >= 0 && count >= 0 && count <= 256 && start + count <= self.count)
    let bounds = representable(header.widthIndex)
    let low = max(low, bounds.low), high = min(high, bounds.high)
    if low > high { return .empty }
    if low == bounds.low && high == bounds.high { return RowMask(first: count) }
    switch header.widthIndex {
    case 1: return packedRows(start, count) { low == 1 ? $0 : ~$0 }
    case 2: return packedRows2(UInt64(low), UInt64(high &- low), start, count)
    case 3: return packedRows4(UInt64(low), UInt64(high &- low), start, count)
    case 4: return unsafe inside(payload + start, count, UInt8(truncatingIfNeeded: low), UInt8(truncatingIfNeeded: high &- low))
    case 5: return unsafe inside(payload + start << 1, count, UInt16(truncatingIfNeeded: low), UInt16(truncatingIfNeeded: high &- low))
    case 6:
      return unsafe inside32(payload + start << 2, count, UInt32(truncatingIfNeeded: low), UInt32(truncatingIfNeeded: high &- low))
    default: return unsafe inside(payload + start << 3, count, UInt64(bitPattern: low), UInt64(bitPattern: high &- low))
    }
  }

  /// How many there are; faster than counting the mask where the width allows.
  func countRows(from low: Int64, through high: Int64, start: Int = 0, count: Int) -> Int {
    assert(start >= 0 && count >= 0 && count <= 256 && start + count <= self.count)
    let bounds = representable(header.widthIndex)
    let low = max(low, bounds.low), high = min(high, bounds.high)
    if low > high { return 0 }
    if low == bounds.low && high == bounds.high { return count }
    switch header.widthIndex {
    case 4: return unsafe countInside(payload + start, count, UInt8(truncatingIfNeeded: low), UInt8(truncatingIfNeeded: high &- low))
    case 5: return unsafe countInside(payload + start << 1, count, UInt16(truncatingIfNeeded: low), UInt16(truncatingIfNeeded: high &- low))
    case 6: return unsafe countInside(payload + start << 2, count, UInt32(truncatingIfNeeded: low), UInt32(truncatingIfNeeded: high &- low))
    default: return rows(from: low, through: high, start: start, count: count).count
    }
  }

  /// 64 bits of the payload from a bit on; zeros behind its end.
  @inline(__always) private func bits(at offset: Int) -> UInt64 {
    let (index, shift) = (offset >> 6, UInt64(offset & 63))
    let wordCount = (byteCount &- 8) >> 3
    if index >= wordCount { return 0 }
    let word = number(unchecked: index << 3, as: UInt64.self) &>> shift
    if shift == 0 || index &+ 1 >= wordCount { return word }
    return word | number(unchecked: index << 3 &+ 8, as: UInt64.self) &<< (64 &- shift)
  }

  @inline(__always) private func packedRows(_ start: Int, _ count: Int, _ test: (UInt64) -> UInt64) -> RowMask {
    RowMask(test(bits(at: start)), test(bits(at: start &+ 64)), test(bits(at: start &+ 128)), test(bits(at: start &+ 192))) & RowMask(first: count)
  }

  private func packedRows2(_ low: UInt64, _ span: UInt64, _ start: Int, _ count: Int) -> RowMask {
    let (lows, spans) = (low &* 0x5555_5555_5555_5555, span &* 0x5555_5555_5555_5555)
    func word(_ row: Int) -> UInt64 {
      if row >= count { return 0 }
      var word: UInt64 = 0
      for half in 0..<2 {
        var x = fieldsInside(bits(at: (start &+ row &+ half &* 32) &* 2), lows, spans, 0xAAAA_AAAA_AAAA_AAAA) &>> 1
        x = (x | x &>> 1) & 0x3333_3333_3333_3333
        x = (x | x &>> 2) & 0x0F0F_0F0F_0F0F_0F0F
        x = (x | x &>> 4) & 0x00FF_00FF_00FF_00FF
        x = (x | x &>> 8) & 0x0000_FFFF_0000_FFFF
        word |= ((x | x &>> 16) & 0xFFFF_FFFF) &<< UInt64(truncatingIfNeeded: half &* 32)
      }
      return word
    }
    return RowMask(word(0), word(64), word(128), word(192)) & RowMask(first: count)
  }

  private func packedRows4(_ low: UInt64, _ span: UInt64, _ start: Int, _ count: Int) -> RowMask {
    let (lows, spans) = (low &* 0x1111_1111_1111_1111, span &* 0x1111_1111_1111_1111)
    func word(_ row: Int) -> UInt64 {
      if row >= count { return 0 }
      var word: UInt64 = 0
      for quarter in 0..<4 {
        var x = fieldsInside(bits(at: (start &+ row &+ quarter &* 16) &* 4), lows, spans, 0x8888_8888_8888_8888) &>> 3
        x = (x | x &>> 3) & 0x0303_0303_0303_0303
        x = (x | x &>> 6) & 0x000F_000F_000F_000F
        x = (x | x &>> 12) & 0x0000_00FF_0000_00FF
        word |= ((x | x &>> 24) & 0xFFFF) &<< UInt64(truncatingIfNeeded: quarter &* 16)
      }
      return word
    }
    return RowMask(word(0), word(64), word(128), word(192)) & RowMask(first: count)
  }
}

/// For a number of fields packed into a word: the top bit of each field (`tops`) where `field - low <= span`, unsigned.
@inline(__always) private func fieldsInside(_ word: UInt64, _ lows: UInt64, _ spans: UInt64, _ tops: UInt64) -> UInt64 {
  let distance = ((word | tops) &- (lows & ~tops)) ^ ((word ^ ~lows) & tops)
  let rest = (spans | tops) &- (distance & ~tops)
  return ((spans & ~distance) | (~(spans ^ distance) & rest)) & tops
}

/// One comparison for every interval: the distance from `low`, unsigned, is at most `span`.
@inline(__always)
private func inside<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
  _ elements: UnsafeRawPointer, _ count: Int, _ low: T, _ span: T
) -> RowMask {
  rowMask(count: count) { row in
    unsafe elements.loadUnaligned(fromByteOffset: row &* MemoryLayout<T>.size, as: T.self) &- low <= span
  }
}

@inline(__always)
private func inside32(_ elements: UnsafeRawPointer, _ count: Int, _ low: UInt32, _ span: UInt32) -> RowMask {
  let (lows, spans) = (SIMD4(repeating: low), SIMD4(repeating: span))
  /// 32 rows.
  @inline(__always) func half(_ start: Int) -> UInt64 {
    var bits = SIMD4<UInt32>()
    var weights = SIMD4<UInt32>(1, 2, 4, 8)
    let end = min(count &- start, 32)
    var row = 0
    while row &+ 4 <= end {
      let lanes = unsafe elements.loadUnaligned(fromByteOffset: (start &+ row) &* 4, as: SIMD4<UInt32>.self)
      bits |= SIMD4<UInt32>().replacing(with: weights, where: (lanes &- lows) .<= spans)
      weights = weights &<< 4
      row &+= 4
    }
    var result = UInt64(bits[0] | bits[1] | bits[2] | bits[3])
    while row < end {
      let number = unsafe elements.loadUnaligned(fromByteOffset: (start &+ row) &* 4, as: UInt32.self)
      if number &- low <= span { result |= 1 &<< UInt64(truncatingIfNeeded: row) }
      row &+= 1
    }
    return result
  }
  return RowMask(half(0) | half(32) &<< 32, half(64) | half(96) &<< 32, half(128) | half(160) &<< 32, half(192) | half(224) &<< 32)
}

/// How many distances from `low` are at most `span`. One function for each width: only operations on concrete vectors become instructions.
private func countInside(_ elements: UnsafeRawPointer, _ count: Int, _ low: UInt8, _ span: UInt8) -> Int {
  let (lows, spans, ones) = (SIMD16(repeating: low), SIMD16(repeating: span), SIMD16<UInt8>(repeating: 1))
  // 256 elements in 16 lanes, at most 16 each.
  var counts = SIMD16<UInt8>(), others = SIMD16<UInt8>()
  var row = 0
  if span == 0 {
    while row &+ 32 <= count {
      let lanes = unsafe elements.loadUnaligned(fromByteOffset: row, as: SIMD16<UInt8>.self)
      let further = unsafe elements.loadUnaligned(fromByteOffset: row &+ 16, as: SIMD16<UInt8>.self)
      counts &+= SIMD16<UInt8>().replacing(with: ones, where: lanes .== lows)
      others &+= SIMD16<UInt8>().replacing(with: ones, where: further .== lows)
      row &+= 32
    }
  } else {
    while row &+ 32 <= count {
      let lanes = unsafe elements.loadUnaligned(fromByteOffset: row, as: SIMD16<UInt8>.self)
      let further = unsafe elements.loadUnaligned(fromByteOffset: row &+ 16, as: SIMD16<UInt8>.self)
      counts &+= SIMD16<UInt8>().replacing(with: ones, where: (lanes &- lows) .<= spans)
      others &+= SIMD16<UInt8>().replacing(with: ones, where: (further &- lows) .<= spans)
      row &+= 32
    }
  }
  counts &+= others
  let pairs = SIMD8<UInt16>(truncatingIfNeeded: counts.lowHalf) &+ SIMD8<UInt16>(truncatingIfNeeded: counts.highHalf)
  var total = 0
  for lane in 0..<8 { total &+= Int(truncatingIfNeeded: pairs[lane]) }
  total &+= unsafe countRest(elements, row, count, low, span)
  return total
}
private func countInside(_ elements: UnsafeRawPointer, _ count: Int, _ low: UInt16, _ span: UInt16) -> Int {
  let (lows, spans, ones) = (SIMD8(repeating: low), SIMD8(repeating: span), SIMD8<UInt16>(repeating: 1))
  var counts = SIMD8<UInt16>()
  var row = 0
  while row &+ 8 <= count {
    let lanes = unsafe elements.loadUnaligned(fromByteOffset: row &* 2, as: SIMD8<UInt16>.self)
    counts &+= SIMD8<UInt16>().replacing(with: ones, where: (lanes &- lows) .<= spans)
    row &+= 8
  }
  var total = 0
  for lane in 0..<8 { total &+= Int(truncatingIfNeeded: counts[lane]) }
  total &+= unsafe countRest(elements, row, count, low, span)
  return total
}
private func countInside(_ elements: UnsafeRawPointer, _ count: Int, _ low: UInt32, _ span: UInt32) -> Int {
  let (lows, spans, ones) = (SIMD4(repeating: low), SIMD4(repeating: span), SIMD4<UInt32>(repeating: 1))
  var counts = SIMD4<UInt32>()
  var row = 0
  while row &+ 4 <= count {
    let lanes = unsafe elements.loadUnaligned(fromByteOffset: row &* 4, as: SIMD4<UInt32>.self)
    counts &+= SIMD4<UInt32>().replacing(with: ones, where: (lanes &- lows) .<= spans)
    row &+= 4
  }
  var total = 0
  for lane in 0..<4 { total &+= Int(truncatingIfNeeded: counts[lane]) }
  total &+= unsafe countRest(elements, row, count, low, span)
  return total
}

@inline(__always)
private func countRest<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
  _ elements: UnsafeRawPointer, _ begin: Int, _ count: Int, _ low: T, _ span: T
) -> Int {
  var total = 0
  for row in begin..<max(begin, count) {
    if unsafe elements.loadUnaligned(fromByteOffset: row &* MemoryLayout<T>.size, as: T.self) &- low <= span { total &+= 1 }
  }
  return total
}

extension Node {
  /// The rows of a leaf of required Ints, Bools or links that satisfy the test.
  /// - Parameter nullThrough: numbers up to this one mean null in a leaf of links (0); `nil` where there is no null below.
  @inline(__always) func rows(_ test: IntegerTest, nullThrough: Int64?, count: Int) -> RowMask {
    var result = rows(from: nullThrough.map { max(test.low, $0 + 1) } ?? test.low, through: test.high, count: count)
    if test.acceptsNull, let nullThrough { result |= rows(from: .min, through: nullThrough, count: count) }
    return test.isNegated ? result.complement(of: count) : result
  }

  /// The same for Bools, where 3 means null.
  func boolRows(_ test: IntegerTest, count: Int) -> RowMask {
    var result = rows(from: max(test.low, 0), through: min(test.high, 1), count: count)
    if test.acceptsNull { result |= rows(from: 2, through: .max, count: count) }
    return test.isNegated ? result.complement(of: count) : result
  }
}
