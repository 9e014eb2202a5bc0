/// A key path to sort by, and the direction.
public struct SortDescriptor: Sendable, Equatable {
  public let keyPath: String
  public let ascending: Bool

  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// By a property, reached through links or directly.
  public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// The same key path in the other direction.
  public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }
}

extension SortDescriptor: CustomStringConvertible {
  public var description: String { "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))" }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// Ascending.
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}
