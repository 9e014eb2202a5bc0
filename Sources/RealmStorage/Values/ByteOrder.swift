/// -1, 0 or 1.
@inline(__always) package func threeWay<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (b < a ? 1 : 0) }

/// The order of text and binary everywhere in the format: bytes as unsigned numbers, a prefix before the longer one. F6.3.
package func compareBytes(_ a: RawSpan, _ b: RawSpan) -> Int {
  let common = min(a.byteCount, b.byteCount)
  var i = 0
  while i &+ 8 <= common {
    // SAFETY: any bits are an integer; the load checks its bounds.
    let x = unsafe a.unsafeLoadUnaligned(fromByteOffset: i, as: UInt64.self)
    let y = unsafe b.unsafeLoadUnaligned(fromByteOffset: i, as: UInt64.self)
    if x != y { return UInt64(bigEndian: x) < UInt64(bigEndian: y) ? -1 : 1 }
    i &+= 8
  }
  while i < common {
    let x = unsafe a.unsafeLoad(fromByteOffset: i, as: UInt8.self)
    let y = unsafe b.unsafeLoad(fromByteOffset: i, as: UInt8.self)
    if x != y { return x < y ? -1 : 1 }
    i &+= 1
  }
  return threeWay(a.byteCount, b.byteCount)
}

package func compareBytes(_ a: [UInt8], _ b: [UInt8]) -> Int {
  // SAFETY: a byte has no padding.
  unsafe compareBytes(a.span.bytes, b.span.bytes)
}

/// For the floors that hold raw memory.
package func compareBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
  unsafe compareBytes(a.bytes, b.bytes)
}
