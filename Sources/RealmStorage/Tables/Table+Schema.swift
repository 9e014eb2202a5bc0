extension Table {
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
    try clearSlots(scratch, leafIndex: leafIndex)
    scratch.setTagged(state.ref, TableTopSlot.columnSequence, try columnSequence() + 1)
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
      let name = String(decoding: column.name, as: UTF8.self)
      switch column.type {
      case .int, .string, .objectID, .uuid: break
      default: throw .invalidArgument(reason: "'\(name)' cannot be the primary key: only an int, string, objectId or uuid can")
      }
      guard !column.isCollection, !column.attributes.contains(.fullTextIndexed), kind != .embedded else {
        let why = kind == .embedded ? "'\(className)' is embedded" : column.isCollection ? "it is a collection" : "it has a full-text index"
        throw .invalidArgument(reason: "'\(name)' cannot be the primary key: \(why)")
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
