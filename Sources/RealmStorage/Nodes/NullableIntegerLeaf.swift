/// Values of an optional Int column or collection: element 0 is the sentinel that means null, value i is element i + 1. F3.2.
@safe package struct NullableIntegerLeaf {
  // SAFETY: `node` lies in the snapshot (see `Node`); an index is compared with `count`, one less than the elements of the node.
  let node: Node
  /// The number that stands for null in this leaf.
  let sentinel: Int64

  /// - Throws: `.corruptNode` unless the node is an integer array with at least the sentinel.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    node = try space.integers(at: ref)
    guard node.count > 0, !node.header.isInner else { throw node.broken("is no leaf of optional integers") }
    sentinel = node.element(unchecked: 0)
  }

  @inline(__always) package var count: Int { node.count - 1 }
  /// Element `index`, nil for null.
  @inline(__always) package func int(_ index: Int) throws(StorageError) -> Int64? {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw node.missing(index) }
    let value = node.element(unchecked: index + 1)
    return value == sentinel ? nil : value
  }
  @inline(__always) package func isNull(_ index: Int) throws(StorageError) -> Bool { try int(index) == nil }
  package func value(_ index: Int) throws(StorageError) -> Value {
    if let number = try int(index) { return .int(number) }
    return .null
  }

  /// The first element in `begin..<end` that equals `number`; nil is null.
  package func find(_ number: Int64?, from begin: Int, to end: Int) throws(StorageError) -> Int? {
    guard begin >= 0, end <= count else { throw node.missing(end) }
    if let number, number == sentinel { return nil }
    let wanted = number ?? sentinel
    for index in begin..<max(begin, end) where node.element(unchecked: index + 1) == wanted { return index }
    return nil
  }

  /// Rules: the layout and the number of elements; below width 64, the sentinel is the largest number of the width.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int) throws(StorageError) {
    let leaf = try NullableIntegerLeaf(space, ref)
    guard leaf.count == expectedCount else { throw leaf.node.broken("has \(leaf.count) elements, not \(expectedCount)") }
    let widthIndex = leaf.node.header.widthIndex
    guard widthIndex == 7 || leaf.sentinel == largest(widthIndex) else {
      throw leaf.node.broken("has the null sentinel \(leaf.sentinel) at width \(leaf.node.header.width)")
    }
  }

  /// The largest number of a width, which stands for null in every width below 64.
  @inline(__always) static func largest(_ widthIndex: UInt32) -> Int64 {
    switch widthIndex {
    case 0: 0
    case 1: 1
    case 2: 3
    case 3: 15
    case 4: 0x7F
    case 5: 0x7FFF
    case 6: 0x7FFF_FFFF
    default: Int64.max
    }
  }
}

extension NullableIntegerLeaf {
  /// A leaf of `count` nulls or zeros.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    var ref = try scratch.createIntegers(count: count + 1, widthIndex: isNullable || count == 0 ? 0 : 1)
    if !isNullable && count > 0 { try scratch.set(&ref, 0, 1) }
    return ref
  }

  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ number: Int64?) throws(StorageError) {
    let stored = try admit(scratch, &ref, number)
    let count = scratch.header(ref).count
    guard index >= 0, index < count, count < NodeHeader.largestCount else { throw try scratch.space.node(at: ref).missing(index) }
    try scratch.insert(&ref, index + 1, stored)
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ number: Int64?) throws(StorageError) {
    let stored = try admit(scratch, &ref, number)
    guard index >= 0, index < scratch.header(ref).count - 1 else { throw try scratch.space.node(at: ref).missing(index) }
    try scratch.set(&ref, index + 1, stored)
  }

  /// Makes the leaf writable and wide enough for `number`, and the sentinel different from it.
  /// - Returns: the element to store.
  @inline(__always)
  private static func admit(_ scratch: Scratch, _ ref: inout Ref, _ number: Int64?) throws(StorageError) -> Int64 {
    let leaf = try NullableIntegerLeaf(scratch.space, ref)
    try scratch.makeWritable(&ref)
    try scratch.checkElements(ref)
    guard let number else { return leaf.sentinel }
    if number == leaf.sentinel || NodeHeader.widthIndex(signed: number) > leaf.node.header.widthIndex {
      try makeRoom(scratch, &ref, for: number)
    }
    return number
  }

  @inline(never) private static func makeRoom(_ scratch: Scratch, _ ref: inout Ref, for number: Int64) throws(StorageError) {
    let old = scratch.header(ref).widthIndex
    var needed = max(NodeHeader.widthIndex(signed: number), old)
    while needed < 7 && (needed == old || number == largest(needed)) { needed += 1 }
    let oldSentinel = unsafe readElement(scratch.payload(ref), old, 0)
    if needed > old { try scratch.widen(&ref, to: needed, extra: 1) }
    let sentinel = needed < 7 ? largest(needed) : number == oldSentinel ? unused(scratch, ref, except: number) : oldSentinel
    if sentinel == oldSentinel { return }
    let place = unsafe scratch.payload(ref)
    for index in 0..<scratch.header(ref).count where unsafe readElement(place, needed, index) == oldSentinel {
      unsafe writeElement(place, needed, index, sentinel)
    }
  }

  /// A number that no element of the writable leaf of width 64 has.
  private static func unused(_ scratch: Scratch, _ ref: Ref, except number: Int64) -> Int64 {
    let (place, count) = unsafe (scratch.payload(ref), scratch.header(ref).count)
    var candidate: Int64 = 0x5BD1_E995_97A4_3C17
    while true {
      var isUsed = candidate == number
      for index in 0..<count { isUsed = unsafe readElement(place, 7, index) == candidate || isUsed }
      if !isUsed { return candidate }
      candidate = candidate &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
  }

  private static func number(_ value: Value) throws(StorageError) -> Int64? {
    switch value {
    case .null: return nil
    case .int(let number): return number
    default: throw .typeMismatch(reason: "an Int leaf cannot hold \(value)")
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
    let leaf = try NullableIntegerLeaf(scratch.space, ref)
    guard range.lowerBound >= 0, range.upperBound <= leaf.count else { throw leaf.node.missing(range.upperBound - 1) }
    try scratch.remove(&ref, range.lowerBound + 1..<range.upperBound + 1)
    forgetWidth(scratch, ref)
  }

  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    let leaf = try NullableIntegerLeaf(scratch.space, ref)
    guard index >= 0, index <= leaf.count else { throw leaf.node.missing(index) }
    var tail = try scratch.splitElements(&ref, at: index + 1)
    try scratch.insert(&tail, 0, leaf.sentinel)
    forgetWidth(scratch, ref)
    forgetWidth(scratch, tail)
    return tail
  }

  /// An empty leaf starts again at width 0, whose sentinel is 0.
  private static func forgetWidth(_ scratch: Scratch, _ ref: Ref) {
    let header = scratch.header(ref)
    if header.count == 1 { scratch.setHeader(ref, header.with(widthIndex: 0)) }
  }
}
