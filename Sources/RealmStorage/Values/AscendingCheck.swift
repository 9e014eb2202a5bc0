/// Tells whether a sequence is strictly ascending in the order of F6.3.
struct AscendingCheck {
  private var previous: Value?
  /// NaN has no place in sets of Float and Double.
  let toleratesNaN: Bool

  init(toleratesNaN: Bool) { self.toleratesNaN = toleratesNaN }

  mutating func accepts(_ value: Value) -> Bool {
    defer { previous = value }
    guard let previous else { return true }
    if toleratesNaN && (AscendingCheck.isNaN(previous) || AscendingCheck.isNaN(value)) { return true }
    return Value.compare(previous, value) < 0
  }
  private static func isNaN(_ value: Value) -> Bool {
    switch value {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }
}
