#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Small blobs (F3.6) and big blobs (F3.7): what binary leaves and the longer string leaves have in common.
///
/// `terminator` is 1 for strings, whose bytes are followed by one zero byte, and 0 for binaries.
@safe struct BlobLeaf {
  /// The root of small blobs. That of big ones holds the elements themselves.
  enum Slot {
    static let offsets = 0
    static let blob = 1
    static let nulls = 2
    static let count = 3
  }

  // SAFETY: nodes lie in the snapshot (see `Node`); offsets are checked against each other and against the blob before bytes are lent.
  let space: NodeSpace
  let root: Node
  /// The three children of small blobs; the root itself in big blobs.
  let offsets: Node
  let blob: Node
  let nulls: Node
  let terminator: Int
  let isBig: Bool

  /// - Throws: `.corruptNode` unless the node is a leaf of blobs whose children agree about the number of elements.
  init(_ space: NodeSpace, _ root: Node, terminator: Int) throws(StorageError) {
    self.space = space
    self.root = root
    self.terminator = terminator
    guard root.header.bits & 0xD800_0000 == 0x4000_0000 else { throw root.broken("is no leaf of blobs") }
    isBig = root.header.hasContext
    if isBig {
      (offsets, blob, nulls) = (root, root, root)
      return
    }
    guard root.count == Slot.count else { throw root.broken("has \(root.count) slots, not the 3 of small blobs") }
    offsets = try space.integers(at: root.child(Slot.offsets))
    blob = try BigBlob.blob(space, root.child(Slot.blob))
    nulls = try space.integers(at: root.child(Slot.nulls))
    guard offsets.count == nulls.count else { throw root.broken("has \(offsets.count) offsets but \(nulls.count) null flags") }
  }

  init(_ space: NodeSpace, _ ref: Ref, terminator: Int) throws(StorageError) {
    try self.init(space, space.node(at: ref), terminator: terminator)
  }

  /// The number of elements of a leaf whose root is given, without looking at the other children.
  @inline(__always) static func count(_ space: NodeSpace, _ root: Node) throws(StorageError) -> Int {
    root.header.hasContext ? root.count : try space.integers(at: root.child(Slot.offsets)).count
  }

  @inline(__always) var count: Int { offsets.count }

  func isNull(_ index: Int) throws(StorageError) -> Bool {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw root.missing(index) }
    return isBig ? root.element(unchecked: index) == 0 : nulls.element(unchecked: index) != 0
  }

  /// The bytes without terminator, or nil for null.
  /// - Throws: `.corruptNode`, also for a chunked blob, which cannot be lent in one piece.
  func bytes(_ index: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw root.missing(index) }
    if isBig { return try unsafe bigBytes(index) }
    if nulls.element(unchecked: index) != 0 { return nil }
    let begin = index == 0 ? 0 : offsets.element(unchecked: index - 1)
    let end = offsets.element(unchecked: index) &- Int64(terminator)
    guard begin >= 0, begin <= end, end <= Int64(blob.count - terminator) else { throw badOffset(index) }
    return unsafe blob.buffer(unchecked: Int(begin)..<Int(end))
  }

  private func bigBytes(_ index: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
    let child = try root.child(index)
    if child.isNull { return nil }
    let node = try BigBlob.blob(space, child)
    guard node.count >= terminator else { throw node.broken("is a string without terminator") }
    return unsafe node.buffer(unchecked: 0..<node.count - terminator)
  }

  /// Where element `index` of small blobs lies in the blob, terminator included; also for null elements. The caller guarantees
  /// `0 <= index < count`.
  func range(_ index: Int) throws(StorageError) -> Range<Int> {
    let begin = try begin(index)
    let end = offsets.element(unchecked: index)
    guard begin <= end, end <= Int64(blob.count) else { throw badOffset(index) }
    return begin..<Int(end)
  }

  /// Where element `index` of small blobs begins; `index == count` asks for the end of the last one. The caller
  /// guarantees `0 <= index <= count`.
  func begin(_ index: Int) throws(StorageError) -> Int {
    if index == 0 { return 0 }
    let begin = offsets.element(unchecked: index - 1)
    guard begin >= 0, begin <= Int64(blob.count) else { throw badOffset(index - 1) }
    return Int(begin)
  }

  @inline(never) private func badOffset(_ index: Int) -> StorageError {
    offsets.broken("offset \(index) is no place in a blob of \(blob.count) bytes")
  }

  /// Whether element `index` has exactly these bytes; nil is null.
  func equals(_ index: Int, _ other: UnsafeRawBufferPointer?) throws(StorageError) -> Bool {
    try unsafe sameBytes(bytes(index), other)
  }

  /// Rules: every offset is at least the one before; the last is the blob's size; null flags are 0 or 1; a null has no bytes; strings
  /// end in a zero byte; big elements are blobs.
  func check() throws(StorageError) {
    for index in 0..<count {
      if isBig {
        let child = try root.child(index)
        if child.isNull { continue }
        try BigBlob.check(space, child)
        if terminator == 0 { continue }
        let node = try BigBlob.blob(space, child)
        guard node.count > 0, node.byte(unchecked: node.count - 1) == 0 else { throw node.broken("is a string without terminator") }
      } else {
        let range = try range(index)
        guard range.count >= terminator else { throw offsets.broken("element \(index) has no room for its terminator") }
        let flag = nulls.element(unchecked: index)
        guard flag == 0 || flag == 1 && range.count == terminator else { throw nulls.broken("null flag \(index) is \(flag)") }
        if terminator == 1 && blob.byte(unchecked: range.upperBound - 1) != 0 { throw blob.broken("string \(index) has no terminator") }
      }
    }
    if !isBig, try begin(count) != blob.count { throw blob.broken("has bytes that belong to no element") }
  }
}

/// Whether two byte strings, or nulls, are the same.
@inline(__always) func sameBytes(_ a: UnsafeRawBufferPointer?, _ b: UnsafeRawBufferPointer?) -> Bool {
  guard let a = unsafe a else { return unsafe b == nil }
  guard let b = unsafe b, a.count == b.count else { return false }
  if a.count == 0 { return true }
  guard let left = a.baseAddress, let right = b.baseAddress else { return false }
  return unsafe memcmp(left, right, a.count) == 0
}
