import RealmStorage

/// The schema as a file holds it: tables with a prefix, and the version in a table of its own. F10.
enum SchemaStore {
  static let prefix = "class_"

  static func tableName(_ className: String) -> String { prefix + className }
  /// Nil for tables that are no class's.
  static func className(_ tableName: String) -> String? {
    tableName.utf8.starts(with: prefix.utf8) ? String(decoding: tableName.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }
  /// As messages call it.
  static func shownName(_ tableName: String) -> String { className(tableName) ?? tableName }
  static func table(_ className: String, in group: Group) throws(StorageError) -> Table? { try group.table(named: tableName(className)) }

  // MARK: Reading

  /// All classes in a file, in the order of their names. Changes nothing.
  static func schema(of group: Group) throws(StorageError) -> Schema {
    var classes: [ObjectSchema] = []
    for key in try group.tableKeys() {
      let table = try group.table(key)
      if className(table.nameText) != nil { classes.append(try objectSchema(of: table, in: group)) }
    }
    return Schema(classes.sorted { $0.className.utf8.lexicographicallyPrecedes($1.className.utf8) })
  }

  /// The properties of a table in the order of its columns. The names in Swift are unknown and taken to be those of the columns.
  static func objectSchema(of table: Table, in group: Group) throws(StorageError) -> ObjectSchema {
    var properties: [Property] = []
    let primaryKey = table.primaryKeyColumn?.key
    for column in table.publicColumns { properties.append(try property(column, isPrimary: column.key == primaryKey, in: group)) }
    return ObjectSchema(
      className: table.className, properties: properties, isEmbedded: table.kind == .embedded,
      isAsymmetric: table.kind == .asymmetric)
  }

  private static func property(_ column: ColumnDescription, isPrimary: Bool, in group: Group) throws(StorageError) -> Property {
    let name = String(decoding: column.name, as: UTF8.self)
    guard let type = PropertyType(column.type) else {
      throw .invalidDatabase(path: "", reason: "the column '\(name)' has the type \(column.type), which no property has")
    }
    var target: String?
    if column.type == .link {
      let name = try group.table(column.oppositeTable).nameText
      target = className(name) ?? name
    }
    let isFullText = column.attributes.contains(.fullTextIndexed)
    return Property(
      name: name, type: type, collection: column.isList ? .list : column.isSet ? .set : column.isDictionary ? .dictionary : nil,
      isOptional: column.isNullable && type != .any, isIndexed: !column.indexRef.isNull && !isFullText, isPrimary: isPrimary,
      isFullTextIndexed: isFullText, objectClassName: target)
  }
}
