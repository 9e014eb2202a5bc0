import RealmStorage

/// What classes are, as exports of several classes say it and imports read it:
/// `{"Dog": {"primaryKey": "id", "properties": {"name": {"type": "string", "optional": true}}}}`.
package enum PlainSchema {
  /// The name of a class, or of a table that is none. A class with the name of such a table, `metadata`, is written by that of its own table,
  /// `class_metadata`, as if it were none.
  static func name(_ table: TableDescription, _ index: TableIndex) -> String {
    isTable(table, index) ? SchemaNames.text(table.name) : SchemaText.className(table.name)
  }

  /// Whether a table is written by its own name, not that of its class.
  private static func isTable(_ table: TableDescription, _ index: TableIndex) -> Bool {
    guard SchemaText.isClass(table.name) else { return true }
    let name = table.name.dropFirst("class_".utf8.count)
    return index.tables.contains { !SchemaText.isClass($0.name) && $0.name.elementsEqual(name) }
  }

  static func append(_ tables: [TableDescription], _ index: TableIndex, to output: inout [UInt8]) {
    func add(_ text: String) { output.append(contentsOf: text.utf8) }
    func addString(_ text: String) { CanonicalJSON.appendString(Array(text.utf8), to: &output) }
    add("{")
    for (position, table) in tables.enumerated() {
      add(position > 0 ? "," : "")
      addString(name(table, index))
      add(":{")
      if isTable(table, index) { add("\"table\":true,") }
      if table.kind != .topLevel { add("\"kind\":\"\(table.kind == .embedded ? "embedded" : "asymmetric")\",") }
      if let column = table.primaryKeyColumn {
        add("\"primaryKey\":")
        addString(SchemaNames.text(column.name))
        add(",")
      }
      add("\"properties\":{")
      for (position, column) in table.publicColumns.enumerated() {
        add(position > 0 ? "," : "")
        addString(SchemaNames.text(column.name))
        add(":")
        appendProperty(column, isPrimaryKey: column.key == table.primaryKeyColumn?.key, index, to: &output)
      }
      add("}}")
    }
    add("}")
  }

  /// `{"type": "string", "optional": true}`.
  static func appendProperty(_ column: ColumnDescription, isPrimaryKey: Bool, _ index: TableIndex, to output: inout [UInt8]) {
    func add(_ text: String) { output.append(contentsOf: text.utf8) }
    add("{\"type\":\"\(TypeWords.word(column.type))\"")
    if column.isNullable && column.type != .link && column.type != .mixed { add(",\"optional\":true") }
    if column.isList { add(",\"collection\":\"list\"") }
    if column.isSet { add(",\"collection\":\"set\"") }
    if column.isDictionary { add(",\"collection\":\"dictionary\"") }
    if column.isDictionary && column.hasIntegerKeys { add(",\"keys\":\"int\"") }
    if column.type == .link, let target = index.table(column.oppositeTable) {
      add(",\"target\":")
      CanonicalJSON.appendString(Array(name(target, index).utf8), to: &output)
    }
    // The key has an index anyway, and no collection has one.
    if column.attributes.contains(.indexed), !isPrimaryKey, !column.isCollection { add(",\"indexed\":true") }
    if column.specAttributes.contains(.fullTextIndexed) { add(",\"fulltext\":true") }
    add("}")
  }

  // MARK: Reading

  private struct Property {
    let name: String
    var definition: ColumnDefinition
    let target: String?
    let isIndexed: Bool
    let isFullText: Bool
  }

  /// Makes the classes that a document describes. Those that exist must have their primary keys, by which links are written, and their properties,
  /// or get them.
  /// - Parameter notes: is told of what properties cannot be as the document says.
  /// - Returns: the tables by the names that the document gives them.
  /// - Throws: `ImportError`.
  static func make(_ schema: ImportValue, in group: Group, notes: ConversionNotes) throws(ImportError) -> [ExactName: TableKey] {
    guard case .object(let classes) = schema else { throw .input(ImportProblem(reason: "the schema is no object")) }
    do {
      var tables: [ExactName: TableKey] = [:]
      var new: Set<TableKey> = []
      for (name, description) in classes { try check(name, description) }
      for (name, description) in classes {
        let tableName = (isTrue(description["table"]) ? "" : "class_") + name
        let kind: TableKind =
          description["kind"]?.string == "embedded" ? .embedded : description["kind"]?.string == "asymmetric" ? .asymmetric : .topLevel
        if let known = try group.table(named: tableName) {
          guard known.kind == kind else { throw ImportProblem(reason: "'\(name)' exists and is of another kind") }
          tables[ExactName(name)] = known.key
        } else {
          let table = try group.addTable(tableName, kind: kind)
          new.insert(table.key)
          tables[ExactName(name)] = table.key
        }
      }
      for (name, description) in classes {
        notes.enter(name)
        defer { notes.leave() }
        try complete(name, description, group, tables, new, notes)
      }
      return tables
    } catch let error as StorageError { throw .storage(error) } catch let error as ImportProblem { throw .input(error) } catch {
      throw .input(ImportProblem(reason: "\(error)"))
    }
  }

  private static func isTrue(_ value: ImportValue?) -> Bool { if case .bool(true)? = value { true } else { false } }

  private static func complete(
    _ name: String, _ description: ImportValue, _ group: Group, _ tables: [ExactName: TableKey], _ new: Set<TableKey>,
    _ notes: ConversionNotes
  ) throws {
    guard let key = tables[ExactName(name)], case .object(let properties)? = description["properties"] else {
      throw ImportProblem(reason: "the schema says nothing of the properties of '\(name)'")
    }
    let table = try group.table(key)
    let primaryKey = description["primaryKey"]?.string
    if !new.contains(table.key), table.primaryKeyColumn?.name != primaryKey.map({ Array($0.utf8) }) {
      let known = table.primaryKeyColumn.map { "primary key '\(SchemaNames.text($0.name))'" } ?? "no primary key"
      throw ImportProblem(reason: "'\(name)' exists with \(known), and the export has \(primaryKey.map { "'\($0)'" } ?? "none")")
    }
    var known = ColumnFinder(table)
    var added: [Property] = []
    for (propertyName, encoded) in properties {
      var property = try property(propertyName, encoded, of: name)
      if encoded["keys"]?.string == "int" {
        notes.enter(propertyName)
        notes.add("keys", "its integer keys", "become texts, as no SDK writes others")
        notes.leave()
      }
      if let target = property.target {
        guard let key = try tables[ExactName(target)] ?? Preparation.table(named: target, group)?.key else {
          throw ImportProblem(reason: "the schema lacks the class '\(target)'")
        }
        property.definition.target = key
      }
      let definition = property.definition
      if let known = known.column(propertyName) {
        let collection = known.attributes.intersection(.collection)
        let isSame = known.type == definition.type && collection == definition.attributes.intersection(.collection)
        guard isSame else { throw ImportProblem(reason: "'\(name)' exists, and its property '\(propertyName)' has another type") }
        guard known.type != .link || known.oppositeTable == definition.target else {
          throw ImportProblem(reason: "'\(name)' exists, and its property '\(propertyName)' links to another class")
        }
        continue
      }
      added.append(property)
    }
    for (key, property) in try zip(table.addColumns(added.map(\.definition)), added) {
      if property.isIndexed && primaryKey != property.definition.name { try table.addIndex(key) }
      if property.isFullText { try table.addFullTextIndex(key) }
    }
    if let primaryKey, !table.hasPrimaryKey { try table.setPrimaryKey(table.column(named: primaryKey).key) }
  }

  private static func property(_ name: String, _ encoded: ImportValue, of className: String) throws(ImportProblem) -> Property {
    let target = encoded["target"]?.string
    guard let word = encoded["type"]?.string, let type = word == "link" ? .link : TypeWords.type(word) else {
      throw ImportProblem(reason: "the schema gives '\(className).\(name)' no type that is known (link \(TypeWords.all))")
    }
    var attributes: ColumnAttributes = isTrue(encoded["optional"]) || type == .mixed ? .nullable : []
    switch encoded["collection"]?.string {
    case "list": attributes.insert(.list)
    case "set": attributes.insert(.set)
    case "dictionary": attributes.insert(.dictionary)
    default: break
    }
    return Property(
      name: name, definition: ColumnDefinition(name, type, attributes), target: target, isIndexed: isTrue(encoded["indexed"]),
      isFullText: isTrue(encoded["fulltext"]))
  }
}
