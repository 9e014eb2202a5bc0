/// A decoded node: where it lies and what its header says. Made only by `NodeSpace.node(at:)`, which has checked that the whole
/// node lies inside the snapshot; so reading any element below `count` stays inside the mapping.
///
/// Valid while the snapshot (or the write transaction) that it came from is.
@safe package struct Node {
  // SAFETY: points at a header whose node was checked against the bounds of the mapping by `NodeSpace`; the mapping outlives the
  // snapshot, and nobody keeps a node longer than that.
  let address: UnsafeRawPointer
  package let ref: Ref
  package let header: NodeHeader

  @inline(__always) init(address: UnsafeRawPointer, ref: Ref, header: NodeHeader) {
    unsafe self.address = address
    self.ref = ref
    self.header = header
  }

  @inline(__always) package var count: Int { header.count }
  @inline(__always) package var byteCount: Int { header.nodeByteCount }
  @inline(__always) var payload: UnsafeRawPointer { unsafe address + 8 }

  // What is called `unchecked` here and below stands only where a check precedes that a second one would repeat: a guard or a loop over
  // `count` in the same function; the initialiser of a leaf with several arrays, which has compared their counts; the guard of
  // `ClusterBatch` that a leaf is as long as its cluster, for the kernels that go through rows. Whoever takes an index from elsewhere says so
  // where it is declared, and who guarantees it. The scheme is that of `NodeSpace.integers`, `refs` or the leaf's initialiser.

  /// Element `index` of an integer node (scheme `bits`): unsigned below 8 bits, signed from 8 on (F2.3).
  /// The caller guarantees the scheme and `0 <= index < count`.
  @inline(__always) package func element(unchecked index: Int) -> Int64 {
    assert(index >= 0 && index < count && header.schemeBits == 0)
    return unsafe readElement(payload, header.widthIndex, index)
  }
  /// The same bits read as an unsigned number; for the arrays of F2.4.
  @inline(__always) package func unsignedElement(unchecked index: Int) -> UInt64 {
    assert(index >= 0 && index < count && header.schemeBits == 0)
    return unsafe readUnsignedElement(payload, header.widthIndex, index)
  }

  /// The same in a ref array, whose width nearly always is 32 bits in a file and 64 in scratch memory.
  @inline(__always) func slot(unchecked index: Int) -> Int64 {
    assert(index >= 0 && index < count && header.schemeBits == 0)
    if header.widthIndex == 6 { return Int64(unsafe payload.load(fromByteOffset: index << 2, as: Int32.self)) }
    if header.widthIndex == 7 { return unsafe payload.load(fromByteOffset: index << 3, as: Int64.self) }
    return narrowElement(index)
  }
  @inline(never) private func narrowElement(_ index: Int) -> Int64 { unsafe readElement(payload, header.widthIndex, index) }

  /// - Throws: `.corruptNode` if there is no such element.
  @inline(__always) package func element(_ index: Int) throws(StorageError) -> Int64 {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw missing(index) }
    return element(unchecked: index)
  }
  @inline(__always) package func unsignedElement(_ index: Int) throws(StorageError) -> UInt64 {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw missing(index) }
    return unsignedElement(unchecked: index)
  }
  /// Slot `index` of a ref array as a ref; null if the slot is 0 or does not exist.
  /// - Throws: `.corruptNode` if the slot holds a tagged integer.
  @inline(__always) package func child(_ index: Int) throws(StorageError) -> Ref {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return .null }
    let value = slot(unchecked: index)
    guard value & 1 == 0 else { throw notARef(index, value) }
    return Ref(element: value)
  }
  @inline(never) private func notARef(_ index: Int, _ value: Int64) -> StorageError {
    .corruptNode(ref: ref, reason: "slot \(index) holds the tagged integer \(value >> 1), not a ref")
  }
  /// Slot `index` of a ref array as a tagged integer; nil if the slot is 0 or does not exist.
  /// - Throws: `.corruptNode` if the slot holds a ref.
  package func tagged(_ index: Int) throws(StorageError) -> UInt64? {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
    let value = element(unchecked: index)
    if value == 0 { return nil }
    guard value & 1 == 1 else { throw .corruptNode(ref: ref, reason: "slot \(index) holds a ref, not a tagged integer") }
    return UInt64(bitPattern: value) >> 1
  }

  /// Byte `index` of the payload; the caller guarantees that it lies inside.
  @inline(__always) package func byte(unchecked index: Int) -> UInt8 {
    assert(index >= 0 && index < byteCount - 8)
    return unsafe payload.load(fromByteOffset: index, as: UInt8.self)
  }
  /// A little-endian number at byte `offset` of the payload; the caller guarantees that it lies inside.
  @inline(__always) func number<T: FixedWidthInteger & BitwiseCopyable>(unchecked offset: Int, as type: T.Type) -> T {
    assert(offset >= 0 && offset + MemoryLayout<T>.size <= byteCount - 8)
    return unsafe payload.loadUnaligned(fromByteOffset: offset, as: type)
  }
  /// Copies `range` of the payload; the caller guarantees that it lies inside.
  package func bytes(unchecked range: Range<Int>) -> [UInt8] {
    assert(range.lowerBound >= 0 && range.upperBound <= byteCount - 8)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: payload + range.lowerBound, count: range.count))
  }
  /// Lends `range` of the payload; the caller guarantees that it lies inside.
  @inline(__always) func buffer(unchecked range: Range<Int>) -> UnsafeRawBufferPointer {
    assert(range.lowerBound >= 0 && range.upperBound <= byteCount - 8)
    return unsafe UnsafeRawBufferPointer(start: payload + range.lowerBound, count: range.count)
  }

  /// A mixture of one word of every line of memory of a node that has few of them, for reading ahead. Of longer nodes the processor fetches the lines by
  /// itself as soon as some were read, and 32 of them together do not fit into its first cache.
  @inline(__always) func sample() -> UInt64 {
    var sum: UInt64 = 0
    var offset = 0
    let end = byteCount <= Self.sampledByteLimit ? byteCount : 0
    while offset < end {
      sum ^= unsafe address.load(fromByteOffset: offset, as: UInt64.self)
      offset &+= 64
    }
    return sum
  }
  private static let sampledByteLimit = 1536

  // Out of line: what only damaged files need must not swell the code of every access.
  @inline(never) package func missing(_ index: Int) -> StorageError { .corruptNode(ref: ref, reason: "element \(index) of \(count) was asked for") }
  @inline(never) package func broken(_ reason: String) -> StorageError { .corruptNode(ref: ref, reason: reason) }
}

/// Reads element `index` at the width with the given index (0...7 = 0, 1, 2, 4, 8, 16, 32, 64 bits).
@inline(__always) func readElement(_ payload: UnsafeRawPointer, _ widthIndex: UInt32, _ index: Int) -> Int64 {
  switch widthIndex {
  case 0: return 0
  case 1: return Int64(unsafe payload.load(fromByteOffset: index >> 3, as: UInt8.self) >> UInt8(index & 7) & 1)
  case 2: return Int64(unsafe payload.load(fromByteOffset: index >> 2, as: UInt8.self) >> UInt8((index & 3) << 1) & 3)
  case 3: return Int64(unsafe payload.load(fromByteOffset: index >> 1, as: UInt8.self) >> UInt8((index & 1) << 2) & 15)
  case 4: return Int64(unsafe payload.load(fromByteOffset: index, as: Int8.self))
  case 5: return Int64(unsafe payload.load(fromByteOffset: index << 1, as: Int16.self))
  case 6: return Int64(unsafe payload.load(fromByteOffset: index << 2, as: Int32.self))
  default: return unsafe payload.load(fromByteOffset: index << 3, as: Int64.self)
  }
}

@inline(__always) func readUnsignedElement(_ payload: UnsafeRawPointer, _ widthIndex: UInt32, _ index: Int) -> UInt64 {
  switch widthIndex {
  case 4: return UInt64(unsafe payload.load(fromByteOffset: index, as: UInt8.self))
  case 5: return UInt64(unsafe payload.load(fromByteOffset: index << 1, as: UInt16.self))
  case 6: return UInt64(unsafe payload.load(fromByteOffset: index << 2, as: UInt32.self))
  default: return UInt64(bitPattern: unsafe readElement(payload, widthIndex, index))
  }
}

/// Writes element `index`; the value must fit the width.
@inline(__always) func writeElement(_ payload: UnsafeMutableRawPointer, _ widthIndex: UInt32, _ index: Int, _ value: Int64) {
  switch widthIndex {
  case 0: break
  case 1: unsafe writeBits(payload, index >> 3, UInt8(index & 7), 1, value)
  case 2: unsafe writeBits(payload, index >> 2, UInt8((index & 3) << 1), 3, value)
  case 3: unsafe writeBits(payload, index >> 1, UInt8((index & 1) << 2), 15, value)
  case 4: unsafe payload.storeBytes(of: Int8(truncatingIfNeeded: value), toByteOffset: index, as: Int8.self)
  case 5: unsafe payload.storeBytes(of: Int16(truncatingIfNeeded: value), toByteOffset: index << 1, as: Int16.self)
  case 6: unsafe payload.storeBytes(of: Int32(truncatingIfNeeded: value), toByteOffset: index << 2, as: Int32.self)
  default: unsafe payload.storeBytes(of: value, toByteOffset: index << 3, as: Int64.self)
  }
}

@inline(__always)
private func writeBits(_ payload: UnsafeMutableRawPointer, _ byte: Int, _ shift: UInt8, _ mask: UInt8, _ value: Int64) {
  let old = unsafe payload.load(fromByteOffset: byte, as: UInt8.self)
  unsafe payload.storeBytes(
    of: old & ~(mask << shift) | (UInt8(truncatingIfNeeded: value) & mask) << shift, toByteOffset: byte, as: UInt8.self)
}
