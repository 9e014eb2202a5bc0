import RealmStorage

/// A row that is being made for an object that is added: takes plain values without further ado. Public for technical reasons only.
@safe public struct _NewRow {
  // SAFETY: of the variable that `fill` is lent for as long as its closure runs, which must not keep the row. Copying the object would count its
  // references up and down.
  private let object: UnsafeMutablePointer<NewObject>
  // SAFETY: of the class's binding, which lives as long as its realm.
  private let columns: UnsafePointer<ColumnKey>
  let scope: _Scope
  let owner: ClassBinding?

  private init(_ object: UnsafeMutablePointer<NewObject>, _ binding: ClassBinding, _ scope: _Scope) {
    unsafe self.object = object
    owner = binding
    unsafe columns = binding.columnPointer
    self.scope = scope
  }

  /// Lends `body` the row of a new object.
  @inline(__always) static func fill(_ object: inout NewObject, _ binding: ClassBinding, _ scope: _Scope, _ body: (inout _NewRow) -> Void) {
    unsafe withUnsafeMutablePointer(to: &object) { (pointer) in
      var row = unsafe _NewRow(pointer, binding, scope)
      body(&row)
    }
  }

  @inline(__always) private func store(_ slot: Int, _ body: (inout NewObject, ColumnKey) throws(StorageError) -> Void) {
    let column = unsafe columns[slot]
    do throws(StorageError) { try unsafe body(&object.pointee, column) } catch {
      if case .noSuchObject = error { stop("Adding a deleted or invalidated object to a Realm is not permitted") }
      RealmSwift.stop(error, scope.core)
    }
  }

  func set(_ slot: Int, int value: Int64) { store(slot) { (object, column) throws(StorageError) in try object.set(column, int: value) } }
  func set(_ slot: Int, double value: Double) {
    store(slot) { (object, column) throws(StorageError) in try object.set(column, double: value) }
  }
  func set(_ slot: Int, string value: String) {
    store(slot) { (object, column) throws(StorageError) in try unsafe object.set(column, string: value.utf8Span.span.bytes) }
  }
  func set(_ slot: Int, link key: ObjectKey) { store(slot) { (object, column) throws(StorageError) in try object.set(column, link: key) } }
  func set(_ slot: Int, _ value: Value) { store(slot) { (object, column) throws(StorageError) in try object.set(column, value) } }
}
