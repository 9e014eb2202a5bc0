// Searching sorted integer arrays, specialised for the width of the node.

extension Node {
  /// The number of elements of this ascending unsigned array (F2.4) that are `<= value`, looking at the first `count` only.
  @inline(__always) package func countNotAbove(unsigned value: UInt64) -> Int {
    switch header.widthIndex {
    case 4: unsafe upperBound(payload, count, UInt8(clamping: value), isAbove: value > 0xFF)
    case 5: unsafe upperBound(payload, count, UInt16(clamping: value), isAbove: value > 0xFFFF)
    case 6: unsafe upperBound(payload, count, UInt32(clamping: value), isAbove: value > 0xFFFF_FFFF)
    case 7: unsafe upperBound(payload, count, value, isAbove: false)
    default: slowCountNotAbove(unsigned: value)
    }
  }

  /// Widths below 8 do not occur in valid files; read them anyway.
  @inline(never) private func slowCountNotAbove(unsigned value: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) >> 1
      if unsignedElement(unchecked: middle) <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The index of `value` in this ascending unsigned array.
  @inline(__always) package func index(ofUnsigned value: UInt64) -> Int? {
    let above = countNotAbove(unsigned: value)
    return above > 0 && unsignedElement(unchecked: above - 1) == value ? above - 1 : nil
  }

  /// The number of elements of this ascending signed array that are `< value`.
  package func countBelow(signed value: Int64) -> Int {
    switch header.widthIndex {
    case 5: return unsafe lowerBound(payload, count, value, Int16.self)
    case 6: return unsafe lowerBound(payload, count, value, Int32.self)
    case 7: return unsafe lowerBound(payload, count, value, Int64.self)
    default:
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) >> 1
        if element(unchecked: middle) < value { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// Element `index` of an array that is 32 bits wide; the caller guarantees the width and `0 <= index < count`.
  @inline(__always) func int32(unchecked index: Int) -> Int32 {
    assert(index >= 0 && index < count && header.widthIndex == 6 && header.schemeBits == 0)
    return unsafe payload.load(fromByteOffset: index << 2, as: Int32.self)
  }

  /// The number of elements of this ascending signed array that are `< value`; the caller guarantees that it is 32 bits wide.
  ///
  /// Starts where `value` would be if the elements were spread evenly: most searches touch a line or two of memory, none more than twice
  /// as many as halving would.
  /// - Parameters:
  ///   - first: the first element as the caller knows it, or any other number: only the speed depends on it.
  ///   - last: the same for the last element.
  @inline(__always) func countBelow(int32 value: Int32, first: Int32, last: Int32) -> Int {
    countBelow(int32: value, guess: evenPosition(of: value, first: first, last: last, count: count), end: count)
  }

  /// As above, starting at the element `guess`, which must exist unless there are none.
  /// - Parameter end: the number of elements, from where it was known first.
  @inline(__always) func countBelow(int32 value: Int32, guess: Int, end: Int) -> Int {
    assert(header.widthIndex == 6 && header.schemeBits == 0 && end == count)
    if end <= windowCount { return unsafe lowerBound(payload, end, value) }
    // Nearly always the place is in a window around the guess, whose elements are counted without a branch.
    let start = min(max(guess &- windowCount / 2, 0), end &- windowCount)
    let below = unsafe countBelowInWindow(payload + start << 2, value)
    if below > 0 || start == 0, below < windowCount || start &+ windowCount == end { return start &+ below }
    return countBelow(int32: value, besideWindow: start, isAbove: below > 0)
  }

  /// Looks in the next window, and from there on in ever longer steps.
  @inline(never) private func countBelow(int32 value: Int32, besideWindow old: Int, isAbove: Bool) -> Int {
    let end = count
    let start = isAbove ? min(old &+ windowCount, end &- windowCount) : max(old &- windowCount, 0)
    let below = unsafe countBelowInWindow(payload + start << 2, value)
    if below > 0 || start == 0, below < windowCount || start &+ windowCount == end { return start &+ below }
    let middle = isAbove ? start &+ windowCount &- 1 : start
    // Elements before `low` are below; those from `high` on are not.
    var (low, high) = (0, end)
    var step = 8
    if int32(unchecked: middle) < value {
      low = middle &+ 1
      while low &+ step <= high {
        if int32(unchecked: low &+ step &- 1) >= value {
          high = low &+ step &- 1
          break
        }
        low &+= step
        step &*= 2
      }
    } else {
      high = middle
      while high &- step >= low {
        if int32(unchecked: high &- step) < value {
          low = high &- step &+ 1
          break
        }
        high &-= step
        step &*= 2
      }
    }
    return unsafe low &+ lowerBound(payload + low << 2, high &- low, value)
  }

  /// As above, where the ends are not known.
  @inline(__always) func countBelow(int32 value: Int32) -> Int {
    countBelow(int32: value, first: count == 0 ? 0 : int32(unchecked: 0), last: count == 0 ? 0 : int32(unchecked: count - 1))
  }

  /// The first index at or after `start` whose element equals `value` in an array without order.
  package func firstIndex(of value: Int64, from start: Int = 0) -> Int? {
    if start >= count || NodeHeader.widthIndex(signed: value) > header.widthIndex { return nil }
    switch header.widthIndex {
    case 0: return start
    case 7: return firstIndex(ofWord: value, from: start)
    default: return firstIndex(ofField: value, from: start)
    }
  }

  private func firstIndex(ofWord value: Int64, from start: Int) -> Int? {
    var index = start
    while index < count {
      if number(unchecked: index &<< 3, as: Int64.self) == value { return index }
      index &+= 1
    }
    return nil
  }

  /// Compares all fields of a word at once: where they are equal, the difference to the pattern is zero.
  private func firstIndex(ofField value: Int64, from start: Int) -> Int? {
    // A field has 1 << shift bits. Divisions would take longer than short arrays do.
    let shift = Int(header.widthIndex) &- 1
    let width = UInt64(truncatingIfNeeded: 1 &<< shift)
    let ones: UInt64 =
      switch shift {
      case 0: .max
      case 1: 0x5555_5555_5555_5555
      case 2: 0x1111_1111_1111_1111
      case 3: 0x0101_0101_0101_0101
      case 4: 0x0001_0001_0001_0001
      default: 0x0000_0001_0000_0001
      }
    let tops = ones &<< (width &- 1)
    let pattern = (UInt64(bitPattern: value) & (.max &>> (64 &- width))) &* ones
    /// The top bit of the first field that is equal, and perhaps of some above it.
    @inline(__always) func equal(_ word: UInt64) -> UInt64 {
      let difference = word ^ pattern
      return (difference &- ones) & ~difference & tops
    }
    @inline(__always) func word(_ index: Int) -> UInt64 { number(unchecked: index &<< 3, as: UInt64.self) }

    let wordCount = (count &<< shift &+ 63) &>> 6
    var index = (start &<< shift) &>> 6
    // Fields below `start` are made unequal.
    let below = (1 as UInt64 &<< UInt64(truncatingIfNeeded: (start &<< shift) & 63)) &- 1
    var found = equal((word(index) & ~below) | (~pattern & below))
    while found == 0 {
      index &+= 1
      while index &+ 4 <= wordCount, equal(word(index)) | equal(word(index &+ 1)) | equal(word(index &+ 2)) | equal(word(index &+ 3)) == 0 {
        index &+= 4
      }
      if index >= wordCount { return nil }
      found = equal(word(index))
    }
    // Behind the last element there may be anything.
    let result = (index &<< 6 &+ found.trailingZeroBitCount) &>> shift
    return result < count ? result : nil
  }
}

@inline(__always)
private func upperBound<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
  _ payload: UnsafeRawPointer, _ count: Int, _ value: T, isAbove: Bool
) -> Int {
  if isAbove { return count }
  // Branch-free halving: `low` is the number of elements known to be <= value.
  var low = 0
  var length = count
  while length > 1 {
    let half = length >> 1
    let probe = unsafe payload.load(fromByteOffset: (low &+ half &- 1) &* MemoryLayout<T>.size, as: T.self)
    low = probe <= value ? low &+ half : low
    length &-= half
  }
  if length == 1, unsafe payload.load(fromByteOffset: low &* MemoryLayout<T>.size, as: T.self) <= value { low &+= 1 }
  return low
}

/// The number of elements `< value`, by branch-free halving.
@inline(__always) private func lowerBound(_ payload: UnsafeRawPointer, _ count: Int, _ value: Int32) -> Int {
  // The first `low` elements are known to be below.
  var low = 0
  var length = count
  while length > 1 {
    let half = length >> 1
    let probe = unsafe payload.load(fromByteOffset: (low &+ half &- 1) << 2, as: Int32.self)
    low = probe < value ? low &+ half : low
    length &-= half
  }
  if length == 1, unsafe payload.load(fromByteOffset: low << 2, as: Int32.self) < value { low &+= 1 }
  return low
}

@inline(__always)
private func lowerBound<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
  _ payload: UnsafeRawPointer, _ count: Int, _ value: Int64, _ type: T.Type
) -> Int {
  var low = 0
  var length = count
  while length > 1 {
    let half = length >> 1
    let probe = Int64(truncatingIfNeeded: unsafe payload.load(fromByteOffset: (low &+ half &- 1) &* MemoryLayout<T>.size, as: T.self))
    low = probe < value ? low &+ half : low
    length &-= half
  }
  if length == 1, Int64(truncatingIfNeeded: unsafe payload.load(fromByteOffset: low &* MemoryLayout<T>.size, as: T.self)) < value { low &+= 1 }
  return low
}

/// How many elements a search in 32-bit integers compares at once.
private let windowCount = 32

/// How many of the 32 elements at `place` are `< value`.
@inline(__always) private func countBelowInWindow(_ place: UnsafeRawPointer, _ value: Int32) -> Int {
  let pattern = SIMD16<Int32>(repeating: value)
  let (zero, one) = (SIMD16<Int32>(repeating: 0), SIMD16<Int32>(repeating: 1))
  let left = unsafe place.loadUnaligned(as: SIMD16<Int32>.self)
  let right = unsafe place.loadUnaligned(fromByteOffset: 64, as: SIMD16<Int32>.self)
  let sum = zero.replacing(with: one, where: left .< pattern) &+ zero.replacing(with: one, where: right .< pattern)
  let half = sum.lowHalf &+ sum.highHalf
  let quarter = half.lowHalf &+ half.highHalf
  let pair = quarter.lowHalf &+ quarter.highHalf
  return Int(pair[0] &+ pair[1])
}

/// Where `value` would be among `count` elements that are spread evenly from `first` to `last`; 0 if there are none.
@inline(__always) func evenPosition(of value: Int32, first: Int32, last: Int32, count: Int) -> Int {
  if value <= first { return 0 }
  if value >= last { return max(count &- 1, 0) }
  // first < value < last: the quotient is less than count - 1, and below 2^56.
  let numerator = UInt64(UInt32(bitPattern: value &- first)) &* UInt64(truncatingIfNeeded: count &- 1)
  return Int(truncatingIfNeeded: numerator / UInt64(UInt32(bitPattern: last &- first)))
}
