import RealmStorage

/// Makes the record of a class from its fields and from one instance. Texts: S1.1 and S1.2.
enum ModelClassBuilder {
  static func build(_ type: ObjectBase.Type) throws -> ModelClass {
    let className = type.className()
    guard !type.belongsToSDK else { throw RealmFailure.misuse("Can't add non-Object type '\(type)' to a schema.") }
    guard !String(describing: type).contains("<") else {
      throw RealmFailure.misuse("The generic class '\(type)' has no table of its own. Derive a class from it that is not generic.")
    }
    let found = try persistedFields(of: type)
    try checkNames(found.map(\.name), className)
    guard !found.isEmpty || !type.shouldIncludeInDefaultSchema() || type._realmIgnoreClass() else {
      throw RealmFailure.misuse(
        "No properties are defined for '\(className)'. Did you remember to mark them with '@Persisted' in your model?")
    }

    let object = type.init()
    let columnNames = type.propertiesMapping()
    let primaryKey = try primaryKeyName(type, className, found, object)
    var persisted: [(PersistedField, Property)] = []
    var computed: [(PersistedField, Property)] = []
    for field in found {
      let property = try property(field, object, columnName: columnNames[field.name], isPrimary: field.name == primaryKey)
      if property.isComputed { computed.append((field, property)) } else { persisted.append((field, property)) }
    }
    let schema = ObjectSchema(
      className: className, properties: persisted.map(\.1), computedProperties: computed.map(\.1), isEmbedded: type is EmbeddedObject.Type,
      isAsymmetric: type is AsymmetricObject.Type, modelType: type)
    return ModelClass(type: type, schema: schema, fields: (persisted + computed).map(\.0))
  }

  private static func checkNames(_ names: [String], _ className: String) throws {
    var seen: Set<String> = []
    var repeated: [String] = []
    for name in names where !seen.insert(name).inserted && !repeated.contains(name) { repeated.append(name) }
    if repeated.count == 1 {
      throw RealmFailure.misuse("Property '\(repeated[0])' is declared multiple times in the class hierarchy of '\(className)'")
    }
    if repeated.count > 1 {
      let list = repeated.map { "'\($0)'" }.joined(separator: ", ")
      throw RealmFailure.misuse("Object '\(className)' has properties that are declared multiple times in its class hierarchy: \(list)")
    }
  }

  /// The one property that is marked, or the one that the class names.
  private static func primaryKeyName(
    _ type: ObjectBase.Type, _ className: String, _ fields: [PersistedField], _ object: ObjectBase
  ) throws -> String? {
    if let name = type.primaryKey() {
      guard let field = fields.first(where: { $0.name == name }) else {
        throw RealmFailure.misuse("Primary key property '\(name)' does not exist on object '\(className)'")
      }
      let shape = field.type._shape
      switch shape.type {
      case .string, .int, .objectId, .UUID:
        if shape.collection == nil { return name }
        fallthrough
      default:
        throw RealmFailure.misuse(
          "Property '\(name)' cannot be made the primary key of '\(className)' because it is not a 'string', 'int', 'objectId', or 'uuid' property."
        )
      }
    }
    let marked = fields.filter { PersistedFlags(rawValue: $0.type._flags(object, $0.byteOffset)).contains(.primaryKey) }
    guard marked.count < 2 else {
      throw RealmFailure.misuse("Properties '\(marked[1].name)' and '\(marked[0].name)' are both marked as the primary key of '\(className)'")
    }
    return marked.first?.name
  }

  private static func property(
    _ field: PersistedField, _ object: ObjectBase, columnName: String?, isPrimary: Bool
  ) throws -> Property {
    let shape = field.type._shape
    let flags = PersistedFlags(rawValue: field.type._flags(object, field.byteOffset))
    var origin: String?
    if shape.type == .linkingObjects {
      origin = field.type._originProperty(object, field.byteOffset)
      guard let origin, !origin.isEmpty else {
        throw RealmFailure.misuse(
          "LinkingObjects<\(targetName(shape))> property '\(field.name)' must set the origin property name with @Persisted(originProperty: \"name\")."
        )
      }
    }
    try checkOptionality(field.name, shape)
    let isCollection = shape.collection != nil
    // A custom type over an embedded class is stored as a link, which can always be null.
    let isLink = shape.type == .object && (!isCollection || shape.collection == .dictionary)
    return Property(
      name: field.name, columnName: columnName, type: shape.type, collection: shape.collection, isOptional: shape.isOptional || isLink,
      isIndexed: flags.contains(.indexed) || isPrimary, isPrimary: isPrimary, isFullTextIndexed: flags.contains(.fullText),
      objectClassName: shape.objectType?.className(), linkOriginPropertyName: origin)
  }

  private static func targetName(_ shape: _Shape) -> String { shape.objectType?.className() ?? "" }

  /// What the types of properties cannot express.
  private static func checkOptionality(_ name: String, _ shape: _Shape) throws {
    switch (shape.type, shape.collection) {
    case (.object, nil) where !shape.isOptional && !shape.isCustom:
      throw RealmFailure.misuse("Object property '\(name)' must be marked as optional.")
    case (.object, .list) where shape.isOptional:
      throw RealmFailure.misuse("List<\(targetName(shape))> property '\(name)' must not be marked as optional.")
    case (.object, .set) where shape.isOptional:
      throw RealmFailure.misuse("MutableSet<\(targetName(shape))> property '\(name)' must not be marked as optional.")
    case (.object, .dictionary) where !shape.isOptional && !shape.isCustom:
      throw RealmFailure.misuse("Map<String, \(targetName(shape))> property '\(name)' must be marked as optional.")
    case (.any, let collection) where shape.isOptional:
      let kind =
        switch collection {
        case nil: "AnyRealmValue"
        case .list: "List<AnyRealmValue>"
        case .set: "MutableSet<AnyRealmValue>"
        case .dictionary: "Map<String, AnyRealmValue>"
        }
      throw RealmFailure.misuse(
        "\(kind) property '\(name)' must not be marked as optional: nil values are represented as AnyRealmValue.none")
    default: return
    }
  }
}
