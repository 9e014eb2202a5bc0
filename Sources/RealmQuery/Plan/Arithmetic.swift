import RealmStorage

/// `+ - * /` over numbers of all types (Q11.3). Never traps.
enum Arithmetic {
  /// Null if an operand is no number.
  static func apply(_ operation: ArithmeticOperator, _ a: Value, _ b: Value) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(apply(operation, x, y))
    case _ where !a.isNumber || !b.isNumber: return .null
    case (.decimal, _), (_, .decimal): return .decimal(apply(operation, a.decimalValue, b.decimalValue))
    case (.double, _), (_, .double): return .double(apply(operation, a.doubleValue, b.doubleValue))
    default: return .float(apply(operation, a.floatValue, b.floatValue))
    }
  }

  static func apply(_ operation: ArithmeticOperator, _ a: Int64, _ b: Int64) -> Int64 {
    switch operation {
    case .add: a &+ b
    case .subtract: a &- b
    case .multiply: a &* b
    case .divide: b == 0 ? (a < 0 ? .min : .max) : b == -1 ? 0 &- a : a / b
    }
  }

  private static func apply<Number: FloatingPoint>(_ operation: ArithmeticOperator, _ a: Number, _ b: Number) -> Number {
    switch operation {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    }
  }

  private static func apply(_ operation: ArithmeticOperator, _ a: Decimal128, _ b: Decimal128) -> Decimal128 {
    switch operation {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    }
  }

  /// The type of a result.
  static func type(_ a: ValueType, _ b: ValueType) -> ValueType {
    for type in [ValueType.mixed, .decimal, .double, .float, .int] where a == type || b == type { return type }
    return .null
  }
}
