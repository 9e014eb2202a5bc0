extension NodeSpace {
  /// A node of a damaged file, as if its header were another one.
  func node(at ref: Ref, assuming header: NodeHeader) throws(StorageError) -> Node {
    let offset = ref.byteOffset
    guard offset & 7 == 0, offset &- 24 <= fileLimit &- 32 else { throw outside(ref) }
    guard UInt64(UInt(bitPattern: header.nodeByteCount)) <= fileLimit &- offset else { throw malformed(ref, header) }
    let (first, last) = (Int(offset >> 12), Int((offset + UInt64(header.nodeByteCount) - 1) >> 12))
    if isGated, unsafe !PageGate.isOpen(base, first: first, last: last) { try unsafe PageGate.admit(base, first: first, last: last) }
    return unsafe Node(address: base + Int(bitPattern: UInt(offset)), ref: ref, header: header)
  }

  /// What a node of a damaged file says of itself, be it possible or not.
  func header(at ref: Ref) throws(StorageError) -> NodeHeader {
    let node = try node(at: ref, assuming: NodeHeader(flags: 0, scheme: .bits, widthIndex: 0, count: 0))
    return NodeHeader(word: unsafe node.address.load(as: UInt64.self))
  }
}
