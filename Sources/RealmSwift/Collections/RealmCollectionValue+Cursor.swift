import RealmStorage

extension RealmCollectionValue {
  /// The next element of an iteration over a managed collection; nil at the end.
  @inlinable public static func _next(_ cursor: _ElementCursor) -> Self? {
    guard let stored = cursor._nextValue() else { return nil }
    return _load(stored, cursor._scope)
  }
}
