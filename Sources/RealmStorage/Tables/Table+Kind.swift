// Changes of what a table is for, in migrations.

extension Table {
  /// Makes the table one of another kind. Its objects must obey the rules of that kind (F4.7); `makeOwned` sees to it for embedded ones.
  package func setKind(_ kind: TableKind) throws(StorageError) {
    guard kind == .topLevel || !hasPrimaryKey || kind == .asymmetric else {
      throw .invalidArgument(reason: "'\(className)' has a primary key, so its objects cannot be embedded")
    }
    if kind != self.kind { try group.recorder?.willChangeKind(of: self) }
    let scratch = try writing()
    scratch.setTagged(state.ref, TableTopSlot.flags, UInt64(kind.rawValue))
    state.kind = kind
  }

  /// Lets objects have any values of the primary key, for the time being: the column keeps its values and its index. `setPrimaryKey` ends
  /// this state, and checks.
  package func detachPrimaryKey() throws(StorageError) {
    guard state.primaryKey != nil else { return }
    try group.recorder?.willChangeKind(of: self)
    try flushDeferredIndex()
    let scratch = try writing()
    scratch.setChild(state.ref, TableTopSlot.primaryKey, .null)
    try reload()
  }

  // MARK: Embedding

  /// Deletes objects that nothing links to, and copies those with several links, so that each link has an object of its own.
  ///
  /// For a top-level table that is to become embedded. Only link properties may lead here, no Mixed ones. Embedded objects that the copied
  /// ones own are copied too.
  package func makeOwned() throws(StorageError) {
    for object in try keys() where try contains(object) {
      var links: [(column: ColumnDescription, origin: ObjectKey)] = []
      for column in backlinkColumns {
        for origin in try backlinks(object, column.key) { links.append((column, origin)) }
      }
      if links.isEmpty {
        try remove(object)
        continue
      }
      for link in links.dropFirst() { try giveCopy(of: object, toLinkIn: link.column, of: link.origin) }
    }
  }

  /// Makes one link to `object` a link to a new object with the same values.
  private func giveCopy(of object: ObjectKey, toLinkIn backlink: ColumnDescription, of origin: ObjectKey) throws(StorageError) {
    let originTable = try group.table(backlink.oppositeTable)
    let forward = try originTable.column(backlink.oppositeColumn)
    let copy = try createObject()
    try copyValues(of: object, to: copy)
    let (old, new) = (ObjectLink(table: key, key: object), ObjectLink(table: key, key: copy))
    try originTable.replaceStoredLink(origin, forward, from: old, to: new)
    let scratch = try writing()
    try removeBacklink(scratch, backlink.key, object, origin: origin)
    try addBacklink(scratch, backlink.key, copy, origin: origin)
  }

  private func copyValues(of source: ObjectKey, to target: ObjectKey) throws(StorageError) {
    for column in publicColumns {
      if column.isCollection {
        try copyElements(of: collection(source, column.key), to: collection(target, column.key))
        continue
      }
      let value = try value(source, column.key)
      if case .link(let child) = value, try ownsTargets(column) {
        try group.table(column.oppositeTable).copyValues(of: child, to: setEmbedded(target, column.key))
        continue
      }
      try set(target, column.key, value.withoutTree)
      if value.isNestedCollection { try copyElements(of: collection(source, column.key), to: collection(target, column.key)) }
    }
  }

  private func ownsTargets(_ column: ColumnDescription) throws(StorageError) -> Bool {
    guard column.type == .link else { return false }
    return try group.table(column.oppositeTable).kind == .embedded
  }

  private func copyElements(of source: ObjectCollection, to target: ObjectCollection) throws(StorageError) {
    let isOwning = try ownsTargets(source.column)
    let kind = try source.kind()
    for (index, value) in try source.all().enumerated() {
      let name = kind == .dictionary ? try source.key(at: index) : []
      if isOwning, let child = value.linkedKey {
        let new = kind == .dictionary ? try target.setEmbedded(key: name) : try target.insertEmbedded(at: index)
        try group.table(source.column.oppositeTable).copyValues(of: child, to: new)
        continue
      }
      switch kind {
      case .list: try target.insert(at: index, value.withoutTree)
      case .set: _ = try target.insert(value)
      case .dictionary: try target.set(key: name, value.withoutTree)
      }
      if value.isNestedCollection {
        let step: PathStep = kind == .dictionary ? .key(name) : .index(index)
        try copyElements(of: source.nested(step), to: target.nested(step))
      }
    }
  }
}
