extension NodeSpace {
  /// The door to the nodes of an encrypted file: the same checks, each before the first page that it needs.
  @inline(never) func gatedNode(at ref: Ref) throws(StorageError) -> Node {
    if let header = openHeader(ref.byteOffset), header.schemeBits != 3, isOpenPage(ref.byteOffset, header.nodeByteCount) {
      return unsafe Node(address: base + Int(bitPattern: UInt(ref.byteOffset)), ref: ref, header: header)
    }
    return try admittedNode(at: ref)
  }

  /// The checks of `NodeSpace.array(at:flags:)` for the same nodes.
  @inline(never) func gatedArray(at ref: Ref, flags: UInt32) -> Node? {
    if let header = openHeader(ref.byteOffset), header.bits & 0x5800_0000 == flags, isOpenPage(ref.byteOffset, header.bitsNodeByteCount) {
      return unsafe Node(address: base + Int(bitPattern: UInt(ref.byteOffset)), ref: ref, header: header)
    }
    guard let node = try? admittedNode(at: ref), node.header.bits & 0x5800_0000 == flags else { return nil }
    return node
  }

  /// The header of a node in the file whose page is good; nil if there is more to do. Most nodes lie within one page that is good.
  @inline(__always) private func openHeader(_ offset: UInt64) -> NodeHeader? {
    guard offset &- 24 <= fileLimit &- 32, offset & 7 == 0 else { return nil }
    let page = Int(truncatingIfNeeded: offset >> 12)
    guard unsafe PageGate.isOpen(base, first: page, last: page) else { return nil }
    return unsafe NodeHeader(word: (base + Int(bitPattern: UInt(offset))).load(as: UInt64.self))
  }

  /// Whether a node that begins in a good page is within it and the file.
  @inline(__always) private func isOpenPage(_ offset: UInt64, _ byteCount: Int) -> Bool {
    let count = UInt64(UInt(bitPattern: byteCount))
    return count <= fileLimit &- offset && (offset &+ count &- 1) >> 12 == offset >> 12
  }

  @inline(never) private func admittedNode(at ref: Ref) throws(StorageError) -> Node {
    let offset = ref.byteOffset
    guard offset & 7 == 0 else { throw outside(ref) }
    let isInFile = !isDirty(ref)
    guard !isInFile || offset &- 24 <= fileLimit &- 32 else { throw outside(ref) }
    let first = Int(offset >> 12)
    if isInFile, unsafe !PageGate.isOpen(base, first: first, last: first) { try unsafe PageGate.admit(base, first: first, last: first) }
    let address = unsafe base + Int(bitPattern: UInt(offset))
    let header = NodeHeader(word: unsafe address.load(as: UInt64.self))
    let limit = isInFile ? fileLimit : scratchEnd
    guard header.schemeBits != 3, UInt64(UInt(bitPattern: header.nodeByteCount)) <= limit &- offset else { throw malformed(ref, header) }
    if isInFile {
      let last = Int((offset + UInt64(header.nodeByteCount) - 1) >> 12)
      if last != first, unsafe !PageGate.isOpen(base, first: first + 1, last: last) {
        try unsafe PageGate.admit(base, first: first + 1, last: last)
      }
    }
    return unsafe Node(address: address, ref: ref, header: header)
  }
}
