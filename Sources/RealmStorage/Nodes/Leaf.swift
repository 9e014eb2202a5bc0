/// The leaf operations by kind of leaf: one switch, then the family's own code.
package enum Leaf {
  // MARK: Reading

  package static func count(_ space: NodeSpace, _ kind: LeafKind, _ ref: Ref) throws(StorageError) -> Int {
    switch kind {
    case .backlink, .collection: try space.refs(at: ref).count
    default: try LeafReader(space, ref, kind).count
    }
  }

  /// - Throws: `.corruptNode`, also when there is no such element.
  package static func value(_ space: NodeSpace, _ kind: LeafKind, _ ref: Ref, _ index: Int) throws(StorageError) -> Value {
    try LeafReader(space, ref, kind).value(index)
  }

  // MARK: Writing

  /// A leaf of `count` default values (F3.18).
  package static func create(_ scratch: Scratch, _ slot: ColumnSlot, count: Int) throws(StorageError) -> Ref {
    switch slot.kind {
    case .int, .bool, .link, .linkElement:
      try scratch.createIntegers(count: count, value: defaultInteger(slot))
    case .typedLink: try scratch.createIntegers(count: count * 2)
    case .backlink, .collection: try scratch.createRefs(count: count)
    case .nullableInt: try NullableIntegerLeaf.create(in: scratch, count: count, isNullable: true)
    case .string: try StringLeaf.create(in: scratch, count: count, isNullable: slot.isNullable)
    case .binary: try BinaryLeaf.create(in: scratch, count: count, isNullable: slot.isNullable)
    case .mixed: try MixedLeaf.create(in: scratch, count: count)
    case .timestamp: try TimestampLeaf.create(in: scratch, count: count, isNullable: slot.isNullable)
    case .float: try FloatLeaf.create(in: scratch, count: count, isNullable: slot.isNullable)
    case .double: try DoubleLeaf.create(in: scratch, count: count, isNullable: slot.isNullable)
    case .decimal: try DecimalLeaf.create(in: scratch, count: count, isNullable: slot.isNullable)
    case .objectID: try FixedBytesLeaf.create(in: scratch, .objectID, count: count, isNullable: slot.isNullable)
    case .uuid: try FixedBytesLeaf.create(in: scratch, .uuid, count: count, isNullable: slot.isNullable)
    }
  }

  @inline(__always) private static func defaultInteger(_ slot: ColumnSlot) -> Int64 {
    slot.enumeratedDefault ?? IntegerLeaf.defaultValue(slot.kind, isNullable: slot.isNullable)
  }

  /// The value that a new element gets (F3.18); `slot` is not of kind backlink or collection.
  package static func defaultValue(_ slot: ColumnSlot) -> Value {
    switch slot.kind {
    case .link, .linkElement, .mixed, .nullableInt, .typedLink, .backlink, .collection: .null
    case _ where slot.isNullable: .null
    case .int: .int(0)
    case .bool: .bool(false)
    case .string: .string([])
    case .binary: .binary([])
    case .timestamp: .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
    case .float: .float(0)
    case .double: .double(0)
    case .decimal: .decimal(Decimal128(low: 0, high: 0x3040_0000_0000_0000))
    case .objectID: .objectID(ObjectID(high: 0, low: 0))
    case .uuid: .uuid(UUIDBytes(high: 0, low: 0))
    }
  }

  package static func insertDefault(_ scratch: Scratch, _ slot: ColumnSlot, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    switch slot.kind {
    case .int, .bool, .link, .linkElement: try scratch.insert(&ref, index, defaultInteger(slot))
    case .backlink, .collection: try scratch.insert(&ref, index, 0)
    case .typedLink: try scratch.insert(&ref, index * 2, contentsOf: [0, 0])
    case .double: try DoubleLeaf.insert(scratch, &ref, index, slot.isNullable ? nil : 0 as Double?)
    case .string: try StringLeaf.insertDefault(scratch, &ref, index, isNullable: slot.isNullable)
    default: try insert(scratch, slot.kind, &ref, index, defaultValue(slot))
    }
  }

  package static func insert(
    _ scratch: Scratch, _ kind: LeafKind, _ ref: inout Ref, _ index: Int, _ value: Value
  ) throws(StorageError) {
    switch kind {
    case .int, .bool, .link, .linkElement: try scratch.insert(&ref, index, storedInteger(value, kind))
    case .nullableInt: try NullableIntegerLeaf.insert(scratch, &ref, index, value)
    case .string: try StringLeaf.insert(scratch, &ref, index, value)
    case .binary: try BinaryLeaf.insert(scratch, &ref, index, value)
    case .mixed: try MixedLeaf.insert(scratch, &ref, index, value)
    case .timestamp: try TimestampLeaf.insert(scratch, &ref, index, value)
    case .float: try FloatLeaf.insert(scratch, &ref, index, value)
    case .double: try DoubleLeaf.insert(scratch, &ref, index, value)
    case .decimal: try DecimalLeaf.insert(scratch, &ref, index, value)
    case .objectID: try FixedBytesLeaf.insert(scratch, &ref, .objectID, index, value)
    case .uuid: try FixedBytesLeaf.insert(scratch, &ref, .uuid, index, value)
    case .backlink, .collection, .typedLink: throw .typeMismatch(reason: "values cannot be stored in this column")
    }
  }

  package static func set(
    _ scratch: Scratch, _ kind: LeafKind, _ ref: inout Ref, _ index: Int, _ value: Value
  ) throws(StorageError) {
    switch kind {
    case .int, .bool, .link, .linkElement: try scratch.set(&ref, index, storedInteger(value, kind))
    case .nullableInt: try NullableIntegerLeaf.set(scratch, &ref, index, value)
    case .string: try StringLeaf.set(scratch, &ref, index, value)
    case .binary: try BinaryLeaf.set(scratch, &ref, index, value)
    case .mixed: try MixedLeaf.set(scratch, &ref, index, value)
    case .timestamp: try TimestampLeaf.set(scratch, &ref, index, value)
    case .float: try FloatLeaf.set(scratch, &ref, index, value)
    case .double: try DoubleLeaf.set(scratch, &ref, index, value)
    case .decimal: try DecimalLeaf.set(scratch, &ref, index, value)
    case .objectID: try FixedBytesLeaf.set(scratch, &ref, .objectID, index, value)
    case .uuid: try FixedBytesLeaf.set(scratch, &ref, .uuid, index, value)
    case .backlink, .collection, .typedLink: throw .typeMismatch(reason: "values cannot be stored in this column")
    }
  }

  @inline(__always) private static func storedInteger(_ value: Value, _ kind: LeafKind) throws(StorageError) -> Int64 {
    guard let stored = IntegerLeaf.stored(value, kind) else { throw .typeMismatch(reason: "\(value) in a column of kind \(kind)") }
    return stored
  }

  /// Removes an element; what it owns (a collection, a backlink list) is the caller's to free before.
  package static func remove(_ scratch: Scratch, _ slot: ColumnSlot, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    try remove(scratch, slot.kind, &ref, index)
  }

  package static func remove(_ scratch: Scratch, _ kind: LeafKind, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    switch kind {
    case .int, .bool, .link, .linkElement, .backlink, .collection: try scratch.remove(&ref, index)
    case .typedLink: try scratch.remove(&ref, index * 2..<index * 2 + 2)
    case .nullableInt: try NullableIntegerLeaf.remove(scratch, &ref, index)
    case .string: try StringLeaf.remove(scratch, &ref, index)
    case .binary: try BinaryLeaf.remove(scratch, &ref, index)
    case .mixed: try MixedLeaf.remove(scratch, &ref, index)
    case .timestamp: try TimestampLeaf.remove(scratch, &ref, index)
    case .float: try FloatLeaf.remove(scratch, &ref, index)
    case .double: try DoubleLeaf.remove(scratch, &ref, index)
    case .decimal: try DecimalLeaf.remove(scratch, &ref, index)
    case .objectID: try FixedBytesLeaf.remove(scratch, &ref, .objectID, index)
    case .uuid: try FixedBytesLeaf.remove(scratch, &ref, .uuid, index)
    }
  }

  /// Moves the elements from `index` on, with what they own, to a new leaf.
  package static func split(_ scratch: Scratch, _ slot: ColumnSlot, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try split(scratch, slot.kind, &ref, at: index)
  }

  package static func split(_ scratch: Scratch, _ kind: LeafKind, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    switch kind {
    case .int, .bool, .link, .linkElement, .backlink, .collection: try scratch.splitElements(&ref, at: index)
    case .typedLink: try scratch.splitElements(&ref, at: index * 2)
    case .nullableInt: try NullableIntegerLeaf.split(scratch, &ref, at: index)
    case .string: try StringLeaf.split(scratch, &ref, at: index)
    case .binary: try BinaryLeaf.split(scratch, &ref, at: index)
    case .mixed: try MixedLeaf.split(scratch, &ref, at: index)
    case .timestamp: try TimestampLeaf.split(scratch, &ref, at: index)
    case .float: try FloatLeaf.split(scratch, &ref, at: index)
    case .double: try DoubleLeaf.split(scratch, &ref, at: index)
    case .decimal: try DecimalLeaf.split(scratch, &ref, at: index)
    case .objectID: try FixedBytesLeaf.split(scratch, &ref, .objectID, at: index)
    case .uuid: try FixedBytesLeaf.split(scratch, &ref, .uuid, at: index)
    }
  }

  /// Appends the elements of `source`, with what they own, and frees the nodes of `source`.
  package static func merge(_ scratch: Scratch, _ slot: ColumnSlot, _ ref: inout Ref, appending source: Ref) throws(StorageError) {
    try merge(scratch, slot.kind, &ref, appending: source)
  }

  package static func merge(_ scratch: Scratch, _ kind: LeafKind, _ ref: inout Ref, appending source: Ref) throws(StorageError) {
    let space = scratch.space
    switch kind {
    case .int, .bool, .link, .linkElement, .backlink, .collection, .typedLink:
      let node = try space.node(at: source)
      guard node.header.schemeBits == 0 else { throw node.broken("is no array of elements") }
      try space.checkCount(node.count, of: node)
      var values: [Int64] = []
      values.reserveCapacity(node.count)
      for index in 0..<node.count { values.append(node.element(unchecked: index)) }
      try scratch.insert(&ref, space.node(at: ref).count, contentsOf: values)
      try scratch.free(source)
    case .mixed: try MixedLeaf.merge(scratch, &ref, appending: source)
    default:
      let (count, added) = (try count(space, kind, ref), try Leaf.count(space, kind, source))
      for index in 0..<added { try insert(scratch, kind, &ref, count + index, value(space, kind, source, index)) }
      try scratch.freeTree(source)
    }
  }
}
