extension String {
  /// For debuggers: no longer than fits on a screen.
  var brief: String {
    let end = utf8.index(startIndex, offsetBy: 1000, limitedBy: endIndex) ?? endIndex
    return end == endIndex ? self : String(decoding: utf8[..<end], as: UTF8.self) + "…"
  }

  /// The texts of the first elements, and how many there are if there are more: "a, b, … (1000)".
  init<Elements: Collection>(brief elements: Elements, separator: String = ", ", _ text: (Elements.Element) -> String) {
    self = elements.prefix(20).map(text).joined(separator: separator)
    if elements.count > 20 { self += "\(separator)… (\(elements.count))" }
  }
}
