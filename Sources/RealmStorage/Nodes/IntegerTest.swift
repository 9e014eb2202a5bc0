/// How a value is compared with a constant.
package enum ComparisonOperator: Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// What a condition asks of a column of integers: Int, Bool (0 and 1) and links (key + 1).
///
/// Satisfied by the numbers `low...high` (none if `low > high`), by null if `acceptsNull`; all of it reversed if `isNegated`. Two-valued:
/// the negation is the exact complement, so `!= 5` accepts nulls.
package struct IntegerTest: Equatable, Sendable {
  package var low: Int64
  package var high: Int64
  package var acceptsNull: Bool
  package var isNegated: Bool

  package init(_ low: Int64, _ high: Int64, acceptsNull: Bool = false, isNegated: Bool = false) {
    (self.low, self.high, self.acceptsNull, self.isNegated) = (low, high, acceptsNull, isNegated)
  }

  /// No number and not null.
  package static let nothing = IntegerTest(1, 0)
  /// Null alone; `.notNull` is its complement.
  package static let null = IntegerTest(1, 0, acceptsNull: true)
  package static let notNull = IntegerTest(1, 0, acceptsNull: true, isNegated: true)

  /// `value <comparison> constant`; null satisfies `notEqual` only.
  package init(_ comparison: ComparisonOperator, _ constant: Int64) {
    switch comparison {
    case .equal: self.init(constant, constant)
    case .notEqual: self.init(constant, constant, isNegated: true)
    case .less: self = constant == .min ? .nothing : IntegerTest(.min, constant - 1)
    case .lessOrEqual: self.init(.min, constant)
    case .greater: self = constant == .max ? .nothing : IntegerTest(constant + 1, .max)
    case .greaterOrEqual: self.init(constant, .max)
    }
  }

  /// The same with a floating-point constant, by mathematical value; NaN is less than every integer.
  package init(_ comparison: ComparisonOperator, floating constant: Double) {
    let down = Self.floor(constant), up = Self.ceiling(constant)
    switch comparison {
    case .equal, .notEqual:
      self = if let down, down == up { IntegerTest(down, down) } else { .nothing }
      isNegated = comparison == .notEqual
    case .less: self = if let up { IntegerTest(.less, up) } else if constant > 0 { IntegerTest(.min, .max) } else { .nothing }
    case .lessOrEqual: self = if let down { IntegerTest(.min, down) } else { .nothing }
    case .greater: self = if let down { IntegerTest(.greater, down) } else { IntegerTest(.min, .max) }
    case .greaterOrEqual: self = if let up { IntegerTest(up, .max) } else if constant > 0 { .nothing } else { IntegerTest(.min, .max) }
    }
  }

  /// The largest integer that is not above; nil if there is none.
  private static func floor(_ number: Double) -> Int64? {
    if number >= 0x1p63 { return .max }
    return number >= -0x1p63 ? Int64(number.rounded(.down)) : nil
  }
  /// The smallest integer that is not below; nil if there is none.
  private static func ceiling(_ number: Double) -> Int64? {
    if number < -0x1p63 { return .min }
    return number < 0x1p63 ? Int64(number.rounded(.up)) : nil
  }
}
