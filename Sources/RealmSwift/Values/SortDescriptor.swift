/// A key path to sort by, and the direction.
public struct SortDescriptor: Sendable, Equatable {
  /// Names of properties joined by points, from the element on; `self` for elements that are values.
  public let keyPath: String
  /// Whether the order is from the smallest value to the largest, null first; else it is the reverse.
  public let ascending: Bool

  /// The names are looked up when something is sorted, which stops the process if there is no such property.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// A descriptor with this key path and the other direction.
  public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }
}

extension SortDescriptor: CustomStringConvertible {
  /// For people: the key path and the direction.
  public var description: String { "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))" }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// Makes a descriptor that sorts ascending by the key path that a literal is.
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}
