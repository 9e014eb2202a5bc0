// Links to what is deleted.

extension Table {
  /// Every link to the object becomes null or leaves its collection. The object's own backlink lists are left as they are.
  func nullifyLinks(to key: ObjectKey) throws(StorageError) {
    for index in state.backlinkColumns {
      guard let column = state.columns[index] else { continue }
      let origins = try backlinks(key, column.key)
      if origins.isEmpty { continue }
      let origin = try group.table(column.oppositeTable)
      guard let forward = origin.columnOrNil(column.oppositeColumn) else { continue }
      for originKey in origins {
        try origin.replaceStoredLink(originKey, forward, from: ObjectLink(table: self.key, key: key), to: nil)
      }
    }
  }

  /// Every link to some objects becomes null or leaves its collection, and their backlinks go. A collection is gone through once, however many of its
  /// elements go.
  /// - Parameter doomed: ascending.
  /// - Throws: `.noSuchObject` if one of them does not exist, or is there twice.
  func nullifyLinks(_ scratch: Scratch, to doomed: [ObjectKey]) throws(StorageError) {
    if state.backlinkColumns.isEmpty { return }
    for (index, key) in doomed.enumerated() {
      if index > 0 && doomed[index - 1] == key || key.rawValue < 0 { throw .noSuchObject(key: key) }
      if try !contains(key) { throw .noSuchObject(key: key) }
    }
    let targets = KeySet(doomed)
    for index in state.backlinkColumns {
      guard let column = state.columns[index] else { continue }
      let origin = try group.table(column.oppositeTable)
      let forward = origin.columnOrNil(column.oppositeColumn)
      let isSingle = forward.map { $0.type == .link && !$0.isCollection } ?? false
      var owners: [ObjectKey] = []
      for target in doomed {
        let origins = try takeBacklinks(scratch, target, column.key)
        guard let forward, isSingle else {
          owners.append(contentsOf: origins)
          continue
        }
        for key in origins { try origin.replaceStoredLink(key, forward, from: ObjectLink(table: self.key, key: target), to: nil) }
      }
      if let forward { try origin.removeLinks(to: targets, in: self.key, from: owners, forward) }
    }
  }

  /// Removes all links to some objects from a property that may hold many of them.
  /// - Parameter owners: as often as they have such a link.
  private func removeLinks(
    to targets: KeySet, in target: TableKey, from owners: [ObjectKey], _ column: ColumnDescription
  ) throws(StorageError) {
    let owners = Table.sorted(owners)
    var begin = 0
    while begin < owners.count {
      let owner = owners[begin]
      let end = owners[begin...].firstIndex { $0 != owner } ?? owners.count
      guard try removeLinks(to: targets, in: target, from: owner, column) == end - begin else { throw missingForwardLink(owner, column) }
      begin = end
    }
  }

  /// - Returns: how many there were.
  private func removeLinks(to targets: KeySet, in target: TableKey, from owner: ObjectKey, _ column: ColumnDescription) throws(StorageError) -> Int {
    if !column.isCollection, case .typedLink(let link) = try row(owner).value(column) {
      guard link.table == target, targets.contains(link.key) else { return 0 }
      try replaceStoredLink(owner, column, from: link, to: nil)
      return 1
    }
    let property = ObjectCollection(table: self, object: owner, column: column, path: [])
    let all =
      column.type == .link
      ? [ObjectCollection.Links(collection: property, indexes: try property.indexes(ofLinksTo: targets, in: target))]
      : try property.nestedLinks(to: targets, in: target)
    for links in all {
      if try links.collection.kind() == .dictionary {
        for index in links.indexes { try links.collection.rawSet(at: index, .null) }
      } else {
        try links.collection.rawRemove(atDescending: links.indexes.reversed())
      }
    }
    return all.reduce(0) { $0 + $1.indexes.count }
  }
}
