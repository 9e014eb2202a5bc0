extension Property {
  /// The kind of property in texts on invalid schemas: `array`, not what is in it.
  var kindText: String {
    if isArray { return "array" }
    if isSet { return "set" }
    if isMap { return "dictionary" }
    return type.nameInErrors
  }

  /// The type of a value or element in texts on values of the wrong type: `int?`, `Dog`.
  var elementText: String { (objectClassName ?? type.nameInErrors) + (isOptional && type != .any ? "?" : "") }
  /// What follows the element's type there.
  var collectionText: String { isArray ? " array" : isSet ? " set" : isMap ? " dictionary" : "" }

  /// The type in texts on changes: `int?`, `<Dog>`, `array<Dog>`, `dictionary<string, int>`.
  var typeText: String {
    let target = objectClassName ?? ""
    if type == .linkingObjects { return "linking objects<\(target)>" }
    let element = type == .object ? target : type.nameInErrors + (isOptional ? "?" : "")
    if isArray { return "array<\(element)>" }
    if isSet { return "set<\(element)>" }
    if isMap { return "dictionary<string, \(element)>" }
    return type == .object ? "<\(element)>" : element
  }

  /// Everything about the property, one fact a line.
  public var description: String {
    func flag(_ value: Bool) -> String { value ? "YES" : "NO" }
    var lines = ["type = \(type.nameInErrors)"]
    if type == .object || type == .linkingObjects {
      lines.append("objectClassName = \(objectClassName ?? "(null)")")
      lines.append("linkOriginPropertyName = \(linkOriginPropertyName ?? "(null)")")
    }
    lines.append("columnName = \(columnName)")
    lines.append("indexed = \(flag(isIndexed))")
    lines.append("isPrimary = \(flag(isPrimary))")
    lines.append("array = \(flag(isArray))")
    lines.append("set = \(flag(isSet))")
    lines.append("dictionary = \(flag(isMap))")
    lines.append("optional = \(flag(isOptional))")
    return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
  }
}

/// Each line of a text one tab further in.
private func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { "\t\($0)\n" }.joined()
}

extension ObjectSchema {
  /// The class with all properties.
  public var description: String {
    let body = (properties + computedProperties).map { indented($0.description) }.joined()
    return "\(className)\(isEmbedded ? " (embedded)" : "") {\n\(body)}"
  }
}

extension Schema {
  /// All classes, sorted by name, with all properties.
  public var description: String {
    let sorted = objectSchema.sorted { $0.className.utf8.lexicographicallyPrecedes($1.className.utf8) }
    return "Schema {\n" + sorted.map { indented($0.description) }.joined() + "}"
  }
}
