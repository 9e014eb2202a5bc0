import RealmStorage

extension SchemaStore {
  // MARK: Adding classes and properties

  /// Adds classes in the order that other SDKs choose (F10.3): all tables first, with their primary keys, then the other properties.
  /// - Parameter setsPrimaryKeys: otherwise the columns of the primary keys are made, but may hold duplicates for the time being.
  static func add(_ classes: [ObjectSchema], to group: Group, setsPrimaryKeys: Bool = true) throws(StorageError) {
    let sorted = classes.sorted { $0.className.utf8.lexicographicallyPrecedes($1.className.utf8) }
    for objectSchema in sorted {
      let table = try group.addTable(tableName(objectSchema.className), kind: objectSchema.tableKind)
      guard let property = objectSchema.primaryKeyProperty else { continue }
      let column = try table.addColumn(definition(of: property, in: group))
      if setsPrimaryKeys { try table.setPrimaryKey(column) }
    }
    for objectSchema in sorted {
      guard let table = try table(objectSchema.className, in: group) else { continue }
      try add(objectSchema.properties.filter { !$0.isPrimary }, to: table, in: group)
    }
  }

  /// Adds properties with their indexes.
  static func add(_ properties: [Property], to table: Table, in group: Group) throws(StorageError) {
    try table.addColumns(properties.map { (property) throws(StorageError) in try definition(of: property, in: group) })
    for property in properties where !property.isPrimary { try adjustIndex(of: property, in: table) }
  }

  private static func definition(of property: Property, in group: Group) throws(StorageError) -> ColumnDefinition {
    guard let type = property.type.columnType else {
      throw .invalidArgument(reason: "the property '\(property.name)' is computed and has no column")
    }
    var attributes: ColumnAttributes = property.isOptional || property.type == .any ? [.nullable] : []
    if property.isArray { attributes.insert(.list) }
    if property.isSet { attributes.insert(.set) }
    if property.isMap { attributes.insert(.dictionary) }
    guard let target = property.objectClassName else { return ColumnDefinition(property.columnName, type, attributes) }
    guard let targetTable = try table(target, in: group) else { throw .noSuchTable(name: tableName(target)) }
    return ColumnDefinition(property.columnName, type, attributes, target: targetTable.key)
  }

  // MARK: Indexes

  /// Gives a column the index that its property is to have. The index of a primary key is the engine's business, if there is one.
  static func adjustIndex(of property: Property, in table: Table) throws(StorageError) {
    let column = try table.column(named: property.columnName)
    let hasIndex = !column.indexRef.isNull
    let isFullText = column.attributes.contains(.fullTextIndexed)
    if property.isFullTextIndexed {
      if hasIndex && !isFullText { try table.removeIndex(column.key) }
      try table.addFullTextIndex(column.key)
    } else if property.isIndexed {
      if isFullText { try table.removeIndex(column.key) }
      // An index that a primary key left behind has to be asked for.
      let isAskedFor = hasIndex && (property.isPrimary || column.specAttributes.contains(.indexed))
      if isFullText || !isAskedFor { try table.addIndex(column.key) }
    } else if hasIndex {
      try table.removeIndex(column.key)
    }
  }

  // MARK: Updates without migration

  /// Makes the changes that need no migration: new classes and indexes.
  static func applyHarmless(_ changes: [SchemaChange], to group: Group) throws(StorageError) {
    try add(changes.compactMap { if case .addClass(let objectSchema) = $0 { objectSchema } else { nil } }, to: group)
    for change in changes {
      switch change {
      case .addIndex(let className, let property), .removeIndex(let className, let property):
        if let table = try table(className, in: group) { try adjustIndex(of: property, in: table) }
      default: continue
      }
    }
  }
}
