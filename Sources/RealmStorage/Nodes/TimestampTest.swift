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
