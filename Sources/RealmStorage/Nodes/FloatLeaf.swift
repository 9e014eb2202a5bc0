/// Values of a Float column or collection: 32 bits each, null is one special NaN. F3.4.
@safe package struct FloatLeaf {
  static let nullBits: UInt32 = 0x7FC0_00AA
  /// The NaN that replaces a user's NaN which could be mistaken for null.
  static let plainNaN: UInt32 = 0x7FC0_0000
  static let widthIndex: UInt32 = 3

  let node: Node

  /// - Throws: `.corruptNode` unless the node is an array of 32-bit elements.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    node = try space.node(at: ref)
    guard node.header.bits & 0xDF00_0000 == 0x0800_0000 | FloatLeaf.widthIndex << 24 else { throw node.broken("is no Float leaf") }
  }

  @inline(__always) package var count: Int { node.count }

  /// The bits of element `index`.
  @inline(__always) package func bits(_ index: Int) throws(StorageError) -> UInt32 {
    guard UInt(bitPattern: index) < UInt(bitPattern: node.count) else { throw node.missing(index) }
    return node.number(unchecked: index << 2, as: UInt32.self)
  }
  @inline(__always) package func isNull(_ index: Int) throws(StorageError) -> Bool { try bits(index) == FloatLeaf.nullBits }
  /// Element `index`, nil for null.
  @inline(__always) package func float(_ index: Int) throws(StorageError) -> Float? {
    let bits = try bits(index)
    return bits == FloatLeaf.nullBits ? nil : Float(bitPattern: bits)
  }
  package func value(_ index: Int) throws(StorageError) -> Value {
    if let number = try float(index) { return .float(number) }
    return .null
  }

  /// Rules: the layout and the number of elements.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int) throws(StorageError) {
    let leaf = try FloatLeaf(space, ref)
    guard leaf.count == expectedCount else { throw leaf.node.broken("has \(leaf.count) elements, not \(expectedCount)") }
  }
}

extension FloatLeaf {
  /// A leaf of `count` nulls or zeros.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    try scratch.createFixedWidth(count: count, ElementBits(isNullable ? UInt64(nullBits) : 0), widthIndex: widthIndex)
  }

  @inline(__always) private static func stored(_ number: Float?) -> ElementBits {
    guard let number else { return ElementBits(UInt64(nullBits)) }
    let bits = number.bitPattern
    // A signalling NaN becomes the null pattern when it passes through a register as a quiet one.
    return ElementBits(UInt64(number.isNaN && bits | 0x40_0000 == nullBits ? plainNaN : bits))
  }

  @inline(__always) private static func open(_ scratch: Scratch, _ ref: inout Ref) throws(StorageError) {
    _ = try FloatLeaf(scratch.space, ref)
    try scratch.makeWritable(&ref)
  }

  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ number: Float?) throws(StorageError) {
    try open(scratch, &ref)
    try scratch.insertFixedWidth(&ref, index, stored(number))
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ number: Float?) throws(StorageError) {
    try open(scratch, &ref)
    guard index >= 0, index < scratch.header(ref).count else { throw try scratch.space.node(at: ref).missing(index) }
    scratch.storeFixedWidth(ref, index, stored(number))
  }

  private static func number(_ value: Value) throws(StorageError) -> Float? {
    switch value {
    case .null: return nil
    case .float(let number): return number
    default: throw .typeMismatch(reason: "a Float leaf cannot hold \(value)")
    }
  }
  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try insert(scratch, &ref, index, number(value))
  }
  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try set(scratch, &ref, index, number(value))
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    try remove(scratch, &ref, index..<index + 1)
  }
  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ range: Range<Int>) throws(StorageError) {
    try open(scratch, &ref)
    try scratch.removeFixedWidth(&ref, range)
  }
  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try open(scratch, &ref)
    return try scratch.splitFixedWidth(&ref, at: index)
  }
}
