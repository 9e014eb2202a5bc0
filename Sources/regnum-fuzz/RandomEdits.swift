import Randomness
import RealmStorage

/// Random operations on whatever tables a file has.
struct RandomEdits {
  let group: Group
  /// Mistakes of ours that were refused, as they should be.
  private(set) var refusedCount = 0
  private var tables: [Table] = []

  private let changesSchema: Bool

  init(_ group: Group, changesSchema: Bool) { (self.group, self.changesSchema) = (group, changesSchema) }

  /// - Throws: only what says that the file is damaged, or that the disk failed.
  mutating func run(_ count: Int, _ random: inout SeededGenerator) throws(StorageError) {
    for _ in 0..<count {
      do throws(StorageError) { try step(&random) } catch {
        guard error.isRefusal else { throw error }
        refusedCount += 1
      }
    }
  }

  private mutating func step(_ random: inout SeededGenerator) throws(StorageError) {
    tables = []
    for key in try group.tableKeys() { tables.append(try group.table(key)) }
    guard !tables.isEmpty, !(changesSchema && random.once(in: 40)) else {
      let table = try group.addTable("class_New\(random.below(100))")
      try table.addColumn(ColumnDefinition("text", .string, [.nullable]))
      return
    }
    let table = random.pick(tables)
    switch random.below(20) {
    case 0: if changesSchema { try changeSchema(table, &random) }
    case 1, 2, 3: try create(table, &random)
    case 4: try remove(table, &random)
    case 5: try look(table, &random)
    case 6..<13: try set(table, &random)
    default: try editCollection(table, &random)
    }
  }

  private func anyKey(_ table: Table, _ random: inout SeededGenerator) throws(StorageError) -> ObjectKey? {
    let count = try table.count()
    guard count > 0 else { return nil }
    // Enough for any of the first clusters.
    var keys: [ObjectKey] = []
    try table.forEachCluster { (cluster) throws(StorageError) in
      for row in 0..<cluster.count { keys.append(cluster.key(row)) }
      return keys.count < 1000
    }
    return keys.isEmpty ? nil : random.pick(keys)
  }

  /// Objects that a column may link to; of any table for Mixed.
  private func targets(_ column: ColumnDescription, _ random: inout SeededGenerator) throws(StorageError) -> [ObjectLink] {
    guard column.type == .link || column.type == .mixed else { return [] }
    guard let target = column.type == .mixed ? random.pick(tables) : tables.first(where: { $0.key == column.oppositeTable }) else { return [] }
    guard target.kind == .topLevel, let key = try anyKey(target, &random) else { return [] }
    return [ObjectLink(table: target.key, key: key)]
  }

  private func value(_ column: ColumnDescription, _ random: inout SeededGenerator) throws(StorageError) -> Value {
    if column.isNullable && random.once(in: 5) { return .null }
    return random.value(column.type, targets: try targets(column, &random))
  }

  // MARK: Kinds of steps

  private func changeSchema(_ table: Table, _ random: inout SeededGenerator) throws(StorageError) {
    let columns = table.publicColumns
    switch random.below(8) {
    case 0: try group.removeTable(table.key)
    case 1: try group.renameTable(table.key, to: "class_Other\(random.below(50))")
    case 2:
      if !columns.isEmpty { try table.removeColumn(random.pick(columns).key) }
    case 3:
      if !columns.isEmpty { try table.renameColumn(random.pick(columns).key, to: "renamed\(random.below(50))") }
    case 4:
      guard !columns.isEmpty else { return }
      let column = random.pick(columns)
      _ = try table.setNullability(column.key, !column.isNullable)
    case 5:
      if !columns.isEmpty { try table.addIndex(random.pick(columns).key) }
    case 6:
      if !columns.isEmpty { try table.removeIndex(random.pick(columns).key) }
    default:
      let type = random.pick([ColumnType.int, .string, .mixed, .double, .link, .timestamp, .uuid])
      let attributes = random.pick([ColumnAttributes(), .nullable, .list, .set, .dictionary])
      try table.addColumn(ColumnDefinition("new\(random.below(100))", type, attributes, target: type == .link ? random.pick(tables).key : nil))
    }
  }

  private func create(_ table: Table, _ random: inout SeededGenerator) throws(StorageError) {
    guard table.kind != .embedded else { return }
    guard let column = table.primaryKeyColumn else {
      _ = try table.createObject()
      return
    }
    if random.once(in: 6) {
      _ = try table.tombstone(primaryKey: value(column, &random))
    } else {
      _ = try table.findOrCreateObject(primaryKey: value(column, &random))
    }
  }

  private func remove(_ table: Table, _ random: inout SeededGenerator) throws(StorageError) {
    if random.once(in: 30) { return try table.removeAllObjects() }
    guard let key = try anyKey(table, &random) else { return }
    if random.once(in: 8), table.hasPrimaryKey {
      _ = try table.makeTombstone(key)
    } else {
      try table.remove(key)
    }
  }

  /// Reads through indexes and backlinks.
  private func look(_ table: Table, _ random: inout SeededGenerator) throws(StorageError) {
    guard let key = try anyKey(table, &random) else { return }
    _ = try table.backlinkCount(key)
    for column in table.publicColumns where !column.isCollection {
      let value = try table.value(key, column.key)
      if !column.indexRef.isNull, !column.attributes.contains(.fullTextIndexed) { _ = try table.indexedObjects(column.key, equalTo: value) }
      if column.attributes.contains(.fullTextIndexed) { _ = try table.fullTextObjects(column.key, word: "words") }
      if column.key == table.primaryKeyColumn?.key { _ = try table.find(primaryKey: value) }
    }
  }

  private func set(_ table: Table, _ random: inout SeededGenerator) throws(StorageError) {
    let columns = table.publicColumns.filter { !$0.isCollection }
    guard !columns.isEmpty, let key = try anyKey(table, &random) else { return }
    let column = random.pick(columns)
    if let target = try? group.table(column.oppositeTable), column.type == .link, target.kind == .embedded {
      if random.once(in: 4) { return try table.set(key, column.key, .null) }
      _ = try table.setEmbedded(key, column.key)
      return
    }
    try table.set(key, column.key, value(column, &random))
  }

  private func editCollection(_ table: Table, _ random: inout SeededGenerator) throws(StorageError) {
    let columns = table.publicColumns.filter { $0.isCollection || $0.type == .mixed }
    guard !columns.isEmpty, let key = try anyKey(table, &random) else { return }
    let column = random.pick(columns)
    var collection = try table.collection(key, column.key)
    for _ in 0..<random.below(3) where try collection.count() > 0 {
      let index = random.below(try collection.count())
      let inner: ObjectCollection
      switch try collection.kind() {
      case .list: inner = collection.nested(.index(index))
      case .dictionary: inner = collection.nested(.key(try collection.key(at: index)))
      case .set: inner = collection
      }
      if (try? inner.kind()) == nil { break }
      collection = inner
    }
    let isEmbedded = column.type == .link && tables.contains { $0.key == column.oppositeTable && $0.kind == .embedded }
    switch try collection.kind() {
    case .list: try editList(collection, column, isEmbedded, &random)
    case .set:
      let value = try value(column, &random)
      if random.once(in: 4) { _ = try collection.remove(value) } else { _ = try collection.insert(value) }
    case .dictionary:
      let name = Array("key\(random.below(20))".utf8)
      if random.once(in: 4) {
        _ = try collection.removeEntry(key: name)
      } else if isEmbedded {
        _ = try collection.setEmbedded(key: name)
      } else {
        try collection.set(key: name, value(column, &random))
      }
    }
    if random.once(in: 20) { try collection.removeAll() }
  }

  private func editList(
    _ list: ObjectCollection, _ column: ColumnDescription, _ isEmbedded: Bool, _ random: inout SeededGenerator
  ) throws(StorageError) {
    let count = try list.count()
    switch random.below(6) {
    case 0: if count > 0 { try list.remove(at: random.below(count)) }
    case 1: if count > 0 { try list.move(from: random.below(count), to: random.below(count)) }
    case 2: if count > 0 { try list.swap(random.below(count), random.below(count)) }
    case 3 where count > 0:
      if isEmbedded { _ = try list.setEmbedded(at: random.below(count)) } else { try list.set(at: random.below(count), value(column, &random)) }
    default:
      if isEmbedded {
        _ = try list.insertEmbedded(at: random.below(count + 1))
      } else {
        try list.insert(at: random.below(count + 1), value(column, &random))
      }
    }
  }
}
