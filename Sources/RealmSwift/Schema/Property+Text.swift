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
}
