package typealias DoubleLeaf = FloatingLeaf<Double>
package typealias FloatLeaf = FloatingLeaf<Float>

/// Values of a Float or Double column or collection: 32 or 64 bits each, null is one special NaN. F3.4.
@safe package struct FloatingLeaf<Number: StoredFloatingPoint> {
  // SAFETY: `node` lies in the snapshot (see `Node`); an index is compared with its count, and its width is that of `Number`.
  let node: Node

  /// - Throws: `.corruptNode` unless the node is an array of elements of this width.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    node = try space.node(at: ref)
    guard node.header.bits & 0xDF00_0000 == 0x0800_0000 | Number.widthIndex << 24 else { throw node.broken("is no \(Number.self) leaf") }
  }

  @inline(__always) package var count: Int { node.count }

  /// The bits of element `index`.
  @inline(__always) package func bits(_ index: Int) throws(StorageError) -> Number.Bits {
    guard UInt(bitPattern: index) < UInt(bitPattern: node.count) else { throw node.missing(index) }
    return node.number(unchecked: index &* MemoryLayout<Number.Bits>.size, as: Number.Bits.self)
  }
  @inline(__always) package func isNull(_ index: Int) throws(StorageError) -> Bool { try bits(index) == Number.nullBits }
  /// Element `index`, nil for null.
  @inline(__always) package func number(_ index: Int) throws(StorageError) -> Number? {
    let bits = try bits(index)
    return bits == Number.nullBits ? nil : Number(storedBits: bits)
  }
  package func value(_ index: Int) throws(StorageError) -> Value { try number(index)?.asValue ?? .null }

  /// Rules: the layout and the number of elements.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int) throws(StorageError) {
    let leaf = try FloatingLeaf(space, ref)
    guard leaf.count == expectedCount else { throw leaf.node.broken("has \(leaf.count) elements, not \(expectedCount)") }
  }
}

extension FloatingLeaf<Double> {
  @inline(__always) package func double(_ index: Int) throws(StorageError) -> Double? { try number(index) }
}
extension FloatingLeaf<Float> {
  @inline(__always) package func float(_ index: Int) throws(StorageError) -> Float? { try number(index) }
}

extension FloatingLeaf {
  /// A leaf of `count` nulls or zeros.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    try scratch.createFixedWidth(count: count, ElementBits(isNullable ? UInt64(Number.nullBits) : 0), widthIndex: Number.widthIndex)
  }

  @inline(__always) private static func stored(_ number: Number?) -> ElementBits {
    guard let number else { return ElementBits(UInt64(Number.nullBits)) }
    return ElementBits(UInt64(number.bitsBesideNull))
  }

  @inline(__always) private static func open(_ scratch: Scratch, _ ref: inout Ref) throws(StorageError) {
    _ = try FloatingLeaf(scratch.space, ref)
    try scratch.makeWritable(&ref)
  }

  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ number: Number?) throws(StorageError) {
    try open(scratch, &ref)
    try scratch.insertFixedWidth(&ref, index, stored(number))
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ number: Number?) throws(StorageError) {
    try open(scratch, &ref)
    guard index >= 0, index < scratch.header(ref).count else { throw try scratch.space.node(at: ref).missing(index) }
    scratch.storeFixedWidth(ref, index, stored(number))
  }

  private static func number(_ value: Value) throws(StorageError) -> Number? {
    if case .null = value { return nil }
    guard let number = Number.number(in: value) else { throw .typeMismatch(reason: "a \(Number.self) leaf cannot hold \(value)") }
    return number
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
  /// - Parameter rows: ascending and different.
  static func remove<Rows: BidirectionalCollection<Int>>(_ scratch: Scratch, _ ref: inout Ref, rows: Rows) throws(StorageError) {
    try open(scratch, &ref)
    try scratch.removeFixedWidth(ref, rows: rows)
  }
  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try open(scratch, &ref)
    return try scratch.splitFixedWidth(&ref, at: index)
  }
}
