import RealmQuery
package import RealmStorage

/// Brings an export of several classes, which says what they are, into a database.
package struct DocumentImporter {
  private let cursor: ImportCursor
  /// Objects whose primary key exists are changed instead of refused.
  private let updates: Bool
  /// What became of values that are not what the schema says.
  package let conversions = ConversionNotes()

  /// - Returns: nil if the input is no such export.
  package init?(_ cursor: ImportCursor, updates: Bool = false) throws(ImportError) {
    guard cursor.options.format != .csv, try cursor.next(), cursor.problem == nil else { return nil }
    guard cursor.isSchema || DocumentImporter.schema(cursor.value) != nil else { return nil }
    (self.cursor, self.updates) = (cursor, updates)
  }

  /// Whether the first row, which was read, is of an export that shows every bit, of the whole file or one object a line.
  package static func isLossless(_ cursor: ImportCursor) -> Bool {
    if cursor.options.format == .csv { return false }
    if cursor.className == "fileFormat" { return true }
    guard case .object(let members) = cursor.value else { return false }
    return members.count == 3 && ["table", "key", "values"].allSatisfy { cursor.value[$0] != nil }
  }

  /// Of other JSON that has a member of this name it is an address.
  private static func schema(_ value: ImportValue) -> ImportValue? {
    guard let schema = value["$schema"], case .object = schema else { return nil }
    return schema
  }

  /// Stores everything: the classes, then an object for each row, then what is in them, so that links find their targets. A file that has a version of
  /// its schema keeps it: programs know that file by it.
  /// - Parameter keepsGoing: called now and then; what it throws ends the work.
  /// - Returns: how many objects of classes were made and changed, and the rows that do not fit.
  package func store(
    in group: Group, keepsGoing: (_ pass: Int) throws(StorageError) -> Void
  ) throws(ImportError) -> (tally: ImportTally, bad: [(line: Int, reason: String)]) {
    try cursor.rewind()
    _ = try cursor.next()
    let schema = cursor.isSchema ? cursor.value : DocumentImporter.schema(cursor.value) ?? cursor.value
    let tables = try PlainSchema.make(schema, in: group, notes: conversions)
    let keptVersion = try schemaVersion(of: group)
    var bad: [(line: Int, reason: String)] = []
    // Lines of rows that have no object.
    var badLines: Set<Int> = []
    var tally = ImportTally(updates: updates)
    do {
      try forEachRow({ () throws(StorageError) in try keepsGoing(0) }) { (line, problem) in
        func refuse(_ reason: String) {
          bad.append((line, reason))
          badLines.insert(line)
        }
        if let problem { return refuse(problem) }
        guard let table = try table(group, tables) else { return refuse(cursor.placeInLine + "belongs to no class of the schema") }
        if let keptVersion, Group.holdsSchemaVersion(table) { return noteVersion(keptVersion) }
        switch try create(in: table) {
        case .created(let object): if TableName(table.state.name).isClass { tally.add(object, of: table, isNew: true, line: line) }
        case .changed(let object): tally.add(object, of: table, isNew: false, line: line)
        case .refused(let reason): refuse(cursor.placeInLine + reason)
        }
      }
      try cursor.rewind()
      _ = try cursor.next()
      try forEachRow({ () throws(StorageError) in try keepsGoing(1) }) { (line, _) in
        guard !badLines.contains(line), let table = try table(group, tables) else { return }
        if keptVersion != nil && Group.holdsSchemaVersion(table) { return }
        if let problem = try fill(in: table) { bad.append((line, cursor.placeInLine + problem)) }
      }
    } catch let error as StorageError { throw .storage(error) } catch let error as ImportError { throw error } catch {
      throw .input(ImportProblem(reason: "\(error)"))
    }
    return (tally, bad)
  }

  private func forEachRow(_ keepsGoing: () throws(StorageError) -> Void, _ body: (_ line: Int, _ problem: String?) throws -> Void) throws {
    while try cursor.next() {
      if cursor.isTimeToAsk() { try keepsGoing() }
      try body(cursor.line, cursor.problem?.text)
    }
  }

  private func table(_ group: Group, _ tables: [ExactName: TableKey]) throws(StorageError) -> Table? {
    guard let name = cursor.className else { return nil }
    if let key = tables[ExactName(name)] { return try group.table(key) }
    return try Preparation.table(named: name, group)
  }

  /// Nil if the file has none.
  private func schemaVersion(of group: Group) throws(ImportError) -> UInt64? {
    do throws(StorageError) {
      let version = try group.schemaVersion()
      return version == Group.noSchemaVersion ? nil : version
    } catch { throw .storage(error) }
  }

  private func noteVersion(_ kept: UInt64) {
    guard case .integer(let number)? = cursor.value["version"], UInt64(bitPattern: number) != kept else { return }
    conversions.line = cursor.line
    conversions.enter("metadata")
    defer { conversions.leave() }
    conversions.add("version", "\(number)", "is not taken over: the version of the file's schema stays \(kept)")
  }

  private func create(in table: Table) throws(StorageError) -> Importer.Outcome {
    guard table.kind != .embedded else { return .refused("is an object of an embedded class, which lives inside of others") }
    if let column = table.primaryKeyColumn {
      guard let key = primaryKey(column, table) else { return .refused("has no primary key '\(SchemaNames.text(column.name))'") }
      let (object, isNew) = try table.findOrCreateObject(primaryKey: key)
      if isNew { return .created(object) }
      return updates ? .changed(object) : .refused(Importer.textOfExisting(key.queryText))
    }
    guard case .integer(let number)? = cursor.value["$key"] else { return .refused("has neither a primary key nor a $key") }
    guard number >= 0, try !table.contains(ObjectKey(number)) else {
      // Another object may have got it.
      let hint = updates ? "; --update changes no objects of classes without primary key" : ""
      return .refused("its $key \(number) is in use\(hint)")
    }
    try table.createObject(withKey: ObjectKey(number))
    return .created(ObjectKey(number))
  }

  private func primaryKey(_ column: ColumnDescription, _ table: Table) -> Value? {
    guard let written = cursor.value[MemberName.of(SchemaNames.text(column.name))] else { return nil }
    do throws(ImportProblem) {
      if case .value(let value) = try Preparation(table.group).prepare(written, column) { return value }
    } catch { return nil }
    return nil
  }

  private func fill(in table: Table) throws(StorageError) -> String? {
    guard case .object(let members) = cursor.value else { return nil }
    do {
      let preparation = Preparation(table.group, notes: conversions)
      let key: ObjectKey
      if let column = table.primaryKeyColumn {
        guard let value = primaryKey(column, table), let found = try table.find(primaryKey: value) else { return "its object is gone" }
        key = found
      } else if let written = cursor.value["$key"] {
        key = try preparation.object(written, in: table)
      } else {
        return "has neither a primary key nor a $key"
      }
      conversions.line = cursor.line
      let values = members.filter { $0.name != "$class" && $0.name != "$key" }
      try table.store(key, preparation.fields(values, of: table), notes: conversions)
      return nil
    } catch let error as ImportProblem { return error.reason } catch let error as StorageError { throw error } catch { return "\(error)" }
  }
}
