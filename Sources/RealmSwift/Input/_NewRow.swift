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
  /// Why a value could not be stored, of the first one that could not.
  private var failure: (any Error)?

  private init(_ object: UnsafeMutablePointer<NewObject>, _ binding: ClassBinding, _ scope: _Scope) {
    unsafe self.object = object
    owner = binding
    unsafe columns = binding.columnPointer
    self.scope = scope
  }

  /// Lends `body` the row of a new object.
  /// - Returns: why a value could not be stored, if one could not.
  @inline(__always) static func fill(
    _ object: inout NewObject, _ binding: ClassBinding, _ scope: _Scope, _ body: (inout _NewRow) -> Void
  ) -> (any Error)? {
    unsafe withUnsafeMutablePointer(to: &object) { (pointer) in
      var row = unsafe _NewRow(pointer, binding, scope)
      body(&row)
      return row.failure
    }
  }
  @inline(never) mutating func fail(_ error: any Error) { if failure == nil { failure = error } }

  @inline(__always) private mutating func store(_ slot: Int, _ body: (inout NewObject, ColumnKey) throws(StorageError) -> Void) {
    let column = unsafe columns[slot]
    do throws(StorageError) { try unsafe body(&object.pointee, column) } catch {
      guard case .noSuchObject = error else { return fail(error) }
      fail(RealmFailure.misuse("Adding a deleted or invalidated object to a Realm is not permitted"))
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
