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
}
