/// A table whose description was readable, and what the walk through its objects learned.
struct CheckedTable {
  let description: TableDescription
  /// Position in `description.columns` by leaf index; -1 for vacant ones.
  let positions: [Int]
  let positionsByKey: [ColumnKey: Int]
  /// All live objects: what an index must list.
  var live = IndexEntries()

  init(_ description: TableDescription) {
    self.description = description
    var positions = [Int](repeating: -1, count: description.leafSlotCount)
    var positionsByKey: [ColumnKey: Int] = [:]
    for (position, column) in description.columns.enumerated() {
      positions[column.leafIndex] = position
      positionsByKey[column.key] = position
    }
    (self.positions, self.positionsByKey) = (positions, positionsByKey)
  }
  var name: String { String(decoding: description.name, as: UTF8.self) }
}

/// The check of all tables of a version, or of one of them, with what they say about each other (F4, F6, F7, F9):
///
///  1. a table's arrays have the form of F4, and vacant column slots hold nothing: `claimTables`;
///  2. spec, column keys and opposite columns agree: `checkSchema`;
///  3. objects and tombstones, column by column: `checkObjects`;  4. collections and what is nested in them: `checkCollection`;
///  5. links and backlinks are the same pairs: `checkLinks`;  6. indexes hold every object under its value: `checkIndex`.
final class GroupCheck {
  let checker: Checker
  let top: Ref
  /// Tables whose index of the primary key was put off (`Table.flushDeferredIndex`).
  var deferred: Set<TableKey> = []
  private(set) var group: GroupDescription?
  private(set) var tableCount = 0
  var objectCount = 0
  /// By slot; nil for free slots and damaged tables.
  var tables: [CheckedTable?] = []
  var ledger = LinkLedger()
  /// The column whose links are being walked.
  var linkOrigin: (table: TableKey, column: ColumnKey)?

  /// The only table to be checked; of others, the columns that may have links to it or backlinks of its links are looked at.
  private let focus: TableKey?

  init(_ checker: Checker, top: Ref, only focus: TableKey? = nil) { (self.checker, self.top, self.focus) = (checker, top, focus) }

  /// Everything, for callers that have no other structures to check in between.
  func run() throws(StorageError) {
    _ = try claimTop()
    claimTables()
    checkTables()
  }

  func isInFocus(_ table: TableKey) -> Bool { focus == nil || focus == table }
  func isInFocus(_ table: CheckedTable, _ column: ColumnDescription) -> Bool {
    isInFocus(table.description.key) || column.type == .mixed || column.type == .typedLink || column.oppositeTable == focus
  }

  /// Claims the top array, the names and the array of tables.
  func claimTop() throws(StorageError) -> GroupDescription {
    checker.depth = 0
    let top = try checker.claim(top, "group top")
    let group = try GroupDescription(space: checker.space, top: top.ref)
    self.group = group
    checker.depth = 1
    _ = try checker.claim(group.namesRef, "table names")
    _ = try checker.claim(group.tablesRef, "tables")
    if group.version >= TopArray.versionLimit { checker.fail("the version \(group.version) is out of range") }
    return group
  }

  /// Reads and claims the descriptions of all tables.
  func claimTables() {
    guard let group else { return }
    tables = [CheckedTable?](repeating: nil, count: group.tableSlotCount)
    var slots: [[UInt8]: Int] = [:]
    for slot in 0..<group.tableSlotCount {
      guard case .table(let ref) = group.tableSlot(slot) else {
        // Whoever opens the group reads the names of free slots, too.
        checker.attempt("table names") { () throws(StorageError) in _ = try group.tableName(slot) }
        continue
      }
      tableCount += 1
      // Reported below, where the table is claimed, if it cannot be read.
      if let name = try? group.tableName(slot), let first = slots.updateValue(slot, forKey: name) { reportName(name, of: [first, slot]) }
      if !checker.covers(ref) { continue }
      checker.attempt("table in slot \(slot)") { () throws(StorageError) in try claimTable(group, slot: slot, ref: ref) }
    }
  }

  private func reportName(_ name: [UInt8], of slots: [Int]) {
    guard focus.map({ slots.contains($0.slot) }) ?? true else { return }
    checker.failGlobally("the tables in slots \(slots[0]) and \(slots[1]) are both called '\(String(decoding: name, as: UTF8.self))'")
  }

  // MARK: One table

  private func claimTable(_ group: GroupDescription, slot: Int, ref: Ref) throws(StorageError) {
    checker.depth = 2
    defer { checker.depth = 1 }
    let name = try group.tableName(slot)
    let label = String(decoding: name, as: UTF8.self)
    _ = try checker.claim(ref, "table '\(label)'")
    let description = try TableDescription(space: checker.space, ref: ref, name: name, slot: slot)
    checker.depth = 3
    let spec = try checker.claimRefs(description.specRef, "spec")
    checker.depth = 4
    _ = try checker.claim(spec.child(SpecSlot.types), "column types")
    _ = try checker.claim(spec.child(SpecSlot.names), "column names")
    _ = try checker.claim(spec.child(SpecSlot.attributes), "column attributes")
    if try !spec.child(SpecSlot.enumKeys).isNull {
      _ = try checker.claimRefs(spec.child(SpecSlot.enumKeys), "enum keys")
      checker.depth = 5
      for column in description.columns where !column.enumKeysRef.isNull {
        _ = try Leaf.check(checker, column.enumKeysRef, .string, "enum keys of '\(String(decoding: column.name, as: UTF8.self))'")
      }
      checker.depth = 4
    }
    _ = try checker.claim(spec.child(SpecSlot.keys), "column keys")
    checker.depth = 3
    if !description.searchIndexesRef.isNull { _ = try checker.claimRefs(description.searchIndexesRef, "search indexes") }
    if !description.oppositeTablesRef.isNull { _ = try checker.claim(description.oppositeTablesRef, "opposite tables") }
    if !description.oppositeColumnsRef.isNull { _ = try checker.claim(description.oppositeColumnsRef, "opposite columns") }
    let table = CheckedTable(description)
    tables[slot] = table
    checker.place.table = label
    defer { checker.place.table = "" }
    try checkVacantSlots(table)
    if !description.collisionMapRef.isNull {
      checker.attempt("collision map") { () throws(StorageError) in try claimCollisionMap(description.collisionMapRef) }
    }
  }

  private func checkVacantSlots(_ table: CheckedTable) throws(StorageError) {
    let description = table.description
    for leafIndex in 0..<description.leafSlotCount where table.positions[leafIndex] < 0 {
      if try entry(description.searchIndexesRef, leafIndex, hasRefs: true) ?? 0 != 0 {
        checker.fail("search index for the vacant column slot \(leafIndex)")
      }
      let table = try entry(description.oppositeTablesRef, leafIndex, hasRefs: false) ?? Int64(TableKey.null.rawValue)
      let column = try entry(description.oppositeColumnsRef, leafIndex, hasRefs: false) ?? ColumnKey.null.rawValue
      if table != Int64(TableKey.null.rawValue) || column != ColumnKey.null.rawValue {
        checker.fail("opposite entry for the vacant column slot \(leafIndex)")
      }
    }
  }

  private func entry(_ ref: Ref, _ index: Int, hasRefs: Bool) throws(StorageError) -> Int64? {
    if ref.isNull { return nil }
    return try (hasRefs ? checker.space.refs(at: ref) : checker.space.integers(at: ref)).element(index)
  }

  /// F7.4: three parallel arrays sorted by high, then low half.
  private func claimCollisionMap(_ ref: Ref) throws(StorageError) {
    let map = try checker.claimRefs(ref, "collision map")
    guard map.count == CollisionMapSlot.count else { throw map.broken("a collision map has 3 arrays, this one has \(map.count)") }
    checker.depth += 1
    defer { checker.depth -= 1 }
    let low = try checker.claimIntegers(map.child(CollisionMapSlot.low), "collision low halves")
    let high = try checker.claimIntegers(map.child(CollisionMapSlot.high), "collision high halves")
    let local = try checker.claimIntegers(map.child(CollisionMapSlot.local), "collision local ids")
    guard low.count == high.count, low.count == local.count else { throw map.broken("the arrays of the collision map differ in size") }
    try checker.spend(low.count, map)
    for index in 1..<max(low.count, 1) {
      let (a, b) = (high.element(unchecked: index - 1), high.element(unchecked: index))
      let (x, y) = (UInt64(bitPattern: low.element(unchecked: index - 1)), UInt64(bitPattern: low.element(unchecked: index)))
      if a > b || a == b && x > y { checker.fail("the collision map is not sorted at entry \(index)") }
    }
  }
}
