import RealmStorage

extension Value {
  /// For a number.
  var floatValue: Float {
    switch self {
    case .int(let value): Float(value)
    case .float(let value): value
    default: Float(doubleValue)
    }
  }
  /// For a number.
  var doubleValue: Double {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.doubleValue
    default: .nan
    }
  }
  /// For a number; doubles by 15 digits, floats by 7.
  var decimalValue: Decimal128 {
    switch self {
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .decimal(let value): value
    default: .quietNaN
    }
  }
}
