import RealmStorage

/// Schemas made of the model classes of the program.
enum ModelSchemas {
  private static let shared = Locked<Schema?>(nil)

  /// All model classes that belong to the default schema. Found on first need; classes that are loaded later stay outside.
  static func defaultSchema() throws -> Schema {
    if let schema = shared.withLock({ $0 }) { return schema }
    var classes: [ModelClass] = []
    for type in try discoverModelClasses() where type.shouldIncludeInDefaultSchema() { classes.append(try ModelClass.of(type)) }
    let schema = try schema(classes)
    return shared.withLock { known in
      if let known { return known }
      known = schema
      return schema
    }
  }

  /// Exactly the given classes, which may link only to each other.
  static func subset(_ types: [ObjectBase.Type]) throws -> Schema {
    var classes: [ModelClass] = []
    for type in types where !classes.contains(where: { $0.type == type }) {
      guard !type.belongsToSDK else { throw RealmFailure.misuse("Can't add non-Object type '\(type)' to a schema.") }
      classes.append(try ModelClass.of(type))
    }
    let schema = try schema(classes)
    var missing: [String] = []
    for objectSchema in schema.objectSchema {
      for property in objectSchema.properties {
        guard let target = property.objectClassName, schema[target] == nil else { continue }
        missing.append(
          "- '\(objectSchema.className).\(property.name)' links to class '\(target)', which is missing from the list of classes managed by the Realm")
      }
    }
    guard missing.isEmpty else { throw RealmFailure.misuse("Invalid class subset list:\n" + missing.joined(separator: "\n")) }
    return schema
  }

  /// In the order of the class names.
  private static func schema(_ classes: [ModelClass]) throws -> Schema {
    let sorted = classes.sorted { $0.className.utf8.lexicographicallyPrecedes($1.className.utf8) }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.className == second.className {
      throw RealmFailure.misuse(
        "Object subclasses with the same name cannot be included twice in the same target. Please make sure '\(first.className)' is only "
          + "linked once to your current target. The classes are '\(String(reflecting: first.type))' and '\(String(reflecting: second.type))'.")
    }
    return Schema(sorted.map(\.schema))
  }
}
