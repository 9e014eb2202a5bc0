/// The top array of one version, decoded. F8.1.
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

  /// No file gets there by committing; from here on the tagged integer would overflow.
  package static let versionLimit: UInt64 = 1 << 62

  /// A missing version reads as 1.
  package var version: UInt64 { storedVersion ?? 1 }

  /// - Parameter space: may still be bounded by the physical size; refs of the top array must lie inside it.
  /// - Throws: `.corruptNode` if a slot has the wrong form or the logical size exceeds the space.
  package init(space: NodeSpace, top: Ref) throws(StorageError) {
    let node = try space.refs(at: top)
    guard !node.header.isInner else { throw node.broken("is no top array: it is marked as an inner node") }
    switch node.count {
    case 3, 5, 7, 9, 10, 11, 12: slotCount = node.count
    default: throw node.broken("a top array has 3, 5, 7, 9, 10, 11 or 12 slots, this one has \(node.count)")
    }
    self.top = top
    namesRef = try node.child(0)
    tablesRef = try node.child(1)
    guard let logical = try node.tagged(2) else { throw node.broken("the logical file size is missing") }
    guard logical >= 24 && logical <= space.fileLimit else {
      throw node.broken("the logical file size \(logical) is outside [24, \(space.fileLimit)]")
    }
    logicalByteCount = logical
    freePositionsRef = try node.child(3)
    freeLengthsRef = try node.child(4)
    freeVersionsRef = try node.child(5)
    storedVersion = try node.tagged(6)
    historyType = try node.tagged(7) ?? 0
    historyRef = try node.child(8)
    historySchemaVersion = try node.tagged(9) ?? 0
    syncFileID = try node.tagged(10) ?? 0
    evacuation = node.count > 11 ? node.element(unchecked: 11) : 0

    tables = try space.refs(at: tablesRef)
    guard !tables.header.isInner else { throw tables.broken("is no array of tables: it is marked as an inner node") }
    names = try NameArray(space: space, ref: namesRef)
    guard names.count == tables.count else { throw node.broken("\(names.count) table names for \(tables.count) table slots") }
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
  package func table(space: NodeSpace, slot: Int) throws(StorageError) -> TableDescription? {
    guard case .table(let ref) = tableSlot(slot) else { return nil }
    return try TableDescription(space: space, ref: ref, name: tableName(slot), slot: slot)
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
