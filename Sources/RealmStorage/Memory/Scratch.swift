/// The private memory of one write transaction: new and copied nodes live here until the commit lays them out in the file.
///
/// Freed nodes are reused within the transaction by size class; nodes of the file that are no longer needed are recorded in `freed`.
/// Not `Sendable`: used by the thread that writes.
@safe package final class Scratch {
  // SAFETY: points to the scratch part of `mapping`, which this object keeps alive; every access stays below `end`.
  private let base: UnsafeMutableRawPointer
  private let mapping: Mapping
  package let space: NodeSpace
  /// First ref never handed out.
  private var next: UInt64
  private var freeLists: [UInt64]
  /// Blocks of the file that this transaction no longer uses, in the order of release.
  package private(set) var freed: [FreedBlock] = []
  /// Bytes in `freed`.
  package private(set) var freedByteCount: UInt64 = 0

  /// The first damage that an operation met which cannot throw, or that may have left it half-done, or that it was out of memory: the transaction must not
  /// be committed.
  package private(set) var damage: StorageError?

  // Not inlined: loops that only might note something would keep an access to it open, which costs more than what they do.
  @inline(never) func noteDamage(_ error: StorageError) { if damage == nil { damage = error } }

  package struct FreedBlock: Sendable {
    package let ref: Ref
    package let byteCount: Int
  }

  package init(mapping: Mapping, logicalByteCount: UInt64) {
    self.mapping = mapping
    unsafe base = mapping.mutableBase
    space = mapping.writerSpace(logicalByteCount: logicalByteCount)
    next = space.scratchStart
    freeLists = [UInt64](repeating: 0, count: Scratch.classCount)
  }

  /// Whether the memory may belong to another transaction already.
  private var isClosed = false

  deinit { close() }

  /// Gives the memory back, before the next transaction may use it: whoever still holds this object after its transaction must not do so later.
  func close() {
    if isClosed { return }
    isClosed = true
    mapping.discardScratch(usedByteCount: usedByteCount, keeping: Mapping.residentByteCount)
  }

  /// Bytes of scratch memory ever handed out; the peak, since nothing is given back before the end.
  package var usedByteCount: UInt64 { next - space.scratchStart }

  /// Forgets every node, for a transaction that is cancelled or was committed.
  package func reset() {
    mapping.discardScratch(usedByteCount: usedByteCount, keeping: Mapping.residentByteCount)
    next = space.scratchStart
    for index in freeLists.indices { freeLists[index] = 0 }
    freed.removeAll(keepingCapacity: true)
    freedByteCount = 0
    damage = nil
  }

  // MARK: Size classes: units of 8 bytes, exact up to 16, then sixteen steps for each doubling.

  private static let classCount = 16 + 16 * 24

  @inline(__always) private static func sizeClass(units: UInt32) -> (index: Int, units: UInt32) {
    if units <= 16 { return (Int(units) - 1, units) }
    let exponent = 31 - UInt32((units - 1).leadingZeroBitCount)
    let step = (units - 1) >> (exponent - 4)
    return (16 + Int(exponent - 4) * 16 + Int(step - 16), (step + 1) << (exponent - 4))
  }

  // MARK: Raw memory, for the node operations in `Nodes`.

  @inline(__always) func address(_ ref: Ref) -> UnsafeMutableRawPointer {
    assert(space.isDirty(ref))
    return unsafe base + Int(bitPattern: UInt(ref.byteOffset))
  }
  @inline(__always) func payload(_ ref: Ref) -> UnsafeMutableRawPointer { unsafe address(ref) + 8 }
  @inline(__always) func header(_ ref: Ref) -> NodeHeader { NodeHeader(word: unsafe address(ref).load(as: UInt64.self)) }
  /// Bytes that the node may grow to in place, header included.
  @inline(__always) func capacity(_ ref: Ref) -> Int { Int(unsafe address(ref).load(as: UInt32.self)) << 3 }
  @inline(__always) func setHeader(_ ref: Ref, _ header: NodeHeader) {
    let place = unsafe address(ref)
    unsafe place.storeBytes(of: header.bits.byteSwapped, toByteOffset: 4, as: UInt32.self)
  }

  /// A new node with room for at least `byteCount` bytes, header included; the payload is undefined.
  /// - Throws: `.invalidArgument` when the node would be 64 MiB or more, `.outOfDiskSpace` when scratch memory is used up.
  func allocate(header: NodeHeader, byteCount: Int) throws(StorageError) -> Ref {
    guard byteCount < NodeHeader.nodeByteLimit + NodeHeader.nodeByteLimit / 2 else {
      throw stopped(by: .invalidArgument(reason: "a value needs a node of \(byteCount) bytes; the format allows less than 64 MiB"))
    }
    let sizeClass = Scratch.sizeClass(units: UInt32(truncatingIfNeeded: (byteCount + 7) >> 3))
    let ref: Ref
    let head = freeLists[sizeClass.index]
    if head != 0 {
      ref = Ref(head)
      freeLists[sizeClass.index] = unsafe payload(ref).load(as: UInt64.self)
    } else {
      let size = UInt64(max(sizeClass.units, 2)) << 3
      guard space.scratchEnd - next > size else {
        throw stopped(by: .outOfDiskSpace(operation: "scratch memory of the write transaction", path: ""))
      }
      ref = Ref(next)
      next += size
    }
    unsafe address(ref).storeBytes(of: header.word(first: max(sizeClass.units, 2)), as: UInt64.self)
    return ref
  }

  /// Whoever is refused memory may have given up a node of the file whose copy nobody stored yet.
  @inline(never) private func stopped(by error: StorageError) -> StorageError {
    noteDamage(error)
    return error
  }

  /// Frees one node, not its children: a scratch node for reuse, a node of the file by recording its block.
  /// - Throws: `.corruptNode`, also for a forged ref that names scratch memory where no node is.
  package func free(_ ref: Ref) throws(StorageError) {
    if ref.isNull { return }
    if space.isDirty(ref) {
      guard ref.byteOffset & 7 == 0, next - space.scratchStart >= 16, ref.byteOffset <= next - 16 else { throw notANode(ref) }
      let byteCount = UInt64(capacity(ref))
      guard byteCount >= 16, byteCount <= next - ref.byteOffset, byteCount <= UInt64(2 * NodeHeader.nodeByteLimit) else { throw notANode(ref) }
      let index = Scratch.sizeClass(units: UInt32(byteCount >> 3)).index
      unsafe payload(ref).storeBytes(of: freeLists[index], as: UInt64.self)
      freeLists[index] = ref.byteOffset
    } else {
      try recordFreed(space.node(at: ref))
    }
  }

  @inline(never) private func notANode(_ ref: Ref) -> StorageError {
    .corruptNode(ref: ref, reason: "no node of the transaction is there to be freed")
  }

  /// Gives an empty node without children room for `payloadByteCount`, so that filling it moves nothing.
  func setRoom(_ ref: inout Ref, payloadByteCount: Int) throws(StorageError) {
    guard 8 + payloadByteCount > capacity(ref) else { return }
    let moved = try allocate(header: header(ref), byteCount: 8 + payloadByteCount)
    try free(ref)
    ref = moved
  }

  /// - Throws: `.corruptNode` when more would be freed than the file holds: some node was reached twice.
  func recordFreed(_ node: Node) throws(StorageError) {
    guard freedByteCount + UInt64(node.byteCount) <= space.fileLimit else { throw node.broken("is reached more than once") }
    freed.append(FreedBlock(ref: node.ref, byteCount: node.byteCount))
    freedByteCount += UInt64(node.byteCount)
  }

  /// Frees a node and everything below it.
  /// - Throws: `.corruptNode`, also when the tree is deeper than any real one.
  package func freeTree(_ ref: Ref, depth: Int = 0) throws(StorageError) {
    if ref.isNull { return }
    guard depth < Scratch.depthLimit else { throw .corruptNode(ref: ref, reason: "the tree is nested too deeply") }
    let node = try space.node(at: ref)
    if node.header.hasRefs {
      guard node.header.schemeBits == 0 else { throw node.broken("is no ref array") }
      for index in 0..<node.count {
        let element = node.element(unchecked: index)
        if element != 0 && element & 1 == 0 { try freeTree(childOfFreed(element, parent: node), depth: depth + 1) }
      }
    }
    try free(ref)
  }

  /// A ref read from a node of the file must lie in the file: else a forged one could name scratch memory.
  private func childOfFreed(_ element: Int64, parent: Node) throws(StorageError) -> Ref {
    let child = Ref(element: element)
    if space.isDirty(child) && !space.isDirty(parent.ref) { throw parent.broken("holds the ref \(child), which lies outside the file") }
    return child
  }

  /// More levels than any tree has: nested collections to 100 levels, each a few nodes deep, below table and group.
  package static let depthLimit = 1200
}

// MARK: - Savepoints

extension Scratch {
  /// Everything that the transaction has in memory at one moment. Costs a copy of the memory that was handed out: for small transactions.
  struct Savepoint {
    fileprivate let bytes: [UInt8]
    fileprivate let freeLists: [UInt64]
    fileprivate let freedCount: Int
    fileprivate let freedByteCount: UInt64
    fileprivate let damage: StorageError?
  }

  func savepoint() -> Savepoint {
    let byteCount = Int(usedByteCount)
    let start = unsafe base + Int(space.scratchStart)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { (buffer, count) in
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(start: start, count: byteCount))
      count = byteCount
    }
    return Savepoint(bytes: bytes, freeLists: freeLists, freedCount: freed.count, freedByteCount: freedByteCount, damage: damage)
  }

  /// Brings back what was there at a moment of this transaction. Nodes of a later time are gone: nobody may know their refs any more.
  func rollBack(to savepoint: Savepoint) {
    let start = unsafe base + Int(space.scratchStart)
    unsafe savepoint.bytes.withUnsafeBytes { (bytes) in
      unsafe UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: bytes)
    }
    let peak = usedByteCount
    next = space.scratchStart + UInt64(savepoint.bytes.count)
    // What the end of the transaction gives back is what is in use by then.
    let unit = Mapping.residentByteCount
    mapping.discardScratch(usedByteCount: peak, keeping: max(usedByteCount + unit - 1, unit) / unit * unit)
    freeLists = savepoint.freeLists
    freed.removeLast(freed.count - savepoint.freedCount)
    freedByteCount = savepoint.freedByteCount
    damage = savepoint.damage
  }
}
