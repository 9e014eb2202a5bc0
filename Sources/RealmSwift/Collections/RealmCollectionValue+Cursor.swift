import RealmStorage

extension RealmCollectionValue {
  /// The next element of an iteration over a managed collection; nil at the end. Stops for a value that has no counterpart in the type.
  @inlinable public static func _next(_ cursor: _ElementCursor) -> Self? {
    guard let stored = cursor._nextValue() else { return nil }
    return _load(stored, cursor._scope) ?? _withoutCounterpart(stored)
  }

  @usableFromInline static func _withoutCounterpart(_ stored: _StoredValue) -> Self {
    orStop { throw DynamicInput.noCounterpart(stored.value, Self.self) }
  }
}
