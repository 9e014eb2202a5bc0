extension Results where Element: ObjectBase {
  /// Divides the objects by the value of a property, for aggregates of each group. An addition: the original SDK has none.
  /// - Parameter keyPath: of a property that holds a single value and no object. An enumeration whose raw value is stored cannot be read from a value
  ///   without case: such a group stops.
  public func grouped<Key: _Storable>(by keyPath: KeyPath<Element, Key>) -> GroupedResults<Key, Element> {
    GroupedResults(self, _name(for: keyPath))
  }
}
