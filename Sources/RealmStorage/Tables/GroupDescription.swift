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
  private let names: Names

  private enum Names {
    case sound(NameArray)
    /// Nil for a name that is lost.
    case damaged([[UInt8]?])
  }

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
  ///   - isDamaged: names of tables may be lost, and so may the end of the file: the logical size may exceed the space.
  /// - Throws: `.corruptNode` if a slot has the wrong form or the logical size exceeds the space.
  package init(space: NodeSpace, top: Ref, isDamaged: Bool = false) throws(StorageError) {
    let array = try TopArray(space, at: top)
    logicalByteCount = try array.checkForm(limit: isDamaged ? .max : space.fileLimit)
    self.top = top
    slotCount = array.slotCount
    (namesRef, tablesRef) = (try array.names, try array.tables)
    (freePositionsRef, freeLengthsRef, freeVersionsRef) = (try array.freePositions, try array.freeByteCounts, try array.freeVersions)
    storedVersion = try array.version
    (historyType, historyRef, historySchemaVersion) = (try array.historyType, try array.history, try array.historySchemaVersion)
    syncFileID = try array.syncFileID
    evacuation = array.evacuation

    tables =
      if isDamaged { try DamagedNodes.tables(space, tablesRef, names: try? NameArray(space: space, ref: namesRef)) } else {
        try space.refs(at: tablesRef)
      }
    guard !tables.header.isInner else { throw tables.broken("is no array of tables: it is marked as an inner node") }
    guard tables.count <= 0xFFFF else { throw tables.broken("\(tables.count) table slots, at most 65535 are possible") }
    tableSlotCount = tables.count
    if isDamaged {
      let tables = self.tables
      names = .damaged(NameArray.readable(space, namesRef, count: tables.count) { GroupDescription.isTable(tables.element(unchecked: $0)) })
      return
    }
    let names = try NameArray(space: space, ref: namesRef)
    guard names.count == tables.count else { throw array.node.broken("\(names.count) table names for \(tables.count) table slots") }
    self.names = .sound(names)
  }

  /// The caller guarantees `0 <= slot < tableSlotCount`.
  package func tableSlot(_ slot: Int) -> TableSlot {
    let value = tables.element(unchecked: slot)
    if value & 1 == 1 { return .free(nextTag: UInt64(bitPattern: value) >> 1) }
    return value == 0 ? .free(nextTag: nil) : .table(Ref(element: value))
  }

  /// Whether an element of the tables array leads to a table: others are free.
  static func isTable(_ element: Int64) -> Bool { element != 0 && element & 1 == 0 }

  /// Whether a table has a name: what looks like a top array and only happens to be one has none.
  package var hasNames: Bool {
    (0..<tableSlotCount).contains { slot in
      if case .table = tableSlot(slot) { (try? tableName(slot)) != nil } else { false }
    }
  }

  /// - Throws: `.corruptNode` if the name is lost.
  package func tableName(_ slot: Int) throws(StorageError) -> [UInt8] {
    switch names {
    case .sound(let names): return try names.name(slot)
    case .damaged(let names):
      guard let name = names[slot] else { throw .corruptNode(ref: namesRef, reason: "name \(slot) is lost") }
      return name
    }
  }

  /// The description of the table in `slot`, or nil if the slot is free.
  /// - Parameters:
  ///   - name: what the table is called if its own name is lost.
  ///   - onDamage: see `TableDescription`.
  package func table(
    space: NodeSpace, slot: Int, name: [UInt8]? = nil, onDamage: ((_ what: String, StorageError) -> Void)? = nil
  ) throws(StorageError) -> TableDescription? {
    guard case .table(let ref) = tableSlot(slot) else { return nil }
    let ownName = if let name { name } else { try tableName(slot) }
    return try TableDescription(space: space, ref: ref, name: ownName, slot: slot, onDamage: onDamage)
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
