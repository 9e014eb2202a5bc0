/// Values of a Timestamp column or collection: a leaf of optional seconds and one of nanoseconds. F3.16.
@safe package struct TimestampLeaf {
  enum Slot {
    static let seconds = 0
    static let nanoseconds = 1
    static let count = 2
  }

  // SAFETY: both leaves lie in the snapshot (see `Node`) and have the same count, with which an index is compared.
  static let nanosecondsPerSecond: Int64 = 1_000_000_000

  let root: Node
  let seconds: NullableIntegerLeaf
  let nanoseconds: Node

  /// - Throws: `.corruptNode` unless both children are there and agree about the number of elements.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    root = try space.refs(at: ref)
    guard root.count == Slot.count, !root.header.isInner else { throw root.broken("is no Timestamp leaf") }
    seconds = try NullableIntegerLeaf(space, root.child(Slot.seconds))
    nanoseconds = try space.integers(at: root.child(Slot.nanoseconds))
    guard seconds.count == nanoseconds.count else {
      throw root.broken("has \(seconds.count) seconds but \(nanoseconds.count) nanoseconds")
    }
  }

  @inline(__always) package var count: Int { nanoseconds.count }
  @inline(__always) package func isNull(_ index: Int) throws(StorageError) -> Bool { try seconds.isNull(index) }

  /// Element `index`, nil for null.
  @inline(__always) package func timestamp(_ index: Int) throws(StorageError) -> Timestamp? {
    guard let whole = try seconds.int(index) else { return nil }
    let part = nanoseconds.element(unchecked: index)
    guard TimestampLeaf.isPart(part) else { throw nanoseconds.broken("element \(index) is \(part), which are no nanoseconds") }
    return Timestamp(seconds: whole, nanoseconds: Int32(truncatingIfNeeded: part))
  }
  package func value(_ index: Int) throws(StorageError) -> Value {
    if let timestamp = try timestamp(index) { return .timestamp(timestamp) }
    return .null
  }

  /// Whether the number lies in the range of nanoseconds.
  @inline(__always) static func isPart(_ number: Int64) -> Bool { number > -nanosecondsPerSecond && number < nanosecondsPerSecond }

  /// Whether nanoseconds are in range and have the sign of the seconds.
  @inline(__always) static func isValid(_ timestamp: Timestamp) -> Bool {
    let (whole, part) = (timestamp.seconds, Int64(timestamp.nanoseconds))
    return isPart(part) && (whole == 0 || part == 0 || (whole < 0) == (part < 0))
  }

  static func admit(_ timestamp: Timestamp) throws(StorageError) {
    guard isValid(timestamp) else {
      throw .invalidArgument(
        reason: "a timestamp of \(timestamp.seconds) seconds and \(timestamp.nanoseconds) nanoseconds: "
          + "nanoseconds must lie in ±999999999 and have the sign of the seconds")
    }
  }

  /// Rules: the layout and the number of elements; the rules of the seconds; every timestamp is valid.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int) throws(StorageError) {
    let leaf = try TimestampLeaf(space, ref)
    guard leaf.count == expectedCount else { throw leaf.root.broken("has \(leaf.count) elements, not \(expectedCount)") }
    try NullableIntegerLeaf.check(space, leaf.seconds.node.ref, expectedCount: expectedCount)
    for index in 0..<leaf.count {
      guard let timestamp = try leaf.timestamp(index) else { continue }
      guard isValid(timestamp) else { throw leaf.root.broken("element \(index) is \(timestamp)") }
    }
  }
}

extension TimestampLeaf {
  private static func createRoot(in scratch: Scratch, _ seconds: Ref, _ nanoseconds: Ref) throws(StorageError) -> Ref {
    let root = try scratch.createRefs(count: Slot.count)
    scratch.setChild(root, Slot.seconds, seconds)
    scratch.setChild(root, Slot.nanoseconds, nanoseconds)
    return root
  }

  /// A leaf of `count` nulls, or of the beginning of 1970.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    let seconds = try NullableIntegerLeaf.create(in: scratch, count: count, isNullable: isNullable)
    return try createRoot(in: scratch, seconds, scratch.createIntegers(count: count))
  }

  /// - Throws: `.invalidArgument` when the two parts do not fit each other.
  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ timestamp: Timestamp?) throws(StorageError) {
    if let timestamp { try admit(timestamp) }
    let leaf = try TimestampLeaf(scratch.space, ref)
    guard index >= 0, index <= leaf.count, leaf.count < NodeHeader.largestCount - 1 else { throw leaf.root.missing(index) }
    var (seconds, nanoseconds) = (leaf.seconds.node.ref, leaf.nanoseconds.ref)
    try scratch.makeWritable(&ref)
    try NullableIntegerLeaf.insert(scratch, &seconds, index, timestamp?.seconds)
    scratch.setChild(ref, Slot.seconds, seconds)
    try scratch.insert(&nanoseconds, index, Int64(timestamp?.nanoseconds ?? 0))
    scratch.setChild(ref, Slot.nanoseconds, nanoseconds)
  }

  /// - Throws: `.invalidArgument` when the two parts do not fit each other.
  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ timestamp: Timestamp?) throws(StorageError) {
    if let timestamp { try admit(timestamp) }
    let leaf = try TimestampLeaf(scratch.space, ref)
    guard index >= 0, index < leaf.count else { throw leaf.root.missing(index) }
    var (seconds, nanoseconds) = (leaf.seconds.node.ref, leaf.nanoseconds.ref)
    try scratch.makeWritable(&ref)
    try NullableIntegerLeaf.set(scratch, &seconds, index, timestamp?.seconds)
    scratch.setChild(ref, Slot.seconds, seconds)
    try scratch.set(&nanoseconds, index, Int64(timestamp?.nanoseconds ?? 0))
    scratch.setChild(ref, Slot.nanoseconds, nanoseconds)
  }

  private static func timestamp(_ value: Value) throws(StorageError) -> Timestamp? {
    switch value {
    case .null: return nil
    case .timestamp(let timestamp): return timestamp
    default: throw .typeMismatch(reason: "a Timestamp leaf cannot hold \(value)")
    }
  }
  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try insert(scratch, &ref, index, timestamp(value))
  }
  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try set(scratch, &ref, index, timestamp(value))
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    try remove(scratch, &ref, index..<index + 1)
  }
  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ range: Range<Int>) throws(StorageError) {
    let leaf = try TimestampLeaf(scratch.space, ref)
    guard range.lowerBound >= 0, range.upperBound <= leaf.count else { throw leaf.root.missing(range.upperBound - 1) }
    var (seconds, nanoseconds) = (leaf.seconds.node.ref, leaf.nanoseconds.ref)
    try scratch.makeWritable(&ref)
    try NullableIntegerLeaf.remove(scratch, &seconds, range)
    scratch.setChild(ref, Slot.seconds, seconds)
    try scratch.remove(&nanoseconds, range)
    scratch.setChild(ref, Slot.nanoseconds, nanoseconds)
  }

  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    let leaf = try TimestampLeaf(scratch.space, ref)
    guard index >= 0, index <= leaf.count else { throw leaf.root.missing(index) }
    var (seconds, nanoseconds) = (leaf.seconds.node.ref, leaf.nanoseconds.ref)
    try scratch.makeWritable(&ref)
    let tailSeconds = try NullableIntegerLeaf.split(scratch, &seconds, at: index)
    scratch.setChild(ref, Slot.seconds, seconds)
    let tailNanoseconds = try scratch.splitElements(&nanoseconds, at: index)
    scratch.setChild(ref, Slot.nanoseconds, nanoseconds)
    return try createRoot(in: scratch, tailSeconds, tailNanoseconds)
  }
}
