public import Foundation
import RealmStorage

// Reading and writing the properties of managed objects. `key` is the property's slot plus one, as `Persisted` keeps it. An object whose key
// paths are being traced has a binding but no realm: its reads are recorded and give the type's default.

extension ObjectBase {
  @inline(__always) private final func column(_ key: UInt32) -> ColumnKey { unsafe binding.unsafelyUnwrapped.columns[Int(key) - 1] }

  /// Records the read of a traced object.
  /// - Returns: whether it is one.
  @inline(__always) final func isTraced(_ key: UInt32) -> Bool {
    if core != nil { return false }
    binding?.tracer?.record(binding?.property(key).name ?? "")
    return true
  }

  @inline(never) final func stopOnDamage(_ error: StorageError) -> Never {
    stop(core?.failure(error).text ?? "\(error)")
  }

  @usableFromInline final func _int(_ key: UInt32) -> Int64 {
    if isTraced(key) { return 0 }
    do throws(StorageError) { return try currentRow().int(column(key)) } catch { stopOnDamage(error) }
  }
  @usableFromInline final func _optionalInt(_ key: UInt32) -> Int64? {
    if isTraced(key) { return nil }
    do throws(StorageError) { return try currentRow().optionalInt(column(key)) } catch { stopOnDamage(error) }
  }
  @usableFromInline final func _bool(_ key: UInt32) -> Bool? {
    if isTraced(key) { return nil }
    do throws(StorageError) { return try currentRow().bool(column(key)) } catch { stopOnDamage(error) }
  }
  @usableFromInline final func _double(_ key: UInt32) -> Double? {
    if isTraced(key) { return nil }
    do throws(StorageError) { return try currentRow().double(column(key)) } catch { stopOnDamage(error) }
  }
  @usableFromInline final func _float(_ key: UInt32) -> Float? {
    if isTraced(key) { return nil }
    do throws(StorageError) { return try currentRow().float(column(key)) } catch { stopOnDamage(error) }
  }
  @usableFromInline final func _string(_ key: UInt32) -> String? {
    if isTraced(key) { return nil }
    do throws(StorageError) {
      let row = currentRow()
      let column = column(key)
      if unsafe binding.unsafelyUnwrapped.hasEnumeratedStrings { return try enumeratedString(row, column) }
      return try row.string(column)
    } catch { stopOnDamage(error) }
  }
  private final func enumeratedString(_ row: Row, _ column: ColumnKey) throws(StorageError) -> String? {
    guard let core, let binding = binding else { return nil }
    let table: Table
    do throws(RealmFailure) { table = try binding.table(core) } catch { stop(error.text) }
    guard case .string(let bytes) = try row.value(table.column(column)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
  public final func _date(_ key: UInt32) -> Date? {
    if isTraced(key) { return nil }
    do throws(StorageError) { return try currentRow().timestamp(column(key)).map { Date($0) } } catch { stopOnDamage(error) }
  }

  /// A property of any type but collections and backlinks.
  final func storedValue(_ key: UInt32) -> Value {
    if isTraced(key) { return .null }
    return orStop { () throws(RealmFailure) in try storedValue(at: Int(key) - 1) }
  }

  final func storedValue(at slot: Int) throws(RealmFailure) -> Value {
    guard let core, let binding = binding else { throw .misuse("The object is not managed by a Realm.") }
    let row = try locate()
    let table = try binding.table(core)
    do throws(StorageError) { return try row.value(table.column(binding.columns[slot])) } catch { throw core.failure(error) }
  }

  // MARK: Writing

  /// Stores a value in a property that is no collection and no link.
  final func store(_ key: UInt32, _ value: Value) {
    orStop { () throws(RealmFailure) in try store(at: Int(key) - 1, value) }
  }

  final func store(at slot: Int, _ value: Value) throws(RealmFailure) {
    let (core, binding, table) = try writableTable()
    if slot == binding.primaryKeySlot {
      guard core.mayChangePrimaryKeys else { throw .misuse("Primary key can't be changed after an object is inserted.") }
    }
    do throws(StorageError) { try table.set(key, binding.columns[slot], value) } catch {
      throw core.failure(error, setting: value, in: binding, slot: slot)
    }
  }

  @usableFromInline final func _storeInt(_ key: UInt32, _ value: Int64) {
    orStop { () throws(RealmFailure) in
      let (core, binding, table) = try writableTable()
      let slot = Int(key) - 1
      if slot == binding.primaryKeySlot { return try store(at: slot, .int(value)) }
      do throws(StorageError) { try table.setInt(self.key, binding.columns[slot], value) } catch { throw core.failure(error) }
    }
  }

  /// The table of the object, in the running write transaction.
  final func writableTable() throws(RealmFailure) -> (RealmCore, ClassBinding, Table) {
    guard let core, let binding = binding else { throw .misuse("The object is not managed by a Realm.") }
    try core.verifyThread()
    guard !core.isFrozen else { throw .misuse("Attempting to modify a frozen object - call thaw on the Object instance first.") }
    guard core.isInWriteTransaction else {
      throw .misuse(
        "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm instance first.")
    }
    if core.cell.stamp != stamp { _ = try locate() }
    core.willMutate()
    return (core, binding, try binding.table(core))
  }
}
