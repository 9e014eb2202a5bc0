/// Tells whether a sequence is strictly ascending. F6.3.
struct AscendingCheck {
  private var previous: Value?
  private let order: ElementOrder

  init(_ order: ElementOrder = .natural) { self.order = order }

  mutating func accepts(_ value: Value) -> Bool {
    defer { previous = value }
    guard let previous else { return true }
    // The original puts NaN anywhere in sets of Float and Double, and more than once.
    if case .lastNaN = order, previous.isFloatingNaN || value.isFloatingNaN { return true }
    return order.compare(previous, value) < 0
  }
}
