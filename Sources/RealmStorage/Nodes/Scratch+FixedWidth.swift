// Arrays of 4, 8 or 16 bytes per element (scheme 1): what Float, Double and Decimal128 leaves have in common.

/// The bits of one element; `high` matters only at width 16.
struct ElementBits {
  let low: UInt64
  let high: UInt64
  @inline(__always) init(_ low: UInt64, high: UInt64 = 0) { (self.low, self.high) = (low, high) }
}

extension Scratch {
  /// A new array of `count` equal elements of the given width.
  func createFixedWidth(count: Int, _ bits: ElementBits, widthIndex: UInt32) throws(StorageError) -> Ref {
    let width = (1 << Int(widthIndex)) >> 1
    let ref = try createBytes(scheme: .bytes, widthIndex: widthIndex, count: count, byteCount: count * width)
    if bits.low != 0 || bits.high != 0 {
      for index in 0..<count { storeFixedWidth(ref, index, bits) }
    }
    return ref
  }

  /// Replaces element `index`, which must exist, of a writable array.
  @inline(__always) func storeFixedWidth(_ ref: Ref, _ index: Int, _ bits: ElementBits) {
    let place = unsafe payload(ref)
    switch header(ref).widthIndex {
    case 3: unsafe place.storeBytes(of: UInt32(truncatingIfNeeded: bits.low), toByteOffset: index << 2, as: UInt32.self)
    case 4: unsafe place.storeBytes(of: bits.low, toByteOffset: index << 3, as: UInt64.self)
    case 5:
      unsafe place.storeBytes(of: bits.low, toByteOffset: index << 4, as: UInt64.self)
      unsafe place.storeBytes(of: bits.high, toByteOffset: index << 4 + 8, as: UInt64.self)
    default: break
    }
  }

  /// Inserts before element `index` of a writable array.
  @inline(__always)
  func insertFixedWidth(_ ref: inout Ref, _ index: Int, _ bits: ElementBits) throws(StorageError) {
    try checkElements(ref, .bytes)
    let header = header(ref)
    let width = header.width
    guard index >= 0, index <= header.count, header.count < NodeHeader.largestCount else {
      throw try space.node(at: ref).missing(index)
    }
    if width > 0 {
      _ = try unsafe openGap(&ref, at: index * width, removing: 0, inserting: width, usedByteCount: header.count * width)
    }
    setHeader(ref, header.with(count: header.count + 1))
    storeFixedWidth(ref, index, bits)
  }

  func removeFixedWidth(_ ref: inout Ref, _ range: Range<Int>) throws(StorageError) {
    try makeWritable(&ref)
    try checkElements(ref, .bytes)
    let header = header(ref)
    let width = header.width
    guard range.lowerBound >= 0, range.upperBound <= header.count else { throw try space.node(at: ref).missing(range.upperBound - 1) }
    _ = try unsafe openGap(
      &ref, at: range.lowerBound * width, removing: range.count * width, inserting: 0, usedByteCount: header.count * width)
    setHeader(ref, header.with(count: header.count - range.count))
  }

  /// Moves the elements from `index` on to a new array of the same width.
  func splitFixedWidth(_ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try makeWritable(&ref)
    try checkElements(ref, .bytes)
    let header = header(ref)
    let width = header.width
    guard index >= 0, index <= header.count else { throw try space.node(at: ref).missing(index) }
    let tailCount = header.count - index
    let tail = try createBytes(
      scheme: .bytes, widthIndex: header.widthIndex, count: tailCount, byteCount: tailCount * width, flags: header.flags)
    unsafe payload(tail).copyMemory(from: payload(ref) + index * width, byteCount: tailCount * width)
    setHeader(ref, header.with(count: index))
    return tail
  }
}
