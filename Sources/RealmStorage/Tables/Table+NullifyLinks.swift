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

  /// Every link to some objects becomes null or leaves its collection, and their backlinks go. A collection of links is gone through once, however
  /// many of its elements go.
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
      let isCollection = forward.map { $0.isCollection && $0.type == .link } ?? false
      var owners: [ObjectKey] = []
      for target in doomed {
        let origins = try takeBacklinks(scratch, target, column.key)
        guard let forward else { continue }
        if isCollection {
          owners.append(contentsOf: origins)
        } else {
          for key in origins { try origin.replaceStoredLink(key, forward, from: ObjectLink(table: self.key, key: target), to: nil) }
        }
      }
      if let forward, isCollection { try origin.removeLinks(to: targets, in: self.key, from: owners, forward) }
    }
  }

  /// Removes all links to some objects from collections of links.
  /// - Parameter owners: of the collections, as often as they have such a link.
  private func removeLinks(
    to targets: KeySet, in table: TableKey, from owners: [ObjectKey], _ column: ColumnDescription
  ) throws(StorageError) {
    let owners = Table.sorted(owners)
    var begin = 0
    while begin < owners.count {
      let owner = owners[begin]
      let end = owners[begin...].firstIndex { $0 != owner } ?? owners.count
      let collection = ObjectCollection(table: self, object: owner, column: column, path: [])
      let indexes = try collection.indexes(ofLinksTo: targets, in: table)
      guard indexes.count == end - begin else { throw missingForwardLink(owner, column) }
      if column.isDictionary {
        for index in indexes { try collection.rawSet(at: index, .null) }
      } else {
        try collection.rawRemove(atDescending: indexes.reversed())
      }
      begin = end
    }
  }
}
