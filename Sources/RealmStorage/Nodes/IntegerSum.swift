// Adding up integer arrays, specialised for the width of the node.

extension Node {
  /// The sum of all elements of an array of signed integers (F2.3), modulo 2^64. The caller guarantees the scheme.
  package func sum() -> Int64 {
    switch header.widthIndex {
    case 0: return 0
    case 4: return unsafe total(payload, count, Int8.self)
    case 5: return unsafe total(payload, count, Int16.self)
    case 6: return unsafe total(payload, count, Int32.self)
    case 7: return unsafe total(payload, count, Int64.self)
    default:
      var sum: Int64 = 0
      for index in 0..<count { sum &+= element(unchecked: index) }
      return sum
    }
  }
}

@inline(__always)
private func total<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(_ payload: UnsafeRawPointer, _ count: Int, _ type: T.Type) -> Int64 {
  var sum: Int64 = 0
  for index in 0..<count { sum &+= Int64(truncatingIfNeeded: unsafe payload.load(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)) }
  return sum
}
