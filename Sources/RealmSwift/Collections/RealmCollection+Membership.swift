/// `contains(_:)` and `firstIndex(of:)` of the standard library ask here before they compare the elements one by one.
extension RealmCollection {
  /// Whether the collection has an object that equals another one. Public for technical reasons only.
  /// - Returns: nil if the elements have to be compared.
  public func _customContainsEquatableElement(_ element: Element) -> Bool? { _customIndexOfEquatableElement(element).map { $0 != nil } }

  /// The position of the first object that equals another one. Public for technical reasons only.
  /// - Returns: nil if the elements have to be compared.
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? {
    // Objects that are equal when they are the same row; without a primary key live ones are only when they are the same instance.
    guard let results, let object = DynamicInput.object(element), object.core === results.core, !object.isManagedAndGone else { return nil }
    guard let binding = object.binding, binding === results.target, binding.primaryKeySlot != nil || results.core.isFrozen else { return nil }
    return .some(orStop(results.core) { try results.position(of: object.key) })
  }
}
