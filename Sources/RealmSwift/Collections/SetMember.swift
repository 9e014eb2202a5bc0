/// A member of an unmanaged set with the hash that it had when it was inserted.
///
/// That of an object may change, as its primary key may until it is managed, or not be found any more, when it is deleted: Swift's sets end the
/// process where they meet either as they grow.
struct SetMember<Element: Hashable>: Hashable {
  private let element: LiteralElement<Element>
  private let hash: Int

  init(_ element: Element) {
    self.element = LiteralElement(element)
    hash = self.element.hashValue
  }

  static func == (a: SetMember, b: SetMember) -> Bool { a.hash == b.hash && a.element == b.element }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
