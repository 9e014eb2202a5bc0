/// Writes nodes as they stand in a file, through a buffer of bounded size: a run of adjacent nodes becomes few large writes.
///
/// Commits and copies use it. Small nodes are copied into the buffer, large ones are written from where they are. Bytes 0-3 of each node
/// become the placeholder, padding and unused bits zero (F2.1, F2.7). Used by one thread.
@safe package final class NodeWriter {
  // SAFETY: `buffer` points to `capacity` bytes, allocated here and freed in `deinit`; `used` never exceeds `capacity`.
  private var buffer: UnsafeMutableRawPointer
  private var capacity: Int
  private var used = 0
  /// The place in the file of the buffer's first byte.
  private var start: UInt64
  private let storage: any Storage

  private static let usualCapacity = 1 << 20
  /// Larger payloads are not copied.
  private static let directByteCount = 1 << 16

  /// - Parameter expectedByteCount: a small buffer suffices for a small commit.
  package init(storage: any Storage, position: UInt64 = 0, expectedByteCount: UInt64 = .max) {
    self.storage = storage
    start = position
    capacity = max(4096, Int(min(expectedByteCount, UInt64(Self.usualCapacity))))
    unsafe buffer = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// Where the next node goes.
  package var position: UInt64 { start + UInt64(used) }

  /// Continues at another place. Nothing is written as long as the place is the one already reached.
  package func seek(to position: UInt64) throws(StorageError) {
    if position == self.position { return }
    try flush()
    start = position
  }

  /// Writes out what is pending. To be called at the end.
  package func flush() throws(StorageError) {
    if used == 0 { return }
    try unsafe storage.write([WriteBuffer(buffer, byteCount: used)], at: start)
    start += UInt64(used)
    used = 0
  }

  /// Makes room for `byteCount` more bytes in the buffer.
  private func reserve(_ byteCount: Int) throws(StorageError) -> UnsafeMutableRawPointer {
    if used + byteCount > capacity { try flush() }
    if byteCount > capacity {
      unsafe buffer.deallocate()
      capacity = byteCount
      unsafe buffer = .allocate(byteCount: byteCount, alignment: 16)
    }
    return unsafe buffer + used
  }

  /// A node whose payload holds no refs that have to change.
  package func append(_ node: Node) throws(StorageError) {
    let payloadByteCount = node.header.payloadByteCount
    let whole = payloadByteCount & ~7
    let word = node.header.word(first: NodeHeader.placeholder)
    if whole > Self.directByteCount { return try appendLarge(node, word: word, whole: whole) }
    let place = try unsafe reserve(node.byteCount)
    unsafe place.storeBytes(of: word, as: UInt64.self)
    unsafe (place + 8).copyMemory(from: node.payload, byteCount: whole)
    if payloadByteCount > whole { unsafe (place + 8 + whole).storeBytes(of: Self.lastWord(node, from: whole), as: UInt64.self) }
    used += node.byteCount
  }

  private func appendLarge(_ node: Node, word: UInt64, whole: Int) throws(StorageError) {
    try flush()
    var ends = (word.littleEndian, Self.lastWord(node, from: whole))
    let hasTail = node.header.payloadByteCount > whole
    let position = start
    try unsafe withUnsafeBytes(of: &ends) { (bytes) throws(StorageError) in
      let first = bytes.baseAddress!
      try unsafe storage.write(
        [
          WriteBuffer(first, byteCount: 8), WriteBuffer(node.payload, byteCount: whole),
          WriteBuffer(first + 8, byteCount: hasTail ? 8 : 0),
        ], at: position)
    }
    start += UInt64(node.byteCount)
  }

  /// The payload's bytes from `whole` on, fewer than 8, without what follows the last element.
  private static func lastWord(_ node: Node, from whole: Int) -> UInt64 {
    var result: UInt64 = 0
    var index = whole
    while index < node.header.payloadByteCount {
      result |= UInt64(node.byte(unchecked: index)) << UInt64((index - whole) * 8)
      index += 1
    }
    if node.header.schemeBits == 0 {
      let bitCount = node.count &* node.header.width - whole * 8
      if bitCount > 0 && bitCount < 64 { result &= (1 << UInt64(bitCount)) - 1 }
    }
    return result
  }

  /// A node of integers, refs or tagged integers. `header` gives flags and width; its count must be that of `elements`, and all of them
  /// must fit the width.
  package func append(header: NodeHeader, _ elements: ArraySlice<Int64>) throws(StorageError) {
    precondition(header.count == elements.count && (header.schemeBits == 0 || header.count == 0))
    let payload = try unsafe beginNode(header)
    var index = 0
    for element in elements {
      unsafe writeElement(payload, header.widthIndex, index, element)
      index += 1
    }
    used += header.nodeByteCount
  }

  /// Writes the header, and zeros where elements do not fill what they touch.
  /// - Returns: where the elements go.
  private func beginNode(_ header: NodeHeader) throws(StorageError) -> UnsafeMutableRawPointer {
    let byteCount = header.nodeByteCount
    let place = try unsafe reserve(byteCount)
    unsafe place.storeBytes(of: header.word(first: NodeHeader.placeholder), as: UInt64.self)
    // The last word first: elements do not fill it.
    if byteCount > 8 { unsafe (place + byteCount - 8).storeBytes(of: 0, as: UInt64.self) }
    if header.widthIndex < 4 { unsafe (place + 8).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount - 8) }
    return unsafe place + 8
  }

  /// A node of integers whose elements come in pieces. `fill` gives as many as the header says.
  package func append(header: NodeHeader, filling fill: (inout IntegerSink) -> Void) throws(StorageError) {
    precondition(header.schemeBits == 0)
    var sink = unsafe IntegerSink(try beginNode(header), widthIndex: header.widthIndex, capacity: header.count)
    fill(&sink)
    precondition(sink.count == header.count, "fewer elements than announced")
    used += header.nodeByteCount
  }

  /// Bytes that are no node: header and footer.
  package func append(bytes: [UInt8]) throws(StorageError) {
    let place = try unsafe reserve(bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe place.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    used += bytes.count
  }
}
