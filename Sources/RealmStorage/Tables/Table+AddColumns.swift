/// What a new column is to be.
package struct ColumnDefinition: Sendable {
  package var name: String
  /// The type of a value or of a collection's elements.
  package var type: ColumnType
  /// `.nullable` and at most one of `.list`, `.set`, `.dictionary`.
  package var attributes: ColumnAttributes
  /// For links.
  package var target: TableKey?

  package init(_ name: String, _ type: ColumnType, _ attributes: ColumnAttributes = [], target: TableKey? = nil) {
    (self.name, self.type, self.attributes, self.target) = (name, type, attributes, target)
  }
}

extension Table {
  /// Adds a property; every object gets the default value (F3.18).
  /// - Throws: `.duplicateName`, `.invalidArgument`, `.noSuchTable` for an unknown link target.
  @discardableResult
  package func addColumn(_ definition: ColumnDefinition) throws(StorageError) -> ColumnKey {
    try addColumns([definition])[0]
  }

  /// Adds properties, in this order. The result is that of adding one after the other, but the schemas that change are read and written once,
  /// so that the time does not grow with the square of the number.
  /// - Returns: their keys.
  /// - Throws: as `addColumn`, and then none is added.
  @discardableResult
  package func addColumns(_ definitions: [ColumnDefinition]) throws(StorageError) -> [ColumnKey] {
    var plans = [key: ColumnPlan(self)]
    var names = Set(publicColumns.map(\.name))
    var keys: [ColumnKey] = []
    for definition in definitions {
      let name = Array(definition.name.utf8)
      guard name.count <= 63, !name.isEmpty else {
        throw .invalidArgument(reason: "the property name '\(definition.name)' has no bytes or more than 63")
      }
      guard names.insert(name).inserted else { throw .duplicateName(name: definition.name) }
      let (attributes, target) = try checked(definition)
      let column = try plans[key, default: ColumnPlan(self)].add(definition.type, attributes, name: name)
      keys.append(column)
      guard let target else { continue }
      let back = try plans[target.key, default: ColumnPlan(target)].addBacklinks(of: column, in: self)
      plans[key]?.setOpposite(column, table: target.key, column: back)
    }
    // In an order that no hash decides: the same calls make the same file.
    for (_, plan) in plans.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { try plan.table.insertColumns(plan.added) }
    for key in keys {
      group.log.insertColumn(self.key, key)
      group.recorder?.didAdd(key, to: self)
    }
    return keys
  }

  /// The attributes that a new column gets, and the table that it links to.
  private func checked(_ definition: ColumnDefinition) throws(StorageError) -> (ColumnAttributes, target: Table?) {
    var attributes = definition.attributes
    let collection = attributes.intersection(.collection)
    guard collection.rawValue.nonzeroBitCount <= 1 else { throw .invalidArgument(reason: "'\(definition.name)' is several kinds of collection") }
    switch definition.type {
    case .backlink, .typedLink, .legacyLinkList, .list, .set, .dictionary:
      throw .invalidArgument(reason: "'\(definition.name)' has a type that no property can have")
    case .link:
      guard let target = definition.target else { throw .invalidArgument(reason: "the link '\(definition.name)' has no target") }
      // F10.2: single links and dictionaries of links are always nullable, lists and sets of links never.
      if collection == .list || collection == .set { attributes.remove(.nullable) } else { attributes.insert(.nullable) }
      let table = try group.table(target)
      guard table.kind != .asymmetric else { throw .invalidArgument(reason: "nothing can link to an asymmetric class") }
      guard !(table.kind == .embedded && collection == .set) else {
        throw .invalidArgument(reason: "a set cannot hold embedded objects")
      }
      return (attributes, table)
    case .mixed: attributes.insert(.nullable)
    default: break
    }
    return (attributes, nil)
  }

  /// A backlink column for a link column of another table (or of this one).
  func addBacklinkColumn(for column: ColumnKey, in origin: Table) throws(StorageError) -> ColumnKey {
    var plan = ColumnPlan(self)
    let backlinks = try plan.addBacklinks(of: column, in: origin)
    try insertColumns(plan.added)
    return backlinks
  }

  /// Adds columns to the spec, the column arrays and every cluster.
  private func insertColumns(_ added: [NewColumn]) throws(StorageError) {
    if added.isEmpty { return }
    let scratch = try writing()
    try editSpec(scratch) { (spec) in
      for column in added { spec.insert(column) }
    }
    try fillSlots(scratch, added)
    try addLeaves(scratch, added)
    try reload()
  }

  private func addLeaves(_ scratch: Scratch, _ added: [NewColumn]) throws(StorageError) {
    func add(_ cluster: inout Ref) throws(StorageError) {
      let count = try Cluster(scratch.space, scratch.space.refs(at: cluster), offset: 0).count
      for column in added {
        let slot = column.key.leafIndex + 1
        while scratch.header(cluster).count <= slot { try scratch.append(&cluster, 0) }
        scratch.setChild(cluster, slot, try Leaf.create(scratch, column.slot, count: count))
      }
    }
    try state.live.forEachWritableCluster(scratch, add)
    storeLiveRoot(scratch)
    try state.tombstones?.forEachWritableCluster(scratch, add)
    storeTombstoneRoot(scratch)
  }
}

/// A column that a table is to get.
struct NewColumn {
  let key: ColumnKey
  let type: ColumnType
  let attributes: ColumnAttributes
  /// Nil for backlinks.
  let name: [UInt8]?
  var oppositeTable = TableKey.null
  var oppositeColumn = ColumnKey.null

  var slot: ColumnSlot {
    ColumnSlot(kind: attributes.isDisjoint(with: .collection) ? type.leafKind(attributes) : .collection, isNullable: attributes.contains(.nullable))
  }
}

/// The columns that a table is to get, each with its place among those before it.
private struct ColumnPlan {
  let table: Table
  private(set) var added: [NewColumn] = []
  private var isOccupied: [Bool]
  /// No slot before this one is vacant.
  private var leastVacant = 0
  private var positions: [ColumnKey: Int] = [:]

  init(_ table: Table) {
    self.table = table
    isOccupied = table.state.columns.map { $0 != nil }
  }

  /// Plans a column in the first vacant slot from `first` on (F4.5).
  mutating func add(
    _ type: ColumnType, _ attributes: ColumnAttributes, name: [UInt8]?, from first: Int = 0
  ) throws(StorageError) -> ColumnKey {
    let start = max(first, leastVacant)
    let leafIndex = isOccupied[start...].firstIndex(of: false) ?? isOccupied.count
    if start == leastVacant { leastVacant = leafIndex }
    guard leafIndex < 0xFFFF else { throw .invalidArgument(reason: "a table has at most 65535 columns") }
    if leafIndex == isOccupied.count { isOccupied.append(true) } else { isOccupied[leafIndex] = true }
    let tag = UInt32(truncatingIfNeeded: try table.columnSequence()) ^ table.key.rawValue
    let key = ColumnKey(leafIndex: leafIndex, type: type, attributes: attributes, tag: tag)
    positions[key] = added.count
    added.append(NewColumn(key: key, type: type, attributes: attributes, name: name))
    return key
  }

  /// Plans the backlinks of a link column, which exists or is planned.
  ///
  /// For one of this table they go behind that column, even where a slot before it is vacant. The original deletes an object's entries slot by slot
  /// and would look for the backlinks of later slots in rows that moved already (F4.5).
  mutating func addBacklinks(of column: ColumnKey, in origin: Table) throws(StorageError) -> ColumnKey {
    let key = try add(.backlink, [], name: nil, from: origin.key == table.key ? column.leafIndex + 1 : 0)
    setOpposite(key, table: origin.key, column: column)
    return key
  }

  mutating func setOpposite(_ column: ColumnKey, table: TableKey, column opposite: ColumnKey) {
    guard let position = positions[column] else { return }
    added[position].oppositeTable = table
    added[position].oppositeColumn = opposite
  }
}
