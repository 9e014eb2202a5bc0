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
      RealmSwift.stop(error, scope.core)
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
