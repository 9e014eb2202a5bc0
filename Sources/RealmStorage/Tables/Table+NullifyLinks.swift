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
      var links: [StoredLink] = []
      for target in doomed {
        let origins = try takeBacklinks(scratch, target, column.key)
        guard let forward else { continue }
        if isSingle {
          for key in origins { try origin.replaceStoredLink(key, forward, from: ObjectLink(table: self.key, key: target), to: nil) }
        } else {
          for key in origins { links.append(StoredLink(origin: key, target: target)) }
        }
      }
      if let forward { try origin.removeLinks(&links, to: targets, in: self.key, forward) }
    }
  }

  private struct StoredLink {
    let origin: ObjectKey
    let target: ObjectKey
  }

  /// So many links of one property are looked for one after the other, which takes less time than looking at each element whether it is one of them.
  private static let fewLinks = 16

  /// Removes all links to some objects from a property that may hold many of them.
  private func removeLinks(
    _ links: inout [StoredLink], to targets: KeySet, in target: TableKey, _ column: ColumnDescription
  ) throws(StorageError) {
    links.sort { $0.origin != $1.origin ? $0.origin < $1.origin : $0.target < $1.target }
    var begin = 0
    while begin < links.count {
      let origin = links[begin].origin
      let end = links[begin...].firstIndex { $0.origin != origin } ?? links.count
      if end - begin <= Table.fewLinks {
        for link in links[begin..<end] { try replaceStoredLink(origin, column, from: ObjectLink(table: target, key: link.target), to: nil) }
      } else {
        guard try removeLinks(to: targets, in: target, from: origin, column) == end - begin else { throw missingForwardLink(origin, column) }
      }
      begin = end
    }
  }

  /// - Returns: how many there were.
  private func removeLinks(to targets: KeySet, in target: TableKey, from owner: ObjectKey, _ column: ColumnDescription) throws(StorageError) -> Int {
    // A value that is a link itself is a single one.
    if !column.isCollection, try !row(owner).value(column).isNestedCollection { return 0 }
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
