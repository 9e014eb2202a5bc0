import Dispatch

// What debuggers and failing tests show. `ObjectBase` has its own in the class, so that model classes can override it.

extension Results: CustomDebugStringConvertible {
  /// The first elements with their properties. Never stops: what keeps the results from being read is said instead.
  public var debugDescription: String { DebugText.of("Results<\(Element.self)>", base, [Element]()) }
}

extension LinkingObjects: CustomDebugStringConvertible {
  /// The first linking objects with their properties. Never stops: what keeps them from being read is said instead.
  public var debugDescription: String { DebugText.of("LinkingObjects<\(Element.self)>", base, [Element]()) }
}

extension AnyRealmCollection: CustomDebugStringConvertible {
  /// The first elements with their properties. Never stops: what keeps the collection from being read is said instead.
  public var debugDescription: String { DebugText.of("AnyRealmCollection<\(Element.self)>", _resultsBox?.core, _unmanagedElements) }
}

extension List: CustomDebugStringConvertible {
  /// The first elements with their properties. Never stops: what keeps the list from being read is said instead.
  public var debugDescription: String { DebugText.of("List<\(Element.self)>", self) }
}

extension MutableSet: CustomDebugStringConvertible {
  /// The first elements with their properties. Never stops: what keeps the set from being read is said instead.
  public var debugDescription: String { DebugText.of("MutableSet<\(Element.self)>", self) }
}

extension Map: CustomDebugStringConvertible {
  /// The first entries with their properties. Never stops: what keeps the map from being read is said instead.
  public var debugDescription: String { DebugText.of("Map<\(Key.self), \(Value.self)>", self) }
}

extension SectionedResults: CustomDebugStringConvertible {
  /// The first sections with their first elements, if the results have been divided in this version. Never stops.
  public var debugDescription: String { DebugText.of("SectionedResults<\(Key.self), \(SectionElement.self)>", sections: base) }
}

extension ResultsSection: CustomDebugStringConvertible {
  /// The first elements of the section, if the results have been divided in this version. Never stops.
  public var debugDescription: String { DebugText.of("ResultsSection<\(Key.self), \(T.self)>", section: key, of: base) }
}

extension Realm: CustomDebugStringConvertible {
  /// The file, where the realm may be used, and what it is doing. Never stops.
  public var debugDescription: String { "Realm(\(core.facts))" }
}

extension Property: CustomDebugStringConvertible {
  /// The property in one line: `age: int, indexed`.
  public var debugDescription: String {
    var text = "\(name): \(typeText)"
    if columnName != name { text += ", column \(columnName.debugDescription)" }
    if isPrimary { text += ", primary key" } else if isIndexed { text += ", indexed" }
    if isFullTextIndexed { text += ", full-text index" }
    if let linkOriginPropertyName { text += " from \(linkOriginPropertyName)" }
    return text
  }
}

extension ObjectSchema: CustomDebugStringConvertible {
  /// The class with its properties, one a line.
  public var debugDescription: String {
    let kind = isEmbedded ? " (embedded)" : isAsymmetric ? " (asymmetric)" : ""
    return "\(className)\(kind) {\n" + (properties + computedProperties).map { "  \($0.debugDescription)\n" }.joined() + "}"
  }
}

extension Schema: CustomDebugStringConvertible {
  /// All classes with their properties, a property a line.
  public var debugDescription: String {
    "Schema (\(objectSchema.count)) [\n" + objectSchema.map { "\($0.debugDescription)\n" }.joined() + "]"
  }
}

extension Confinement: CustomDebugStringConvertible {
  var debugDescription: String {
    switch self {
    case .none: "nobody"
    case .thread(let place): "thread \(place.number)"
    case .main: "the main thread"
    case .queue(let queue): "queue \(queue.label.debugDescription)"
    case .actor(let place): "actor \(place.typeName)"
    }
  }
}
