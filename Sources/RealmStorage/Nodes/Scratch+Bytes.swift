// Changing nodes of bytes: blobs (scheme 2) and arrays of fixed width in bytes (scheme 1).

extension Scratch {
  /// A new node whose payload is `byteCount` zero bytes.
  /// - Parameter count: the element count of the header; for blobs the byte count.
  package func createBytes(
    scheme: WidthScheme, widthIndex: UInt32, count: Int, byteCount: Int, capacityBytes: Int = 0, flags: UInt32 = 0
  ) throws(StorageError) -> Ref {
    let header = NodeHeader(flags: flags, scheme: scheme, widthIndex: widthIndex, count: count)
    let ref = try allocate(header: header, byteCount: max(8 + max(byteCount, capacityBytes), 16))
    unsafe payload(ref).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    return ref
  }

  /// A new blob that holds a copy of `bytes`, followed by `trailingZeros` zero bytes.
  func createBlob(_ bytes: UnsafeRawBufferPointer, trailingZeros: Int = 0) throws(StorageError) -> Ref {
    let count = bytes.count + trailingZeros
    let ref = try createBytes(scheme: .blob, widthIndex: count == 0 ? 0 : 1, count: count, byteCount: count)
    if let start = bytes.baseAddress { unsafe payload(ref).copyMemory(from: start, byteCount: bytes.count) }
    return ref
  }

  /// Makes the node writable and replaces `removed` bytes at `offset` of its payload (of which `usedByteCount` are in use) by
  /// `inserted` undefined bytes. The header's count is left alone: the caller sets it with `setHeader`.
  /// - Returns: the place of the gap.
  func openGap(
    _ ref: inout Ref, at offset: Int, removing removed: Int, inserting inserted: Int, usedByteCount: Int
  ) throws(StorageError) -> UnsafeMutableRawPointer {
    try makeWritable(&ref)
    precondition(offset >= 0 && removed >= 0 && offset + removed <= usedByteCount)
    let newCount = usedByteCount - removed + inserted
    let place: UnsafeMutableRawPointer
    if newCount + 8 <= capacity(ref) {
      unsafe place = payload(ref)
    } else {
      let old = header(ref)
      let moved = try allocate(header: old, byteCount: 8 + newCount + newCount / 2)
      unsafe payload(moved).copyMemory(from: payload(ref), byteCount: usedByteCount)
      try free(ref)
      ref = moved
      unsafe place = payload(moved)
    }
    let tail = usedByteCount - offset - removed
    if tail > 0 && removed != inserted { unsafe (place + offset + inserted).copyMemory(from: place + offset + removed, byteCount: tail) }
    return unsafe place + offset
  }

  /// Sets the flags, scheme, width and count of a writable node.
  func setShape(_ ref: Ref, flags: UInt32 = 0, scheme: WidthScheme, widthIndex: UInt32, count: Int) {
    setHeader(ref, NodeHeader(flags: flags, scheme: scheme, widthIndex: widthIndex, count: count))
  }
}

extension Scratch {
  /// A new array of `count` elements of fixed width in bytes, with the given payload.
  package func createFixedWidth(widthIndex: UInt32, count: Int, bytes: [UInt8]) throws(StorageError) -> Ref {
    let ref = try createBytes(scheme: .bytes, widthIndex: widthIndex, count: count, byteCount: bytes.count)
    let place = unsafe payload(ref)
    for index in bytes.indices { unsafe place.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self) }
    return ref
  }
}
