/// What the commits between two versions changed: one pass over their changesets. H6.2.
///
/// Says which objects of a table came, went and were changed in which columns; and for collections that somebody asked about, what happened
/// to their positions. Its cost follows the number of changes.
package struct VersionChanges: Sendable {
  package struct TableChanges: Sendable {
    package fileprivate(set) var created = KeySet()
    /// Objects that existed before. One with the same key may have been created since.
    package fileprivate(set) var deleted = KeySet()
    /// Objects that existed before and still do, and of which a column was set.
    package private(set) var changed = KeySet()
    /// By the column. Few, so that they are looked through.
    private var columns: [(key: ColumnKey, objects: KeySet)] = []

    package var isEmpty: Bool { created.isEmpty && deleted.isEmpty && changed.isEmpty }

    /// Those objects that existed before and still do of which one column was set.
    package func changed(in column: ColumnKey) -> KeySet { columns.first { $0.key == column }?.objects ?? KeySet() }
    /// The columns that were set of an object that existed before.
    package func changedColumns(of key: ObjectKey) -> [ColumnKey] {
      changed.contains(key) ? columns.compactMap { $0.objects.contains(key) ? $0.key : nil } : []
    }
    /// Whether one of some columns was set of any object that existed before.
    package func changesAny(of some: Set<ColumnKey>) -> Bool { columns.contains { some.contains($0.key) && !$0.objects.isEmpty } }

    fileprivate mutating func remove(_ key: ObjectKey) {
      if !created.remove(key) { deleted.insert(key) }
      guard changed.remove(key) else { return }
      for index in columns.indices { columns[index].objects.remove(key) }
    }
    fileprivate mutating func set(_ column: ColumnKey, _ key: ObjectKey) {
      if !created.isEmpty, created.contains(key) { return }
      changed.insert(key)
      if let index = columns.firstIndex(where: { $0.key == column }) { columns[index].objects.insert(key) } else { columns.append((column, [key])) }
    }
  }

  package private(set) var tables: [TableKey: TableChanges] = [:]
  /// Of the collections asked about, those that changed.
  package private(set) var collections: [CollectionAddress: ElementChanges] = [:]
  /// Tables or columns were added.
  package private(set) var hasNewSchema = false

  package var isEmpty: Bool { tables.values.allSatisfy(\.isEmpty) && collections.isEmpty }

  /// - Parameters:
  ///   - changesets: oldest first.
  ///   - watched: the collections that are asked about.
  /// - Throws: `.invalidArgument` for a malformed changeset.
  package init(_ changesets: [[UInt8]], watching watched: WatchedCollections) throws(StorageError) {
    for changeset in changesets {
      var pass = Pass(watched: watched)
      var decoder = LogDecoder(changeset)
      while let instruction = try decoder.next() { apply(instruction, &pass) }
    }
  }

  /// What is selected while a changeset is read.
  private struct Pass {
    let watched: WatchedCollections
    var table = TableKey.null
    var collection: CollectionAddress?
  }

  private mutating func apply(_ instruction: LogInstruction, _ pass: inout Pass) {
    switch instruction {
    case .selectTable(let table):
      pass.table = table
      pass.collection = nil
    case .insertTable, .insertColumn, .typedLinkChange: hasNewSchema = true
    case .eraseTable, .renameTable, .eraseColumn, .renameColumn: break
    case .createObject(let key): tables[pass.table, default: TableChanges()].created.insert(key)
    case .removeObject(let key):
      tables[pass.table, default: TableChanges()].remove(key)
    case .set(let column, let key): tables[pass.table, default: TableChanges()].set(column, key)
    case .selectCollection(let column, let key): select(column, key, [], &pass)
    case .selectNestedCollection(let column, let key, let path): select(column, key, path, &pass)
    case .collectionInsert, .collectionSet, .collectionMove, .collectionErase, .collectionClear:
      guard let address = pass.collection else { return }
      collections[address, default: ElementChanges()].apply(instruction)
    }
  }

  private mutating func select(_ column: ColumnKey, _ key: ObjectKey, _ path: [Int64], _ pass: inout Pass) {
    tables[pass.table, default: TableChanges()].set(column, key)
    pass.collection = nil
    guard pass.watched.containsAny(pass.table, column, key) else { return }
    let address = CollectionAddress(table: pass.table, column: column, object: key, path: path)
    if pass.watched.contains(address) { pass.collection = address }
    for depth in path.indices {
      let outer = CollectionAddress(table: pass.table, column: column, object: key, path: Array(path[..<depth]))
      if pass.watched.contains(outer) { collections[outer, default: ElementChanges()].changedIdentities.insert(path[depth]) }
    }
  }
}

extension ElementChanges {
  fileprivate mutating func apply(_ instruction: LogInstruction) {
    switch instruction {
    case .collectionInsert(let index): insert(at: index)
    case .collectionSet(let index): set(at: index)
    case .collectionErase(let index): erase(at: index)
    case .collectionMove(let from, let to): move(from: from, to: to)
    case .collectionClear: clear()
    default: break
    }
  }
}

/// A collection as the log names it: a property of an object, and the stable keys of the nested collections on the way (H4).
package struct CollectionAddress: Hashable, Sendable {
  package let table: TableKey
  package let column: ColumnKey
  package let object: ObjectKey
  package let path: [Int64]

  package init(table: TableKey, column: ColumnKey, object: ObjectKey, path: [Int64]) {
    (self.table, self.column, self.object, self.path) = (table, column, object, path)
  }
}
