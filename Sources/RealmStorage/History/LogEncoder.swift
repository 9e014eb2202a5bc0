/// Writes the transaction log of one write transaction, as sparingly as realm-core does. H5.
///
/// One method per operation on the data. Selections are written when needed; nothing is written about the object that was created last
/// in its table, because observers learn that it is new. Call in the order of the operations, with positions as they are at that
/// moment. Costs a few byte stores per call; the buffer's growth is the only allocation, and one dictionary access per change of table.
package struct LogEncoder: Sendable {
  package private(set) var bytes: [UInt8] = []

  private var table: TableKey?
  private var object: ObjectKey?
  private var collection: ColumnKey?
  private var collectionPath: [Int64] = []

  /// The object created last, for tables other than the selected one.
  private var newestObjects: [TableKey: ObjectKey] = [:]
  /// The same for `newestTable`, where creating objects and setting their values happens without a dictionary.
  private var newestTable: TableKey?
  private var newestObject: ObjectKey?

  package init() {}

  /// Forgets everything, for the next transaction; the buffer's memory is kept.
  package mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    clearSelection()
    newestObjects.removeAll(keepingCapacity: true)
    (newestTable, newestObject) = (nil, nil)
  }
}

// MARK: - Schema

extension LogEncoder {
  package mutating func insertTable(_ table: TableKey) { tableInstruction(.insertTable, table) }
  package mutating func renameTable(_ table: TableKey) { tableInstruction(.renameTable, table) }

  package mutating func eraseTable(_ table: TableKey) {
    tableInstruction(.eraseTable, table)
    if newestTable == table { (newestTable, newestObject) = (nil, nil) }
    newestObjects[table] = nil
  }

  package mutating func insertColumn(_ table: TableKey, _ column: ColumnKey) { columnInstruction(.insertColumn, table, column) }
  package mutating func eraseColumn(_ table: TableKey, _ column: ColumnKey) { columnInstruction(.eraseColumn, table, column) }
  package mutating func renameColumn(_ table: TableKey, _ column: ColumnKey) { columnInstruction(.renameColumn, table, column) }

  /// A Mixed column links to a table for the first time; comes before the `set`.
  package mutating func typedLinkChange(_ table: TableKey, _ column: ColumnKey, target: TableKey) {
    columnInstruction(.typedLinkChange, table, column)
    append(Int64(target.rawValue))
  }

  private mutating func tableInstruction(_ opcode: LogOpcode, _ table: TableKey) {
    append(opcode)
    append(Int64(table.rawValue))
    clearSelection()
  }

  private mutating func columnInstruction(_ opcode: LogOpcode, _ table: TableKey, _ column: ColumnKey) {
    select(table)
    append(opcode)
    append(column.rawValue)
  }
}

// MARK: - Objects

extension LogEncoder {
  package mutating func createObject(_ table: TableKey, _ object: ObjectKey) {
    select(table)
    append(.createObject)
    append(object.rawValue)
    select(object)
    setNewest(table, object)
  }

  /// An embedded object is announced by the parent's link and writes nothing, neither now nor for its first values.
  package mutating func createEmbeddedObject(_ table: TableKey, _ object: ObjectKey) { setNewest(table, object) }

  /// Also for an object that becomes a tombstone. Comes after the nullifications of links to it.
  package mutating func removeObject(_ table: TableKey, _ object: ObjectKey) {
    select(table)
    append(.removeObject)
    append(object.rawValue)
    if self.object == object { (self.object, collection) = (nil, nil) }
    if isNewest(table, object) { newestObject = nil }
  }

  package mutating func set(_ table: TableKey, _ column: ColumnKey, _ object: ObjectKey) {
    if isNewest(table, object) { return }
    select(table)
    select(object)
    append(.set)
    append(column.rawValue)
    append(object.rawValue)
  }
}

// MARK: - Collections

/// `path` leads from the collection in the column to a nested one, by the stable keys of its steps; empty for the column's own.
extension LogEncoder {
  package mutating func collectionInsert(_ table: TableKey, _ column: ColumnKey, _ object: ObjectKey, path: [Int64], index: Int) {
    guard selectCollection(table, column, object, path) else { return }
    append(.collectionInsert)
    append(Int64(index))
  }

  package mutating func collectionSet(_ table: TableKey, _ column: ColumnKey, _ object: ObjectKey, path: [Int64], index: Int) {
    guard selectCollection(table, column, object, path) else { return }
    append(.collectionSet)
    append(Int64(index))
  }

  package mutating func collectionErase(_ table: TableKey, _ column: ColumnKey, _ object: ObjectKey, path: [Int64], index: Int) {
    guard selectCollection(table, column, object, path) else { return }
    append(.collectionErase)
    append(Int64(index))
  }

  /// Writes nothing if the element stays.
  package mutating func collectionMove(
    _ table: TableKey, _ column: ColumnKey, _ object: ObjectKey, path: [Int64], from: Int, to: Int
  ) {
    guard from != to, selectCollection(table, column, object, path) else { return }
    append(.collectionMove)
    append(Int64(from))
    append(Int64(to))
  }

  /// Writes nothing if the collection was empty.
  package mutating func collectionClear(
    _ table: TableKey, _ column: ColumnKey, _ object: ObjectKey, path: [Int64], oldCount: Int
  ) {
    guard oldCount > 0, selectCollection(table, column, object, path) else { return }
    append(.collectionClear)
    append(Int64(oldCount))
  }

  /// False if nothing shall be written about this object.
  private mutating func selectCollection(_ table: TableKey, _ column: ColumnKey, _ object: ObjectKey, _ path: [Int64]) -> Bool {
    if isNewest(table, object) { return false }
    select(table)
    select(object)
    if collection == column && collectionPath == path { return true }
    (collection, collectionPath) = (column, path)
    append(path.isEmpty ? .selectCollection : .selectNestedCollection)
    append(column.rawValue)
    append(object.rawValue)
    if !path.isEmpty {
      append(Int64(path.count))
      for step in path { append(step) }
    }
    return true
  }
}

// MARK: - Selection

extension LogEncoder {
  private mutating func clearSelection() { (table, object, collection) = (nil, nil, nil) }

  @inline(__always) private mutating func select(_ table: TableKey) {
    if self.table == table { return }
    append(.selectTable)
    append(0)
    append(Int64(table.rawValue))
    (self.table, object, collection) = (table, nil, nil)
  }

  /// In the selected table.
  @inline(__always) private mutating func select(_ object: ObjectKey) {
    if self.object == object { return }
    (self.object, collection) = (object, nil)
  }

  @inline(__always) private mutating func isNewest(_ table: TableKey, _ object: ObjectKey) -> Bool {
    if newestTable != table { changeNewestTable(table) }
    return newestObject == object
  }

  @inline(__always) private mutating func setNewest(_ table: TableKey, _ object: ObjectKey) {
    if newestTable != table { changeNewestTable(table) }
    newestObject = object
  }

  private mutating func changeNewestTable(_ table: TableKey) {
    if let newestTable { newestObjects[newestTable] = newestObject }
    (newestTable, newestObject) = (table, newestObjects[table])
  }
}

// MARK: - Bytes

extension LogEncoder {
  @inline(__always) private mutating func append(_ opcode: LogOpcode) { bytes.append(opcode.rawValue) }

  /// H3: a negative number is stored as its complement, with the sign in bit 6 of the last byte.
  @inline(__always) private mutating func append(_ value: Int64) {
    var magnitude = UInt64(bitPattern: value ^ value >> 63)
    while magnitude >= 64 {
      bytes.append(0x80 | UInt8(truncatingIfNeeded: magnitude))
      magnitude >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: magnitude) | (value < 0 ? 0x40 : 0))
  }
}
