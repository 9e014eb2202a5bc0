/// Takes the elements of an integer array that is being written, in their order and in as large pieces as its source has them.
///
/// Made by ``NodeWriter/append(header:filling:)``. Elements must fit the width.
@safe package struct IntegerSink: ~Copyable {
  // SAFETY: points at room for `capacity` elements of the width in the writer's buffer, which stays where it is while this exists.
  private let payload: UnsafeMutableRawPointer
  private let widthIndex: UInt32
  private let capacity: Int
  private(set) var count = 0

  init(_ payload: UnsafeMutableRawPointer, widthIndex: UInt32, capacity: Int) {
    unsafe self.payload = payload
    self.widthIndex = widthIndex
    self.capacity = capacity
  }

  private mutating func advance(_ byCount: Int) -> Int {
    precondition(byCount <= capacity - count, "more elements than announced")
    defer { count += byCount }
    return count
  }

  package mutating func append(_ element: UInt64) {
    let index = advance(1)
    unsafe writeElement(payload, widthIndex, index, Int64(bitPattern: element))
  }

  package mutating func append(zeros byCount: Int) {
    let index = advance(byCount)
    guard widthIndex >= 4 else { return (0..<byCount).forEach { unsafe writeElement(payload, widthIndex, index + $0, 0) } }
    unsafe (payload + index << (widthIndex - 4)).initializeMemory(as: UInt8.self, repeating: 0, count: byCount << (widthIndex - 4))
  }

  package mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ elements: Span<T>) {
    let index = advance(elements.count)
    switch widthIndex {
    case 4: unsafe store(elements, payload + index, as: UInt8.self)
    case 5: unsafe store(elements, payload + index << 1, as: UInt16.self)
    case 6: unsafe store(elements, payload + index << 2, as: UInt32.self)
    case 7: unsafe store(elements, payload + index << 3, as: UInt64.self)
    default:
      for offset in elements.indices { unsafe writeElement(payload, widthIndex, index + offset, Int64(truncatingIfNeeded: elements[offset])) }
    }
  }
}

@inline(__always)
private func store<S: FixedWidthInteger & BitwiseCopyable, T: FixedWidthInteger & BitwiseCopyable>(
  _ elements: Span<S>, _ place: UnsafeMutableRawPointer, as type: T.Type
) {
  for index in elements.indices {
    unsafe place.storeBytes(
      of: T(truncatingIfNeeded: unsafe elements[unchecked: index]), toByteOffset: index &* MemoryLayout<T>.size, as: type)
  }
}
