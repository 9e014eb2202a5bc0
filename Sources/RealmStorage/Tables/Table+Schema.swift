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
  // MARK: Adding

  /// Adds a property; every object gets the default value (F3.18).
  /// - Throws: `.duplicateName`, `.invalidArgument`, `.noSuchTable` for an unknown link target.
  @discardableResult
  package func addColumn(_ definition: ColumnDefinition) throws(StorageError) -> ColumnKey {
    let name = Array(definition.name.utf8)
    guard name.count <= 63, !name.isEmpty else {
      throw .invalidArgument(reason: "the property name '\(definition.name)' has no bytes or more than 63")
    }
    guard !publicColumns.contains(where: { $0.name == name }) else { throw .duplicateName(name: definition.name) }
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
      let targetTable = try group.table(target)
      guard targetTable.kind != .asymmetric else { throw .invalidArgument(reason: "nothing can link to an asymmetric class") }
      guard !(targetTable.kind == .embedded && collection == .set) else {
        throw .invalidArgument(reason: "a set cannot hold embedded objects")
      }
    case .mixed: attributes.insert(.nullable)
    default: break
    }
    let key = try insertColumn(definition.type, attributes, name: name)
    group.log.insertColumn(self.key, key)
    defer { group.recorder?.didAdd(key, to: self) }
    if let target = definition.target, definition.type == .link {
      let targetTable = try group.table(target)
      let back = try targetTable.addBacklinkColumn(originTable: self.key, originColumn: key)
      try setOpposite(key, table: target, column: back)
    }
    return key
  }

  /// A backlink column for a link column of another table (or of this one).
  ///
  /// For one of this table it goes behind that column, even where a slot before it is vacant. The original deletes an object's entries slot by slot
  /// and would look for the backlinks of later slots in rows that moved already (F4.5).
  func addBacklinkColumn(originTable: TableKey, originColumn: ColumnKey) throws(StorageError) -> ColumnKey {
    let first = originTable == self.key ? originColumn.leafIndex + 1 : 0
    let key = try insertColumn(.backlink, [], name: nil, from: first)
    try setOpposite(key, table: originTable, column: originColumn)
    return key
  }

  /// Adds a column to the spec, the column arrays and every cluster, in the first vacant slot from `first` on (F4.5).
  private func insertColumn(
    _ type: ColumnType, _ attributes: ColumnAttributes, name: [UInt8]?, from first: Int = 0
  ) throws(StorageError) -> ColumnKey {
    let scratch = try writing()
    let leafIndex = state.columns[first...].firstIndex { $0 == nil } ?? state.columns.count
    guard leafIndex < 0xFFFF else { throw .invalidArgument(reason: "a table has at most 65535 columns") }
    let sequence = UInt64(bitPattern: scratch.slot(state.ref, TableTopSlot.columnSequence)) >> 1
    let tag = UInt32(truncatingIfNeeded: sequence) ^ key.rawValue
    let column = ColumnKey(leafIndex: leafIndex, type: type, attributes: attributes, tag: tag)

    try editSpec(scratch) { (spec) throws(StorageError) in
      let position = name == nil ? spec.count : spec.names.count
      let dictionaryKeys = attributes.contains(.dictionary) ? Int64(ColumnType.string.rawValue) << 16 : 0
      spec.types.insert(Int64(type.rawValue) | dictionaryKeys, at: position)
      spec.attributes.insert(Int64(attributes.rawValue), at: position)
      spec.keys.insert(column.rawValue, at: position)
      if let name {
        spec.names.append(name)
        if spec.enumKeys != nil { spec.enumKeys?.append(0) }
      }
    }
    try editSlots(scratch, leafIndex: leafIndex)
    let slot = ColumnSlot(
      kind: attributes.isDisjoint(with: .collection) ? type.leafKind(attributes) : .collection, isNullable: attributes.contains(.nullable))
    try addLeaves(scratch, slot, at: leafIndex)
    try reload()
    return column
  }

  private func addLeaves(_ scratch: Scratch, _ slot: ColumnSlot, at leafIndex: Int) throws(StorageError) {
    func add(_ cluster: inout Ref) throws(StorageError) {
      let count = try Cluster(scratch.space, scratch.space.refs(at: cluster), offset: 0).count
      while scratch.header(cluster).count <= leafIndex + 1 { try scratch.append(&cluster, 0) }
      scratch.setChild(cluster, leafIndex + 1, try Leaf.create(scratch, slot, count: count))
    }
    try state.live.forEachWritableCluster(scratch, add)
    storeLiveRoot(scratch)
    try state.tombstones?.forEachWritableCluster(scratch, add)
    storeTombstoneRoot(scratch)
  }

  // MARK: Removing and renaming

  /// Removes a property from every object; a link column takes its backlink column along.
  /// - Throws: `.noSuchColumn`; `.invalidArgument` for a backlink column.
  package func removeColumn(_ columnKey: ColumnKey) throws(StorageError) {
    let column = try column(columnKey)
    guard column.isPublic else { throw .invalidArgument(reason: "a backlink column goes with its link column") }
    try group.recorder?.willErase(column, of: self)
    try group.unrecorded { () throws(StorageError) in try removeRecordedColumn(column) }
    group.log.eraseColumn(key, columnKey)
  }

  private func removeRecordedColumn(_ column: ColumnDescription) throws(StorageError) {
    let scratch = try writing()
    let columnKey = column.key
    if column.type == .link || column.type == .mixed { try releaseColumn(scratch, column) }
    if state.primaryKey == columnKey { scratch.setChild(state.ref, TableTopSlot.primaryKey, .null) }
    if column.type == .link {
      let target = try group.table(column.oppositeTable)
      try target.dropColumn(column.oppositeColumn)
    } else if column.type == .mixed {
      try dropTypedBacklinkColumns(column)
    }
    try dropColumn(columnKey)
  }

  /// Nothing links through a Mixed column that is to go: its backlink columns go too. Realm-core leaves them behind (F4.4).
  private func dropTypedBacklinkColumns(_ column: ColumnDescription) throws(StorageError) {
    for key in try group.tableKeys() {
      let table = try group.table(key)
      for back in table.backlinkColumns where back.oppositeTable == self.key && back.oppositeColumn == column.key {
        try table.dropColumn(back.key)
      }
    }
  }

  /// Takes every link of a column out of its target's backlinks; embedded objects go.
  private func releaseColumn(_ scratch: Scratch, _ column: ColumnDescription) throws(StorageError) {
    if column.type == .link {
      // The backlink column goes as a whole, unless something else depends on the links.
      let target = try group.table(column.oppositeTable)
      if target.kind != .embedded && target.state.tombstones == nil { return }
    }
    // Embedded objects may be objects of this very table.
    for object in try keys() where try contains(object) {
      let released = try releaseProperty(object, column)
      if released.links.isEmpty { continue }
      if column.type == .link { try emptyProperty(scratch, object, column) }
      for link in released.links where !link.key.isNull {
        try removeTypedBacklink(scratch, column, link, origin: object)
        try group.table(link.table).removeIfOrphaned(link.key)
      }
    }
  }

  /// Makes a link property null, or a collection of links untouched; backlinks are the caller's.
  private func emptyProperty(_ scratch: Scratch, _ object: ObjectKey, _ column: ColumnDescription) throws(StorageError) {
    guard column.isCollection else { return try store(scratch, object, column, .null) }
    try updateLeaf(scratch, object, column.leafIndex) { (leaf, row) throws(StorageError) in
      try scratch.makeWritable(&leaf)
      try scratch.freeTree(Ref(element: scratch.slot(leaf, row)))
      scratch.setChild(leaf, row, .null)
    }
  }

  /// Frees the leaves, the index and the entries of a column.
  func dropColumn(_ columnKey: ColumnKey) throws(StorageError) {
    let scratch = try writing()
    let leafIndex = columnKey.leafIndex
    let layoutCount = state.live.layout.count
    func drop(_ cluster: inout Ref) throws(StorageError) {
      try scratch.freeTree(Ref(element: scratch.slot(cluster, leafIndex + 1)))
      scratch.setChild(cluster, leafIndex + 1, .null)
      var count = scratch.header(cluster).count
      while leafIndex == layoutCount - 1 && count > leafIndex + 1 {
        count -= 1
        try scratch.remove(&cluster, count)
      }
    }
    try state.live.forEachWritableCluster(scratch, drop)
    storeLiveRoot(scratch)
    try state.tombstones?.forEachWritableCluster(scratch, drop)
    storeTombstoneRoot(scratch)
    try editSpec(scratch) { (spec) throws(StorageError) in
      guard let position = spec.keys.firstIndex(of: columnKey.rawValue) else { return }
      spec.types.remove(at: position)
      spec.attributes.remove(at: position)
      spec.keys.remove(at: position)
      if position < spec.names.count {
        spec.names.remove(at: position)
        if let enumKeys = spec.enumKeys?[position] {
          try scratch.freeTree(Ref(element: enumKeys))
          spec.enumKeys?.remove(at: position)
        }
        if let all = spec.enumKeys, all.allSatisfy({ $0 == 0 }) { spec.enumKeys = nil }
      }
    }
    try editSlots(scratch, leafIndex: leafIndex, isRemoval: true)
    let sequence = UInt64(bitPattern: scratch.slot(state.ref, TableTopSlot.columnSequence)) >> 1
    scratch.setTagged(state.ref, TableTopSlot.columnSequence, sequence + 1)
    try reload()
  }

  package func renameColumn(_ columnKey: ColumnKey, to name: String) throws(StorageError) {
    let bytes = Array(name.utf8)
    guard bytes.count <= 63, !bytes.isEmpty else { throw .invalidArgument(reason: "the property name '\(name)' has no bytes or more than 63") }
    _ = try column(columnKey)
    try group.recorder?.willRenameColumn(of: self)
    guard !publicColumns.contains(where: { $0.name == bytes }) else { throw .duplicateName(name: name) }
    let scratch = try writing()
    try editSpec(scratch) { (spec) throws(StorageError) in
      if let position = spec.keys.firstIndex(of: columnKey.rawValue) { spec.names[position] = bytes }
    }
    try reload()
    group.log.renameColumn(key, columnKey)
  }

  /// Makes a property optional or required: a new column under a new key takes the values over. Null becomes the default value.
  /// - Returns: the new column's key.
  package func setNullability(_ columnKey: ColumnKey, _ isNullable: Bool) throws(StorageError) -> ColumnKey {
    let column = try column(columnKey)
    guard column.type != .link, column.type != .mixed, columnKey != state.primaryKey else {
      throw .invalidArgument(reason: "whether links, Mixed values and primary keys can be null does not change")
    }
    if column.isNullable == isNullable { return columnKey }
    let name = String(decoding: column.name, as: UTF8.self)
    let isIndexed = column.attributes.contains(.indexed)
    let isFullText = column.attributes.contains(.fullTextIndexed)
    try renameColumn(columnKey, to: temporaryName(name))
    var attributes = column.attributes.intersection(.collection)
    if isNullable { attributes.insert(.nullable) }
    let new = try addColumn(ColumnDefinition(name, column.type, attributes))
    try copyValues(from: self.column(columnKey), to: self.column(new))
    try removeColumn(columnKey)
    if isIndexed { try addIndex(new) }
    if isFullText { try addFullTextIndex(new) }
    return new
  }

  private func temporaryName(_ name: String) -> String {
    var candidate = "~" + String(decoding: name.utf8.prefix(20), as: UTF8.self)
    while publicColumns.contains(where: { $0.name == Array(candidate.utf8) }) { candidate += "~" }
    return candidate
  }

  private func copyValues(from old: ColumnDescription, to new: ColumnDescription) throws(StorageError) {
    let replacement = Leaf.defaultValue(ColumnSlot(kind: new.elementKind, isNullable: false))
    func adapted(_ value: Value) -> Value {
      if case .null = value, !new.isNullable { replacement } else { value }
    }
    for object in try keys() {
      guard old.isCollection else {
        try set(object, new.key, adapted(value(object, old.key)))
        continue
      }
      let (source, target) = (try collection(object, old.key), try collection(object, new.key))
      for (index, stored) in try source.all().enumerated() {
        let value = adapted(stored)
        if old.isDictionary {
          try target.set(key: source.key(at: index), value)
        } else if old.isSet {
          _ = try target.insert(value)
        } else {
          try target.insert(at: index, value)
        }
      }
    }
  }

  // MARK: Primary key

  /// Makes a column the primary key, or none. The values must be unique.
  /// - Throws: `.duplicatePrimaryKey`, `.invalidArgument` for a type that cannot be one.
  package func setPrimaryKey(_ columnKey: ColumnKey?) throws(StorageError) {
    let old = primaryKeyColumn
    if columnKey != old?.key { try group.recorder?.willChangeKind(of: self) }
    if let columnKey {
      let column = try column(columnKey)
      switch column.type {
      case .int, .string, .objectID, .uuid: break
      default: throw .invalidArgument(reason: "a property of this type cannot be the primary key")
      }
      guard !column.isCollection, !column.attributes.contains(.fullTextIndexed), kind != .embedded else {
        throw .invalidArgument(reason: "'\(className)' cannot have this primary key")
      }
      let hadIndex = try hasIndex(column)
      if !hadIndex { try buildIndex(column) }
      if try hasDuplicates(columnKey) {
        if !hadIndex { try dropIndex(column) }
        throw .duplicatePrimaryKey(table: nameText)
      }
    }
    let scratch = try writing()
    if let columnKey {
      scratch.setTagged(state.ref, TableTopSlot.primaryKey, UInt64(columnKey.rawValue))
    } else {
      scratch.setChild(state.ref, TableTopSlot.primaryKey, .null)
    }
    state.primaryKey = columnKey
    if let old, old.key != columnKey, !old.specAttributes.contains(.indexed) { try dropIndex(old) }
    try reload()
  }

  // MARK: Reading back

  /// Decodes the schema again after the arrays changed.
  func reload() throws(StorageError) {
    state.adopt(try TableDescription(space: space, ref: state.ref, name: state.name, slot: key.slot))
    if let scratch = group.scratch { try prepareEnumerations(scratch) }
  }
}
