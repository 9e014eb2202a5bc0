import ArgumentParser
import RealmInspection
import RealmStorage

struct CreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Add classes, a property or an index.",
    discussion: "Example: realm create index Dogs.realm Dog name",
    subcommands: [CreateClass.self, CreateClasses.self, CreateProperty.self, CreateIndex.self])
}

struct DropCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Remove a class, a property or an index.",
    discussion: "Example: realm drop property Dogs.realm Dog nickname --dry-run", subcommands: [DropClass.self, DropProperty.self, DropIndex.self])
}

struct CreateClass: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "class", abstract: "Add a class.",
    discussion: "Example: realm create class Dogs.realm Toy id=int name=string? owner=Dog --primary-key id")

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "The name of the class.") var name: String
  @Argument(
    help: "Properties: weight=double, name=string? for optional, tags=[string] for a list, owner=Person for a link; or as 'realm schema' prints them."
  ) var properties: [String] = []
  @Option(help: "The property that is the primary key.") var primaryKey: String?
  @Flag(help: "Objects of the class live inside of others.") var embedded = false
  @Flag(help: "Make the file, which must not exist.") var new = false

  func run() throws {
    try editing.edit(file, isNew: new) { group in
      if name.isEmpty { throw ImportProblem(reason: "a class needs a name") }
      if (try? PropertyText(name).definition(in: group)) != nil {
        throw ImportProblem(reason: "'\(name)' is a property, and the name of the class comes first: realm create class FILE NAME \(name)")
      }
      guard try group.table(named: "class_" + name) == nil else {
        throw ImportProblem(reason: "the class '\(name)' exists; 'realm create property' adds to it")
      }
      try group.beginSchema()
      let table = try group.addTable("class_" + name, kind: embedded ? .embedded : .topLevel)
      try table.addColumns(properties.map { try PropertyText($0).definition(in: group) })
      if let primaryKey { try table.setPrimaryKey(UnknownProperty.column(primaryKey, table).key) }
      return "created the class \(name) with \(properties.count) propert\(properties.count == 1 ? "y" : "ies")"
    }
  }
}

struct CreateClasses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classes", abstract: "Add the classes that a JSON Schema describes.",
    discussion: """
      The schema is what 'realm schema --json-schema' prints, a list of classes, or one class; a property _id becomes the primary key.
      Example: realm create classes Dogs.realm Schema.json
      """)

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "The file with the schema; - for standard input.", completion: .file()) var schema: String
  @Flag(help: "Make the file, which must not exist.") var new = false

  func run() throws {
    var text: [UInt8] = []
    try Command.run(schema) { () throws(StorageError) in
      let input = try InputDescriptor(schema)
      while case let piece = try input.read(), !piece.isEmpty { text += piece }
      return true
    }
    try editing.edit(file, isNew: new) { group in
      guard let document = ImportValue(json: text) else { throw ImportProblem(reason: "\(schema) is no JSON") }
      let classes = try JSONSchemaClasses(document)
      try classes.make(in: group)
      return "created \(classes.names.joined(separator: ", "))"
    }
  }
}

struct CreateProperty: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "property", abstract: "Add a property to a class; objects that are there get null, zero or nothing.",
    discussion: "Example: realm create property Dogs.realm Dog weight=double?")

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "The class.") var className: String
  @Argument(
    help: "The property: weight=double, name=string? for optional, tags=[string] for a list, owner=Person for a link; or as 'realm schema' prints it."
  ) var property: String

  func run() throws {
    try editing.edit(file) { group in
      let table = try Selection.changeable(className, in: group)
      let text = try PropertyText(property)
      try table.addColumn(text.definition(in: group))
      return "created \(className).\(text.name)"
    }
  }
}

/// A property that is there, of a class of a file that is changed.
struct PropertyPlace: ParsableArguments {
  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "The class.") var className: String
  @Argument(help: "The property.") var property: String

  /// `Dog.name`
  var text: String { "\(className).\(property)" }

  /// - Parameter body: returns what is said of the change.
  func edit(_ body: (Table, ColumnDescription) throws -> String) throws {
    try editing.edit(file) { group in
      let table = try Selection.changeable(className, in: group)
      return try body(table, UnknownProperty.column(property, table))
    }
  }
}

struct CreateIndex: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Index a property.", discussion: "Example: realm create index Dogs.realm Dog name")

  @OptionGroup var place: PropertyPlace
  @Flag(help: "For searching words in texts.") var fulltext = false

  func run() throws {
    try place.edit { table, column in
      if fulltext { try table.addFullTextIndex(column.key) } else { try table.addIndex(column.key) }
      return "\(place.text) is indexed"
    }
  }
}

struct DropClass: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "class", abstract: "Remove a class with its objects.", discussion: "Example: realm drop class Dogs.realm Toy --dry-run")

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "The class.") var name: String

  func run() throws {
    try editing.edit(file) { group in
      let table = try Selection.changeable(name, in: group)
      let count = try table.count()
      let links = links(to: table)
      guard links.isEmpty else {
        throw ImportProblem(reason: "\(links.joined(separator: ", ")) \(links.count == 1 ? "links" : "link") to '\(name)'; drop that first")
      }
      try group.removeTable(table.key)
      return "dropped the class \(name) with \(NumberText.count(count, "object"))"
    }
  }
}

extension DropClass {
  /// Properties of other classes whose target a class is.
  private func links(to table: Table) -> [String] {
    table.backlinkColumns.compactMap { column in
      // Files of other engines keep those of properties that are gone (F4.4). Mixed properties may link to every class.
      guard column.oppositeTable != table.key, let origin = try? table.group.table(column.oppositeTable),
        let property = try? origin.column(column.oppositeColumn), property.type == .link
      else { return nil }
      return "\(SchemaText.className(origin.state.name)).\(SchemaNames.text(property.name))"
    }
  }
}

struct DropProperty: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "property", abstract: "Remove a property with its values.", discussion: "Example: realm drop property Dogs.realm Dog nickname")

  @OptionGroup var place: PropertyPlace

  func run() throws {
    try place.edit { table, column in
      let isKey = column.key == table.primaryKeyColumn?.key
      if isKey { try table.setPrimaryKey(nil) }
      try table.removeColumn(column.key)
      let count = NumberText.count(try table.count(), "object")
      return "dropped \(place.text) of \(count)" + (isKey ? "; the class has no primary key any more" : "")
    }
  }
}

struct DropIndex: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Remove the index of a property.", discussion: "Example: realm drop index Dogs.realm Dog name")

  @OptionGroup var place: PropertyPlace

  func run() throws {
    try place.edit { table, column in
      let isKey = column.key == table.primaryKeyColumn?.key
      if isKey && column.specAttributes.isDisjoint(with: [.indexed, .fullTextIndexed]) {
        throw ImportProblem(reason: "'\(place.text)' is the primary key, which always has an index")
      }
      if column.indexRef.isNull { throw ImportProblem(reason: "'\(place.text)' has no index") }
      try table.removeIndex(column.key)
      return "dropped the index of \(place.text)" + (isKey ? "; that of the primary key stays" : "")
    }
  }
}
