import RealmQuery
package import RealmStorage

/// Brings rows into a class of a database. Schema first, then every row is converted before the first is written.
package struct Importer {
  package struct Options: Sendable {
    package var className: String
    package var primaryKey: String?
    /// Types that the caller knows better, by property; those with `true` are optional.
    package var types: [String: (type: ColumnType, isOptional: Bool)] = [:]
    /// Objects whose primary key exists are changed instead of refused.
    package var updates = false
    package init(className: String) { self.className = className }
  }

  private let options: Options
  package private(set) var fields: [ImportField]

  /// - Throws: `ImportProblem` for properties that have no common type, and options that do not fit.
  package init(_ rows: [ImportValue], options: Options, isText: Bool) throws(ImportProblem) {
    self.options = options
    fields = try ImportInference(isText: isText).fields(rows)
    for index in fields.indices {
      if let known = options.types[fields[index].name] {
        fields[index].type = .value(known.type)
        fields[index].isOptional = fields[index].isOptional || known.isOptional
      }
      if fields[index].name == options.primaryKey { fields[index].isOptional = false }
    }
    for name in options.types.keys where !fields.contains(where: { $0.name == name }) {
      throw ImportProblem(reason: "--type names '\(name)', which no object has")
    }
    guard let primaryKey = options.primaryKey else { return }
    guard let field = fields.first(where: { $0.name == primaryKey }) else {
      throw ImportProblem(reason: "the primary key '\(primaryKey)' is in no object")
    }
    switch field.type {
    case .value(.int), .value(.string), .value(.objectID), .value(.uuid): break
    default: throw ImportProblem(reason: "'\(primaryKey)' of type \(field.type.text) cannot be the primary key")
    }
  }

  // MARK: Schema

  /// The class with all properties, made or completed.
  package func prepare(_ group: Group) throws(StorageError) -> Table {
    let name = "class_" + options.className
    let existing = try group.table(named: name)
    if let existing, let primaryKey = options.primaryKey, existing.primaryKeyColumn?.name != Array(primaryKey.utf8) {
      throw .invalidArgument(reason: "'\(options.className)' exists and has another primary key than '\(primaryKey)'")
    }
    let table: Table
    if let existing { table = existing } else { table = try group.addTable(name) }
    try addColumns(fields, table, options.className, isNew: existing == nil)
    if existing == nil, let primaryKey = options.primaryKey { try table.setPrimaryKey(table.column(named: primaryKey).key) }
    return table
  }

  private func addColumns(_ fields: [ImportField], _ table: Table, _ className: String, isNew: Bool) throws(StorageError) {
    let known = Set(table.publicColumns.map { SchemaNames.text($0.name) })
    for field in fields where !known.contains(field.name) {
      // Objects that are there already have no value for it.
      let optional: ColumnAttributes = field.isOptional || !isNew ? .nullable : []
      switch field.type {
      case .unknown: try table.addColumn(ColumnDefinition(field.name, .string, .nullable))
      case .value(let type): try table.addColumn(ColumnDefinition(field.name, type, type == .mixed ? .nullable : optional))
      case .object(let inner):
        try table.addColumn(ColumnDefinition(field.name, .link, .nullable, target: embedded(inner, className, field.name, table.group).key))
      case .array(.object(let inner), _):
        try table.addColumn(ColumnDefinition(field.name, .link, .list, target: embedded(inner, className, field.name, table.group).key))
      case .array(.value(let type), let hasNulls):
        try table.addColumn(ColumnDefinition(field.name, type, hasNulls || type == .mixed ? [.list, .nullable] : .list))
      case .array: try table.addColumn(ColumnDefinition(field.name, .string, [.list, .nullable]))
      }
    }
  }

  /// The class of the objects in a property: `Dog_owner`.
  private func embedded(_ fields: [ImportField], _ className: String, _ property: String, _ group: Group) throws(StorageError) -> Table {
    let name = "\(className)_\(property)"
    let existing = try group.table(named: "class_" + name)
    let table: Table
    if let existing { table = existing } else { table = try group.addTable("class_" + name, kind: .embedded) }
    try addColumns(fields, table, name, isNew: existing == nil)
    return table
  }

  // MARK: Objects

  /// Why a row cannot be imported; nil if it can.
  package func problem(_ row: ImportValue, _ table: Table, _ keys: inout Set<[UInt8]>) throws(StorageError) -> String? {
    if let problem = checkFields(row, table) { return problem }
    guard let column = table.primaryKeyColumn else { return nil }
    guard let written = row[SchemaNames.text(column.name)], let key = converted(written, column), !key.isNullValue else {
      return "has no primary key '\(SchemaNames.text(column.name))'"
    }
    guard keys.insert(Array(key.queryText.utf8)).inserted || options.updates else { return "the primary key \(key.queryText) occurs twice" }
    if !options.updates, try table.find(primaryKey: key) != nil { return "an object with the primary key \(key.queryText) exists" }
    return nil
  }

  private func converted(_ value: ImportValue, _ column: ColumnDescription) -> Value? {
    do throws(ImportProblem) { return try ImportConversion.value(value, column.type) } catch { return nil }
  }

  private func checkFields(_ row: ImportValue, _ table: Table) -> String? {
    guard case .object(let members) = row else { return "is no object" }
    for (name, value) in members {
      guard let column = table.publicColumns.first(where: { SchemaNames.text($0.name) == name }) else { continue }
      if let problem = check(value, column, table.group) { return "'\(name)' \(problem)" }
    }
    return nil
  }

  private func check(_ value: ImportValue, _ column: ColumnDescription, _ group: Group) -> String? {
    switch value {
    case .null: return column.isNullable || column.isCollection || column.type == .link ? nil : "must not be null"
    case .array(let elements):
      guard column.isList else { return "is an array, the property is no list" }
      for element in elements {
        if let problem = checkElement(element, column, group) { return problem }
      }
      return nil
    default: return column.isCollection ? "is no array" : checkElement(value, column, group)
    }
  }

  private func checkElement(_ value: ImportValue, _ column: ColumnDescription, _ group: Group) -> String? {
    guard column.type == .link else {
      if case .null = value { return column.isNullable ? nil : "must not hold null" }
      return converted(value, column) == nil ? "is no value of type \(SchemaNames.type(column.type))" : nil
    }
    do throws(StorageError) {
      let target = try group.table(column.oppositeTable)
      guard target.kind == .embedded else { return "is a link to '\(target.nameText)', which cannot be imported" }
      return checkFields(value, target)
    } catch { return "\(error)" }
  }

  /// Creates or changes an object for a row without problem.
  package func store(_ row: ImportValue, in table: Table) throws(StorageError) {
    let key: ObjectKey
    var isNew = true
    if let column = table.primaryKeyColumn, let written = row[SchemaNames.text(column.name)], let value = converted(written, column) {
      (key, isNew) = try table.findOrCreateObject(primaryKey: value)
    } else {
      key = try table.createObject()
    }
    try fill(key, table, row, isNew: isNew)
  }

  private func fill(_ key: ObjectKey, _ table: Table, _ row: ImportValue, isNew: Bool) throws(StorageError) {
    guard case .object(let members) = row else { return }
    for (name, value) in members {
      guard let column = table.publicColumns.first(where: { SchemaNames.text($0.name) == name }), column.key != table.state.primaryKey else {
        continue
      }
      if column.isCollection {
        try fillList(table.collection(key, column.key), column, value, isNew: isNew)
      } else if column.type == .link {
        if case .null = value {
          try table.set(key, column.key, .null)
        } else {
          try fill(table.setEmbedded(key, column.key), table.group.table(column.oppositeTable), value, isNew: true)
        }
      } else if let value = converted(value, column) {
        try table.set(key, column.key, value)
      }
    }
  }

  private func fillList(_ list: ObjectCollection, _ column: ColumnDescription, _ value: ImportValue, isNew: Bool) throws(StorageError) {
    guard case .array(let elements) = value else { return }
    if !isNew { try list.removeAll() }
    for (index, element) in elements.enumerated() {
      if column.type == .link {
        try fill(list.insertEmbedded(at: index), list.table.group.table(column.oppositeTable), element, isNew: true)
      } else if let value = converted(element, column) {
        try list.append(value)
      }
    }
  }
}

extension Value {
  fileprivate var isNullValue: Bool { if case .null = self { true } else { false } }
}
