/// Values of an ObjectID or UUID column or collection: blocks of eight elements behind one byte of null bits. F3.11.
@safe package struct FixedBytesLeaf {
  // SAFETY: `node` lies in the snapshot (see `Node`); an index is compared with `count`, which follows from the size of the node.
  /// What the leaf holds; the raw value is the number of bytes of one element.
  package enum Kind: Int, Sendable {
    case objectID = 12
    case uuid = 16
  }

  let node: Node
  package let kind: Kind
  package let count: Int

  /// - Throws: `.corruptNode` unless the node has the size of a whole number of elements.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref, _ kind: Kind) throws(StorageError) {
    node = try space.node(at: ref)
    self.kind = kind
    let header = node.header
    guard header.bits & 0xD800_0000 == 0x0800_0000, header.count == 0 || header.widthIndex == 1 else {
      throw node.broken("is no leaf of fixed bytes")
    }
    let block = 8 * kind.rawValue + 1
    count = (header.count - (header.count + block - 1) / block) / kind.rawValue
    guard FixedBytesLeaf.byteCount(count, kind) == header.count else {
      throw node.broken("has \(header.count) bytes, which is no whole number of elements of \(kind.rawValue) bytes")
    }
  }

  @inline(__always) static func byteCount(_ count: Int, _ kind: Kind) -> Int { count * kind.rawValue + (count + 7) >> 3 }
  @inline(__always) static func nullByte(_ index: Int, _ kind: Kind) -> Int { (index >> 3) * (8 * kind.rawValue + 1) }
  @inline(__always) static func place(_ index: Int, _ kind: Kind) -> Int {
    nullByte(index, kind) + 1 + (index & 7) * kind.rawValue
  }

  @inline(__always) package func isNull(_ index: Int) throws(StorageError) -> Bool {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw node.missing(index) }
    return node.byte(unchecked: FixedBytesLeaf.nullByte(index, kind)) >> UInt8(index & 7) & 1 != 0
  }

  /// Element `index` of a leaf of ObjectIDs, nil for null.
  @inline(__always) package func objectID(_ index: Int) throws(StorageError) -> ObjectID? {
    precondition(kind == .objectID)
    if try isNull(index) { return nil }
    let place = FixedBytesLeaf.place(index, .objectID)
    return ObjectID(
      high: UInt64(bigEndian: node.number(unchecked: place, as: UInt64.self)),
      low: UInt32(bigEndian: node.number(unchecked: place + 8, as: UInt32.self)))
  }

  /// Element `index` of a leaf of UUIDs, nil for null.
  @inline(__always) package func uuid(_ index: Int) throws(StorageError) -> UUIDBytes? {
    precondition(kind == .uuid)
    if try isNull(index) { return nil }
    let place = FixedBytesLeaf.place(index, .uuid)
    return UUIDBytes(
      high: UInt64(bigEndian: node.number(unchecked: place, as: UInt64.self)),
      low: UInt64(bigEndian: node.number(unchecked: place + 8, as: UInt64.self)))
  }

  package func value(_ index: Int) throws(StorageError) -> Value {
    switch kind {
    case .objectID:
      if let value = try objectID(index) { return .objectID(value) }
    case .uuid:
      if let value = try uuid(index) { return .uuid(value) }
    }
    return .null
  }

  /// Rules: the layout and the number of elements; the unused null bits of the last block are of no interest.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int, _ kind: Kind) throws(StorageError) {
    let leaf = try FixedBytesLeaf(space, ref, kind)
    guard leaf.count == expectedCount else { throw leaf.node.broken("has \(leaf.count) elements, not \(expectedCount)") }
  }
}

extension FixedBytesLeaf {
  /// The bytes of one element as they lie in memory, the last four of them unused by ObjectIDs.
  private struct Element {
    let first: UInt64
    let second: UInt64
    let isNull: Bool
    static let null = Element(first: 0, second: 0, isNull: true)
  }

  private static func element(_ value: Value, _ kind: Kind) throws(StorageError) -> Element {
    switch (value, kind) {
    case (.null, _): return .null
    case (.objectID(let id), .objectID): return Element(first: id.high.bigEndian, second: UInt64(id.low.bigEndian), isNull: false)
    case (.uuid(let id), .uuid): return Element(first: id.high.bigEndian, second: id.low.bigEndian, isNull: false)
    default: throw .typeMismatch(reason: "a leaf of \(kind) values cannot hold \(value)")
    }
  }

  /// A leaf of `count` nulls or all-zero elements.
  package static func create(in scratch: Scratch, _ kind: Kind, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    let size = byteCount(count, kind)
    let ref = try scratch.createBytes(scheme: .bytes, widthIndex: size == 0 ? 0 : 1, count: size, byteCount: size)
    if isNullable {
      for index in 0..<count { store(scratch, ref, index, .null, kind) }
    }
    return ref
  }

  /// Overwrites element `index` of a writable leaf.
  @inline(__always) private static func store(_ scratch: Scratch, _ ref: Ref, _ index: Int, _ element: Element, _ kind: Kind) {
    let payload = unsafe scratch.payload(ref)
    let (place, nulls, bit) = (place(index, kind), nullByte(index, kind), UInt8(1) << UInt8(index & 7))
    unsafe payload.storeBytes(of: element.first, toByteOffset: place, as: UInt64.self)
    if kind == .uuid {
      unsafe payload.storeBytes(of: element.second, toByteOffset: place + 8, as: UInt64.self)
    } else {
      unsafe payload.storeBytes(of: UInt32(truncatingIfNeeded: element.second), toByteOffset: place + 8, as: UInt32.self)
    }
    let old = unsafe payload.load(fromByteOffset: nulls, as: UInt8.self)
    unsafe payload.storeBytes(of: element.isNull ? old | bit : old & ~bit, toByteOffset: nulls, as: UInt8.self)
  }

  @inline(__always) private static func load(_ payload: UnsafeMutableRawPointer, _ index: Int, _ kind: Kind) -> Element {
    let (place, nulls) = (place(index, kind), nullByte(index, kind))
    return Element(
      first: unsafe payload.loadUnaligned(fromByteOffset: place, as: UInt64.self),
      second: kind == .uuid
        ? unsafe payload.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
        : UInt64(unsafe payload.loadUnaligned(fromByteOffset: place + 8, as: UInt32.self)),
      isNull: unsafe payload.load(fromByteOffset: nulls, as: UInt8.self) >> UInt8(index & 7) & 1 != 0)
  }

  /// Sets the number of elements of a writable leaf, whose capacity must suffice.
  private static func setCount(_ scratch: Scratch, _ ref: Ref, _ count: Int, _ kind: Kind) {
    scratch.setShape(ref, scheme: .bytes, widthIndex: count == 0 ? 0 : 1, count: byteCount(count, kind))
  }

  package static func insert(
    _ scratch: Scratch, _ ref: inout Ref, _ kind: Kind, _ index: Int, _ value: Value
  ) throws(StorageError) {
    let element = try element(value, kind)
    let leaf = try FixedBytesLeaf(scratch.space, ref, kind)
    let count = leaf.count
    guard index >= 0, index <= count, byteCount(count + 1, kind) <= NodeHeader.largestCount else { throw leaf.node.missing(index) }
    try scratch.makeWritable(&ref)
    let payload = try unsafe scratch.reserve(&ref, payloadByteCount: byteCount(count + 1, kind))
    // A new block begins with clean null bits.
    if count & 7 == 0 { unsafe payload.storeBytes(of: 0, toByteOffset: nullByte(count, kind), as: UInt8.self) }
    var position = count
    while position > index {
      store(scratch, ref, position, unsafe load(payload, position - 1, kind), kind)
      position -= 1
    }
    store(scratch, ref, index, element, kind)
    setCount(scratch, ref, count + 1, kind)
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ kind: Kind, _ index: Int, _ value: Value) throws(StorageError) {
    let element = try element(value, kind)
    let leaf = try FixedBytesLeaf(scratch.space, ref, kind)
    guard index >= 0, index < leaf.count else { throw leaf.node.missing(index) }
    try scratch.makeWritable(&ref)
    store(scratch, ref, index, element, kind)
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ kind: Kind, _ index: Int) throws(StorageError) {
    try remove(scratch, &ref, kind, index..<index + 1)
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ kind: Kind, _ range: Range<Int>) throws(StorageError) {
    let leaf = try FixedBytesLeaf(scratch.space, ref, kind)
    guard range.lowerBound >= 0, range.upperBound <= leaf.count else { throw leaf.node.missing(range.upperBound - 1) }
    try scratch.makeWritable(&ref)
    let payload = unsafe scratch.payload(ref)
    for position in range.upperBound..<leaf.count {
      store(scratch, ref, position - range.count, unsafe load(payload, position, kind), kind)
    }
    setCount(scratch, ref, leaf.count - range.count, kind)
  }

  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, _ kind: Kind, at index: Int) throws(StorageError) -> Ref {
    let leaf = try FixedBytesLeaf(scratch.space, ref, kind)
    guard index >= 0, index <= leaf.count else { throw leaf.node.missing(index) }
    try scratch.makeWritable(&ref)
    let tail = try create(in: scratch, kind, count: leaf.count - index, isNullable: false)
    for position in index..<leaf.count { store(scratch, tail, position - index, unsafe load(scratch.payload(ref), position, kind), kind) }
    setCount(scratch, ref, index, kind)
    return tail
  }
}
