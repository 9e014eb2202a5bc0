/// The top array of one version with all its fields, and the tables. F8.1, F8.2.
package struct GroupDescription {
  package let top: Ref
  /// 3, 5, 7, 9, 10, 11 or 12.
  package let slotCount: Int
  package let namesRef: Ref
  package let tablesRef: Ref
  package let logicalByteCount: UInt64
  /// Null in files without free lists.
  package let freePositionsRef: Ref
  package let freeLengthsRef: Ref
  package let freeVersionsRef: Ref
  /// Nil in streaming files that were written without a version.
  package let storedVersion: UInt64?
  package let historyType: UInt64
  package let historyRef: Ref
  package let historySchemaVersion: UInt64
  package let syncFileID: UInt64
  /// The raw slot: 0, a tagged limit or a ref (F8.5).
  package let evacuation: Int64
  /// Table slots, free ones included.
  package let tableSlotCount: Int

  private let tables: Node
  private let names: NameArray

  /// What stands in one slot of the tables array (F8.2).
  package enum TableSlot: Equatable, Sendable {
    case table(Ref)
    /// The generation for the next table that takes the slot; nil if the slot holds 0.
    case free(nextTag: UInt64?)
  }

  /// A missing version reads as 1.
  package var version: UInt64 { storedVersion ?? 1 }

  /// - Parameters:
  ///   - space: may still be bounded by the physical size; refs of the top array must lie inside it.
  ///   - mayBeCutOff: the file may have lost its end, and the logical size may exceed the space.
  /// - Throws: `.corruptNode` if a slot has the wrong form or the logical size exceeds the space.
  package init(space: NodeSpace, top: Ref, mayBeCutOff: Bool = false) throws(StorageError) {
    let array = try TopArray(space, at: top)
    logicalByteCount = try array.checkForm(limit: mayBeCutOff ? .max : space.fileLimit)
    self.top = top
    slotCount = array.slotCount
    (namesRef, tablesRef) = (try array.names, try array.tables)
    (freePositionsRef, freeLengthsRef, freeVersionsRef) = (try array.freePositions, try array.freeByteCounts, try array.freeVersions)
    storedVersion = try array.version
    (historyType, historyRef, historySchemaVersion) = (try array.historyType, try array.history, try array.historySchemaVersion)
    syncFileID = try array.syncFileID
    evacuation = array.evacuation

    tables = try space.refs(at: tablesRef)
    guard !tables.header.isInner else { throw tables.broken("is no array of tables: it is marked as an inner node") }
    names = try NameArray(space: space, ref: namesRef)
    guard names.count == tables.count else { throw array.node.broken("\(names.count) table names for \(tables.count) table slots") }
    guard tables.count <= 0xFFFF else { throw tables.broken("\(tables.count) table slots, at most 65535 are possible") }
    tableSlotCount = tables.count
  }

  /// The caller guarantees `0 <= slot < tableSlotCount`.
  package func tableSlot(_ slot: Int) -> TableSlot {
    let value = tables.element(unchecked: slot)
    if value & 1 == 1 { return .free(nextTag: UInt64(bitPattern: value) >> 1) }
    return value == 0 ? .free(nextTag: nil) : .table(Ref(element: value))
  }

  package func tableName(_ slot: Int) throws(StorageError) -> [UInt8] { try names.name(slot) }

  /// The description of the table in `slot`, or nil if the slot is free.
  /// - Parameter onDamage: see `TableDescription`.
  package func table(
    space: NodeSpace, slot: Int, onDamage: ((_ what: String, StorageError) -> Void)? = nil
  ) throws(StorageError) -> TableDescription? {
    guard case .table(let ref) = tableSlot(slot) else { return nil }
    return try TableDescription(space: space, ref: ref, name: tableName(slot), slot: slot, onDamage: onDamage)
  }

  /// Every table, in slot order.
  package func allTables(space: NodeSpace) throws(StorageError) -> [TableDescription] {
    var result: [TableDescription] = []
    for slot in 0..<tableSlotCount {
      if let table = try table(space: space, slot: slot) { result.append(table) }
    }
    return result
  }
}
