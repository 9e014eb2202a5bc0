import RealmStorage

/// `Optional`, where a constraint needs its wrapped type.
public protocol OptionalProtocol<Wrapped> {
  /// What there is if it is not nil.
  associatedtype Wrapped
  /// Makes the optional of what it may wrap.
  init(reconstructing value: Wrapped?)
  /// The value itself.
  var _optional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
  /// Makes the optional of what it may wrap: the value itself.
  public init(reconstructing value: Wrapped?) { self = value }
  /// The value itself.
  public var _optional: Wrapped? { self }
}
