/// The order of values in sets, index lists and sorted results, across types. F6.3.
extension Value {
  /// Negative, 0 or positive. Null is first, then the types by rank; numbers of all types share one rank and compare by value, NaN
  /// before all others. Two nested collections of the same type are equal.
  package static func compare(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.int(let x), .int(let y)): threeWay(x, y)
    case (.string(let x), .string(let y)): compareBytes(x, y)
    case (.double(let x), .double(let y)): compareNumbers(x, y)
    case (.float(let x), .float(let y)): compareNumbers(x, y)
    case (.decimal(let x), .decimal(let y)): Decimal128.compare(x, y)
    case (.bool(let x), .bool(let y)): threeWay(x ? 1 : 0, y ? 1 : 0)
    case (.binary(let x), .binary(let y)): compareBytes(x, y)
    case (.timestamp(let x), .timestamp(let y)): threeWay(x, y)
    case (.objectID(let x), .objectID(let y)): threeWay(x, y)
    case (.uuid(let x), .uuid(let y)): threeWay(x, y)
    case (.link(let x), .link(let y)): threeWay(x, y)
    case (.typedLink(let x), .typedLink(let y)): threeWay(x, y)
    default: compareAcrossTypes(a, b)
    }
  }

  private static func compareAcrossTypes(_ a: Value, _ b: Value) -> Int {
    let aRank = a.rank, bRank = b.rank
    if aRank != bRank || aRank != numberRank { return threeWay(aRank, bRank) }
    switch (a, b) {
    case (.decimal(let x), _): return Decimal128.compare(x, b.asDecimal)
    case (_, .decimal(let y)): return Decimal128.compare(a.asDecimal, y)
    case (.int(let x), _): return compareNumbers(x, b.asDouble)
    case (_, .int(let y)): return -compareNumbers(y, a.asDouble)
    default: return compareNumbers(a.asDouble, b.asDouble)
    }
  }

  /// Place of the type in the order. Sets would have 10, but cannot be nested.
  private var rank: Int {
    switch self {
    case .null: -1
    case .bool: 0
    case .int, .float, .double, .decimal: Self.numberRank
    case .string: 2
    case .binary: 3
    case .timestamp: 4
    case .objectID: 5
    case .uuid: 6
    case .typedLink: 7
    case .link: 8
    case .list: 9
    case .dictionary: 11
    }
  }
  private static let numberRank = 1

  /// For a float or double.
  private var asDouble: Double {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    default: preconditionFailure("not a floating-point value")
    }
  }

  /// Hashes a number so that those of any type that are equal in the order are hashed alike.
  ///
  /// They have the same whole value, but perhaps not the same fraction: numbers of several types are rounded in different ways. Fractions add nothing.
  package func hashNumber(into hasher: inout Hasher) {
    let number: Double =
      switch self {
      case .int(let value): Double(value)
      case .decimal(let value): value.doubleValue
      default: asDouble
      }
    if number == number.rounded() { number.hash(into: &hasher) }
  }

  /// For a number.
  private var asDecimal: Decimal128 {
    switch self {
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .decimal(let value): value
    default: preconditionFailure("not a number")
    }
  }

  /// Whether this is a NaN of Float or Double.
  var isFloatingNaN: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }

  /// Same type and same bits: not merely equal in the order. What change detection and tests mean by "the same".
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.int(let x), .int(let y)): x == y
    case (.bool(let x), .bool(let y)): x == y
    case (.string(let x), .string(let y)), (.binary(let x), .binary(let y)): x == y
    case (.timestamp(let x), .timestamp(let y)): x == y
    case (.float(let x), .float(let y)): x.bitPattern == y.bitPattern
    case (.double(let x), .double(let y)): x.bitPattern == y.bitPattern
    case (.decimal(let x), .decimal(let y)): x == y
    case (.objectID(let x), .objectID(let y)): x == y
    case (.uuid(let x), .uuid(let y)): x == y
    case (.link(let x), .link(let y)): x == y
    case (.typedLink(let x), .typedLink(let y)): x == y
    case (.list(let x), .list(let y)), (.dictionary(let x), .dictionary(let y)): x == y
    default: false
    }
  }
}

// MARK: - Order of the parts

/// NaN before all numbers, NaNs among themselves by their bits; the two zeros are equal.
@inline(__always) package func compareNumbers(_ a: Double, _ b: Double) -> Int {
  if a < b { return -1 }
  if a > b { return 1 }
  if a == b { return 0 }
  guard a.isNaN && b.isNaN else { return a.isNaN ? -1 : 1 }
  return threeWay(a.bitPattern, b.bitPattern)
}

/// NaN before all numbers, NaNs among themselves by their bits; the two zeros are equal.
@inline(__always) package func compareNumbers(_ a: Float, _ b: Float) -> Int {
  if a < b { return -1 }
  if a > b { return 1 }
  if a == b { return 0 }
  guard a.isNaN && b.isNaN else { return a.isNaN ? -1 : 1 }
  return threeWay(a.bitPattern, b.bitPattern)
}

/// By mathematical value, without rounding the integer. NaN is less than every integer.
package func compareNumbers(_ a: Int64, _ b: Double) -> Int {
  if b.isNaN { return 1 }
  if b >= 0x1p63 { return -1 }
  if b < -0x1p63 { return 1 }
  let truncated = Int64(b)
  if a != truncated { return a < truncated ? -1 : 1 }
  return threeWay(Double(truncated), b)
}
