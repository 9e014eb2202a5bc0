/// The 4-byte keys by which one level of a search index is ordered: signed numbers cut from a value's index bytes. F9.2.
package enum IndexKey {
  /// The key of null, and of any value at an offset beyond its end.
  package static let null: Int32 = 0
  /// The key at an offset equal to the byte count.
  package static let end: Int32 = 0x5800_0000

  /// Follows the value's last bytes where fewer than four remain.
  private static let terminator: UInt32 = 0x58

  /// The key of an Int (or of a Bool as 0 or 1) without a detour over its bytes. `offset` is a multiple of 4.
  @inline(__always) package static func key(ofInt value: Int64, offset: Int) -> Int32 {
    switch offset {
    case 0: Int32(truncatingIfNeeded: value).byteSwapped
    case 4: Int32(truncatingIfNeeded: value >> 32).byteSwapped
    case 8: end
    default: null
    }
  }

  /// The key of an Int on the first level, moved so that unsigned numbers have the order of the signed keys.
  @inline(__always) static func sortable(ofInt value: Int64) -> UInt32 { UInt32(bitPattern: key(ofInt: value, offset: 0)) ^ 0x8000_0000 }

  /// - Parameter offset: not negative.
  @inline(__always) package static func key(ofBytes bytes: RawSpan, offset: Int) -> Int32 {
    let remaining = bytes.byteCount - offset
    if remaining >= 4 {
      // SAFETY: any bits are an integer; the load checks its bounds.
      return Int32(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int32.self))
    }
    if remaining < 0 { return null }
    var tail: UInt32 = 0
    for i in 0..<remaining { tail = tail << 8 | UInt32(unsafe bytes.unsafeLoad(fromByteOffset: offset &+ i, as: UInt8.self)) }
    return key(ofTail: tail, byteCount: remaining)
  }

  @inline(__always) package static func key(ofBytes bytes: [UInt8], offset: Int) -> Int32 {
    // SAFETY: a byte has no padding.
    unsafe key(ofBytes: bytes.span.bytes, offset: offset)
  }

  /// For the floors that hold raw memory; nil is null.
  @inline(__always) package static func key(ofBytes bytes: UnsafeRawBufferPointer?, offset: Int) -> Int32 {
    guard let bytes = unsafe bytes else { return null }
    return unsafe key(ofBytes: bytes.bytes, offset: offset)
  }

  /// - Parameter tail: the last `byteCount` bytes (0 to 3), as a big-endian number.
  @inline(__always) static func key(ofTail tail: UInt32, byteCount: Int) -> Int32 {
    Int32(bitPattern: (tail << 8 | terminator) << UInt32(8 * (3 - byteCount)))
  }
}
