package import RealmStorage

/// Classes that a JSON Schema describes, in the form of ``JSONSchemaText``: a document of several, a list of classes, or one.
package struct JSONSchemaClasses {
  struct Property {
    let name: String
    var type: ColumnType
    var attributes: ColumnAttributes
    /// A class that is linked to, or embedded.
    var target: String?
  }
  struct Class {
    let name: String
    let kind: TableKind
    let properties: [Property]
  }
  private(set) var classes: [Class] = []
  private var relationships = ImportValue.null
  private var asymmetric: Set<ExactName> = []

  /// In the order in which they are made.
  package var names: [String] { classes.map(\.name) }

  /// Embedded objects lie no deeper in one another.
  private static let nestingLimit = 50

  /// - Throws: `ImportProblem` with the place in the document, such as `$.schemas.Person.properties.age`.
  package init(_ document: ImportValue) throws(ImportProblem) {
    if case .array(let elements) = document {
      for (position, element) in elements.enumerated() { try add(element, "$[\(position)]") }
    } else if let schemas = document["schemas"] {
      guard case .object(let members) = schemas else { throw Self.problem("$.schemas", "is no object") }
      relationships = document["relationships"] ?? .null
      if case .array(let names)? = document["asymmetric_tables"] { asymmetric = Set(names.compactMap(\.string).map(ExactName.init)) }
      for (name, schema) in members { try add(schema, "$.schemas.\(name)", name: name) }
    } else {
      try add(document, "$")
    }
    if classes.isEmpty { throw Self.problem("$", "describes no class") }
  }

  private static func problem(_ place: String, _ reason: String) -> ImportProblem { ImportProblem(reason: "\(place) \(reason)") }

  // MARK: Reading

  private mutating func add(_ schema: ImportValue, _ place: String, name given: String? = nil) throws(ImportProblem) {
    guard let name = given ?? schema["title"]?.string, !name.isEmpty else {
      throw Self.problem(place, "has no title, which is the name of the class")
    }
    if let title = schema["title"]?.string, ExactName(title) != ExactName(name) {
      throw Self.problem(place + ".title", "is '\(title)' and not '\(name)'")
    }
    try add(schema, name, asymmetric.contains(ExactName(name)) ? .asymmetric : .topLevel, Place(text: place, root: name, path: "", depth: 0))
  }

  /// Where in the document, and for its relationships.
  private struct Place {
    let text: String
    let root: String
    let path: String
    let depth: Int
  }

  private mutating func add(_ schema: ImportValue, _ name: String, _ kind: TableKind, _ place: Place) throws(ImportProblem) {
    guard place.depth < Self.nestingLimit else { throw Self.problem(place.text, "is nested too deeply") }
    guard schema["bsonType"]?.string == "object", case .object(let members)? = schema["properties"] else {
      throw Self.problem(place.text, "is no class: it needs \"bsonType\": \"object\" and properties")
    }
    var required: Set<ExactName> = []
    if let list = schema["required"] {
      guard case .array(let names) = list else { throw Self.problem(place.text + ".required", "is no list of names") }
      required = Set(names.compactMap(\.string).map(ExactName.init))
      let known = Set(members.map { ExactName($0.name) })
      if let unknown = names.first(where: { $0.string.map { !known.contains(ExactName($0)) } ?? true }) {
        throw Self.problem(place.text + ".required", "names '\(unknown.string ?? "?")', which is no property")
      }
    }
    var properties: [Property] = []
    for (title, value) in members {
      let inner = Place(text: "\(place.text).properties.\(title)", root: place.root, path: place.path + title, depth: place.depth + 1)
      properties.append(try property(title, value, isRequired: required.contains(ExactName(title)), of: name, inner))
    }
    let made = Class(name: name, kind: kind, properties: properties)
    if let known = classes.first(where: { ExactName($0.name) == ExactName(name) }) {
      guard known.kind == made.kind, known.properties.elementsEqual(properties, by: Self.isSame) else {
        throw Self.problem(place.text, "describes '\(name)' in another way than before")
      }
      return
    }
    classes.append(made)
  }

  private static func isSame(_ a: Property, _ b: Property) -> Bool {
    ExactName(a.name) == ExactName(b.name) && a.type == b.type && a.attributes == b.attributes
      && a.target.map(ExactName.init) == b.target.map(ExactName.init)
  }

  private mutating func property(
    _ name: String, _ schema: ImportValue, isRequired: Bool, of className: String, _ place: Place
  ) throws(ImportProblem) -> Property {
    guard let word = schema["bsonType"]?.string else { throw Self.problem(place.text + ".bsonType", "is missing, or no text") }
    switch word {
    case "array":
      guard let items = schema["items"] else { throw Self.problem(place.text + ".items", "is missing") }
      let isSet = if case .bool(true)? = schema["uniqueItems"] { true } else { false }
      let inner = Place(text: place.text + ".items", root: place.root, path: place.path + ".[]", depth: place.depth)
      return try element(name, items, isSet ? .set : .list, of: className, inner, relation: place.path)
    case "object" where schema["additionalProperties"] != nil:
      let inner = Place(text: place.text + ".additionalProperties", root: place.root, path: place.path, depth: place.depth)
      return try element(name, schema["additionalProperties"] ?? .null, .dictionary, of: className, inner, relation: place.path)
    default: return try element(name, schema, isRequired ? [] : .nullable, of: className, place, relation: place.path)
    }
  }

  /// A value, or what a collection holds.
  /// - Parameter relation: the path under which a relationship would stand.
  private mutating func element(
    _ name: String, _ schema: ImportValue, _ attributes: ColumnAttributes, of className: String, _ place: Place, relation: String
  ) throws(ImportProblem) -> Property {
    guard let word = schema["bsonType"]?.string else { throw Self.problem(place.text + ".bsonType", "is missing, or no text") }
    if word == "object" {
      let title = schema["title"]?.string ?? "\(className)_\(name)"
      try add(schema, title, .embedded, Place(text: place.text, root: place.root, path: place.path + ".", depth: place.depth))
      return Property(name: name, type: .link, attributes: attributes, target: title)
    }
    if let target = relationships[place.root]?[relation] {
      guard let reference = target["ref"]?.string, let last = reference.split(separator: "/").last else {
        throw Self.problem("$.relationships.\(place.root).\(relation).ref", "is missing, or names no class")
      }
      return Property(name: name, type: .link, attributes: attributes, target: String(last))
    }
    guard let type = JSONSchemaText.type(word) else { throw Self.problem(place.text + ".bsonType", "is '\(word)', which is no type of a property") }
    return Property(name: name, type: type, attributes: attributes, target: nil)
  }

  // MARK: Making

  /// Makes the classes, none of which may exist. A property `_id` becomes the primary key.
  /// - Throws: `ImportProblem`, `StorageError`; cancel the transaction then.
  package func make(in group: Group) throws {
    try group.beginSchema()
    for made in classes {
      if try group.table(named: "class_" + made.name) != nil { throw ImportProblem(reason: "the class '\(made.name)' exists") }
      _ = try group.addTable("class_" + made.name, kind: made.kind)
    }
    for made in classes {
      guard let table = try group.table(named: "class_" + made.name) else { continue }
      let definitions = try made.properties.map { property in
        var definition = ColumnDefinition(property.name, property.type, property.attributes)
        if let name = property.target {
          guard let target = try group.table(named: "class_" + name) else {
            throw ImportProblem(reason: "'\(made.name).\(property.name)' links to '\(name)', which neither the schema nor the file has")
          }
          definition.target = target.key
        }
        return definition
      }
      try table.addColumns(definitions)
      if made.kind != .embedded, let key = made.properties.first(where: { $0.name == "_id" }) {
        guard [.int, .string, .objectID, .uuid].contains(key.type), !key.attributes.contains(.list), !key.attributes.contains(.set) else {
          throw ImportProblem(reason: "'\(made.name)._id' has a type that no primary key has; call the property otherwise")
        }
        try table.setPrimaryKey(table.column(named: "_id").key)
      }
    }
  }
}
