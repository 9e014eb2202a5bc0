import Foundation
import RealmInspection
import RealmQuery
import RealmStorage

// Objects from CSV and JSON, looked at before they are stored.

extension StudioService {
  private static let sampleCount = 8
  private static let problemLimit = 20

  /// `class`, `format`, `preview`, `update`, `key` of a new class; the body is the file.
  func importFile(_ request: StudioRequest) throws -> StudioJSON {
    let query = request.query
    let className = try Self.text("class", query)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("realm-studio-\(UUID().uuidString)").path
    guard FileManager.default.createFile(atPath: path, contents: Data(request.body), attributes: [.posixPermissions: 0o600]) else {
      throw StudioProblem("No temporary file could be made.", status: 500)
    }
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = ImportCursor.Options()
    guard let format = ImportCursor.Format(rawValue: query["format"] ?? "csv") else {
      throw StudioProblem("'\(query["format"] ?? "")' is no format: csv, json or jsonl.", status: 400)
    }
    options.format = format
    let cursor = try ImportCursor(ImportSource(path: path), options)
    try Self.checkIsOneClass(cursor)
    // A class that exists keeps its types.
    let known = try live().opened().importTarget(className).map { ImportInference.known(Array($0.publicColumns)) } ?? [:]
    let inference = try ImportInference(cursor, firstLine: 1, skipped: 0, types: [:], known: known, slashes: nil) {}
    var wishes = Importer.Options(className: className)
    wishes.updates = query["update"] == "1"
    wishes.primaryKey = query["key"].flatMap { $0.isEmpty ? nil : $0 }
    let importer = try Importer(inference, options: wishes)
    if query["preview"] == "1" { return try preview(importer, inference, cursor, className) }
    guard inference.bad.isEmpty else {
      throw StudioProblem(
        "\(NumberText.count(inference.bad.count, "row is none", "rows are none")); nothing was imported.",
        details: [("bad", Self.problems(inference))])
    }
    var isUndoable = true
    var notes: [String] = []
    let (tally, edit) = try change("import into \(className)") { editor in
      let hadClass = try editor.group.table(named: "class_" + className) != nil
      let table: Table
      (table, notes, _) = try importer.prepare(editor.group)
      isUndoable = hadClass && !wishes.updates
      var tally = ImportTally(updates: wishes.updates)
      try store(importer, cursor, table, editor, &tally)
      return tally
    }
    if isUndoable, let edit { undo.add(edit) } else { undo.forget() }
    return [
      "created": StudioJSON(tally.createdCount), "changed": StudioJSON(tally.changedCount), "undoable": .bool(isUndoable && edit != nil),
      "edits": undo.description,
      "notes":
        .array((notes + importer.conversions.lines + [tally.note].compactMap(\.self)).map { .text($0) }),
    ]
  }

  /// Refuses exports that would be taken for objects with the names of classes as properties.
  private static func checkIsOneClass(_ cursor: ImportCursor) throws {
    guard try DocumentImporter(cursor) == nil else {
      throw StudioProblem("This is an export of several classes with their schema; 'realm import' makes a file of it.")
    }
    if DocumentImporter.isLossless(cursor) { throw StudioProblem("This is an export in the lossless form, which is not imported.") }
    try cursor.rewind()
  }

  private func store(_ importer: Importer, _ cursor: ImportCursor, _ table: Table, _ editor: Editor, _ tally: inout ImportTally) throws {
    try cursor.rewind()
    var refused: [(line: Int, reason: String)] = []
    let bound = try table.hasPrimaryKey ? nil : table.nextKeyBound()
    while try cursor.next() {
      switch try importer.store(cursor, in: table) {
      case .created(let object): tally.add(object, of: table, isNew: true, line: cursor.line)
      case .changed(let object): tally.add(object, of: table, isNew: false, line: cursor.line)
      case .refused(let reason): refused.append((cursor.line, cursor.placeInLine + reason))
      }
      if refused.count > Self.problemLimit { break }
    }
    guard refused.isEmpty else {
      throw StudioProblem("Some rows do not fit; nothing was imported.", details: [("bad", Self.problems(refused))])
    }
    try note(tally.createdCount, table, bound, editor)
  }

  /// The objects that are new.
  private func note(_ created: Int, _ table: Table, _ bound: ObjectKey?, _ editor: Editor) throws {
    guard created <= Editor.limit else {
      for number in 0...Editor.limit + 1 { editor.didCreate(table, ObjectKey(Int64(number))) }
      return
    }
    // What the page shows may be older than what the transaction began with.
    for key in try table.keys() where try bound.map({ key >= $0 }) ?? !editor.existed(table, key) { editor.didCreate(table, key) }
  }

  private static func problems(_ inference: ImportInference) -> StudioJSON {
    problems(inference.bad.prefix(problemLimit).map { ($0.line, $0.problem.reason) })
  }

  private static func problems(_ bad: [(line: Int, reason: String)]) -> StudioJSON {
    .array(bad.prefix(problemLimit).map { ["line": StudioJSON($0.line), "reason": .text($0.reason)] })
  }

  /// What would become of the input.
  private func preview(_ importer: Importer, _ inference: ImportInference, _ cursor: ImportCursor, _ className: String) throws -> StudioJSON {
    try cursor.rewind()
    var rows: [StudioJSON] = []
    while rows.count < Self.sampleCount, try cursor.next() {
      if cursor.problem != nil { continue }
      let members: [(name: String, value: ImportValue)] = cursor.members
      let shown = importer.fields.map { field in
        StudioJSON(members.first { ExactName($0.name) == ExactName(field.name) }.map { Self.shown($0.value) } ?? nil)
      }
      rows.append(.array(shown))
    }
    let table = try live().opened().importTarget(className)
    let fields = importer.fields.map { field -> StudioJSON in
      let column = table?.publicColumns.first { $0.name.elementsEqual(field.name.utf8) }
      return [
        "name": .text(field.name), "type": .text(field.type.text), "optional": .bool(field.isOptional),
        "existing": StudioJSON(column.map { TypeWords.word($0.type) }),
      ]
    }
    return [
      "rows": StudioJSON(inference.rowCount), "newClass": .bool(table == nil), "fields": .array(fields), "sample": .array(rows),
      "notes": .array(inference.notes.map { .text($0) }), "bad": Self.problems(inference), "badCount": StudioJSON(inference.bad.count),
    ]
  }

  private static func shown(_ value: ImportValue) -> String? {
    switch value {
    case .null: nil
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let bytes), .text(let bytes): String(String(decoding: bytes, as: UTF8.self).prefix(80))
    case .array(let elements): "[\(elements.prefix(5).map { shown($0) ?? "null" }.joined(separator: ", "))\(elements.count > 5 ? ", …" : "")]"
    case .object(let members): "{\(members.prefix(5).map { "\($0.name): \(shown($0.value) ?? "null")" }.joined(separator: ", "))}"
    }
  }
}
