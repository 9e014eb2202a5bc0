import RealmStorage

/// Tables that come into a file together and have one version, which the registry of the file tells. Source: Y4.1.
struct InternalTables: Sendable {
  /// What the registry calls them; nil if it does not know them.
  var groupName: String?
  let version: Int64
  /// The first is the one that leads to the others.
  let tables: [InternalTable]

  /// Whether the file has them.
  /// - Throws: `.badState` if they are of another version or form: whoever made them knows more, and nothing may be changed.
  func arePresent(in group: Group) throws(SyncError) -> Bool {
    if let groupName {
      guard let found = try InternalRegistry.version(of: groupName, in: group) else { return false }
      guard found == version else {
        throw .badState("the tables '\(groupName)' of this file have version \(found), but \(version) is what can be read")
      }
    } else if try table(tables[0].name, in: group) == nil {
      return false
    }
    for description in tables {
      guard let table = try table(description.name, in: group) else { throw .badState("the file has lost its table '\(description.name)'") }
      try description.check(table)
    }
    return true
  }

  /// Makes them if they are not there.
  /// - Throws: see `arePresent`.
  func ensure(in group: Group) throws(SyncError) {
    if try arePresent(in: group) { return }
    if let groupName { try InternalRegistry.set(version, of: groupName, in: group) }
    for description in tables {
      guard try table(description.name, in: group) == nil else { throw .badState("the file has a table '\(description.name)' already") }
      try description.create(in: group)
    }
    for description in tables { try description.addProperties(in: group) }
  }

  /// The rows of the first table, by primary key if that is a number; nothing without tables.
  func rows(in group: Group) throws(SyncError) -> [InternalRow] {
    guard try arePresent(in: group), let table = try table(tables[0].name, in: group) else { return [] }
    let keys = try storing { () throws(StorageError) in try table.keys() }
    return keys.map { InternalRow(table: table, key: $0) }
  }

  /// A new row of the first table, which exists.
  func addRow(_ primaryKey: Value? = nil, in group: Group) throws(SyncError) -> InternalRow {
    guard let table = try table(tables[0].name, in: group) else { throw .badState("the file has lost its table '\(tables[0].name)'") }
    return InternalRow(table: table, key: try storing { () throws(StorageError) in try table.createObject(primaryKey: primaryKey) })
  }

  private func table(_ name: String, in group: Group) throws(SyncError) -> Table? {
    try storing { () throws(StorageError) in try group.table(named: name) }
  }
}

/// Which internal tables of which version a file has.
enum InternalRegistry {
  private static let table = InternalTable(
    name: "sync_internal_schemas", primaryKey: .string("schema_group_name"), properties: [.int("schema_version")])
  /// What there was before: one number, of the subscriptions.
  private static let legacyTable = InternalTable(name: "flx_metadata", properties: [.int("schema_version")])
  private static let legacyGroup = "flx_subscription_store"

  static func version(of groupName: String, in group: Group) throws(SyncError) -> Int64? {
    if let legacy = try found(legacyTable, in: group) {
      guard groupName == legacyGroup, let key = try storing({ () throws(StorageError) in try legacy.keys() }).first else { return nil }
      return try InternalRow(table: legacy, key: key).int("schema_version")
    }
    guard let registry = try found(table, in: group) else { return nil }
    let key = try storing { () throws(StorageError) in try registry.find(primaryKey: .string(Array(groupName.utf8))) }
    return try key.map { (key) throws(SyncError) in try InternalRow(table: registry, key: key).int("schema_version") }
  }

  static func set(_ version: Int64, of groupName: String, in group: Group) throws(SyncError) {
    try replaceLegacy(in: group)
    try insert(version, groupName, in: group)
  }

  /// The number that there was before becomes an entry.
  private static func replaceLegacy(in group: Group) throws(SyncError) {
    guard let legacy = try found(legacyTable, in: group) else { return }
    let version = try self.version(of: legacyGroup, in: group)
    try storing { () throws(StorageError) in try group.removeTable(legacy.key) }
    if let version { try insert(version, legacyGroup, in: group) }
  }

  private static func insert(_ version: Int64, _ groupName: String, in group: Group) throws(SyncError) {
    if try found(table, in: group) == nil {
      try table.create(in: group)
      try table.addProperties(in: group)
    }
    guard let registry = try found(table, in: group) else { return }
    let (key, _) = try storing { () throws(StorageError) in try registry.findOrCreateObject(primaryKey: .string(Array(groupName.utf8))) }
    try InternalRow(table: registry, key: key).set("schema_version", .int(version))
  }

  private static func found(_ description: InternalTable, in group: Group) throws(SyncError) -> Table? {
    guard let table = try storing({ () throws(StorageError) in try group.table(named: description.name) }) else { return nil }
    try description.check(table)
    return table
  }
}
