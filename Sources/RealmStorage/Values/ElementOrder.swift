/// The order of the elements of a set, and of the values of a list that is sorted. F6.2.
package enum ElementOrder: Sendable {
  /// That of all values, null first.
  case natural
  /// Decimals: null takes part as the NaN that stands for it, so a plain NaN comes before it.
  case nullAsNaN
  /// Sets of Float and Double: NaN comes last. The original compares these elements with `<`, which is false for NaN, and
  /// finds by bisection every number that has no NaN before it.
  case lastNaN

  package init(_ type: ColumnType, isSet: Bool) {
    switch type {
    case .decimal: self = .nullAsNaN
    case .float, .double: self = isSet ? .lastNaN : .natural
    default: self = .natural
    }
  }

  /// Negative, 0 or positive.
  package func compare(_ a: Value, _ b: Value) -> Int {
    switch self {
    case .natural: Value.compare(a, b)
    case .nullAsNaN: Value.compare(Self.decimal(a), Self.decimal(b))
    case .lastNaN:
      switch (a.isFloatingNaN, b.isFloatingNaN) {
      case (false, false): Value.compare(a, b)
      case (let x, let y): threeWay(x ? 1 : 0, y ? 1 : 0)
      }
    }
  }

  private static func decimal(_ value: Value) -> Value { if case .null = value { .decimal(.null) } else { value } }
}
