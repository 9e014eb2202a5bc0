import RealmStorage

/// A row that is being made for an object that is added: takes plain values without further ado. Public for technical reasons only.
@safe public struct _NewRow {
  var object: NewObject
  // SAFETY: of the class's binding, which lives as long as its realm.
  private let columns: UnsafePointer<ColumnKey>
  let scope: _Scope
  let owner: ClassBinding?

  init(_ object: NewObject, _ binding: ClassBinding, _ scope: _Scope) {
    self.object = object
    owner = binding
    unsafe columns = binding.columnPointer
    self.scope = scope
  }

  @inline(__always) private mutating func store(_ slot: Int, _ body: (inout NewObject, ColumnKey) throws(StorageError) -> Void) {
    let column = unsafe columns[slot]
    do throws(StorageError) { try body(&object, column) } catch {
      if case .noSuchObject = error { stop("Adding a deleted or invalidated object to a Realm is not permitted") }
      stop(scope.core?.failure(error).text ?? "\(error)")
    }
  }

  mutating func set(_ slot: Int, int value: Int64) { store(slot) { (object, column) throws(StorageError) in try object.set(column, int: value) } }
  mutating func set(_ slot: Int, double value: Double) {
    store(slot) { (object, column) throws(StorageError) in try object.set(column, double: value) }
  }
  mutating func set(_ slot: Int, string value: String) {
    store(slot) { (object, column) throws(StorageError) in try unsafe object.set(column, string: value.utf8Span.span.bytes) }
  }
  mutating func set(_ slot: Int, link key: ObjectKey) { store(slot) { (object, column) throws(StorageError) in try object.set(column, link: key) } }
  mutating func set(_ slot: Int, _ value: Value) { store(slot) { (object, column) throws(StorageError) in try object.set(column, value) } }
}

extension _Persistable {
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public func _isPlain(_ scope: _Scope) -> Bool { false }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { stop("A value of type '\(Self.self)' is not plain.") }
  /// The value as an integer, for primary keys; nil for other types.
  public var _integer: Int64? { nil }
}

extension _PersistableInsideOptional {
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public func _isPlain(_ scope: _Scope) -> Bool { Self._shape.objectType == nil }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, _store(row.scope).value) }
}
extension _StorableInteger {
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, int: Int64(truncatingIfNeeded: self)) }
  /// The value as an integer, for primary keys; nil for other types.
  public var _integer: Int64? { Int64(truncatingIfNeeded: self) }
}
extension Double { public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, double: self) } }
extension String { public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, string: self) } }

extension Optional where Wrapped: _OptionalPersistable {
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public func _isPlain(_ scope: _Scope) -> Bool { self?._isPlainInOptional(scope) ?? true }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { if let self { self._insertOptional(&row, slot) } else { row.set(slot, .null) } }
}

extension _OptionalPersistable {
  /// Whether the value of an optional property can be stored while the row is made.
  public func _isPlainInOptional(_ scope: _Scope) -> Bool { false }
  /// Stores a plain value of an optional property in a row that is being made.
  public func _insertOptional(_ row: inout _NewRow, _ slot: Int) { row.set(slot, _store(row.scope).value) }
}
extension _PersistableInsideOptional {
  /// Whether the value of an optional property can be stored while the row is made.
  public func _isPlainInOptional(_ scope: _Scope) -> Bool { _isPlain(scope) }
}
extension Object {
  /// A link to an object of this realm.
  public func _isPlainInOptional(_ scope: _Scope) -> Bool {
    // Whether it still exists is seen when the link is stored.
    core != nil && core === scope.core && binding?.schema.isEmbedded == false && !epoch.wasDeleted
  }
  /// Stores a plain value of an optional property in a row that is being made.
  public func _insertOptional(_ row: inout _NewRow, _ slot: Int) {
    guard let target = row.scope.core.flatMap({ try? row.owner?.target(slot, $0) }), target.className == binding?.className else {
      stop("Can't set object of type '\(binding?.className ?? "")' to property of type '\(row.owner?.property(at: slot).objectClassName ?? "")'")
    }
    row.set(slot, link: key)
  }
}

extension List { public func _isPlain(_ scope: _Scope) -> Bool { managed == nil && storage.isEmpty } }
extension MutableSet { public func _isPlain(_ scope: _Scope) -> Bool { managed == nil && storage.isEmpty } }
extension Map { public func _isPlain(_ scope: _Scope) -> Bool { managed == nil && entries.isEmpty } }
