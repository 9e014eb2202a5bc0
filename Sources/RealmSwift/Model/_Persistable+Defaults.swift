import RealmStorage

extension _Persistable {
  /// Sets the property of an unmanaged object.
  @inlinable public static func _assignUnmanaged(_ old: Self?, _ value: Self) -> Self { value }
}

extension _Persistable {
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public func _isPlain(_ scope: _Scope) -> Bool { false }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { stop("A value of type '\(Self.self)' is not plain.") }
  /// The value as an integer, for primary keys; nil for other types.
  public var _integer: Int64? { nil }
}
