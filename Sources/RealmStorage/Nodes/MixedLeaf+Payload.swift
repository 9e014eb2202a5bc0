// What a Mixed leaf keeps outside its composites. Every function takes the root of a leaf that is writable and in full shape.

extension MixedLeaf {
  /// - Throws: `.typeMismatch` for a plain link, `.invalidArgument` for a value that is too large or no valid timestamp.
  static func admit(_ value: Value) throws(StorageError) {
    switch value {
    case .link: throw .typeMismatch(reason: "a Mixed leaf holds links together with their table")
    case .string(let bytes), .binary(let bytes):
      guard bytes.count <= StringLeaf.byteLimit else {
        throw .invalidArgument(reason: "a value of \(bytes.count) bytes exceeds the limit of \(StringLeaf.byteLimit) bytes")
      }
    case .timestamp(let timestamp): try TimestampLeaf.admit(timestamp)
    default: break
    }
  }

  /// The composite of a value that needs no payload; nil if it needs some.
  static func inlined(_ value: Value) -> Composite? {
    switch value {
    case .null: Composite(0)
    case .int(let number): Int32(exactly: number) == nil ? nil : Composite(.int, slot: 0, Int(number))
    case .bool(let flag): Composite(.bool, slot: 0, flag ? 1 : 0)
    default: nil
    }
  }

  /// What goes into the arrays of numbers.
  private enum Numbers {
    case none
    case one(ColumnType, Int64)
    case two(ColumnType, Int64, Int64)
  }

  private static func numbers(_ value: Value) -> Numbers {
    switch value {
    case .int(let number): .one(.int, number)
    // Other engines read the NaNs that stand for null as null.
    case .float(let number): .one(.float, Int64(number.bitsBesideNull))
    case .double(let number): .one(.double, Int64(bitPattern: number.bitsBesideNull))
    case .decimal(.null): .two(.decimal, 0, Int64(bitPattern: Decimal128.quietNaN.high))
    case .timestamp(let timestamp): .two(.timestamp, timestamp.seconds, Int64(timestamp.nanoseconds))
    case .decimal(let decimal): .two(.decimal, Int64(bitPattern: decimal.low), Int64(bitPattern: decimal.high))
    case .typedLink(let link): .two(.typedLink, Int64(link.table.rawValue), link.key.rawValue)
    default: .none
    }
  }

  /// The bytes of a value that goes into the strings; nil for others.
  private static func text(_ value: Value) -> (ColumnType, [UInt8])? {
    switch value {
    case .string(let bytes): return (.string, bytes)
    case .binary(let bytes): return (.binary, bytes)
    case .objectID(let id): return (.objectID, bigEndian(id.high, 8) + bigEndian(UInt64(id.low), 4))
    case .uuid(let id): return (.uuid, bigEndian(id.high, 8) + bigEndian(id.low, 8))
    default: return nil
    }
  }

  private static func bigEndian(_ number: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> UInt64((byteCount - 1 - $0) * 8)) }
  }

  /// A child of the root, which is created if it is missing.
  private static func child(
    _ scratch: Scratch, _ root: Ref, _ slot: Int
  ) throws(StorageError) -> Ref {
    let child = Ref(element: scratch.slot(root, slot))
    if !child.isNull {
      switch slot {
      case Slot.strings: break
      case Slot.collections: _ = try scratch.space.refs(at: child)
      default: _ = try scratch.space.integers(at: child)
      }
      return child
    }
    switch slot {
    case Slot.strings: return try StringLeaf.create(in: scratch, count: 0, isNullable: false)
    case Slot.collections: return try scratch.createRefs(count: 0, capacity: 2)
    default: return try scratch.createIntegers()
    }
  }

  /// Stores the payload of a value, if it needs some, and returns its composite.
  static func store(_ scratch: Scratch, _ root: Ref, _ value: Value) throws(StorageError) -> Composite {
    if let composite = inlined(value) { return composite }
    if let (type, bytes) = text(value) {
      var strings = try child(scratch, root, Slot.strings)
      let entry = try StringLeaf(scratch.space, strings).count
      try StringLeaf.insert(scratch, &strings, entry, .string(bytes))
      scratch.setChild(root, Slot.strings, strings)
      return Composite(type, slot: Slot.strings, entry)
    }
    switch numbers(value) {
    case .one(let type, let number):
      let entry = try append(scratch, root, Slot.integers, [number])
      return Composite(type, slot: Slot.integers, entry)
    case .two(let type, let first, let second):
      let entry = try append(scratch, root, Slot.pairs, [first, second])
      return Composite(type, slot: Slot.pairs, entry / 2)
    case .none: break
    }
    switch value {
    case .list(let ref): return Composite(.list, slot: Slot.collections, try append(scratch, root, Slot.collections, [ref.element]))
    case .dictionary(let ref):
      return Composite(.dictionary, slot: Slot.collections, try append(scratch, root, Slot.collections, [ref.element]))
    default: throw .typeMismatch(reason: "a Mixed leaf cannot hold \(value)")
    }
  }

  /// - Returns: the number of elements before.
  private static func append(_ scratch: Scratch, _ root: Ref, _ slot: Int, _ numbers: [Int64]) throws(StorageError) -> Int {
    var array = try child(scratch, root, slot)
    try scratch.makeWritable(&array)
    let entry = scratch.header(array).count
    guard entry < NodeHeader.largestCount - 1 else { throw try scratch.space.node(at: array).missing(entry) }
    for number in numbers { try scratch.append(&array, number) }
    scratch.setChild(root, slot, array)
    return entry
  }

  /// Puts a value into the payload entry of the one it replaces.
  /// - Returns: nil if the value belongs elsewhere.
  static func overwritten(
    _ scratch: Scratch, _ root: Ref, _ old: Composite, _ value: Value
  ) throws(StorageError) -> Composite? {
    if inlined(value) != nil { return nil }
    let entry = old.content
    if let (type, bytes) = text(value) {
      guard old.slot == Slot.strings else { return nil }
      var strings = try child(scratch, root, Slot.strings)
      try StringLeaf.set(scratch, &strings, entry, .string(bytes))
      scratch.setChild(root, Slot.strings, strings)
      return Composite(type, slot: Slot.strings, entry)
    }
    switch numbers(value) {
    case .one(let type, let number):
      guard old.slot == Slot.integers else { return nil }
      try overwrite(scratch, root, Slot.integers, entry, [number])
      return Composite(type, slot: Slot.integers, entry)
    case .two(let type, let first, let second):
      guard old.slot == Slot.pairs else { return nil }
      try overwrite(scratch, root, Slot.pairs, entry * 2, [first, second])
      return Composite(type, slot: Slot.pairs, entry)
    case .none: return nil
    }
  }

  private static func overwrite(
    _ scratch: Scratch, _ root: Ref, _ slot: Int, _ first: Int, _ numbers: [Int64]
  ) throws(StorageError) {
    var array = try child(scratch, root, slot)
    try scratch.makeWritable(&array)
    guard first >= 0, first <= scratch.header(array).count - numbers.count else {
      throw try scratch.space.node(at: array).missing(first)
    }
    for position in numbers.indices { try scratch.set(&array, first + position, numbers[position]) }
    scratch.setChild(root, slot, array)
  }

  /// Removes the payload entry of a composite; the last entry moves into the hole and its owner is told.
  static func dropPayload(_ scratch: Scratch, _ root: Ref, _ composite: Composite) throws(StorageError) {
    let (slot, entry) = (composite.slot, composite.content)
    if composite.bits == 0 || slot == 0 { return }
    let leaf = try MixedLeaf(scratch.space, root)
    guard slot < Slot.keys else { throw leaf.root.broken("has a composite value with slot \(slot)") }
    let last = try leaf.entryCount(slot) - 1
    guard entry >= 0, entry <= last else { throw leaf.root.broken("has no entry \(entry) in slot \(slot)") }
    var array = try leaf.root.child(slot)
    switch slot {
    case Slot.strings: try StringLeaf.moveLast(scratch, &array, to: entry)
    case Slot.pairs:
      try moveLast(scratch, &array, entry * 2, last * 2)
      try moveLast(scratch, &array, entry * 2 + 1, last * 2 + 1)
      try scratch.remove(&array, last * 2..<last * 2 + 2)
    default:
      try moveLast(scratch, &array, entry, last)
      try scratch.remove(&array, last)
    }
    if last == 0 {
      try slot == Slot.strings ? scratch.freeTree(array) : scratch.free(array)
      array = .null
    }
    scratch.setChild(root, slot, array)
    if entry != last { try redirect(scratch, root, slot, from: last, to: entry) }
  }

  private static func moveLast(_ scratch: Scratch, _ array: inout Ref, _ entry: Int, _ last: Int) throws(StorageError) {
    try scratch.makeWritable(&array)
    if entry != last { try scratch.set(&array, entry, scratch.slot(array, last)) }
  }

  /// Tells the owner of a payload entry that its entry moved. Searches from the back, where the owner of the last entry usually is.
  private static func redirect(_ scratch: Scratch, _ root: Ref, _ slot: Int, from: Int, to: Int) throws(StorageError) {
    let composites = try MixedLeaf(scratch.space, root).composites
    var index = composites.count - 1
    while index >= 0 {
      let composite = Composite(composites.element(unchecked: index))
      if composite.slot == slot && composite.content == from {
        var writable = composites.ref
        try scratch.set(&writable, index, (Int64(to) << 8) | (composite.bits & 0xFF))
        scratch.setChild(root, Slot.composites, writable)
        return
      }
      index -= 1
    }
    throw composites.broken("has no owner of entry \(from) in slot \(slot)")
  }
}
