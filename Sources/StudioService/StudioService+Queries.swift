import Foundation
import RealmInspection
import RealmQuery
import RealmStorage

// Queries: what is wrong with one, how it is answered, sums and groups, exports.

extension StudioService {
  /// Whether a query is one; the error says where not.
  func check(_ query: [String: String]) throws -> StudioJSON {
    let live = try live()
    let snapshot = try live.current()
    _ = try ResultCache.plan(Self.selection(query), in: snapshot.openGroup())
    withExtendedLifetime(snapshot) {}
    return ["sound": true]
  }

  func explain(_ query: [String: String]) throws -> StudioJSON {
    let live = try live()
    let snapshot = try live.current()
    guard let plan = try ResultCache.plan(Self.selection(query), in: snapshot.openGroup()) else {
      throw StudioProblem("There is no such class.", status: 404)
    }
    let explanation = try plan.explain()
    withExtendedLifetime(snapshot) {}
    let steps = explanation.steps.map { step -> StudioJSON in
      [
        "text": .text(step.text), "in": StudioJSON(step.rowsIn), "out": StudioJSON(step.rowsOut), "leaves": StudioJSON(step.leafCount),
        "microseconds": .fraction(Double(step.nanoseconds / 100) / 10), "index": .bool(step.text.hasPrefix("index of")),
      ]
    }
    return ["objects": StudioJSON(explanation.objectCount), "selected": StudioJSON(explanation.resultCount), "steps": .array(steps)]
  }

  private static let groupLimit = 1000

  /// `by`: names of properties; `functions`: such as `sum:age`.
  func groups(_ query: [String: String]) throws -> StudioJSON {
    let live = try live()
    let snapshot = try live.current()
    guard let plan = try ResultCache.plan(Self.selection(query), in: snapshot.openGroup()) else {
      throw StudioProblem("There is no such class.", status: 404)
    }
    func names(_ member: String) -> [String] { (query[member] ?? "").split(separator: "\u{1F}").map(String.init) }
    let table = plan.table
    var columns: [ColumnDescription] = []
    for name in names("by") {
      let column = try table.column(named: name)
      if column.isCollection { throw StudioProblem("'\(name)' holds several values; objects are grouped by properties with one.") }
      columns.append(column)
    }
    var wanted: [(function: AggregateFunction, column: ColumnDescription)] = []
    var titles = names("by") + ["count"]
    for text in names("functions") {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2, let function = Self.functions[parts[0]] else { throw StudioProblem("'\(text)' is no function of a property.") }
      let column = try table.column(named: parts[1])
      guard !column.isCollection, PropertyAggregate(table, column).supports(function) else {
        throw StudioProblem("'\(parts[1])' has no \(parts[0]): choose a property of numbers.")
      }
      wanted.append((function, column))
      titles.append("\(parts[0]) of \(parts[1])")
    }
    let groups = try plan.grouped(by: columns, wanted, exactly: true)
    if let position = GroupRows.firstOfCollections(groups, columns.count) {
      let name = SchemaNames.text(columns[position].name)
      throw StudioProblem(
        "'\(name)' holds lists or dictionaries, by which objects are not grouped: choose the others with \(name).@type != \"collection\".")
    }
    let printer = CellPrinter(table.group)
    var rows: [StudioJSON] = []
    for group in groups.prefix(Self.groupLimit) {
      var cells: [StudioJSON] = []
      for (value, column) in zip(group.values, columns) { cells.append(try printer.element(value, column)) }
      cells.append(StudioJSON(group.count))
      for (value, (function, column)) in zip(group.aggregates, wanted) {
        // One of the values, with its type, or a number that was computed.
        let isValue = column.type == .mixed && (function == .min || function == .max)
        cells.append(isValue ? try printer.element(value, column) : .text(CellPrinter.text(GroupRows.shown(value))))
      }
      rows.append(.array(cells))
    }
    withExtendedLifetime(snapshot) {}
    return ["titles": .array(titles.map { .text($0) }), "rows": .array(rows), "total": StudioJSON(groups.count)]
  }

  private static let functions: [String: AggregateFunction] = ["sum": .sum, "min": .min, "max": .max, "average": .average]

  // MARK: Export

  /// A selection as `csv`, `json` or `jsonl`, in a temporary file: it may be longer than memory.
  func export(_ query: [String: String]) throws -> StudioAnswer {
    let live = try live()
    let snapshot = try live.current()
    let opened = try OpenFile(live.database, at: snapshot)
    let selection = try Self.selection(query)
    let (table, selected) = try select(selection, live, snapshot, snapshot.openGroup())
    guard let description = opened.tables.first(where: { $0.key == table.key }) else { throw StudioProblem("There is no such class.", status: 404) }
    let format = query["format"] ?? "json"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("realm-studio-\(UUID().uuidString)").path
    guard FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: file)
    else { throw StudioProblem("No temporary file could be made.", status: 500) }
    let sink = DescriptorSink(descriptor: handle.fileDescriptor, path: file)
    let exporter = Exporter(opened, digestLimit: nil, to: sink)
    var objects: ObjectWalk?
    if case .keys(let keys) = selected {
      objects = { (body) throws(StorageError) in try keys.forEach { (key) throws(StorageError) in try body(key) } }
    }
    do {
      switch format {
      case "csv": try exporter.writeCSV(table: description, objects: objects)
      case "jsonl": try PlainPrinter(exporter).writeClass(description, objects: objects, asLines: true)
      case "json": try PlainPrinter(exporter).writeClass(description, objects: objects, asLines: false)
      default: throw StudioProblem("'\(format)' is no format: csv, json or jsonl.")
      }
      try handle.close()
    } catch {
      try? FileManager.default.removeItem(atPath: file)
      throw error
    }
    let types = ["csv": "text/csv", "json": "application/json", "jsonl": "application/jsonl"]
    return StudioAnswer(
      body: .file(path: file), contentType: types[format] ?? "application/octet-stream", downloadName: "\(selection.className).\(format)")
  }
}
