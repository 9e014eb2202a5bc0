extension Property: CustomStringConvertible {
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

extension ObjectSchema: CustomStringConvertible {
  /// The class with all properties.
  public var description: String {
    let body = (properties + computedProperties).map { indented($0.description) }.joined()
    return "\(className)\(isEmbedded ? " (embedded)" : "") {\n\(body)}"
  }
}

extension Schema: CustomStringConvertible {
  /// All classes, sorted by name, with all properties.
  public var description: String {
    let sorted = objectSchema.sorted { $0.className.utf8.lexicographicallyPrecedes($1.className.utf8) }
    return "Schema {\n" + sorted.map { indented($0.description) }.joined() + "}"
  }
}
