/// Numbers the distinct values of a column, from 0 on in the order in which they are met.
///
/// Integers between -4096 and 61,439 are found by their value, other numbers and texts by a hash of their own, everything else by comparing
/// values, so that 1 and 1.0 of a Mixed column are one group. So are all NaNs of a floating-point column, and -0 and 0.
package struct GroupNumbers {
  /// By number.
  package private(set) var values: [Value] = []
  private static let nearest: Int64 = -4096
  /// Numbers + 1 of small integers.
  private var near = [UInt32](repeating: 0, count: 1 << 16)
  private var numbers = NumberTable()
  private var texts = TextTable()
  private var others = ValueTable()
  /// The group of each key of a table, since a column has one kind of them.
  private var known: [UInt32] = []
  private var null: UInt32?

  /// Of a Mixed column: numbers of all types are compared.
  private let isMixed: Bool

  package init(isMixed: Bool) { self.isMixed = isMixed }

  private mutating func append(_ value: Value) -> UInt32 {
    values.append(value)
    return UInt32(truncatingIfNeeded: values.count - 1)
  }

  /// The group of null.
  private mutating func nullNumber() -> UInt32 {
    if let null { return null }
    let number = append(.null)
    null = number
    return number
  }

  @inline(__always) private mutating func number(ofInteger integer: Int64, _ value: (Int64) -> Value) -> UInt32 {
    let place = integer &- Self.nearest
    if UInt64(bitPattern: place) < 1 << 16 {
      let known = near[Int(place)]
      if known != 0 { return known &- 1 }
      let number = append(value(integer))
      near[Int(place)] = number + 1
      return number
    }
    return number(ofKey: UInt64(bitPattern: integer), value(integer))
  }

  @inline(__always) private mutating func number(ofKey key: UInt64, _ value: @autoclosure () -> Value) -> UInt32 {
    let (index, isNew) = numbers.number(key)
    if isNew { known.append(append(value())) }
    return known[Int(index)]
  }

  private mutating func number(ofFloating number: Double, _ value: @autoclosure () -> Value) -> UInt32 {
    self.number(ofKey: number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern, value())
  }

  /// The number of a value of any type; the same that its leaf would give.
  package mutating func number(of value: Value) -> UInt32 {
    switch value {
    case .null: return nullNumber()
    case .typedLink(let link) where link.key.isUnresolved: return nullNumber()
    case _ where isMixed: return number(ofOther: value)
    case .int(let number): return self.number(ofInteger: number) { .int($0) }
    case .bool(let flag): return number(ofInteger: flag ? 1 : 0) { .bool($0 == 1) }
    case .double(let number): return self.number(ofFloating: number, value)
    case .float(let number): return self.number(ofFloating: Double(number), value)
    // SAFETY: a byte has no padding.
    case .string(let bytes): return unsafe number(ofText: bytes.span.bytes)
    default: return number(ofOther: value)
    }
  }

  private mutating func number(ofText text: RawSpan) -> UInt32 {
    let (index, isNew) = texts.number(text)
    guard isNew else { return known[Int(index)] }
    var bytes: [UInt8] = []
    // SAFETY: any bits are a byte; each load is inside.
    for offset in 0..<text.byteCount { bytes.append(unsafe text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
    known.append(append(.string(bytes)))
    return known[Int(index)]
  }

  private mutating func number(ofOther value: Value) -> UInt32 {
    let (index, isNew) = others.number(value)
    if isNew { known.append(append(value)) }
    return known[Int(index)]
  }

  // MARK: Leaves

  /// Puts the group of each of these rows of a leaf into `result`, behind `begin`.
  /// - Returns: false if the leaf is too short.
  mutating func add(
    _ space: NodeSpace, _ ref: Ref, _ kind: LeafKind, enumKeys: Ref, _ mask: RowMask, count: Int, into result: inout [UInt32], at begin: Int
  ) throws(StorageError) -> Bool {
    switch kind {
    case .int:
      let leaf = try space.integers(at: ref)
      guard leaf.count >= count else { return false }
      add(leaf, mask, start: 0, count: count, sentinel: nil, &result, begin)
    case .nullableInt:
      let leaf = try NullableIntegerLeaf(space, ref)
      guard leaf.count >= count else { return false }
      add(leaf.node, mask, start: 1, count: count, sentinel: leaf.sentinel, &result, begin)
    case .string:
      let leaf = try StringLeaf(space, ref, enumKeys: enumKeys)
      guard leaf.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in
        if let text = try unsafe leaf.bytes(row) {
          result[begin &+ row] = unsafe number(ofText: text.bytes)
        } else {
          result[begin &+ row] = nullNumber()
        }
      }
    default:
      let reader = try LeafReader(space, ref, kind, enumKeys: enumKeys)
      guard reader.count >= count else { return false }
      try mask.forEach { (row) throws(StorageError) in result[begin &+ row] = try number(of: reader.value(row)) }
    }
    return true
  }

  @inline(__always) private mutating func add(
    _ leaf: Node, _ mask: RowMask, start: Int, count: Int, sentinel: Int64?, _ result: inout [UInt32], _ begin: Int
  ) {
    let isWhole = mask == RowMask(first: count)
    if isWhole, sentinel == nil {
      let elements = leaf.integers(as: Int64.self)
      var result = result.mutableSpan
      for row in 0..<count { result[begin &+ row] = number(ofInteger: elements[row]) { .int($0) } }
      return
    }
    mask.forEach { row in
      let integer = leaf.element(unchecked: row &+ start)
      result[begin &+ row] = integer == sentinel ? nullNumber() : number(ofInteger: integer) { .int($0) }
    }
  }
}
