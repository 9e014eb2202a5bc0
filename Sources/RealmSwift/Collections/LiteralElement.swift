/// An element by what is stored of it: Swift holds texts for equal that are written in different bytes, files and managed collections do not.
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

  static func == (a: LiteralElement, b: LiteralElement) -> Bool {
    guard a.element == b.element else { return false }
    guard let x = a.text, let y = b.text else { return true }
    return x.utf8.elementsEqual(y.utf8)
  }

  func hash(into hasher: inout Hasher) { element.hash(into: &hasher) }
}
