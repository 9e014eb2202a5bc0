import RealmStorage

extension Object: LinkStorable {}

extension Object: _RealmCollectionValueInsideOptional, _OptionalPersistable {
  /// The type that is stored: a link to the object.
  public typealias PersistedType = Object
  /// How values are stored: the type of the column, or of its elements.
  public class var _shape: _Shape { _Shape(.object, objectType: self) }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) throws -> _StoredValue {
    let key = try link(scope)
    guard scope.target == nil, let binding = binding else { return _StoredValue(.link(key)) }
    return _StoredValue(.typedLink(ObjectLink(table: binding.tableKey, key: key)))
  }
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: Object?) {
    orStop(object.core) { try object.setLink(at: Int(key) - 1, value, .error) }
  }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: Object?, _ policy: Realm.UpdatePolicy) throws {
    try object.setLink(at: Int(key) - 1, value, policy)
  }
  /// The value that input stands for; nil for null; throws if there is none.
  public static func _unmanagedOptional(from input: Any) throws -> Self? { try unmanagedLink(from: input) }
}

extension Object {
  /// The next element of an iteration over a managed collection; nil at the end.
  @inlinable public static func _next(_ cursor: _ElementCursor) -> Self? {
    guard let object = cursor._nextObject(self) else { return nil }
    return unsafe unsafeDowncast(object, to: Self.self)
  }
}

extension Object {
  /// A link to an object of this realm.
  public func _isPlainInOptional(_ scope: _Scope) -> Bool {
    guard let core, core === scope.core, let binding, !binding.isEmbedded, !epoch.wasDeleted else { return false }
    // Its key may exist again, for another object. Whether it exists at all is seen when the link is stored.
    return !core.isGone(epoch, key, binding: binding)
  }
  /// Stores a plain value of an optional property in a row that is being made.
  public func _insertOptional(_ row: inout _NewRow, _ slot: Int) {
    guard let target = row.scope.core.flatMap({ try? row.owner?.target(slot, $0) }),
      target === binding || target.className == binding?.className
    else {
      let place = row.owner?.property(at: slot).objectClassName ?? ""
      row.fail(RealmFailure.misuse("Can't set object of type '\(binding?.className ?? "")' to property of type '\(place)'"))
      return
    }
    row.set(slot, link: key)
  }
}
