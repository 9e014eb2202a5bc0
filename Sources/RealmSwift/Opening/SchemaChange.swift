import RealmStorage

/// One difference between the classes in a file and those that it is to hold. Properties are those of the new class unless said otherwise.
enum SchemaChange: Equatable, Sendable {
  case addClass(ObjectSchema)
  case changeKind(String, from: TableKind, to: TableKind)
  case addProperty(String, Property)
  /// The property is the one in the file.
  case removeProperty(String, Property)
  /// To another type, kind of collection or target class.
  case changeType(String, from: Property, to: Property)
  case makeOptional(String, Property)
  case makeRequired(String, Property)
  case changePrimaryKey(String, from: Property?, to: Property?)
  case addIndex(String, Property)
  case removeIndex(String, Property)

  /// Whether it is only made with a higher schema version. S3.1.
  var needsMigration: Bool {
    switch self {
    case .addClass, .addIndex, .removeIndex: false
    default: true
    }
  }

  /// Whether a realm that cannot write can do without it: what is missing as a whole reads as empty.
  var mattersWhenReadOnly: Bool {
    switch self {
    case .addClass, .addIndex, .removeIndex, .removeProperty: false
    default: true
    }
  }

  /// The line for users; nil for changes that are never an error.
  var text: String? {
    switch self {
    case .addClass, .addIndex, .removeIndex: nil
    case .changeKind(let name, let from, let to): "Class '\(name)' has been changed from \(from.text) to \(to.text)."
    case .addProperty(let name, let property): "Property '\(name).\(property.columnName)' has been added."
    case .removeProperty(let name, let property): "Property '\(name).\(property.columnName)' has been removed."
    case .changeType(let name, let from, let to):
      "Property '\(name).\(to.columnName)' has been changed from '\(from.typeText)' to '\(to.typeText)'."
    case .makeOptional(let name, let property): "Property '\(name).\(property.columnName)' has been made optional."
    case .makeRequired(let name, let property): "Property '\(name).\(property.columnName)' has been made required."
    case .changePrimaryKey(let name, let from?, let to?):
      "Primary Key for class '\(name)' has changed from '\(from.columnName)' to '\(to.columnName)'."
    case .changePrimaryKey(let name, nil, _): "Primary Key for class '\(name)' has been added."
    case .changePrimaryKey(let name, _, nil): "Primary Key for class '\(name)' has been removed."
    }
  }
}

extension TableKind {
  /// As the texts on changed classes call it.
  fileprivate var text: String {
    switch self {
    case .topLevel: "TopLevel"
    case .embedded: "Embedded"
    case .asymmetric: "TopLevelAsymmetric"
    }
  }
}

/// Compares schemas. Columns are matched by name; their order does not matter.
enum SchemaComparison {
  /// What has to change in a file with the classes `old` for it to hold those of `new`. Classes that only the file has stay there.
  static func changes(from old: Schema, to new: Schema) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for objectSchema in new.objectSchema {
      if let existing = old[objectSchema.className] {
        changes += self.changes(from: existing, to: objectSchema)
      } else {
        changes.append(.addClass(objectSchema))
      }
    }
    return changes
  }

  private static func changes(from old: ObjectSchema, to new: ObjectSchema) -> [SchemaChange] {
    let name = new.className
    var changes: [SchemaChange] = []
    if old.tableKind != new.tableKind { changes.append(.changeKind(name, from: old.tableKind, to: new.tableKind)) }
    let wanted = Dictionary(new.properties.map { ($0.columnName, $0) }, uniquingKeysWith: { first, _ in first })
    var present: Set<String> = []
    for property in old.properties {
      present.insert(property.columnName)
      if let target = wanted[property.columnName] {
        changes += self.changes(from: property, to: target, of: name)
      } else {
        changes.append(.removeProperty(name, property))
      }
    }
    for property in new.properties where !present.contains(property.columnName) { changes.append(.addProperty(name, property)) }
    let (oldKey, newKey) = (old.primaryKeyProperty, new.primaryKeyProperty)
    if oldKey?.columnName != newKey?.columnName { changes.append(.changePrimaryKey(name, from: oldKey, to: newKey)) }
    return changes
  }

  private static func changes(from old: Property, to new: Property, of name: String) -> [SchemaChange] {
    guard old.hasShape(of: new) else { return [.changeType(name, from: old, to: new)] }
    if old.isNullableColumn != new.isNullableColumn {
      return [new.isNullableColumn ? .makeOptional(name, new) : .makeRequired(name, new)]
    }
    let isSame = old.isIndexed == new.isIndexed && old.isFullTextIndexed == new.isFullTextIndexed
    if isSame { return [] }
    return [new.isIndexed || new.isFullTextIndexed ? .addIndex(name, new) : .removeIndex(name, new)]
  }
}
