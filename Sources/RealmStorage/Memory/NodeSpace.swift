/// What refs of one snapshot mean: the mapped file up to the snapshot's logical size and, for a writer, scratch memory behind it.
///
/// A plain value of four words, passed along by whoever reads nodes; valid while its snapshot is.
@safe package struct NodeSpace: @unchecked Sendable {
  // SAFETY: set by `Mapping`, which keeps `[base, base + fileLimit)` mapped and the file at least that long, and
  // `[base + scratchStart, base + scratchEnd)` readable, for as long as any snapshot of it lives. Read only through `node(at:)`.
  let base: UnsafeRawPointer
  /// The snapshot's logical size: refs into the file end here.
  package let fileLimit: UInt64
  /// Refs from here to `scratchEnd` are the writer's own nodes; both are the same for a reader.
  package let scratchStart: UInt64
  /// `scratchEnd`, a multiple of 8; less by 7 if the pages of the file have to pass a gate, which the check of a ref's alignment notices
  /// at no price. A fifth word would make this type one that is passed in memory.
  private let scratchLimit: UInt64

  init(base: UnsafeRawPointer, fileLimit: UInt64, scratchStart: UInt64, scratchEnd: UInt64, isGated: Bool) {
    unsafe self.base = base
    self.fileLimit = max(fileLimit, 32)
    if isGated {
      self.scratchStart = max(scratchStart, 8)
      scratchLimit = max(scratchEnd, 8) - 7
    } else {
      (self.scratchStart, scratchLimit) = (scratchStart, scratchEnd)
    }
  }

  @inline(__always) package var scratchEnd: UInt64 { (scratchLimit &+ 7) & ~7 }
  /// The file is encrypted.
  @inline(__always) package var isGated: Bool { scratchLimit & 7 != 0 }

  /// No walk of one tree can meet more nodes than fit the file and scratch memory.
  var nodeBudget: Int { Int(clamping: (fileLimit + (scratchEnd - scratchStart)) / 8 + 1) }
  /// Room to set aside for elements before they are looked at, and the most different elements that a collection in the file can have. Headers
  /// of damaged files claim more.
  package var plausibleCount: Int { Int(clamping: max(fileLimit, 1 << 16)) }
  /// A damaged header can claim sixteen million elements of width 0, without any bytes for them. There is no fixed limit: files upgraded from
  /// older formats may have backlinks of more than 1000 elements in one leaf (F3.13), and all of them may come from object 0.
  @inline(__always) func checkCount(_ count: Int, of node: Node) throws(StorageError) {
    guard count <= plausibleCount else { throw node.broken("claims \(count) elements, more than fit the file") }
  }

  /// Whether the node belongs to the running write transaction and may be changed in place.
  @inline(__always) package func isDirty(_ ref: Ref) -> Bool { ref.byteOffset >= scratchStart && ref.byteOffset < scratchLimit }

  /// The one door to nodes: checks alignment, bounds, scheme and size on every call.
  /// - Throws: `.corruptNode` naming the ref and the broken rule.
  @inline(__always) package func node(at ref: Ref) throws(StorageError) -> Node {
    let offset = ref.byteOffset
    var limit = fileLimit
    // 24 is the end of the file header; the header of a node needs 8 bytes.
    if offset &- 24 > limit &- 32 || (offset | scratchLimit) & 7 != 0 {
      if isGated { return try gatedNode(at: ref) }
      guard offset & 7 == 0, isDirty(ref) else { throw outside(ref) }
      limit = scratchEnd
    }
    let address = unsafe base + Int(bitPattern: UInt(offset))
    let header = NodeHeader(word: unsafe address.load(as: UInt64.self))
    guard header.schemeBits != 3, UInt64(UInt(bitPattern: header.nodeByteCount)) <= limit &- offset else { throw malformed(ref, header) }
    return unsafe Node(address: address, ref: ref, header: header)
  }

  /// A node whose elements are refs or tagged integers.
  @inline(__always) package func refs(at ref: Ref) throws(StorageError) -> Node {
    guard let node = array(at: ref, flags: 0x4000_0000) else { throw notAnArray(ref, "is no ref array") }
    return node
  }

  /// A node of plain integers.
  @inline(__always) package func integers(at ref: Ref) throws(StorageError) -> Node {
    guard let node = array(at: ref, flags: 0) else { throw notAnArray(ref, "is no integer array") }
    return node
  }

  /// The checks of `node(at:)` for a node that has to be of scheme `bits` with the given flag for refs, in fewer instructions.
  @inline(__always) private func array(at ref: Ref, flags: UInt32) -> Node? {
    let offset = ref.byteOffset
    var limit = fileLimit
    if offset &- 24 > limit &- 32 || (offset | scratchLimit) & 7 != 0 {
      if isGated { return gatedArray(at: ref, flags: flags) }
      guard offset & 7 == 0, isDirty(ref) else { return nil }
      limit = scratchEnd
    }
    let address = unsafe base + Int(bitPattern: UInt(offset))
    let header = NodeHeader(word: unsafe address.load(as: UInt64.self))
    guard header.bits & 0x5800_0000 == flags, UInt64(UInt(bitPattern: header.bitsNodeByteCount)) <= limit &- offset else { return nil }
    return unsafe Node(address: address, ref: ref, header: header)
  }

  /// Which check it was that failed.
  @inline(never) private func notAnArray(_ ref: Ref, _ reason: String) -> StorageError {
    do throws(StorageError) { return try node(at: ref).broken(reason) } catch { return error }
  }

  /// Eight bytes of the file at any offset, or 0 where it has none or encrypts them: for looking ahead, not for reading nodes.
  @inline(__always) package func peek(at offset: UInt64) -> Int64 {
    guard offset &- 24 <= fileLimit &- 32, !isGated else { return 0 }
    return unsafe base.loadUnaligned(fromByteOffset: Int(bitPattern: UInt(offset)), as: Int64.self)
  }

  @inline(never) func outside(_ ref: Ref) -> StorageError {
    if ref.isNull { return .corruptNode(ref: ref, reason: "a null ref stands where a node must be") }
    if ref.byteOffset & 7 != 0 { return .corruptNode(ref: ref, reason: "the ref is not a multiple of 8") }
    return .corruptNode(ref: ref, reason: "the ref lies outside the file (logical size \(fileLimit))")
  }
  @inline(never) func malformed(_ ref: Ref, _ header: NodeHeader) -> StorageError {
    if header.schemeBits == 3 { return .corruptNode(ref: ref, reason: "width scheme 3 does not exist in this format") }
    return .corruptNode(ref: ref, reason: "the node of \(header.nodeByteCount) bytes extends beyond the file (logical size \(fileLimit))")
  }
}
