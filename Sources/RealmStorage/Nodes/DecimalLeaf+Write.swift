extension DecimalLeaf {
  /// A leaf of `count` nulls or zeros; no bytes per element.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    try scratch.createBytes(
      scheme: .bytes, widthIndex: 0, count: count, byteCount: 0, flags: isNullable || count == 0 ? 0 : NodeHeader.Flags.context)
  }

  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ decimal: Decimal128?) throws(StorageError) {
    try open(scratch, &ref)
    let header = scratch.header(ref)
    if header.count == 0 && header.widthIndex == 0 { scratch.setHeader(ref, header.with(context: decimal == DecimalForm.zero)) }
    guard index >= 0, index <= header.count else { throw try scratch.space.node(at: ref).missing(index) }
    try admit(scratch, &ref, decimal)
    try scratch.insertFixedWidth(&ref, index, DecimalForm.stored(decimal, widthIndex: scratch.header(ref).widthIndex))
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ decimal: Decimal128?) throws(StorageError) {
    try open(scratch, &ref)
    guard index >= 0, index < scratch.header(ref).count else { throw try scratch.space.node(at: ref).missing(index) }
    try admit(scratch, &ref, decimal)
    scratch.storeFixedWidth(ref, index, DecimalForm.stored(decimal, widthIndex: scratch.header(ref).widthIndex))
  }

  private static func open(_ scratch: Scratch, _ ref: inout Ref) throws(StorageError) {
    _ = try DecimalLeaf(scratch.space, ref)
    try scratch.makeWritable(&ref)
  }

  /// Makes the leaf wide enough for `decimal`.
  @inline(__always) private static func admit(_ scratch: Scratch, _ ref: inout Ref, _ decimal: Decimal128?) throws(StorageError) {
    let header = scratch.header(ref)
    if header.widthIndex == 0 && decimal == (header.hasContext ? DecimalForm.zero : nil) { return }
    let needed = DecimalForm.widthIndex(decimal)
    if needed > header.widthIndex { try widen(scratch, &ref, to: needed) }
  }

  @inline(never) private static func widen(_ scratch: Scratch, _ ref: inout Ref, to widthIndex: UInt32) throws(StorageError) {
    let leaf = try DecimalLeaf(scratch.space, ref)
    let header = leaf.node.header
    let new = header.with(widthIndex: widthIndex)
    let wide = try scratch.allocate(header: new, byteCount: 8 + (new.count + 1) * new.width)
    for index in 0..<header.count {
      scratch.storeFixedWidth(wide, index, DecimalForm.stored(try leaf.decimal(index), widthIndex: widthIndex))
    }
    try scratch.free(ref)
    ref = wide
  }

  private static func decimal(_ value: Value) throws(StorageError) -> Decimal128? {
    switch value {
    case .null: return nil
    case .decimal(let decimal): return decimal
    default: throw .typeMismatch(reason: "a Decimal128 leaf cannot hold \(value)")
    }
  }
  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try insert(scratch, &ref, index, decimal(value))
  }
  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try set(scratch, &ref, index, decimal(value))
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    try remove(scratch, &ref, index..<index + 1)
  }
  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ range: Range<Int>) throws(StorageError) {
    try open(scratch, &ref)
    try scratch.removeFixedWidth(&ref, range)
    forgetWidth(scratch, ref)
  }
  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try open(scratch, &ref)
    let tail = try scratch.splitFixedWidth(&ref, at: index)
    forgetWidth(scratch, ref)
    forgetWidth(scratch, tail)
    return tail
  }

  /// An empty leaf starts again without width.
  private static func forgetWidth(_ scratch: Scratch, _ ref: Ref) {
    if scratch.header(ref).count == 0 { scratch.setShape(ref, scheme: .bytes, widthIndex: 0, count: 0) }
  }
}
