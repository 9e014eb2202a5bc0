// Conditions on timestamps, decimals, ObjectIDs and UUIDs.

/// What a condition asks of a Timestamp column: the closed interval `low...high`, and perhaps null; reversed if `isNegated`.
package struct TimestampTest: Sendable {
  package var low: Timestamp
  package var high: Timestamp
  package var acceptsNull: Bool
  package var isNegated: Bool

  package init(_ low: Timestamp, _ high: Timestamp, acceptsNull: Bool = false, isNegated: Bool = false) {
    (self.low, self.high, self.acceptsNull, self.isNegated) = (low, high, acceptsNull, isNegated)
  }
  private static let first = Timestamp(seconds: .min, nanoseconds: .min)
  private static let last = Timestamp(seconds: .max, nanoseconds: .max)
  package static let nothing = TimestampTest(last, first)
  package static let null = TimestampTest(last, first, acceptsNull: true)
  package static let notNull = TimestampTest(last, first, acceptsNull: true, isNegated: true)

  /// `value <comparison> constant`; null satisfies `notEqual` only.
  package init(_ comparison: ComparisonOperator, _ constant: Timestamp) {
    // No valid timestamp has nanoseconds at the ends of Int32.
    let before = Timestamp(seconds: constant.seconds, nanoseconds: max(constant.nanoseconds, .min + 1) - 1)
    let after = Timestamp(seconds: constant.seconds, nanoseconds: min(constant.nanoseconds, .max - 1) + 1)
    switch comparison {
    case .equal: self.init(constant, constant)
    case .notEqual: self.init(constant, constant, isNegated: true)
    case .less: self.init(Self.first, before)
    case .lessOrEqual: self.init(Self.first, constant)
    case .greater: self.init(after, Self.last)
    case .greaterOrEqual: self.init(constant, Self.last)
    }
  }
}

extension TimestampLeaf {
  func rows(_ test: TimestampTest, count: Int) -> RowMask {
    var result = RowMask.empty
    if test.low <= test.high {
      result = seconds.rows(IntegerTest(test.low.seconds, test.high.seconds), count: count)
      // The seconds at the ends of the interval are decided by the nanoseconds.
      for end in [test.low, test.high] where !result.isEmpty {
        let edge = result & seconds.node.rows(from: end.seconds, through: end.seconds, start: 1, count: count)
        result = result.subtracting(
          edge.filter { row in
            let value = Timestamp(seconds: end.seconds, nanoseconds: Int32(clamping: nanoseconds.element(unchecked: row)))
            return value < test.low || value > test.high
          })
      }
    }
    if test.acceptsNull { result |= seconds.nullRows(count: count) }
    return test.isNegated ? result.complement(of: count) : result
  }
}

/// What a condition asks of a column whose values have an order but no arithmetic: bounds, or membership.
package struct BoundsTest<Element: Sendable>: Sendable {
  package struct Bound: Sendable {
    package let value: Element
    package let isIncluded: Bool
    package init(_ value: Element, isIncluded: Bool) { (self.value, self.isIncluded) = (value, isIncluded) }
  }
  /// Nil: open on that side.
  package var lower: Bound?
  package var upper: Bound?
  /// If not nil, the value must also equal one of these, which ascend.
  package var members: [Element]?
  package var acceptsNull: Bool
  package var isNegated: Bool

  package init(
    lower: Bound? = nil, upper: Bound? = nil, members: [Element]? = nil, acceptsNull: Bool = false, isNegated: Bool = false
  ) {
    (self.lower, self.upper, self.members, self.acceptsNull, self.isNegated) = (lower, upper, members, acceptsNull, isNegated)
  }

  package static var nothing: BoundsTest { BoundsTest(members: []) }
  package static var null: BoundsTest { BoundsTest(members: [], acceptsNull: true) }
  package static var notNull: BoundsTest { BoundsTest(members: [], acceptsNull: true, isNegated: true) }

  /// `value <comparison> constant`; null satisfies `notEqual` only.
  package init(_ comparison: ComparisonOperator, _ constant: Element) {
    let (included, excluded) = (Bound(constant, isIncluded: true), Bound(constant, isIncluded: false))
    switch comparison {
    case .equal: self.init(lower: included, upper: included)
    case .notEqual: self.init(lower: included, upper: included, isNegated: true)
    case .less: self.init(upper: excluded)
    case .lessOrEqual: self.init(upper: included)
    case .greater: self.init(lower: excluded)
    case .greaterOrEqual: self.init(lower: included)
    }
  }

  /// Whether a value that is not null satisfies it, negation aside.
  @inline(__always) fileprivate func accepts(_ value: Element, _ compare: (Element, Element) -> Int) -> Bool {
    if let lower {
      let order = compare(value, lower.value)
      if order < 0 || order == 0 && !lower.isIncluded { return false }
    }
    if let upper {
      let order = compare(value, upper.value)
      if order > 0 || order == 0 && !upper.isIncluded { return false }
    }
    guard let members else { return true }
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) >> 1
      let order = compare(members[middle], value)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

extension BoundsTest<Decimal128> {
  /// `IN`: by value; NaN equals NaN with the same bits.
  package init(among values: [Decimal128], acceptsNull: Bool = false, isNegated: Bool = false) {
    self.init(members: values.sorted { Decimal128.compare($0, $1) < 0 }, acceptsNull: acceptsNull, isNegated: isNegated)
  }
}
extension BoundsTest where Element: Comparable {
  package init(among values: [Element], acceptsNull: Bool = false, isNegated: Bool = false) {
    self.init(members: values.sorted(), acceptsNull: acceptsNull, isNegated: isNegated)
  }
}

extension DecimalLeaf {
  func rows(_ test: BoundsTest<Decimal128>, among mask: RowMask) throws(StorageError) -> RowMask {
    try mask.filter { (row) throws(StorageError) in
      guard let value = try decimal(row) else { return test.acceptsNull != test.isNegated }
      return test.accepts(value, Decimal128.compare) != test.isNegated
    }
  }
}

extension FixedBytesLeaf {
  func rows(_ test: BoundsTest<ObjectID>, among mask: RowMask) throws(StorageError) -> RowMask {
    try mask.filter { (row) throws(StorageError) in
      guard let value = try objectID(row) else { return test.acceptsNull != test.isNegated }
      return test.accepts(value) { threeWay($0, $1) } != test.isNegated
    }
  }
  func rows(_ test: BoundsTest<UUIDBytes>, among mask: RowMask) throws(StorageError) -> RowMask {
    try mask.filter { (row) throws(StorageError) in
      guard let value = try uuid(row) else { return test.acceptsNull != test.isNegated }
      return test.accepts(value) { threeWay($0, $1) } != test.isNegated
    }
  }
}
