/// Values of a Decimal128 column or collection, at the smallest of four widths that holds all of them exactly. F3.17.
@safe package struct DecimalLeaf {
  // SAFETY: `node` lies in the snapshot (see `Node`); an index is compared with its count, and its width with those that there are, before a read.
  let node: Node

  /// - Throws: `.corruptNode` unless the width is 0, 4, 8 or 16 bytes.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    node = try space.node(at: ref)
    let widthIndex = node.header.widthIndex
    guard node.header.bits & 0xD800_0000 == 0x0800_0000, widthIndex == 0 || (3...5).contains(widthIndex) else {
      throw node.broken("is no Decimal128 leaf")
    }
  }

  @inline(__always) package var count: Int { node.count }

  package func isNull(_ index: Int) throws(StorageError) -> Bool { try decimal(index) == nil }

  /// Element `index`, nil for null.
  /// - Throws: `.corruptNode`, also for a narrow form that does not occur.
  package func decimal(_ index: Int) throws(StorageError) -> Decimal128? {
    guard UInt(bitPattern: index) < UInt(bitPattern: node.count) else { throw node.missing(index) }
    switch node.header.widthIndex {
    case 0: return node.header.hasContext ? DecimalForm.zero : nil
    case 3:
      let bits = node.number(unchecked: index << 2, as: UInt32.self)
      if bits == DecimalForm.null32 { return nil }
      guard let wide = DecimalForm.widened(bits) else { throw badForm(index) }
      return wide
    case 4:
      let bits = node.number(unchecked: index << 3, as: UInt64.self)
      if bits == DecimalForm.null64 { return nil }
      guard let wide = DecimalForm.widened(bits) else { throw badForm(index) }
      return wide
    default:
      let low = node.number(unchecked: index << 4, as: UInt64.self)
      let high = node.number(unchecked: index << 4 + 8, as: UInt64.self)
      return low == DecimalForm.null128.low && high == DecimalForm.null128.high ? nil : Decimal128(low: low, high: high)
    }
  }

  @inline(never) private func badForm(_ index: Int) -> StorageError {
    node.broken("decimal \(index) of width \(node.header.width) has a form that does not occur at this width")
  }

  package func value(_ index: Int) throws(StorageError) -> Value {
    if let decimal = try decimal(index) { return .decimal(decimal) }
    return .null
  }

  /// Rules: the layout, the number of elements, and that narrow elements have a form that occurs.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int) throws(StorageError) {
    let leaf = try DecimalLeaf(space, ref)
    guard leaf.count == expectedCount else { throw leaf.node.broken("has \(leaf.count) elements, not \(expectedCount)") }
    for index in 0..<leaf.count { _ = try leaf.decimal(index) }
  }
}

/// The encodings that decimal leaves use, and how a value moves between them without loss.
enum DecimalForm {
  static let null32: UInt32 = 0x7C00_00AA
  static let null64: UInt64 = 0x7C00_0000_0000_00AA
  static let null128 = Decimal128(low: 0xAA, high: 0x7C00_0000_0000_0000)
  /// +0 with exponent 0.
  static let zero = Decimal128(low: 0, high: wideBias << 49)

  private static let wideBias: UInt64 = 6176
  private static let bias64: UInt64 = 398
  private static let bias32: UInt64 = 101

  private static func wide(sign: UInt64, exponent: UInt64, coefficient: UInt64) -> Decimal128 {
    Decimal128(low: coefficient, high: sign << 63 | exponent << 49)
  }

  /// Nil for infinities, NaN and the alternative form of large coefficients.
  static func widened(_ bits: UInt32) -> Decimal128? {
    let bits = UInt64(bits)
    guard bits >> 29 & 3 != 3 else { return nil }
    return wide(sign: bits >> 31, exponent: (bits >> 23 & 0xFF) + wideBias - bias32, coefficient: bits & 0x7F_FFFF)
  }

  /// Nil for infinities, NaN and the alternative form of large coefficients.
  static func widened(_ bits: UInt64) -> Decimal128? {
    guard bits >> 61 & 3 != 3 else { return nil }
    return wide(sign: bits >> 63, exponent: (bits >> 53 & 0x3FF) + wideBias - bias64, coefficient: bits & 0x1F_FFFF_FFFF_FFFF)
  }

  /// The index of the smallest width above 0 that holds the value exactly.
  static func widthIndex(_ value: Decimal128?) -> UInt32 {
    guard let value else { return 3 }
    guard value.high >> 61 & 3 != 3, value.high & 0x1_FFFF_FFFF_FFFF == 0 else { return 5 }
    let distance = abs(Int64(value.high >> 49 & 0x3FFF) - Int64(wideBias))
    if value.low < 1 << 23 && distance < 91 { return 3 }
    return value.low < 1 << 53 && distance < 370 ? 4 : 5
  }

  /// The element of a leaf of the given width, which must hold the value.
  static func stored(_ value: Decimal128?, widthIndex: UInt32) -> ElementBits {
    switch widthIndex {
    case 3:
      guard let value else { return ElementBits(UInt64(null32)) }
      return ElementBits((value.high >> 63) << 31 | (value.high >> 49 & 0x3FFF &+ bias32 &- wideBias) << 23 | value.low)
    case 4:
      guard let value else { return ElementBits(null64) }
      return ElementBits(value.high & (1 << 63) | (value.high >> 49 & 0x3FFF &+ bias64 &- wideBias) << 53 | value.low)
    default:
      guard let value else { return ElementBits(null128.low, high: null128.high) }
      let plain = value == .null ? .quietNaN : value
      return ElementBits(plain.low, high: plain.high)
    }
  }
}
