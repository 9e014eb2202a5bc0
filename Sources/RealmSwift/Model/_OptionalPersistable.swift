import RealmStorage

/// What an optional property asks of its wrapped type. Public for technical reasons only.
public protocol _OptionalPersistable: _Storable {
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self?
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?)
  /// Hands the value of an optional property of an object that is being added to its row.
  static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?, _ policy: Realm.UpdatePolicy) throws
  /// The value that input stands for; nil for null; throws if there is none.
  static func _unmanagedOptional(from input: Any) throws -> Self?
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  func _isPlainInOptional(_ scope: _Scope) -> Bool
  /// Stores a plain value of an optional property in a row that is being made.
  func _insertOptional(_ row: inout _NewRow, _ slot: Int)
}

extension _OptionalPersistable {
  /// Whether the value of an optional property can be stored while the row is made.
  public func _isPlainInOptional(_ scope: _Scope) -> Bool { false }
  /// Stores a plain value of an optional property in a row that is being made.
  public func _insertOptional(_ row: inout _NewRow, _ slot: Int) {
    row.set(slot, orStop(row.scope.core) { try _store(row.scope).value })
  }
}
