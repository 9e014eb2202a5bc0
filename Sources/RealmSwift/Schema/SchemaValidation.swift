import RealmStorage

/// The rules that classes have to obey among each other before a file is touched. Texts: S2.
///
/// Three rules of the original cannot be broken here: a `Property` of type `.any` is always nullable, a primary key is marked at an existing
/// property, and embedded classes need not be reachable in a local realm.
enum SchemaValidation {
  /// - Throws: all problems in one text.
  static func validate(_ schema: Schema) throws {
    let problems = problems(in: schema)
    guard problems.isEmpty else {
      let lines = problems.map { "\n- \($0)" }.joined()
      throw RealmFailure(.fail, "Schema validation failed due to the following errors:" + lines, name: "SchemaValidationFailed")
    }
    for objectSchema in schema.objectSchema {
      // The table's name has 63 bytes at most, and a prefix.
      if objectSchema.className.utf8.count > 57 { throw tooLong(objectSchema.className) }
      for property in objectSchema.properties where property.columnName.utf8.count > 63 {
        throw tooLong(property.columnName)
      }
    }
  }

  private static func tooLong(_ name: String) -> RealmFailure { RealmFailure(.fail, "Name too long: \(name)", name: "InvalidName") }

  /// One line for each broken rule.
  static func problems(in schema: Schema) -> [String] {
    var lines = repeated(schema.objectSchema.map(\.className)).map { "Type '\($0)' appears more than once in the schema." }
    for objectSchema in schema.objectSchema { lines += problems(of: objectSchema, in: schema) }
    for objectSchema in schema.objectSchema where objectSchema.isEmbedded {
      if let path = cycle(from: objectSchema, in: schema) {
        lines.append("Cycles containing embedded objects are not currently supported: '\(path)'")
      }
    }
    return lines
  }

  /// Each name that occurs again, once.
  private static func repeated(_ names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    return names.filter { name in
      counts[name, default: 0] += 1
      return counts[name] == 2
    }
  }

  // MARK: One class

  private static func problems(of objectSchema: ObjectSchema, in schema: Schema) -> [String] {
    let name = objectSchema.className
    var lines = nameProblems(objectSchema)
    let keys = objectSchema.properties.filter(\.isPrimary)
    for key in keys.dropFirst() {
      lines.append("Properties '\(keys[0].columnName)' and '\(key.columnName)' are both marked as the primary key of '\(name)'.")
    }
    if objectSchema.isEmbedded && !keys.isEmpty { lines.append("Embedded object type '\(name)' cannot have a primary key.") }
    if objectSchema.isAsymmetric { lines.append("Asymmetric table '\(name)' not allowed in a local Realm") }
    for property in objectSchema.properties + objectSchema.computedProperties { lines += problems(of: property, of: name, in: schema) }
    return lines
  }

  private static func nameProblems(_ objectSchema: ObjectSchema) -> [String] {
    let name = objectSchema.className
    let all = objectSchema.properties + objectSchema.computedProperties
    let columnNames = Set(all.map(\.columnName))
    var lines = repeated(all.map(\.columnName)).map { "Property '\($0)' appears more than once in the schema for type '\(name)'." }
    let renamed = all.filter { $0.name != $0.columnName }
    lines += repeated(renamed.map(\.name)).map { "Alias '\($0)' appears more than once in the schema for type '\(name)'." }
    for property in renamed where columnNames.contains(property.name) {
      lines.append(
        "Property '\(name).\(property.columnName)' has an alias '\(property.name)' that conflicts with a property of the same name.")
    }
    return lines
  }

  // MARK: One property

  private static func problems(of property: Property, of className: String, in schema: Schema) -> [String] {
    let subject = "Property '\(className).\(property.columnName)' of type '\(property.kindText)'"
    var lines: [String] = []
    if property.type == .object || property.type == .linkingObjects {
      let target = property.objectClassName.flatMap { schema[$0] }
      if let target {
        lines += problems(of: property, of: className, target: target, subject)
      } else {
        lines.append("\(subject) has unknown object type '\(property.objectClassName ?? "")'")
      }
      let needsNull = property.type == .object && !property.isArray && !property.isSet
      if needsNull && !property.isOptional { lines.append("\(subject) must be nullable.") }
      if !needsNull && property.isOptional { lines.append("\(subject) cannot be nullable.") }
    }
    if property.isPrimary && !canBePrimaryKey(property) {
      lines.append("\(subject) cannot be made the primary key.")
    } else if (property.isIndexed && !property.isPrimary && !canBeIndexed(property)) || (property.isFullTextIndexed && !isText(property)) {
      lines.append("\(subject) cannot be indexed.")
    }
    return lines
  }

  private static func problems(of property: Property, of className: String, target: ObjectSchema, _ subject: String) -> [String] {
    if property.type == .linkingObjects { return originProblems(property, of: className, target) }
    if target.isAsymmetric { return ["\(subject) cannot be a link to an asymmetric object."] }
    if target.isEmbedded && property.isSet {
      return [
        "Set property '\(className).\(property.columnName)' cannot contain embedded object type '\(target.className)'. "
          + "Set semantics are not applicable to embedded objects."
      ]
    }
    return []
  }

  private static func originProblems(_ property: Property, of className: String, _ target: ObjectSchema) -> [String] {
    let name = property.linkOriginPropertyName ?? ""
    let subject =
      "Property '\(target.className).\(name)' declared as origin of linking objects property '\(className).\(property.columnName)'"
    guard let origin = target.properties.first(where: { $0.name == name || $0.columnName == name }) else { return ["\(subject) does not exist"] }
    guard origin.type == .object else { return ["\(subject) is not a link"] }
    let linked = origin.objectClassName ?? ""
    return linked == className ? [] : ["\(subject) links to type '\(linked)'"]
  }

  static func canBePrimaryKey(_ property: Property) -> Bool {
    if property.isCollection { return false }
    switch property.type {
    case .int, .string, .objectId, .UUID: return true
    default: return false
    }
  }

  private static func canBeIndexed(_ property: Property) -> Bool {
    if property.isCollection { return property.isArray && property.type == .string }
    switch property.type {
    case .int, .bool, .string, .date, .objectId, .UUID, .any: return true
    default: return false
    }
  }
  private static func isText(_ property: Property) -> Bool { property.type == .string && !property.isCollection }

  // MARK: Embedded classes

  /// A shortest way from an embedded class over embedded classes back to itself: the class and the properties.
  private static func cycle(from start: ObjectSchema, in schema: Schema) -> String? {
    var seen: Set<String> = []
    var paths = [(start, start.className)]
    var next = 0
    while next < paths.count {
      let (objectSchema, path) = paths[next]
      next += 1
      for property in objectSchema.properties where property.type == .object {
        guard let target = property.objectClassName.flatMap({ schema[$0] }), target.isEmbedded else { continue }
        let longer = "\(path).\(property.columnName)"
        if target.className == start.className { return longer }
        if seen.insert(target.className).inserted { paths.append((target, longer)) }
      }
    }
    return nil
  }
}
