import ArgumentParser
import Foundation
import RealmInspection
import RealmQuery
import RealmStorage

struct QueryCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json, jsonl, csv
    case losslessLines = "lossless-lines"
  }
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Select objects of a class with the Realm Query Language.",
    discussion: """
      Example: realm query Dogs.realm --class Dog 'age > $0 && owner.name BEGINSWITH[c] "a" SORT(age DESC)' --arg '{"int": 3}'
      Dates are written as 2020-01-31 or 2020-01-31T12:00:00Z, without quotes.
      Sums by group: realm query Dogs.realm --class Dog --group-by breed --count --average weight
      An argument is an object with one member that names its type, such as {"string": "Rex"}, {"date": "2020-01-31"} or {"list": [1, 2]}.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup(title: "Sums and groups") var groups: GroupOptions
  @Argument(help: "The file to read. It is not modified.", completion: .realmFile) var file: String
  @Argument(help: "The query; all objects of the class if not given.") var query = "TRUEPREDICATE"
  @OptionGroup var choice: ClassChoice
  @Option(name: .customLong("arg"), help: "The value of $0, $1, ... in JSON; may be repeated.") var arguments: [String] = []
  @Flag(help: "Print only how many objects there are; with --group-by, in each group.") var count = false
  @Flag(help: "Print the keys of the objects, one a line.") var keys = false
  @Option(help: "table, json (an array), jsonl (one object a line), csv or lossless-lines.") var format = Format.table
  @Flag(help: "The same as --format jsonl.") var json = false
  @Option(help: "Write linked objects in place, through so many links (json and jsonl).") var expand: Int?
  @Option(help: "The properties to print, in this order: a,b.c,\"d, e\". All of them if not given.") var columns: String?
  @Option(help: "Print at most so many objects, or groups, and do not look for more.") var limit: Int?
  @Option(help: "What stands for null in CSV, instead of nothing: NA.") var null: String?
  @Option(
    name: .customLong("links"),
    help: "A name for the objects that link here, as a LinkingObjects property gives it: zones=TimeZone.countries; may be repeated.")
  var links: [String] = []
  @Flag(help: "Print how the query is answered: plan, use of indexes, objects and leaves looked at, and time of each step.") var explain = false

  func validate() throws {
    let ways = [count && !groups.isUsed, keys, json || format != .table, explain]
    if ways.count(where: { $0 }) > 1 || json && format != .table && format != .jsonl {
      throw ValidationError("Give one of --count, --keys, --json, --format and --explain only.")
    }
    if let expand, !(0...32).contains(expand) { throw ValidationError("--expand needs a number from 0 to 32.") }
    if expand != nil && !json && format != .json && format != .jsonl { throw ValidationError("--expand goes with --format json or jsonl only.") }
    if groups.isUsed && (keys || explain || columns != nil || expand != nil || format == .losslessLines) {
      throw ValidationError("--group-by and sums go with --format table, json, jsonl or csv and --limit only.")
    }
    if columns != nil && (keys || explain || count || format == .losslessLines) {
      throw ValidationError("--columns goes with --format table, json, jsonl or csv only.")
    }
    try NullText.check(null, isCSV: format == .csv)
    for link in links where QueryCommand.link(link) == nil {
      throw ValidationError("'\(link)' names no links; write --links zones=TimeZone.countries: name, class and property of the links.")
    }
    if let limit, limit < 0 { throw ValidationError("--limit needs a number from 0 on.") }
  }

  func run() throws {
    try Command.read(file, common) { (opened) throws(StorageError) in
      let content = try opened.snapshot?.openGroup()
      let className = try choice.name(in: content, query: query)
      let description = try opened.table(named: className)
      guard let group = content else { throw .noSuchTable(name: className) }
      let table = try group.table(description.key)
      let names = try names(group)
      let values = QueryValues(group)
      var parsed: [QueryArgument] = []
      for text in arguments { parsed.append(try argument(text, values)) }
      let plan = try Selection.refusing(file, group, query: query) { () throws(QueryError) in
        try Query(query, arguments: parsed, acceptsISODates: true).bind(table, in: group, names: names)
      }
      try answer(plan, opened, description)
      return true
    }
  }

  /// `zones=TimeZone.countries`
  private static func link(_ text: String) -> (name: String, path: String)? {
    guard let separator = text.firstIndex(of: "="), separator > text.startIndex else { return nil }
    let path = text[text.index(after: separator)...]
    guard let dot = path.firstIndex(of: "."), dot > path.startIndex, path.index(after: dot) < path.endIndex else { return nil }
    return (String(text[..<separator]), String(path))
  }

  /// Each name belongs to the class that its links lead to, wherever a query meets it.
  private func names(_ group: Group) throws(StorageError) -> NameTable {
    var names = NameTable()
    for link in links.compactMap({ QueryCommand.link($0) }) {
      let parts = link.path.split(separator: ".", maxSplits: 1).map(String.init)
      let column = try UnknownProperty.column(parts[1], Selection.table(parts[0], in: group))
      guard column.type == .link else { throw .invalidArgument(reason: "'\(link.path)' holds no links; name a property that does") }
      let target = try group.table(column.oppositeTable)
      if target.publicColumns.contains(where: { $0.name == Array(link.name.utf8) }) {
        throw .invalidArgument(reason: "'\(link.name)' is a property of '\(target.className)', which the links would hide; give them another name")
      }
      names.add(property: link.name, in: SchemaText.className(target.state.name), target: "@links." + link.path)
    }
    return names
  }

  private func argument(_ text: String, _ values: QueryValues) throws(StorageError) -> QueryArgument {
    do {
      // Foundation drops a byte order mark where a text begins with one, unless it is an escape.
      let escaped = text.replacing("\u{FEFF}", with: "\\uFEFF")
      let encoded = try JSONSerialization.jsonObject(with: Data(escaped.utf8), options: .fragmentsAllowed)
      return try values.argument(encoded)
    } catch {
      let example = text.contains("\"date\"") ? "{\"date\": \"2020-01-31T12:00:00Z\"}" : "{\"int\": 5}"
      throw .invalidArgument(reason: "the argument '\(text)' is no value; write one such as \(example)")
    }
  }

  private func answer(_ plan: QueryPlan, _ opened: OpenFile, _ description: TableDescription) throws(StorageError) {
    let group = plan.table.group
    if explain {
      let explanation = try Selection.refusing(file, group) { () throws(QueryError) in try plan.explain() }
      return try Command.answer(text(of: explanation, plan.table.className))
    }
    if count && !groups.isUsed {
      let count = try Selection.refusing(file, group) { () throws(QueryError) in try plan.count() }
      if let limit, count > limit, !common.quiet { Command.report("the first \(limit); there are more") }
      return try Command.answer("\(min(count, limit ?? count))\n")
    }
    let sink = try OutputFile(nil, source: file).sink
    let exporter = Exporter(opened, digestLimit: nil, to: sink)
    exporter.nullText = null.map { Array($0.utf8) }
    var hasMore = false
    var (total, hidden) = (0, 0)
    if groups.isUsed {
      let table: GroupRows
      (table, hasMore) = try groups.table(plan, limit: limit, count: count, path: file, exporter)
      switch json ? .jsonl : format {
      case .table, .losslessLines: hidden = try exporter.writeAlignedTable(table, totalWidth: Terminal.width)
      case .json: try exporter.writeJSON(table, asLines: false)
      case .jsonl: try exporter.writeJSON(table, asLines: true)
      case .csv: try exporter.writeCSV(table)
      }
    } else {
      let objects: ObjectWalk = { (body) throws(StorageError) in
        hasMore = try Selection.refusing(file, group) { () throws(QueryError) in
          try plan.forEachKey(limit: limit ?? .max) { (key) throws(StorageError) in
            total += 1
            try body(key)
          }
        }
      }
      if keys {
        try write(objects, to: TextOutput(sink))
      } else if let columns {
        hidden = try write(objects, PropertyPath.columns(columns, plan.table, description), of: plan.table, exporter)
      } else {
        hidden = try write(objects, description, exporter)
      }
    }
    tell(total, hasMore, hidden)
  }

  /// What is not in the output.
  private func tell(_ total: Int, _ hasMore: Bool, _ hidden: Int) {
    if common.quiet { return }
    if hidden > 0 {
      let choice = groups.isUsed ? "" : "choose some with --columns, or "
      Command.report("\(NumberText.count(hidden, "column")) more: \(choice)see all with --format jsonl")
    }
    if let limit, hasMore {
      Command.report("the first \(limit); there are more")
    } else if !groups.isUsed && !keys && !json && format == .table {
      Command.report(NumberText.count(total, "object"))
    }
  }

  /// Some columns of the objects, as the user names them.
  /// - Returns: how many of them do not fit the terminal.
  private func write(
    _ objects: @escaping ObjectWalk, _ columns: PropertyPath.Columns, of table: Table, _ exporter: Exporter
  ) throws(StorageError) -> Int {
    let paths: [PathColumn]
    switch columns {
    case .own(let part): return try write(objects, part, exporter)
    case .paths(let found): paths = found
    }
    switch json ? .jsonl : format {
    case .table, .losslessLines: return try exporter.writeAlignedTable(paths, of: table, objects: objects, totalWidth: Terminal.width)
    case .json: try exporter.writeJSON(paths, of: table, objects: objects, expansion: expand ?? 0, asLines: false)
    case .jsonl: try exporter.writeJSON(paths, of: table, objects: objects, expansion: expand ?? 0, asLines: true)
    case .csv:
      try exporter.writeCSV(paths, of: table, objects: objects)
      common.noteLeftOutOfCSV(exporter.leftOutOfCSV(paths))
    }
    return 0
  }

  private func write(_ objects: ObjectWalk, to output: TextOutput) throws(StorageError) {
    try objects { (key) throws(StorageError) in
      output.append("\(key.rawValue)\n")
      try output.flushIfLong()
    }
    try output.flush()
  }

  /// - Returns: how many columns do not fit the terminal.
  private func write(_ objects: @escaping ObjectWalk, _ description: TableDescription, _ exporter: Exporter) throws(StorageError) -> Int {
    let printer = PlainPrinter(exporter, expansion: expand ?? 0)
    switch json ? .jsonl : format {
    case .table: return try exporter.writeAlignedTable(table: description, objects: objects, totalWidth: Terminal.width)
    case .json: try printer.writeClass(description, objects: objects, asLines: false)
    case .jsonl: try printer.writeClass(description, objects: objects, asLines: true)
    case .csv:
      try exporter.writeCSV(table: description, objects: objects)
      common.noteLeftOutOfCSV(exporter.leftOutOfCSV(description))
    case .losslessLines: try exporter.writeJSONLines(table: description, objects: objects)
    }
    return 0
  }

  private func text(of explanation: QueryExplanation, _ className: String) -> String {
    var lines = ["\(NumberText.count(explanation.objectCount, "object")) of \(className)"]
    for (number, step) in explanation.steps.enumerated() {
      let leaves = step.leafCount > 0 ? ", " + NumberText.count(step.leafCount, "leaf", "leaves") : ""
      let microseconds = Double(step.nanoseconds / 100) / 10
      lines.append("\(number + 1). \(step.text)\n   \(step.rowsIn) → \(NumberText.count(step.rowsOut, "object"))\(leaves), \(microseconds) µs")
    }
    lines.append("\(NumberText.count(explanation.resultCount, "object")) selected")
    return lines.joined(separator: "\n") + "\n"
  }
}
