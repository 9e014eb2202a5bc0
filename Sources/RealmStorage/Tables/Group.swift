/// All tables of one snapshot or of one write transaction. F8.
///
/// Confined to one thread; valid while the snapshot or transaction that it was made from is.
package final class Group {
  package let space: NodeSpace
  /// Nil for a reader.
  package let scratch: Scratch?
  /// The same, for what counts nothing.
  let heldScratch: Uncounted<Scratch>?
  /// In a write transaction on a file that synchronises.
  package let recorder: ChangesetRecorder?
  /// The top array; null while an empty database has not been written to. Whoever takes it away from here uses `finishedTop`.
  var topRef: Ref
  /// What changed, for the history entry of the commit.
  package var log: LogEncoder {
    @inline(__always) _read { yield unsafe uncheckedLog }
    @inline(__always) _modify { yield unsafe &uncheckedLog }
  }
  // SAFETY: see `TableState`; nothing that is called while the log is written knows of the group.
  @exclusivity(unchecked) private var uncheckedLog = LogEncoder()
  @exclusivity(unchecked) private var uncheckedStamp: UInt64 = 0
  /// Counts the operations that may have moved nodes; whoever caches refs compares it.
  package internal(set) var stamp: UInt64 {
    @inline(__always) get { unsafe uncheckedStamp }
    @inline(__always) set { unsafe uncheckedStamp = newValue }
  }

  /// Counts how often the distinct values of an enumerated column went elsewhere: descriptions of columns that are older name nodes that are gone.
  package internal(set) var enumerationStamp = 0

  // SAFETY: see `TableState`; tables are looked for with every link that is set, and no access lasts while anything but the group's own code runs.
  @exclusivity(unchecked) private var uncheckedStates: [TableState?] = []
  @exclusivity(unchecked) private var uncheckedSlots: [GroupDescription.TableSlot] = []
  @exclusivity(unchecked) private var uncheckedIsWritable = false
  var states: [TableState?] {
    @inline(__always) _read { yield unsafe uncheckedStates }
    @inline(__always) _modify { yield unsafe &uncheckedStates }
  }
  var slots: [GroupDescription.TableSlot] {
    @inline(__always) _read { yield unsafe uncheckedSlots }
    @inline(__always) _modify { yield unsafe &uncheckedSlots }
  }
  var names: [[UInt8]] = []
  private(set) var isWritable: Bool {
    @inline(__always) get { unsafe uncheckedIsWritable }
    @inline(__always) set { unsafe uncheckedIsWritable = newValue }
  }
  private var version: UInt64 = 0
  /// How many transactions of the database were taken back before.
  private let attempt: UInt64
  /// Another number for each change of each version, those that were taken back included: identities that are drawn from it do not come back at once.
  var changeNumber: Int64 { Int64(truncatingIfNeeded: version &* 0x1_0001 &+ attempt &* 0x1_0000_0001 &+ stamp) }

  /// A reader's view. `top` is null for an empty database.
  package init(reading space: NodeSpace, top: Ref) throws(StorageError) {
    self.space = space
    (scratch, heldScratch, recorder, attempt) = (nil, nil, nil, 0)
    topRef = top
    try load()
  }

  /// A writer's view; nothing is copied before something changes.
  package init(writing scratch: Scratch, top: Ref, recorder: ChangesetRecorder? = nil, attempt: UInt64 = 0) throws(StorageError) {
    space = scratch.space
    self.scratch = scratch
    heldScratch = Uncounted(scratch)
    self.recorder = recorder
    self.attempt = attempt
    topRef = top
    try load()
  }

  /// A writer's view of what a transaction had done until one moment, in the place of the view that it has now. Its stamps go on.
  init(after group: Group, top: Ref, log: LogEncoder) throws(StorageError) {
    (space, scratch, heldScratch, recorder, attempt) = (group.space, group.scratch, group.heldScratch, group.recorder, group.attempt)
    topRef = top
    try load()
    self.log = log
    stamp = group.stamp &+ 1
  }

  private func load() throws(StorageError) {
    guard !topRef.isNull else { return }
    let description = try GroupDescription(space: space, top: topRef)
    version = description.version
    for slot in 0..<description.tableSlotCount {
      slots.append(description.tableSlot(slot))
      names.append(try description.tableName(slot))
    }
    states = [TableState?](repeating: nil, count: slots.count)
  }

  /// What the server calls the file, if it synchronises and has a name.
  package var syncFileIdent: UInt64 {
    guard !topRef.isNull, let top = try? TopArray(space, at: topRef) else { return 0 }
    return (try? top.syncFileID) ?? 0
  }

  /// Whether the file has the history of a client that synchronises.
  package var synchronises: Bool { get throws(StorageError) { topRef.isNull ? false : try TopArray(space, at: topRef).synchronises } }

  // MARK: Finding tables

  /// Keys of all tables in slot order.
  package func tableKeys() throws(StorageError) -> [TableKey] {
    var keys: [TableKey] = []
    for slot in slots.indices { if let table = try table(inSlot: slot) { keys.append(table.key) } }
    return keys
  }

  package func table(inSlot slot: Int) throws(StorageError) -> Table? {
    guard slot >= 0, slot < slots.count, case .table(let ref) = slots[slot] else { return nil }
    if let state = states[slot] { return Table(group: self, state: state) }
    let state = try TableState(space: space, ref: ref, name: names[slot], slot: slot)
    states[slot] = state
    return Table(group: self, state: state)
  }

  package func table(named name: String) throws(StorageError) -> Table? { try table(named: Array(name.utf8)) }
  package func table(named name: [UInt8]) throws(StorageError) -> Table? {
    for slot in slots.indices where names[slot] == name {
      if case .table = slots[slot] { return try table(inSlot: slot) }
    }
    return nil
  }

  /// - Throws: `.noSuchTable`.
  @inline(__always) package func table(_ key: TableKey) throws(StorageError) -> Table {
    // One that was found before, and not removed.
    if key.slot < states.count, let state = states[key.slot], state.key == key { return Table(group: self, state: state) }
    return try firstFound(key)
  }

  /// The state of a table for the moment, while none is added or removed: not counted, since the group holds it.
  @inline(__always) func heldState(_ key: TableKey) throws(StorageError) -> Uncounted<TableState> {
    if key.slot < states.count, let state = Uncounted(states, at: key.slot), state.use({ $0.key == key }) { return state }
    return Uncounted(try firstFound(key).state)
  }

  @inline(never) private func firstFound(_ key: TableKey) throws(StorageError) -> Table {
    guard let table = try table(inSlot: key.slot), table.key == key else { throw .noSuchTable(name: "with key \(key.rawValue)") }
    return table
  }

  // MARK: Writing

  /// The scratch memory, for an operation that changes something.
  /// - Throws: `.readOnly` for a reader.
  @inline(__always) func writing() throws(StorageError) -> Scratch {
    guard let scratch else { throw .readOnly(path: "") }
    try willChange(scratch)
    return scratch
  }

  /// The same for whoever has the scratch memory already.
  @inline(__always) func willChange(_ scratch: Scratch) throws(StorageError) {
    stamp &+= 1
    if !isWritable { try makeWritable(scratch) }
  }

  /// An operation stopped half-way because of an error that says nothing of what it had done by then: nodes that it has given up may still be in use, so
  /// the transaction must not be committed. Without effect on a reader.
  package func stopped(by error: StorageError) { scratch?.noteDamage(error) }

  private func makeWritable(_ scratch: Scratch) throws(StorageError) {
    if topRef.isNull {
      topRef = try TopArray.create(scratch, logicalByteCount: TopArray.smallestLogicalByteCount)
    } else {
      try scratch.makeWritable(&topRef)
      var tables = Ref(element: scratch.slot(topRef, TopArray.Slot.tables))
      try scratch.makeWritable(&tables)
      scratch.setChild(topRef, TopArray.Slot.tables, tables)
    }
    isWritable = true
  }

  /// Stores a table's top, or the tag of a free slot.
  func setTableSlot(_ scratch: Scratch, _ slot: Int, _ content: GroupDescription.TableSlot) {
    let tables = Ref(element: scratch.slot(topRef, TopArray.Slot.tables))
    slots[slot] = content
    switch content {
    case .table(let ref): scratch.setChild(tables, slot, ref)
    case .free(let tag): scratch.setTagged(tables, slot, tag ?? 0)
    }
  }

  func storeNames(_ scratch: Scratch) throws(StorageError) {
    try scratch.free(Ref(element: scratch.slot(topRef, TopArray.Slot.names)))
    scratch.setChild(topRef, TopArray.Slot.names, try NameArray.create(scratch, names))
  }

  /// Finishes what tables put off; before the tree is laid out, copied or checked.
  package func finish() throws(StorageError) {
    for case let state? in states { try Table(group: self, state: state).flushDeferredIndex() }
  }

  /// The top array with everything done that tables put off.
  package func finishedTop() throws(StorageError) -> Ref {
    try finish()
    return topRef
  }

  /// Adds a table.
  /// - Throws: `.duplicateName`, `.invalidArgument` for a name above 63 bytes or too many tables.
  @discardableResult
  package func addTable(_ name: String, kind: TableKind = .topLevel) throws(StorageError) -> Table {
    let bytes = Array(name.utf8)
    try Group.checkLength(ofName: name)
    guard try table(named: bytes) == nil else { throw .duplicateName(name: name) }
    let scratch = try writing()
    let free = slots.indices.first { if case .free = slots[$0] { true } else { false } }
    let slot = free ?? slots.count
    guard slot < 0xFFFF else { throw .invalidArgument(reason: "a realm holds at most 65535 tables") }
    var tag: UInt64 = 0
    if let free, case .free(let next) = slots[free] { tag = next ?? 0 }
    let key = TableKey(slot: slot, tag: UInt32(tag & 0x7FFF))
    let ref = try TableState.create(scratch, key: key, kind: kind)
    if free == nil {
      var tables = Ref(element: scratch.slot(topRef, TopArray.Slot.tables))
      try scratch.append(&tables, ref.element)
      scratch.setChild(topRef, TopArray.Slot.tables, tables)
      slots.append(.table(ref))
      names.append(bytes)
      states.append(nil)
    } else {
      names[slot] = bytes
      setTableSlot(scratch, slot, .table(ref))
    }
    try storeNames(scratch)
    log.insertTable(key)
    guard let table = try table(inSlot: slot) else { throw .noSuchTable(name: name) }
    recorder?.didAdd(table)
    return table
  }

  /// Removes a table with all objects and every link from and to it.
  /// - Throws: `.invalidArgument` when another table has a link column to it.
  package func removeTable(_ key: TableKey) throws(StorageError) {
    let table = try table(key)
    for column in table.state.columns {
      guard let column, column.type == .backlink, column.oppositeTable != key else { continue }
      // In files of realm-core the backlink columns of a Mixed column outlive it (F4.4).
      guard let origin = try self.table(inSlot: column.oppositeTable.slot), origin.key == column.oppositeTable else { continue }
      if let forward = origin.columnOrNil(column.oppositeColumn), forward.type == .link {
        throw .invalidArgument(reason: "'\(origin.className)' still has links to '\(table.className)'")
      }
    }
    try recorder?.willErase(table)
    try unrecorded { () throws(StorageError) in try empty(table) }
    let scratch = try writing()
    try scratch.freeTree(table.state.ref)
    setTableSlot(scratch, key.slot, .free(nextTag: UInt64((key.tag + 1) & 0x7FFF)))
    states[key.slot] = nil
    names[key.slot] = []
    try storeNames(scratch)
    self.log.eraseTable(key)
  }

  /// Removes everything in a table and every link to it.
  private func empty(_ table: Table) throws(StorageError) {
    try table.removeAllObjects()
    for tombstone in try table.tombstoneKeys() { try table.nullifyLinks(to: tombstone) }
    // The columns' removal is not logged: that of the table says it.
    let log = log
    for column in table.state.columns.compactMap({ $0 }) where column.isPublic { try table.removeColumn(column.key) }
    try dropBacklinkColumns(from: table.key)
    self.log = log
  }

  /// Does what peers do by themselves when they do what was written down.
  func unrecorded<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    guard let recorder else { return try body() }
    return try recorder.suspended(body)
  }

  /// Objects of asymmetric classes are only passed on: they go with the commit that made them.
  func removeAsymmetricObjects() throws(StorageError) {
    for case let state? in states where state.isWritable && state.kind == .asymmetric {
      try Table(group: self, state: state).removeAllObjects()
    }
  }

  /// What is left in other tables of Mixed columns that are long gone.
  private func dropBacklinkColumns(from origin: TableKey) throws(StorageError) {
    for key in try tableKeys() where key != origin {
      let table = try table(key)
      for column in table.backlinkColumns where column.oppositeTable == origin { try table.dropColumn(column.key) }
    }
  }

  /// - Throws: `.invalidArgument` for a name that the format has no place for.
  private static func checkLength(ofName name: String) throws(StorageError) {
    let (limit, prefix) = (63, "class_")
    if name.utf8.count <= limit { return }
    if name.hasPrefix(prefix) {
      throw .invalidArgument(reason: "the class name '\(name.dropFirst(prefix.count))' has more than \(limit - prefix.count) bytes")
    }
    throw .invalidArgument(reason: "the table name '\(name)' has more than \(limit) bytes")
  }

  package func renameTable(_ key: TableKey, to name: String) throws(StorageError) {
    let bytes = Array(name.utf8)
    try Group.checkLength(ofName: name)
    guard try self.table(named: bytes) == nil else { throw .duplicateName(name: name) }
    let table = try table(key)
    try recorder?.willRename(table)
    let scratch = try writing()
    names[key.slot] = bytes
    table.state.name = bytes
    try storeNames(scratch)
    log.renameTable(key)
  }
}
