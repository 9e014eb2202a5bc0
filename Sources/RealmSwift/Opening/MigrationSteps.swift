import RealmStorage

/// A migration inside one write transaction: what happens before, during and after the user's block. S3.2 and S3.3.
///
/// Between `prepare` and `finish` the tables have all columns of the new schema and, besides, those that the new schema lacks. Primary keys
/// are ordinary columns meanwhile. `rename` and `deleteData` change columns and tables: whoever keeps column keys compares `stamp`.
final class MigrationSteps {
  let group: Group
  /// The classes in the file before anything changed.
  let oldSchema: Schema
  let newSchema: Schema
  private let changes: [SchemaChange]
  /// Changes with every change of columns.
  private(set) var stamp = 0
  /// Classes whose tables go in the end, when nothing links to them any more.
  private var doomedClasses: [String] = []

  init(to schema: Schema, in group: Group) throws(StorageError) {
    self.group = group
    newSchema = schema
    oldSchema = try SchemaStore.schema(of: group)
    changes = SchemaComparison.changes(from: oldSchema, to: schema)
  }

  private func table(_ className: String) throws -> Table? {
    try SchemaStore.table(className, in: group)
  }

  // MARK: Before the block

  /// Makes new tables and columns; columns of another type and those made required start empty, those made optional keep their values.
  /// - Parameter runsBlock: otherwise nobody will see primary keys detached, and those that stay are left alone.
  func prepare(runsBlock: Bool) throws {
    try group.prepareSchemaVersion()
    try detachPrimaryKeys(all: runsBlock)
    for case .changeKind(let name, _, let kind) in changes where kind != .embedded {
      try SchemaStore.table(name, in: group)?.setKind(kind)
    }
    let added = changes.compactMap { if case .addClass(let objectSchema) = $0 { objectSchema } else { nil } }
    try SchemaStore.add(added, to: group, setsPrimaryKeys: !runsBlock)
    try prepareColumns()
    stamp += 1
  }

  private func detachPrimaryKeys(all: Bool) throws(StorageError) {
    let touched = Set(
      changes.compactMap { change in
        switch change {
        case .changePrimaryKey(let name, _, _): name
        case .changeType(let name, let property, _) where property.isPrimary: name
        case .makeOptional(let name, let property) where property.isPrimary, .makeRequired(let name, let property) where property.isPrimary: name
        case .changeKind(let name, _, _): name
        default: nil
        }
      })
    for objectSchema in newSchema.objectSchema where all || touched.contains(objectSchema.className) {
      try SchemaStore.table(objectSchema.className, in: group)?.detachPrimaryKey()
    }
  }

  /// One change after the other; the new properties of a class, which stand together, at once.
  private func prepareColumns() throws(StorageError) {
    var remaining = changes[...]
    while let change = remaining.popFirst() {
      guard case .addProperty(let name, let first) = change else {
        try prepareColumn(change)
        continue
      }
      var properties = [first]
      while case .addProperty(name, let property)? = remaining.first {
        properties.append(property)
        remaining.removeFirst()
      }
      if let table = try SchemaStore.table(name, in: group) { try SchemaStore.add(properties, to: table, in: group) }
    }
  }

  private func prepareColumn(_ change: SchemaChange) throws(StorageError) {
    switch change {
    case .changeType(let name, _, let property), .makeRequired(let name, let property):
      guard let table = try SchemaStore.table(name, in: group) else { return }
      try table.removeColumn(table.column(named: property.columnName).key)
      try SchemaStore.add([property], to: table, in: group)
    case .makeOptional(let name, let property):
      guard let table = try SchemaStore.table(name, in: group) else { return }
      _ = try table.setNullability(table.column(named: property.columnName).key, true)
    case .addClass, .addProperty, .changeKind, .removeProperty, .changePrimaryKey, .addIndex, .removeIndex: return
    }
  }

  // MARK: During the block

  /// Makes a column of the old schema the one of a new property, with its values. Class B texts.
  /// - Parameters:
  ///   - oldName: of the column.
  ///   - newName: of the property in Swift or of its column; a name that the new schema lacks has to be renamed again.
  func rename(_ className: String, from oldName: String, to newName: String) throws {
    guard let table = try table(className) else {
      throw RealmFailure.misuse("Cannot rename properties for type '\(className)' because it does not exist.")
    }
    guard let target = newSchema[className] else {
      throw RealmFailure.misuse("Cannot rename properties for type '\(className)' because it has been removed from the Realm.")
    }
    let newName = target.properties.first { $0.name == newName }?.columnName ?? newName
    guard !target.properties.contains(where: { $0.columnName == oldName }) else {
      throw RealmFailure.misuse("Cannot rename property '\(className).\(oldName)' to '\(newName)' because the source property still exists.")
    }
    let present = try SchemaStore.objectSchema(of: table, in: group)
    guard let old = present[oldName] else {
      throw RealmFailure.misuse("Cannot rename property '\(className).\(oldName)' because it does not exist.")
    }
    if let new = present[newName] { try checkRename(className, old, new) }
    let column = try table.column(named: oldName).key
    if let new = present[newName] {
      try table.removeColumn(table.column(named: newName).key)
      try table.renameColumn(column, to: newName)
      if new.isNullableColumn && !old.isNullableColumn { _ = try table.setNullability(column, true) }
    } else {
      try table.renameColumn(column, to: newName)
    }
    stamp += 1
  }

  private func checkRename(_ className: String, _ old: Property, _ new: Property) throws {
    let subject = "Cannot rename property '\(className).\(old.name)' to '\(new.name)' because it would change"
    guard old.hasShape(of: new) else { throw RealmFailure.misuse("\(subject) from type '\(old.typeText)' to '\(new.typeText)'.") }
    guard !old.isNullableColumn || new.isNullableColumn else { throw RealmFailure.misuse("\(subject) from optional to required.") }
  }

  /// Deletes the objects of a class, and the class, too, if the new schema lacks it.
  /// - Returns: whether the file has the class.
  func deleteData(_ className: String) throws -> Bool {
    guard let table = try table(className), !doomedClasses.contains(className) else { return false }
    try table.removeAllObjects()
    // Columns that still lead to the table may go in the end.
    if newSchema[className] == nil { doomedClasses.append(className) }
    stamp += 1
    return true
  }

  // MARK: After the block

  /// Removes what the new schema lacks, checks and sets primary keys, embeds objects, and stores the version.
  func finish(version: UInt64) throws {
    for objectSchema in newSchema.objectSchema { try removeColumns(objectSchema) }
    for name in doomedClasses {
      guard let table = try table(name) else { continue }
      try group.removeTable(table.key)
    }
    for objectSchema in newSchema.objectSchema { try setPrimaryKey(objectSchema) }
    for objectSchema in newSchema.objectSchema {
      guard let table = try table(objectSchema.className) else { continue }
      for property in objectSchema.properties { try SchemaStore.adjustIndex(of: property, in: table) }
    }
    try embed()
    try group.setSchemaVersion(version)
    stamp += 1
  }

  private func removeColumns(_ objectSchema: ObjectSchema) throws {
    guard let table = try table(objectSchema.className) else { return }
    let wanted = Set(objectSchema.properties.map(\.columnName))
    let before = Set(oldSchema[objectSchema.className]?.properties.map(\.columnName) ?? [])
    for column in table.publicColumns {
      let name = String(decoding: column.name, as: UTF8.self)
      if wanted.contains(name) { continue }
      guard before.contains(name) else { throw RealmFailure.misuse("Renamed property '\(objectSchema.className).\(name)' does not exist.") }
      try table.removeColumn(column.key)
    }
  }

  private func setPrimaryKey(_ objectSchema: ObjectSchema) throws {
    guard let table = try table(objectSchema.className) else { return }
    let wanted = objectSchema.primaryKeyProperty
    do throws(StorageError) {
      let column = if let wanted { try table.column(named: wanted.columnName).key } else { nil as ColumnKey? }
      if table.primaryKeyColumn?.key != column { try table.setPrimaryKey(column) }
    } catch {
      guard case .duplicatePrimaryKey = error, let wanted else { throw error }
      throw RealmFailure(
        .fail, "Primary key property '\(objectSchema.className).\(wanted.columnName)' has duplicate values after migration.",
        name: "MigrationFailed")
    }
  }

  // MARK: Top-level classes that become embedded

  private func embed() throws {
    var waiting = changes.compactMap { if case .changeKind(let name, _, .embedded) = $0 { name } else { nil } }
    // Owners first: their copies bring links along. Embedded classes form no cycles.
    while !waiting.isEmpty {
      let position = waiting.firstIndex { name in !waiting.contains { $0 != name && links(from: $0, to: name) } } ?? 0
      let name = waiting.remove(at: position)
      guard let table = try table(name) else { continue }
      try checkEmbedding(table, name)
      try table.makeOwned()
      try table.setKind(.embedded)
    }
  }

  private func links(from className: String, to target: String) -> Bool {
    newSchema[className]?.properties.contains { $0.objectClassName == target } ?? false
  }

  private func checkEmbedding(_ table: Table, _ name: String) throws {
    guard !table.hasPrimaryKey else { throw RealmFailure.misuse("Cannot change '\(name)' to embedded when using a primary key.") }
    for backlink in table.backlinkColumns {
      let origin = try group.table(inSlot: backlink.oppositeTable.slot)
      guard let origin, origin.key == backlink.oppositeTable, let forward = origin.columnOrNil(backlink.oppositeColumn), forward.type == .mixed
      else { continue }
      guard try table.keys().contains(where: { try !table.backlinks($0, backlink.key).isEmpty }) else { continue }
      let property = "\(SchemaStore.className(origin.nameText) ?? origin.nameText).\(String(decoding: forward.name, as: UTF8.self))"
      throw RealmFailure(
        .fail,
        "Cannot convert '\(name)' to embedded: there is an incoming link from the Mixed property '\(property)', which does not support "
          + "linking to embedded objects.", name: "IllegalOperation")
    }
  }
}

extension MigrationSteps: MigrationMechanics {}
