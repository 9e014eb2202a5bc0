@testable import RealmStorage

extension TableDriver {
  private func freshName() -> String {
    nameCount += 1
    return "n\(nameCount)" + String(repeating: "_", count: values.below(30))
  }

  func schemaOperation() throws {
    switch values.below(100) {
    case 0..<12: if tableOrder.count < limits.tables { try addTable() }
    case 12..<55: try addColumn()
    case 55..<70: try changeIndex()
    case 70..<78: try removeColumn()
    case 78..<84: try renameColumn()
    case 84..<92: try changeNullability()
    case 92..<94: try removeTable()
    case 94..<96: try renameTable()
    default: try changePrimaryKey()
    }
  }

  // MARK: Tables

  func addTable() throws {
    let kind: TableKind = tableOrder.count % 3 == 2 ? .embedded : .topLevel
    let name = "class_" + freshName()
    lastOperation = "add table '\(name)'"
    let table = try group.addTable(name, kind: kind)
    model.tables[table.key] = ModelTable(key: table.key, name: name, kind: kind)
    tableOrder.append(table.key)
    if kind == .topLevel && values.chance(60) {
      let type = values.pick([ColumnType.int, .string, .objectID, .uuid])
      let nullable: ColumnAttributes = values.chance(50) ? .nullable : []
      let column = try addColumn(to: table.key, type, nullable, nil)
      try table.setPrimaryKey(column)
      model.tables[table.key]!.primaryKey = column
    }
    for _ in 0..<4 { try addColumn() }
  }

  private func removeTable() throws {
    guard tableOrder.count > 3, let table = randomTable() else { return }
    lastOperation = "remove table '\(table.name)'"
    let isTarget = tableOrder.contains { key in
      key != table.key && model.tables[key]!.columns.contains { $0.type == .link && $0.target == table.key }
    }
    if isTarget {
      return try refuse { try self.group.removeTable(table.key) }
    }
    for key in table.order { model.remove(ObjectLink(table: table.key, key: key)) }
    for key in model.tables[table.key]!.tombstones.keys { model.replaceLinks(to: ObjectLink(table: table.key, key: key), by: nil) }
    try group.removeTable(table.key)
    model.tables[table.key] = nil
    tableOrder.removeAll { $0 == table.key }
    model.settle()
  }

  private func renameTable() throws {
    guard let table = randomTable() else { return }
    let name = "class_" + freshName()
    lastOperation = "rename table '\(table.name)'"
    try group.renameTable(table.key, to: name)
    model.tables[table.key]!.name = name
  }

  // MARK: Columns

  func addColumn() throws {
    guard let table = randomTable({ $0.columns.count < limits.columns }) else { return }
    let types: [ColumnType] = [.int, .bool, .string, .binary, .mixed, .mixed, .timestamp, .float, .double, .decimal, .link, .link, .objectID, .uuid]
    let type = values.pick(types)
    var attributes = values.pick([ColumnAttributes(), [], .list, .set, .dictionary])
    if values.chance(50) { attributes.insert(.nullable) }
    var target: TableKey?
    if type == .link {
      target = values.pick(tableOrder.filter { model.tables[$0]!.kind != .asymmetric })
      if model.tables[target!]!.kind == .embedded { attributes.remove(.set) }
    }
    try addColumn(to: table.key, type, attributes, target)
  }

  @discardableResult
  private func addColumn(to key: TableKey, _ type: ColumnType, _ attributes: ColumnAttributes, _ target: TableKey?) throws -> ColumnKey {
    let name = freshName()
    lastOperation = "add column '\(name)' of type \(type)"
    let column = try group.table(key).addColumn(ColumnDefinition(name, type, attributes, target: target))
    let description = try group.table(key).column(column)
    var new = ModelColumn(key: column, name: name, type: type, attributes: attributes, target: target)
    new.attributes = description.attributes
    if type == .link {
      new.attributes = attributes.contains(.list) || attributes.contains(.set) ? attributes.subtracting(.nullable) : attributes.union(.nullable)
    }
    if type == .mixed { new.attributes = attributes.union(.nullable) }
    insert(new, into: key)
    return column
  }

  private func insert(_ column: ModelColumn, into key: TableKey) {
    model.tables[key]!.columns.append(column)
    for object in model.tables[key]!.order { model.tables[key]!.set(object, column.key, column.defaultValue) }
  }

  private func randomColumn(_ condition: (ModelTable, ModelColumn) -> Bool) -> (ModelTable, ModelColumn)? {
    guard let table = randomTable({ table in table.columns.contains { condition(table, $0) } }) else { return nil }
    return (table, values.pick(table.columns.filter { condition(table, $0) }))
  }

  private func forget(_ column: ColumnKey, of key: TableKey) {
    model.tables[key]!.columns.removeAll { $0.key == column }
    for object in model.tables[key]!.order { model.tables[key]!.set(object, column, nil) }
  }

  private func removeColumn() throws {
    guard let (table, column) = randomColumn({ $0.columns.count > 3 && $0.primaryKey != $1.key }) else { return }
    lastOperation = "remove column '\(column.name)'"
    try group.table(table.key).removeColumn(column.key)
    forget(column.key, of: table.key)
    model.settle()
  }

  private func renameColumn() throws {
    guard let (table, column) = randomColumn({ _, _ in true }) else { return }
    let name = freshName()
    lastOperation = "rename column '\(column.name)'"
    try group.table(table.key).renameColumn(column.key, to: name)
    changeColumn(table.key, column.key) { $0.name = name }
  }

  private func changeColumn(_ table: TableKey, _ column: ColumnKey, _ body: (inout ModelColumn) -> Void) {
    let index = model.tables[table]!.columns.firstIndex { $0.key == column }!
    body(&model.tables[table]!.columns[index])
  }

  private func changeNullability() throws {
    guard let (table, column) = randomColumn({ $0.primaryKey != $1.key && !$1.mayLink }) else { return }
    lastOperation = "change nullability of '\(column.name)' from \(column.isNullable)"
    let key = try group.table(table.key).setNullability(column.key, !column.isNullable)
    var new = column
    new.key = key
    new.attributes.formSymmetricDifference(.nullable)
    let old = table
    forget(column.key, of: table.key)
    insert(new, into: table.key)
    for object in old.order { model.tables[table.key]![object, key] = adapted(old[object, column.key], new) }
  }

  private func adapted(_ value: ModelValue, _ column: ModelColumn) -> ModelValue {
    if column.isNullable { return value }
    let zero = ModelValue.scalar(ModelColumn.zero(column.type))
    func replaced(_ value: ModelValue) -> ModelValue { if case .scalar(.null) = value { zero } else { value } }
    switch value {
    case .scalar: return replaced(value)
    case .list(let elements): return .list(elements.map(replaced))
    case .set(let elements):
      guard let first = elements.first, case .scalar(.null) = first else { return value }
      var rest = Array(elements.dropFirst())
      let index = rest.firstIndex { ModelValue.order($0, zero) >= 0 } ?? rest.count
      // The null came first, so its replacement is there when an equal value follows.
      if index < rest.count && ModelValue.order(rest[index], zero) == 0 { rest[index] = zero } else { rest.insert(zero, at: index) }
      return .set(rest)
    case .dictionary(let entries): return .dictionary(entries.map { ModelEntry(key: $0.key, value: replaced($0.value)) })
    }
  }

  // MARK: Indexes and primary keys

  private func changeIndex() throws {
    let indexable: [ColumnType] = [.int, .bool, .string, .timestamp, .objectID, .uuid, .mixed]
    guard let (table, column) = randomColumn({ indexable.contains($1.type) && !$1.isCollection }) else { return }
    let engine = try group.table(table.key)
    lastOperation = "index of '\(column.name)'"
    if column.isIndexed || column.isFullText {
      try engine.removeIndex(column.key)
      changeColumn(table.key, column.key) { ($0.isIndexed, $0.isFullText) = (false, false) }
    } else if column.type == .string && column.key != table.primaryKey && values.chance(50) {
      try engine.addFullTextIndex(column.key)
      changeColumn(table.key, column.key) { $0.isFullText = true }
    } else {
      try engine.addIndex(column.key)
      changeColumn(table.key, column.key) { $0.isIndexed = true }
    }
  }

  private func changePrimaryKey() throws {
    guard let table = randomTable({ $0.kind == .topLevel && $0.tombstones.isEmpty }) else { return }
    let types: [ColumnType] = [.int, .string, .objectID, .uuid]
    let engine = try group.table(table.key)
    let candidates = table.columns.filter { types.contains($0.type) && !$0.isCollection && !$0.isFullText }
    if candidates.isEmpty || values.chance(20) {
      lastOperation = "no primary key for '\(table.name)'"
      try engine.setPrimaryKey(nil)
      model.tables[table.key]!.primaryKey = nil
      return
    }
    let column = values.pick(candidates)
    lastOperation = "primary key '\(column.name)' for '\(table.name)'"
    let texts = table.order.map { table[$0, column.key].identityText }
    guard Set(texts).count == texts.count else {
      return try refuse { try engine.setPrimaryKey(column.key) }
    }
    try engine.setPrimaryKey(column.key)
    model.tables[table.key]!.primaryKey = column.key
  }
}
