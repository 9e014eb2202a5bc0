import RealmInspection
import RealmQuery
import RealmStorage

// Changes: each is one transaction, and can be taken back.

extension StudioService {
  /// Runs `body` in a transaction.
  /// - Returns: what `body` does, and whether it can be taken back.
  func change<Result>(_ title: String, _ body: (Editor) throws -> Result) throws -> (result: Result, edit: Edit?) {
    let live = try live()
    guard live.isWritable else {
      throw StudioProblem(
        live.needsUpgrade ? "The file has an older format; upgrade it first." : live.readOnlyReason ?? "Realm Studio shows this file read-only.",
        status: 403)
    }
    let transaction = try waitingForOthers { try live.database.beginWrite() }
    var isOver = false
    defer { if !isOver { transaction.cancel() } }
    guard live.database.isAtItsPath else {
      throw StudioProblem(
        "'\(path)' is another file now, or none: somebody has moved it, or put another one in its place. Nothing was changed; start Realm Studio anew.",
        status: 409)
    }
    let editor = Editor(try transaction.openGroup(), base: try OpenFile(live.database))
    let result = try body(editor)
    guard let read = try transaction.commitAndRead(editor.group) else { throw StudioProblem("The transaction was not committed.", status: 500) }
    isOver = true
    let edit = try editor.edit(title, in: OpenFile(live.database, at: Snapshot(read)))
    live.advanceNow()
    return (result, edit)
  }

  /// Says what `body` waited for in vain.
  func waitingForOthers<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch StorageError.fileInUse {
      throw StudioProblem(
        "Another program is in a write transaction and does not end it. Nothing was changed; try again when it has ended.", status: 409)
    }
  }

  /// As `change`, for an edit of the user's.
  private func edit(_ title: String, _ body: (Editor) throws -> [(name: String, value: StudioJSON)]) throws -> StudioJSON {
    let (members, edit) = try change(title, body)
    if let edit { undo.add(edit) } else { undo.forget() }
    return .object([("done", true), ("undoable", .bool(edit != nil)), ("edits", undo.description)] + members)
  }

  // MARK: What pages ask for

  /// `{"class", "key", "set": [{"name", "text" | "json" | "null" | "link"}], "expected": {name: json}}`; text is read as the type of the property.
  func setProperties(_ body: ImportValue) throws -> StudioJSON {
    let className = try Self.text("class", body)
    guard let number = body["key"]?.int64 else { throw StudioProblem("The request lacks 'key'.", status: 400) }
    let key = ObjectKey(number)
    let assignments = body["set"]?.elements ?? []
    if assignments.isEmpty { throw StudioProblem("Nothing is set.", status: 400) }
    let names = try assignments.map { try Self.text("name", $0) }
    return try edit("set \(names.joined(separator: ", ")) of \(className) #\(number)") { editor in
      let table = try Self.table(className, editor.group)
      guard try table.contains(key) else { throw Self.gone(className, key) }
      if let column = table.primaryKeyColumn, names.contains(where: { column.name.elementsEqual($0.utf8) }) {
        throw StudioProblem("'\(SchemaNames.text(column.name))' is the primary key, which never changes; add another object and delete this one.")
      }
      try checkExpected(body["expected"], table, key, editor)
      try editor.willChange(table, key, Set(names.map(ExactName.init)))
      var members: [(name: String, value: ImportValue)] = []
      for (name, assignment) in zip(names, assignments) {
        members.append((MemberName.of(name), try value(assignment, table.column(named: name), editor.group)))
      }
      let notes = ConversionNotes()
      try table.store(key, Preparation(editor.group, notes: notes).fields(members, of: table), notes: notes)
      return [Self.member(notes)]
    }
  }

  /// What the user has to know of values that became others.
  private static func member(_ notes: ConversionNotes) -> (name: String, value: StudioJSON) { ("notes", .array(notes.lines.map { .text($0) })) }

  private static func gone(_ className: String, _ key: ObjectKey) -> StudioProblem {
    StudioProblem("\(className) #\(key.rawValue) was deleted by somebody else.", status: 409, details: [("conflict", true)])
  }

  /// Refuses to overwrite what the user has not seen.
  private func checkExpected(_ expected: ImportValue?, _ table: Table, _ key: ObjectKey, _ editor: Editor) throws {
    guard case .object(let members)? = expected else { return }
    let current = try texts(of: key, table, OpenFile(live().database))
    for (column, text) in zip(table.publicColumns, current) {
      let name = SchemaNames.text(column.name)
      guard let seen = members.first(where: { ExactName($0.name) == ExactName(name) })?.value.string, Array(seen.utf8) != text else { continue }
      let now = String(decoding: text.prefix(200), as: UTF8.self)
      throw StudioProblem(
        "Somebody else has changed '\(name)' meanwhile: it is \(now) now. Nothing was overwritten.", status: 409,
        details: [("conflict", true), ("property", .text(name)), ("current", .text(String(decoding: text, as: UTF8.self)))])
    }
  }

  /// What a property is to become.
  private func value(_ assignment: ImportValue, _ column: ColumnDescription, _ group: Group) throws -> ImportValue {
    if assignment["null"]?.isTrue == true { return .null }
    if let number = assignment["link"]?.int64 { return try identity(ObjectKey(number), column, group) }
    if let json = assignment["json"]?.string {
      do { return try ImportValue(checking: Array(json.utf8)) } catch {
        throw StudioProblem("'\(SchemaNames.text(column.name))': this is no JSON: \(error.reason).")
      }
    }
    guard let text = assignment["text"] else { throw StudioProblem("Nothing is set.", status: 400) }
    switch column.type {
    // What is typed is JSON if it can be, as in the command-line tool: of a number is not said that it was a text.
    case .int, .bool, .float, .double, .decimal, .mixed: return text.string.flatMap { ImportValue(json: Array($0.utf8)) } ?? text
    default: return text
    }
  }

  /// How an object is named in JSON whatever its primary key is.
  private func identity(_ key: ObjectKey, _ column: ColumnDescription, _ group: Group) throws -> ImportValue {
    guard column.type == .link else { throw StudioProblem("'\(SchemaNames.text(column.name))' is no link.") }
    let target = try group.table(column.oppositeTable)
    guard try target.contains(key) else { throw StudioProblem("There is no such object to link to.") }
    let name = ImportValue.text(target.state.name)
    return .object([("$link", .object([("table", name), ("key", .integer(key.rawValue))]))])
  }

  /// `{"class", "values": [{"name", …}]}`.
  func insert(_ body: ImportValue) throws -> StudioJSON {
    let className = try Self.text("class", body)
    return try edit("add to \(className)") { editor in
      let table = try Self.table(className, editor.group)
      guard table.kind == .topLevel else {
        throw StudioProblem("Objects of '\(className)' live inside of others; edit the property that holds them.")
      }
      var members: [(name: String, value: ImportValue)] = []
      for assignment in body["values"]?.elements ?? [] {
        let name = try Self.text("name", assignment)
        members.append((MemberName.of(name), try value(assignment, table.column(named: name), editor.group)))
      }
      let notes = ConversionNotes()
      let key = try create(members, table, notes)
      editor.didCreate(table, key)
      return [("key", StudioJSON(key)), Self.member(notes)]
    }
  }

  private func create(_ members: [(name: String, value: ImportValue)], _ table: Table, _ notes: ConversionNotes) throws -> ObjectKey {
    let fields = try Preparation(table.group, notes: notes).fields(members, of: table)
    guard let column = table.primaryKeyColumn else {
      let key = try table.createObject()
      try table.store(key, fields, notes: notes)
      return key
    }
    let name = SchemaNames.text(column.name)
    guard case .value(let primary)? = fields.first(where: { $0.column.key == column.key })?.value else {
      throw StudioProblem("The object needs a value for its primary key '\(name)'.")
    }
    let (key, isNew) = try table.findOrCreateObject(primaryKey: primary)
    guard isNew else { throw StudioProblem("An object with the primary key \(CellPrinter.text(primary)) exists.") }
    try table.store(key, fields, notes: notes)
    return key
  }

  /// `{"class", "keys": […]}`, or `{"class", "q", "count"}` for all that a query selects, if they are as many as the user was told.
  func delete(_ body: ImportValue) throws -> StudioJSON {
    let className = try Self.text("class", body)
    let listed = try (body["keys"]?.elements ?? []).map { (element) throws(StudioProblem) in
      guard let key = element.int64 else { throw StudioProblem("'keys' holds something that is no object key.") }
      return ObjectKey(key)
    }
    return try edit("delete from \(className)") { editor in
      let table = try Self.table(className, editor.group)
      guard table.kind != .embedded else { throw StudioProblem("Objects of '\(className)' are deleted with the property that holds them.") }
      var keys = listed
      if let text = body["q"]?.string {
        let selection = ResultCache.Key(className: className, text: text, sort: nil, isAscending: true)
        keys = try ResultCache.plan(selection, in: editor.group)?.execute() ?? []
        guard body["count"]?.int64 == Int64(keys.count) else {
          throw StudioProblem(
            "The query selects \(NumberText.count(keys.count, "object")) by now; look again before you delete them.", status: 409,
            details: [("conflict", true)])
        }
      }
      if keys.isEmpty { throw StudioProblem("There is no object to delete.") }
      for key in keys where !(try table.contains(key)) { throw Self.gone(className, key) }
      for key in keys {
        if editor.isTooLong { break }
        try editor.willDelete(table, key)
      }
      try table.remove(keys)
      return [("deleted", StudioJSON(keys.count))]
    }
  }

  // MARK: Undo

  func takeBack() throws -> StudioJSON {
    guard let last = undo.last else { throw StudioProblem("There is nothing to take back.") }
    let (_, edit) = try change(last.title) { try $0.apply(last.reversed) }
    _ = edit
    undo.didUndo()
    return ["done": true, "title": .text(last.title), "edits": undo.description]
  }

  func repeatEdit() throws -> StudioJSON {
    guard let next = undo.next else { throw StudioProblem("There is nothing to do again.") }
    _ = try change(next.title) { try $0.apply(next) }
    undo.didRedo()
    return ["done": true, "title": .text(next.title), "edits": undo.description]
  }
}
