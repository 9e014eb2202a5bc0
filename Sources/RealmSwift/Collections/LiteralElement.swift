import RealmStorage

/// An element by what is stored of it. Swift holds texts for equal that are written in different bytes, and numbers of several types in an
/// `AnyRealmValue` for different, and NaN for different from itself; files and managed collections do the opposite.
struct LiteralElement<Element: Hashable>: Hashable {
  private let element: Element

  init(_ element: Element) { self.element = element }

  private static var mayBeText: Bool { Element.self == String.self || Element.self == String?.self || Element.self == AnyRealmValue.self }

  /// Nil for what is no text.
  private var text: String? {
    guard Self.mayBeText else { return nil }
    if let value = element as? AnyRealmValue { return value.stringValue }
    return element as? String
  }

  private static var mayBeNaN: Bool {
    Element.self == Double.self || Element.self == Float.self || Element.self == Double?.self || Element.self == Float?.self
  }
  private var isNaN: Bool { Self.mayBeNaN && element != element }

  /// Nil for what is no number that may be of several types.
  private var number: Value? {
    guard Element.self == AnyRealmValue.self, let value = element as? AnyRealmValue else { return nil }
    switch value {
    case .int, .float, .double, .decimal128: return value.scalar
    default: return nil
    }
  }

  static func == (a: LiteralElement, b: LiteralElement) -> Bool {
    if let x = a.number, let y = b.number { return Value.compare(x, y) == 0 }
    if a.isNaN && b.isNaN { return true }
    guard a.element == b.element else { return false }
    guard let x = a.text, let y = b.text else { return true }
    return x.utf8.elementsEqual(y.utf8)
  }

  func hash(into hasher: inout Hasher) {
    if isNaN { return hasher.combine(0) }
    guard let number else { return element.hash(into: &hasher) }
    number.hashNumber(into: &hasher)
  }
}
