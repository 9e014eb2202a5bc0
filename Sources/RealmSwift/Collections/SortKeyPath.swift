import RealmQuery

/// The key path of a sort descriptor: names joined by dots, with dictionary keys in brackets (Q18.1).
struct SortKeyPath {
  let path: QueryPath

  /// - Throws: the refusal of a name that does not exist, or of a property that nothing can be sorted by.
  init(_ text: String, in start: ObjectSchema, _ schema: Schema) throws {
    func check(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
      if !condition { throw RealmFailure.misuse("Cannot sort on key path '\(text)': \(reason()).") }
    }
    var steps: [QueryPath.Step] = []
    var owner = start
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      let isLast = number == parts.count - 1
      try check(!part.isEmpty && (isLast || number + 2 < parts.count || !parts[number + 1].isEmpty), "missing property name")
      let name = String(part.prefix { $0 != "[" })
      var key: Substring = ""
      if name.utf8.count < part.utf8.count {
        let end = part.firstIndex(of: "]")
        try check(end != nil, "missing ']'")
        key = part[..<(end ?? part.endIndex)].dropFirst(name.count + 1)
      }
      let found = owner.properties.first { $0.name == name } ?? owner.computedProperties.first { $0.name == name }
      guard let property = found ?? owner.properties.first(where: { $0.columnName == name }) else {
        throw RealmFailure.misuse("Cannot sort on key path '\(text)': property '\(owner.className).\(name)' does not exist.")
      }
      let fullName = "property '\(owner.className).\(name)'"
      if property.isMap {
        try check(!key.isEmpty, "missing dictionary key")
      } else {
        let isSortable = !property.isArray && !property.isSet && property.type != .linkingObjects && property.type != .data
        try check(isSortable, "\(fullName) is of unsupported type '\(property.sortTypeName)'")
      }
      if property.type == .object {
        try check(!isLast, "\(fullName) of type 'object' cannot be the final property in the key path")
      } else {
        try check(isLast, "\(fullName) of type '\(property.sortTypeText)' may only be the final property in the key path")
      }
      steps.append(.name(name))
      if !key.isEmpty { steps.append(.element(.key(Array(key.trimmingQuotes.utf8)))) }
      if let target = property.objectClassName.flatMap({ schema[$0] }) { owner = target }
    }
    path = QueryPath(steps)
  }
}

extension Property {
  /// The kind of property, as texts about sorting name it.
  fileprivate var sortTypeName: String { isArray ? "array" : isSet ? "set" : isMap ? "dictionary" : sortElementName }
  private var sortElementName: String { type == .decimal128 ? "decimal" : type.nameInErrors }

  /// The whole type there.
  fileprivate var sortTypeText: String {
    let element = type == .object ? objectClassName ?? "" : sortElementName
    if isArray { return "array<\(element)>" }
    if isSet { return "set<\(element)>" }
    return isMap ? "dictionary<string, \(element)>" : element
  }
}

extension Substring {
  fileprivate var trimmingQuotes: Substring {
    guard count >= 2, let first, first == last, first == "'" || first == "\"" else { return self }
    return dropFirst().dropLast()
  }
}
