public import Foundation
import RealmStorage

// Reading and writing the properties of managed objects. `key` is the property's slot plus one, as `Persisted` keeps it. An object whose key
// paths are being traced has a binding but no realm: its reads are recorded and give the type's default.

extension ObjectBase {
  /// Records the read of a traced object.
  /// - Returns: whether it is one.
  @inline(__always) final func isTraced(_ key: UInt32) -> Bool {
    if core != nil {
      if isTrackable { noteAccess(key) }
      return false
    }
    binding?.tracer?.record(binding?.property(key).name ?? "")
    return true
  }

  @inline(never) final func stopOnDamage(_ error: StorageError) -> Never {
    stop(error, core)
  }

  /// Reads a property: at once where the place is known, else after finding it; a traced object has the default.
  @inline(__always) private final func read<Result>(
    _ key: UInt32, _ traced: @autoclosure () -> Result, _ body: (RowPlace, ColumnKey) throws(StorageError) -> Result
  ) -> Result {
    do throws(StorageError) {
      if let place = currentPlace { return try body(place, column(key)) }
      if isTraced(key) { return traced() }
      return try body(findPlace(), column(key))
    } catch { stopOnDamage(error) }
  }

  @usableFromInline final func _int(_ key: UInt32) -> Int64 {
    read(key, 0) { (place, column) throws(StorageError) in try place.int(column) }
  }
  @usableFromInline final func _optionalInt(_ key: UInt32) -> Int64? {
    read(key, nil) { (place, column) throws(StorageError) in try place.optionalInt(column) }
  }
  @usableFromInline final func _bool(_ key: UInt32) -> Bool? {
    read(key, nil) { (place, column) throws(StorageError) in try place.bool(column) }
  }
  @usableFromInline final func _double(_ key: UInt32) -> Double? {
    read(key, nil) { (place, column) throws(StorageError) in try place.double(column) }
  }
  @usableFromInline final func _float(_ key: UInt32) -> Float? {
    read(key, nil) { (place, column) throws(StorageError) in try place.float(column) }
  }
  @usableFromInline final func _string(_ key: UInt32) -> String? {
    if hasEnumeratedStrings, !isTraced(key) { return orStop(core) { try enumeratedString(key) } }
    return read(key, nil) { (place, column) throws(StorageError) in try place.string(column) }
  }
  /// The value of a date property of a managed object; nil for null. Public for technical reasons only.
  public final func _date(_ key: UInt32) -> Date? {
    read(key, nil) { (place, column) throws(StorageError) in try place.timestamp(column).map { Date($0) } }
  }
  /// The key of the object that a link leads to.
  @inline(__always) final func linkKey(_ key: UInt32) -> ObjectKey? {
    read(key, nil) { (place, column) throws(StorageError) in try place.link(column) }
  }

  private final func enumeratedString(_ key: UInt32) throws -> String? {
    guard case .string(let bytes) = try storedValue(at: Int(key) - 1) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A property of any type but collections and backlinks.
  final func storedValue(_ key: UInt32) -> Value {
    if isTraced(key) { return .null }
    return orStop(core) { try storedValue(at: Int(key) - 1) }
  }

  final func storedValue(at slot: Int) throws -> Value {
    guard let core, let binding = binding else { throw RealmFailure.misuse("The object is not managed by a Realm.") }
    _ = try locate()
    let table = try binding.table(core)
    return try table.row(self.key).value(table.column(binding.columns[slot]))
  }

  // MARK: Writing

  /// Stores a value in a property that is no collection and no link.
  final func store(_ key: UInt32, _ value: Value) {
    orStop(core) { try store(at: Int(key) - 1, value) }
  }

  final func store(at slot: Int, _ value: Value) throws {
    let (core, binding, table) = try writableTable()
    if slot == binding.primaryKeySlot {
      guard core.mayChangePrimaryKeys else { throw RealmFailure.misuse("Primary key can't be changed after an object is inserted.") }
    }
    do throws(StorageError) { try table.set(key, binding.columns[slot], value) } catch {
      throw binding.failure(error, setting: value, slot: slot)
    }
  }

  @usableFromInline final func _storeInt(_ key: UInt32, _ value: Int64) {
    orStop(core) {
      let (_, binding, table) = try writableTable()
      let slot = Int(key) - 1
      if slot == binding.primaryKeySlot { return try store(at: slot, .int(value)) }
      try table.setInt(self.key, binding.columns[slot], value)
    }
  }

  /// The table of the object, in the running write transaction.
  final func writableTable() throws -> (RealmCore, ClassBinding, Table) {
    guard let core, let binding = binding else { throw RealmFailure.misuse("The object is not managed by a Realm.") }
    try core.verifyThread()
    guard core.isInWriteTransaction else {
      if isManagedAndGone { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
      if core.isFrozen { throw RealmFailure.misuse("Attempting to modify a frozen object - call thaw on the Object instance first.") }
      throw RealmFailure.misuse(
        "Attempting to modify object outside of a write transaction - call beginWrite on a Realm instance first.")
    }
    if core.cell.stamp != stamp { _ = try locate() }
    core.willMutate()
    return (core, binding, try binding.table(core))
  }
}
