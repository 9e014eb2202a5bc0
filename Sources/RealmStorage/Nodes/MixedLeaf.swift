/// Values of a Mixed column or collection: one composite number per value, and arrays for what does not fit into it. F3.15.
@safe package struct MixedLeaf {
  // SAFETY: nodes lie in the snapshot (see `Node`); every payload array is checked before a value in it is read.
  /// The children of the root.
  enum Slot {
    static let composites = 0, integers = 1, pairs = 2, strings = 3, collections = 4, keys = 5
    static let count = 6
  }

  let space: NodeSpace
  let root: Node
  let composites: Node

  /// Payload arrays are checked when a value in them is read.
  /// - Throws: `.corruptNode` unless the node has 4 to 6 slots, with composites in the first.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    self.space = space
    root = try space.refs(at: ref)
    guard root.count >= 4, root.count <= Slot.count, !root.header.isInner else { throw root.broken("is no Mixed leaf") }
    composites = try space.integers(at: root.child(Slot.composites))
  }

  @inline(__always) package var count: Int { composites.count }
  @inline(__always) package func isNull(_ index: Int) throws(StorageError) -> Bool { try composites.element(index) == 0 }

  /// The type of element `index`, nil for null.
  @inline(__always) package func type(_ index: Int) throws(StorageError) -> ColumnType? {
    let composite = Composite(try composites.element(index))
    if composite.bits == 0 { return nil }
    guard let type = composite.type else { throw badComposite(index) }
    return type
  }

  /// Element `index`; a nested collection appears as its root, which `key` identifies.
  package func value(_ index: Int) throws(StorageError) -> Value {
    let composite = Composite(try composites.element(index))
    if composite.bits == 0 { return .null }
    guard let type = composite.type, composite.hasRightSlot(type) else { throw badComposite(index) }
    let entry = composite.content
    switch type {
    case .int: return .int(composite.slot == 0 ? Int64(entry) : try integer(entry))
    case .bool: return .bool(entry != 0)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try integer(entry))))
    case .double: return .double(Double(bitPattern: UInt64(bitPattern: try integer(entry))))
    case .string: return .string(unsafe [UInt8](try storedBytes(entry)))
    case .binary: return .binary(unsafe [UInt8](try storedBytes(entry)))
    case .timestamp:
      let (seconds, nanoseconds) = try pair(entry)
      guard TimestampLeaf.isPart(nanoseconds) else { throw badComposite(index) }
      return .timestamp(Timestamp(seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: nanoseconds)))
    case .decimal:
      let (low, high) = try pair(entry)
      return .decimal(Decimal128(low: UInt64(bitPattern: low), high: UInt64(bitPattern: high)))
    case .typedLink:
      let (table, key) = try pair(entry)
      guard let table = UInt32(exactly: table) else { throw badComposite(index) }
      return .typedLink(ObjectLink(table: TableKey(rawValue: table), key: ObjectKey(key)))
    case .objectID, .uuid: return try identifier(entry, type, index)
    case .list: return .list(try collection(entry))
    case .dictionary: return .dictionary(try collection(entry))
    default: throw badComposite(index)
    }
  }

  private func identifier(_ entry: Int, _ type: ColumnType, _ index: Int) throws(StorageError) -> Value {
    let bytes = try unsafe storedBytes(entry)
    guard bytes.count == (type == .uuid ? 16 : 12) else { throw badComposite(index) }
    let high = UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    if type == .uuid {
      return .uuid(UUIDBytes(high: high, low: UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))))
    }
    return .objectID(ObjectID(high: high, low: UInt32(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))))
  }

  /// The bytes of element `index` if it is a string or binary, else nil; valid as long as the leaf is.
  func bytes(_ index: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
    let composite = Composite(try composites.element(index))
    guard composite.type == .string || composite.type == .binary else { return nil }
    guard composite.slot == Slot.strings else { throw badComposite(index) }
    return try unsafe storedBytes(composite.content)
  }

  /// The root of the nested collection at `index`; null while the collection is empty.
  /// - Throws: `.typeMismatch` if the element is no collection.
  package func collectionRoot(_ index: Int) throws(StorageError) -> Ref {
    let composite = Composite(try composites.element(index))
    guard composite.slot == Slot.collections else { throw .typeMismatch(reason: "element \(index) is no nested collection") }
    return try collection(composite.content)
  }

  /// The identity of the nested collection at `index`; 0 for every other value. Arrays may be shorter than the leaf.
  package func key(_ index: Int) throws(StorageError) -> Int64 {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw root.missing(index) }
    let keys = try root.child(Slot.keys)
    if keys.isNull { return 0 }
    let node = try space.integers(at: keys)
    return index < node.count ? node.element(unchecked: index) : 0
  }

  /// The element with the given identity, which must not be 0. O(n).
  package func index(ofKey key: Int64) throws(StorageError) -> Int? {
    precondition(key != 0)
    let keys = try root.child(Slot.keys)
    if keys.isNull { return nil }
    let node = try space.integers(at: keys)
    guard let index = node.firstIndex(of: key), index < count else { return nil }
    return index
  }

  /// Whether a collection here has the given identity, for choosing a new one.
  package func hasKey(_ key: Int64) throws(StorageError) -> Bool {
    let keys = try root.child(Slot.keys)
    return keys.isNull ? false : try space.integers(at: keys).firstIndex(of: key) != nil
  }

  /// Whether some element is, or was, a nested collection.
  var hasCollections: Bool {
    get throws(StorageError) { try !root.child(Slot.collections).isNull }
  }

  /// Whether element `index` is a nested collection in which something was put.
  func isNonEmptyCollection(_ index: Int) throws(StorageError) -> Bool {
    let composite = Composite(try composites.element(index))
    if composite.slot != Slot.collections { return false }
    return try !collection(composite.content).isNull
  }

  // MARK: Payload

  private func integer(_ entry: Int) throws(StorageError) -> Int64 {
    try space.integers(at: root.child(Slot.integers)).element(entry)
  }
  private func pair(_ entry: Int) throws(StorageError) -> (Int64, Int64) {
    let node = try space.integers(at: root.child(Slot.pairs))
    // An index beyond 2^55 does not fit into a composite, so doubling cannot overflow.
    return (try node.element(entry * 2), try node.element(entry * 2 + 1))
  }
  private func storedBytes(_ entry: Int) throws(StorageError) -> UnsafeRawBufferPointer {
    let ref = try root.child(Slot.strings)
    guard let bytes = try unsafe StringLeaf(space, ref).bytes(entry) else {
      throw .corruptNode(ref: ref, reason: "string \(entry) of a Mixed leaf is null")
    }
    return unsafe bytes
  }
  private func collection(_ entry: Int) throws(StorageError) -> Ref {
    let node = try space.refs(at: root.child(Slot.collections))
    guard UInt(bitPattern: entry) < UInt(bitPattern: node.count) else { throw node.missing(entry) }
    return try node.child(entry)
  }

  @inline(never) func badComposite(_ index: Int) -> StorageError {
    composites.broken("element \(index) is no composite value (\(composites.element(unchecked: index)))")
  }
}

extension MixedLeaf {
  /// One element of the composites: type, payload slot, and the value or the index of its payload.
  struct Composite {
    let bits: Int64
    @inline(__always) init(_ bits: Int64) { self.bits = bits }
    @inline(__always) init(_ type: ColumnType, slot: Int, _ content: Int) {
      bits = Int64(content) << 8 | Int64(slot) << 5 | (Int64(type.rawValue) + 1)
    }
    /// Nil for null and for numbers that are no type.
    @inline(__always) var type: ColumnType? { ColumnType(rawValue: UInt8(truncatingIfNeeded: bits & 31) &- 1) }
    @inline(__always) var slot: Int { Int(bits >> 5 & 7) }
    @inline(__always) var content: Int { Int(bits >> 8) }

    /// Whether values of the type are stored in this composite's slot.
    @inline(__always) func hasRightSlot(_ type: ColumnType) -> Bool {
      switch type {
      case .int: slot <= Slot.integers
      case .bool: slot == 0
      case .float, .double: slot == Slot.integers
      case .timestamp, .decimal, .typedLink: slot == Slot.pairs
      case .string, .binary, .objectID, .uuid: slot == Slot.strings
      case .list, .dictionary: slot == Slot.collections
      default: false
      }
    }
  }

  /// Rules: the number of elements; composites have a type and its slot; each payload entry belongs to exactly one value; payload arrays
  /// are valid leaves; keys are as many as the values, non-zero and unique for collections, 0 for others.
  /// - Parameter requiresKeys: false while a collection was stored whose identity is still to be chosen.
  package static func check(
    _ space: NodeSpace, _ ref: Ref, expectedCount: Int, requiresKeys: Bool = true
  ) throws(StorageError) {
    let leaf = try MixedLeaf(space, ref)
    guard leaf.count == expectedCount else { throw leaf.root.broken("has \(leaf.count) elements, not \(expectedCount)") }
    var used: [[Bool]] = []
    for slot in 0..<Slot.keys { used.append([Bool](repeating: false, count: slot == 0 ? 0 : try leaf.entryCount(slot))) }
    for index in 0..<leaf.count {
      _ = try leaf.value(index)
      let composite = Composite(leaf.composites.element(unchecked: index))
      if composite.slot == 0 { continue }
      let entry = composite.content
      guard !used[composite.slot][entry] else { throw leaf.root.broken("entry \(entry) of slot \(composite.slot) has two owners") }
      used[composite.slot][entry] = true
    }
    for slot in 1..<Slot.keys where used[slot].contains(false) { throw leaf.root.broken("slot \(slot) has entries without owner") }
    let strings = try leaf.root.child(Slot.strings)
    if !strings.isNull { try StringLeaf.check(space, strings, expectedCount: used[Slot.strings].count) }
    try leaf.checkKeys(required: requiresKeys)
  }

  private func checkKeys(required: Bool) throws(StorageError) {
    let keys = try root.child(Slot.keys)
    if !keys.isNull, try space.integers(at: keys).count != count { throw root.broken("has a keys array of another length") }
    var seen: Set<Int64> = []
    for index in 0..<count {
      let key = try key(index)
      if Composite(composites.element(unchecked: index)).slot == Slot.collections {
        if required && key == 0 { throw root.broken("collection \(index) has no identity") }
        if key != 0 && !seen.insert(key).inserted { throw root.broken("the identity \(key) occurs twice") }
      } else if key != 0 {
        throw root.broken("element \(index) is no collection but has the identity \(key)")
      }
    }
  }

  /// Number of entries of a payload array.
  func entryCount(_ slot: Int) throws(StorageError) -> Int {
    let child = try root.child(slot)
    if child.isNull { return 0 }
    switch slot {
    case Slot.integers: return try space.integers(at: child).count
    case Slot.pairs: return try space.integers(at: child).count / 2
    case Slot.strings: return try StringLeaf(space, child).count
    default: return try space.refs(at: child).count
    }
  }
}
