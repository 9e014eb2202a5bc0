/// The bytes of one element of a big-blobs leaf (F3.7): one blob node, or chunks of it when it does not fit in one node (F3.8).
///
/// User values always fit in one node; only history entries are ever chunked.
package enum BigBlob {
  /// Payload of the largest blob node, and of every chunk but the last (F2.6).
  package static let chunkByteCount = 0xFF_FFF0

  /// - Throws: `.corruptNode` if the node is neither a blob nor an array of chunks.
  @inline(__always) package static func isChunked(_ node: Node) throws(StorageError) -> Bool {
    if node.header.bits & 0x5800_0000 == 0x1000_0000 { return false }
    guard node.header.bits & 0xF800_0000 == 0x6000_0000 else { throw node.broken("is neither a blob nor an array of chunks") }
    return true
  }

  /// The blob node at `ref`.
  @inline(__always) static func blob(_ space: NodeSpace, _ ref: Ref) throws(StorageError) -> Node {
    let node = try space.node(at: ref)
    guard node.header.bits & 0x5800_0000 == 0x1000_0000 else { throw node.broken("is no blob") }
    return node
  }

  /// Number of bytes, all chunks together. O(number of chunks).
  package static func byteCount(_ space: NodeSpace, _ ref: Ref) throws(StorageError) -> Int {
    let node = try space.node(at: ref)
    if try !isChunked(node) { return node.count }
    var sum = 0
    for index in 0..<node.count { sum += try blob(space, node.child(index)).count }
    return sum
  }

  /// A copy of all bytes.
  package static func bytes(_ space: NodeSpace, _ ref: Ref) throws(StorageError) -> [UInt8] {
    let node = try space.node(at: ref)
    if try !isChunked(node) { return node.bytes(unchecked: 0..<node.count) }
    let total = try byteCount(space, ref)
    // Forged chunks may all be the same node: no real value is larger than the whole file.
    guard UInt64(total) <= space.fileLimit + space.scratchEnd - space.scratchStart else { throw node.broken("has more bytes than the file") }
    var result: [UInt8] = []
    result.reserveCapacity(total)
    for index in 0..<node.count {
      let chunk = try blob(space, node.child(index))
      unsafe result.append(contentsOf: chunk.buffer(unchecked: 0..<chunk.count))
    }
    return result
  }

  /// A new blob with a copy of `bytes`, in chunks if it is larger than one node may be.
  static func create(in scratch: Scratch, _ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Ref {
    if bytes.count <= chunkByteCount { return try unsafe scratch.createBlob(bytes) }
    let chunkCount = (bytes.count + chunkByteCount - 1) / chunkByteCount
    let root = try scratch.createRefs(count: chunkCount, flags: NodeHeader.Flags.context)
    for index in 0..<chunkCount {
      let begin = index * chunkByteCount
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[begin..<min(begin + chunkByteCount, bytes.count)])
      scratch.setChild(root, index, try unsafe scratch.createBlob(part))
    }
    return root
  }

  /// A new blob with a copy of `bytes`, in chunks if it is larger than one node may be.
  package static func create(in scratch: Scratch, _ bytes: [UInt8]) throws(StorageError) -> Ref {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StorageError) in
      try unsafe create(in: scratch, UnsafeRawBufferPointer(buffer))
    }
  }

  /// Lists the broken rules of F3.7 and F3.8: a blob, or chunks of which all but the last are full and there are at least two.
  package static func check(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    let node = try space.node(at: ref)
    if try !isChunked(node) { return }
    guard node.count >= 2 else { throw node.broken("is an array of \(node.count) chunks") }
    for index in 0..<node.count {
      let chunk = try blob(space, node.child(index))
      if index < node.count - 1 && chunk.count != chunkByteCount { throw chunk.broken("is a chunk of \(chunk.count) bytes, not the last") }
    }
  }
}
