/// A key path to sort by, and the direction.
public struct SortDescriptor: Sendable, Equatable {
  /// Names of properties joined by points, from the element on; `self` for elements that are values.
  public let keyPath: String
  /// From the smallest value to the largest; null comes first.
  public let ascending: Bool

  /// The names are looked up when something is sorted, which stops the process if there is no such property.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// The same key path in the other direction.
  public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }
}

extension SortDescriptor: CustomStringConvertible {
  /// For people: the key path and the direction.
  public var description: String { "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))" }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// Ascending.
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}
