// Copying integer arrays, specialised for the width of the node.

extension Node {
  /// All elements of an array of signed integers (F2.3), cut to the given type. The caller guarantees the scheme and that there is memory for them.
  func integers<T: FixedWidthInteger & BitwiseCopyable>(as type: T.Type) -> [T] {
    let count = count
    // SAFETY: the node has `count` elements of its width, and the array as many of its own, all of which are set.
    return unsafe [T](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      switch header.widthIndex {
      case 0: unsafe buffer.initialize(repeating: 0)
      case 4: unsafe convert(payload, count, Int8.self, to: buffer)
      case 5: unsafe convert(payload, count, Int16.self, to: buffer)
      case 6: unsafe convert(payload, count, Int32.self, to: buffer)
      case 7: unsafe convert(payload, count, Int64.self, to: buffer)
      default: for index in 0..<count { unsafe buffer[index] = T(truncatingIfNeeded: element(unchecked: index)) }
      }
      initializedCount = count
    }
  }

  /// The places of all elements that are not 0, of an array of integers. For few of them.
  func placesOfOthersThanZero() -> [Int] {
    var result: [Int] = []
    var place = 0
    if header.widthIndex > 3 {
      // SAFETY: the elements of each step are in the node's payload.
      let (byteCount, step) = (header.width / 8, 512 / header.width)
      while place + step <= count {
        let bytes = unsafe payload.loadUnaligned(fromByteOffset: place &* byteCount, as: SIMD8<UInt64>.self)
        if bytes != .zero { result += (place..<place + step).filter { element(unchecked: $0) != 0 } }
        place += step
      }
    }
    return header.widthIndex == 0 ? [] : result + (place..<count).filter { element(unchecked: $0) != 0 }
  }
}

@inline(__always)
private func convert<S: FixedWidthInteger & SignedInteger & BitwiseCopyable, T: FixedWidthInteger & BitwiseCopyable>(
  _ payload: UnsafeRawPointer, _ count: Int, _ source: S.Type, to buffer: UnsafeMutableBufferPointer<T>
) {
  guard let base = buffer.baseAddress else { return }
  for index in 0..<count {
    unsafe base[index] = T(truncatingIfNeeded: unsafe payload.loadUnaligned(fromByteOffset: index &* MemoryLayout<S>.size, as: S.self))
  }
}
