/// What a condition asks of a floating-point column: the numbers of a closed interval (none if `low > high` or either is NaN), as IEEE
/// compares them, and perhaps NaNs and null; all of it reversed if `isNegated`.
package struct FloatingTest<Number: StoredFloatingPoint>: Sendable where Number: Sendable, Number.Bits: Sendable {
  package enum AcceptedNaN: Sendable, Equatable { case none, all, exactly(Number.Bits) }

  package var low: Number
  package var high: Number
  /// NaNs other than null.
  package var acceptsNaN: AcceptedNaN
  package var acceptsNull: Bool
  package var isNegated: Bool

  package init(_ low: Number, _ high: Number, acceptsNaN: AcceptedNaN = .none, acceptsNull: Bool = false, isNegated: Bool = false) {
    (self.low, self.high, self.acceptsNaN, self.acceptsNull, self.isNegated) = (low, high, acceptsNaN, acceptsNull, isNegated)
  }

  package static var nothing: FloatingTest { FloatingTest(1, 0) }
  package static var null: FloatingTest { FloatingTest(1, 0, acceptsNull: true) }
  package static var notNull: FloatingTest { FloatingTest(1, 0, acceptsNull: true, isNegated: true) }

  /// The direct comparison of Q5.1: IEEE; null satisfies `notEqual` only, as NaN does.
  package init(direct comparison: ComparisonOperator, _ constant: Number) {
    if constant.isNaN {
      self = .nothing
      isNegated = comparison == .notEqual
      return
    }
    self.init(comparison, constant, constant)
  }

  /// The generic comparison: NaN is less than every number, and equals a NaN with the same bits. Null satisfies `notEqual` only.
  /// - Returns: nil for an order comparison with NaN, which is no interval.
  package init?(total comparison: ComparisonOperator, _ constant: Number) {
    if constant.isNaN {
      guard comparison == .equal || comparison == .notEqual else { return nil }
      self.init(1, 0, acceptsNaN: .exactly(constant.storedBits), isNegated: comparison == .notEqual)
      return
    }
    self.init(comparison, constant, constant)
    if comparison == .less || comparison == .lessOrEqual { acceptsNaN = .all }
  }

  /// The generic comparison with an integer, by mathematical value.
  package init(total comparison: ComparisonOperator, integer: Int64) {
    let near = Number(integer)
    let order = compareNumbers(integer, Double(near))
    self.init(comparison, order < 0 ? near.nextDown : near, order > 0 ? near.nextUp : near)
    if comparison == .less || comparison == .lessOrEqual { acceptsNaN = .all }
  }

  /// A comparison with a number between `below` and `above`, which are equal if it is representable, else neighbours. No NaN.
  package init(_ comparison: ComparisonOperator, _ below: Number, _ above: Number) {
    let isExact = below == above
    switch comparison {
    case .equal, .notEqual:
      self = isExact ? FloatingTest(below, above) : .nothing
      isNegated = comparison == .notEqual
    case .less:
      self = isExact && below == -.infinity ? .nothing : FloatingTest(-.infinity, isExact ? below.nextDown : below)
    case .lessOrEqual: self.init(-.infinity, below)
    case .greater: self = isExact && above == .infinity ? .nothing : FloatingTest(isExact ? above.nextUp : above, .infinity)
    case .greaterOrEqual: self.init(above, .infinity)
    }
  }
}
