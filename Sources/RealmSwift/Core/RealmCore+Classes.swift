import RealmStorage

extension RealmCore {
  /// The class by its name in the schema.
  func binding(named name: String) throws -> ClassBinding {
    _ = try group()
    guard let binding = classes?.named(name) else { throw RealmCore.unknownClass(name) }
    return binding
  }

  func binding(of type: ObjectBase.Type) throws -> ClassBinding {
    _ = try group()
    guard let binding = classes?.ofType(type, remembers: !isFrozen) else { throw RealmCore.unknownClass(type.className()) }
    return binding
  }

  /// The class whose objects a table holds; classes that are not part of the schema get a binding for dynamic objects.
  func binding(ofTable key: TableKey) throws -> ClassBinding {
    let group = try group()
    let classes = try boundClasses(group)
    if let binding = classes.ofTable(key) { return binding }
    guard !isFrozen else { throw RealmFailure.misuse("An object of a class that is not part of the schema was reached in a frozen Realm.") }
    return try classes.addClass(ofTable: key, in: group)
  }

  /// The class that a property of another class leads to.
  func target(of property: Property) throws -> ClassBinding? {
    guard let name = property.objectClassName else { return nil }
    let group = try group()
    // Of a class that is not part of the schema either.
    if classes?.named(name) == nil, let table = try SchemaStore.table(name, in: group) { return try binding(ofTable: table.key) }
    return try binding(named: name)
  }

  /// Finds the columns of a class anew.
  func rebind(_ className: String) throws {
    guard let objectSchema = schema[className] else { return }
    let group = try group()
    try boundClasses(group).rebind(objectSchema, in: group)
  }

  /// What others have done to the schema since the file was opened, if that is why something is missing or another thing.
  func externalSchemaFailure(_ group: Group) throws -> RealmFailure? {
    isMigrating || configuration.readOnly ? nil : try SchemaDecision.externalFailure(opened: schema, now: group)
  }

  /// Binds the classes of a schema to the columns that a version has.
  static func bind(_ schema: Schema, in group: Group) throws -> ClassBindings {
    do throws(StorageError) { return try ClassBindings(schema, in: group) } catch {
      if let failure = try SchemaDecision.externalFailure(opened: schema, now: group) { throw failure }
      throw error
    }
  }

  static func unknownClass(_ name: String) -> RealmFailure {
    .misuse(
      "Object type '\(name)' is not managed by the Realm. If using a custom `objectTypes` array in your configuration, "
        + "add `\(name)` to the list of `objectTypes`.")
  }
}
