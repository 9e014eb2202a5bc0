extension RealmCollection {
  /// `contains(_:)` of the standard library asks here before it compares the elements one by one. Public for technical reasons only.
  /// - Returns: true if the object is in the collection as the same row, which is equal to itself; nil if the elements have to be compared: a class
  ///   may have an equality of its own, and without a primary key live objects are equal only when they are the same instance.
  public func _customContainsEquatableElement(_ element: Element) -> Bool? {
    guard let results, let object = DynamicInput.object(element), object.core === results.core, !object.isManagedAndGone else { return nil }
    guard let binding = object.binding, binding === results.target, binding.primaryKeySlot != nil || results.core.isFrozen else { return nil }
    return orStop(results.core) { try results.position(of: object.key) } == nil ? nil : true
  }
}
