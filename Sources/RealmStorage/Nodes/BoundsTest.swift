// Conditions on timestamps, decimals, ObjectIDs and UUIDs.

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
  @inline(__always) func accepts(_ value: Element, _ compare: (Element, Element) -> Int) -> Bool {
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
