/// Reads the values of one leaf of any layout; what exports and checks go through.
///
/// Valid while the snapshot is. Collections and backlinks have no single value: their leaves are read as refs.
package enum LeafReader {
  case int(Node)
  case nullableInt(NullableIntegerLeaf)
  case bool(Node)
  case string(StringLeaf)
  case binary(BinaryLeaf)
  case mixed(MixedLeaf)
  case timestamp(TimestampLeaf)
  case float(FloatLeaf)
  case double(DoubleLeaf)
  case decimal(DecimalLeaf)
  /// The stored number less `bias` is the key (F3.12).
  case link(Node, bias: Int64)
  case fixedBytes(FixedBytesLeaf)
  case typedLink(Node)

  /// - Throws: `.corruptNode` if the leaf has not the layout of `kind`, or if `kind` is `.backlink` or `.collection`.
  @inline(__always)
  package init(_ space: NodeSpace, _ ref: Ref, _ kind: LeafKind, enumKeys: Ref = .null) throws(StorageError) {
    switch kind {
    case .int: self = .int(try space.integers(at: ref))
    case .nullableInt: self = .nullableInt(try NullableIntegerLeaf(space, ref))
    case .bool: self = .bool(try space.integers(at: ref))
    case .string: self = .string(try StringLeaf(space, ref, enumKeys: enumKeys))
    case .binary: self = .binary(try BinaryLeaf(space, ref))
    case .mixed: self = .mixed(try MixedLeaf(space, ref))
    case .timestamp: self = .timestamp(try TimestampLeaf(space, ref))
    case .float: self = .float(try FloatLeaf(space, ref))
    case .double: self = .double(try DoubleLeaf(space, ref))
    case .decimal: self = .decimal(try DecimalLeaf(space, ref))
    case .link: self = .link(try space.integers(at: ref), bias: 1)
    case .linkElement: self = .link(try space.integers(at: ref), bias: 0)
    case .objectID: self = .fixedBytes(try FixedBytesLeaf(space, ref, .objectID))
    case .uuid: self = .fixedBytes(try FixedBytesLeaf(space, ref, .uuid))
    case .typedLink:
      let node = try space.integers(at: ref)
      guard node.count.isMultiple(of: 2) else { throw node.broken("a leaf of typed links has an odd number of entries") }
      self = .typedLink(node)
    case .backlink, .collection: throw .corruptNode(ref: ref, reason: "is no leaf of values")
    }
  }

  package var count: Int {
    switch self {
    case .int(let node), .bool(let node), .link(let node, _): node.count
    case .typedLink(let node): node.count / 2
    case .nullableInt(let leaf): leaf.count
    case .string(let leaf): leaf.count
    case .binary(let leaf): leaf.count
    case .mixed(let leaf): leaf.count
    case .timestamp(let leaf): leaf.count
    case .float(let leaf): leaf.count
    case .double(let leaf): leaf.count
    case .decimal(let leaf): leaf.count
    case .fixedBytes(let leaf): leaf.count
    }
  }

  /// - Throws: `.corruptNode` if there is no such element or it breaks the layout.
  @inline(__always)
  package func value(_ index: Int) throws(StorageError) -> Value {
    switch self {
    case .int(let node): return .int(try node.element(index))
    case .nullableInt(let leaf): return try leaf.value(index)
    case .bool(let node):
      switch try node.element(index) {
      case 0: return .bool(false)
      case 1: return .bool(true)
      case 3: return .null
      case let other: throw node.broken("element \(index) is the truth value \(other)")
      }
    case .string(let leaf): return try leaf.value(index)
    case .binary(let leaf): return try leaf.value(index)
    case .mixed(let leaf): return try leaf.value(index)
    case .timestamp(let leaf): return try leaf.value(index)
    case .float(let leaf): return try leaf.value(index)
    case .double(let leaf): return try leaf.value(index)
    case .decimal(let leaf): return try leaf.value(index)
    case .link(let node, let bias):
      let key = ObjectKey(try node.element(index) &- bias)
      return key.isNull ? .null : .link(key)
    case .fixedBytes(let leaf): return try leaf.value(index)
    case .typedLink(let node):
      let table = try node.element(2 * index)
      if table == 0 { return .null }
      let key = ObjectKey(try node.element(2 * index + 1) &- 1)
      return .typedLink(ObjectLink(table: TableKey(rawValue: UInt32(truncatingIfNeeded: table &- 1) & 0x7FFF_FFFF), key: key))
    }
  }
}
