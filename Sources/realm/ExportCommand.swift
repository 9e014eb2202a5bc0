import ArgumentParser
import RealmInspection
import RealmStorage

struct ExportCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, jsonl, csv
  }
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the objects of a file as JSON, JSON lines or CSV.",
    discussion: "Example: realm export Dogs.realm --format csv --class Dog -o dogs.csv")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.") var file: String
  @Option(help: "json (canonical, the whole file), jsonl (one object a line) or csv (one class).") var format = Format.json
  @Option(name: .customLong("class"), help: "Only this class; may be repeated.") var classes: [String] = []
  @Option(help: "Replace tables and collections with more entries than this by a digest (json only).") var digest: Int?
  @Option(name: [.customShort("o"), .customLong("output")], help: "The file to write instead of standard output.") var output: String?

  func validate() throws {
    if format == .csv && classes.count != 1 { throw ValidationError("CSV holds one class: give exactly one --class.") }
    if format != .json && digest != nil { throw ValidationError("--digest goes with --format json only.") }
    if let digest, digest < 0 { throw ValidationError("--digest needs a number from 0 on.") }
  }

  func run() throws {
    try Command.run(file) { () throws(StorageError) in
      let opened = try common.open(file)
      let tables = try chosenTables(opened)
      let target = try OutputFile(output, source: file)
      let exporter = Exporter(opened, digestLimit: digest, to: target.sink)
      let total = try exporter.objectCount(tables)
      let progress = Progress("export", isQuiet: common.quiet)
      exporter.onProgress = { progress.update($0, of: total) }
      defer { progress.finish() }
      switch format {
      case .json: try exporter.writeJSON(tables: tables)
      case .jsonl: try exporter.writeJSONLines(tables: tables)
      case .csv: if let table = tables.first { try exporter.writeCSV(table: table) }
      }
      try target.complete()
      return true
    }
  }

  /// The tables of the named classes, or all; a class may be given with or without the prefix of its table.
  private func chosenTables(_ opened: OpenFile) throws(StorageError) -> [TableDescription] {
    if classes.isEmpty { return opened.tables }
    for name in classes where !opened.tables.contains(where: { matches($0, name) }) { throw .noSuchTable(name: name) }
    return opened.tables.filter { table in classes.contains { matches(table, $0) } }
  }
  private func matches(_ table: TableDescription, _ name: String) -> Bool {
    SchemaText.className(table.name) == name || SchemaNames.text(table.name) == name
  }
}
