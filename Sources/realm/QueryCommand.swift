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
      An argument is an object with one member that names its type, such as {"string": "Rex"}, {"date": [0, 0]} or {"list": [1, 2]}.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.") var file: String
  @Argument(help: "The query; TRUEPREDICATE selects everything.") var query: String
  @Option(name: .customLong("class"), help: "The class that is asked.") var className: String
  @Option(name: .customLong("arg"), help: "The value of $0, $1, ... in JSON; may be repeated.") var arguments: [String] = []
  @Flag(help: "Print only how many objects there are.") var count = false
  @Flag(help: "Print the keys of the objects, one a line.") var keys = false
  @Option(help: "table, json (an array), jsonl (one object a line), csv or lossless-lines.") var format = Format.table
  @Flag(help: "The same as --format jsonl.") var json = false
  @Option(help: "Write linked objects in place, through so many links (json and jsonl).") var expand: Int?
  @Option(help: "Print at most so many objects.") var limit: Int?
  @Flag(help: "Print how the query is answered: plan, use of indexes, objects and leaves looked at, and time of each step.") var explain = false

  func validate() throws {
    if [count, keys, json || format != .table, explain].count(where: { $0 }) > 1 || json && format != .table && format != .jsonl {
      throw ValidationError("Give one of --count, --keys, --json, --format and --explain only.")
    }
    if let expand, !(0...32).contains(expand) { throw ValidationError("--expand needs a number from 0 to 32.") }
    if expand != nil && !json && format != .json && format != .jsonl { throw ValidationError("--expand goes with --format json or jsonl only.") }
    if let limit, limit < 0 { throw ValidationError("--limit needs a number from 0 on.") }
  }

  func run() throws {
    try Command.read(file, common) { (opened) throws(StorageError) in
      let description = try opened.table(named: className)
      guard let snapshot = opened.snapshot else { throw .noSuchTable(name: className) }
      let group = try snapshot.openGroup()
      let table = try group.table(description.key)
      let values = QueryValues(group)
      var parsed: [QueryArgument] = []
      for text in arguments { parsed.append(try argument(text, values)) }
      let plan = try Selection.refusing(file) { () throws(QueryError) in
        try Query(query, arguments: parsed, acceptsISODates: true).bind(table, in: group)
      }
      try answer(plan, opened, description)
      return true
    }
  }

  private func argument(_ text: String, _ values: QueryValues) throws(StorageError) -> QueryArgument {
    do {
      let encoded = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      return try values.argument(encoded)
    } catch { throw .invalidArgument(reason: "the argument '\(text)' is no value; write one such as {\"int\": 5}") }
  }

  private func answer(_ plan: QueryPlan, _ opened: OpenFile, _ description: TableDescription) throws(StorageError) {
    if explain { return try Command.answer(text(of: Selection.refusing(file) { () throws(QueryError) in try plan.explain() })) }
    if count {
      let count = try Selection.refusing(file) { () throws(QueryError) in try plan.count() }
      return try Command.answer("\(min(count, limit ?? count))\n")
    }
    var found = try Selection.refusing(file) { () throws(QueryError) in try plan.execute() }
    let total = found.count
    if let limit, total > limit { found.removeLast(total - limit) }
    let target = try OutputFile(nil, source: file)
    if keys {
      try target.sink.write(Array(found.map { "\($0.rawValue)\n" }.joined().utf8))
    } else {
      try write(found, description, Exporter(opened, digestLimit: nil, to: target.sink))
    }
    try target.complete()
    if !common.quiet && !keys && !json && format == .table { Command.report("\(total) object\(total == 1 ? "" : "s")") }
  }

  private func write(_ found: [ObjectKey], _ description: TableDescription, _ exporter: Exporter) throws(StorageError) {
    let printer = PlainPrinter(exporter, expansion: expand ?? 0)
    switch json ? .jsonl : format {
    case .table: try exporter.writeAlignedTable(table: description, keys: found, totalWidth: Terminal.width)
    case .json: try printer.writeClass(description, keys: found, asLines: false)
    case .jsonl: try printer.writeClass(description, keys: found, asLines: true)
    case .csv: try exporter.writeCSV(table: description, keys: found)
    case .losslessLines: try exporter.writeJSONLines(table: description, keys: found)
    }
  }

  private func text(of explanation: QueryExplanation) -> String {
    var lines = ["\(explanation.objectCount) objects of \(className)"]
    for (number, step) in explanation.steps.enumerated() {
      let leaves = step.leafCount > 0 ? ", \(step.leafCount) leaves" : ""
      let microseconds = Double(step.nanoseconds / 100) / 10
      lines.append("\(number + 1). \(step.text)\n   \(step.rowsIn) → \(step.rowsOut) objects\(leaves), \(microseconds) µs")
    }
    lines.append("\(explanation.resultCount) objects selected")
    return lines.joined(separator: "\n") + "\n"
  }
}
