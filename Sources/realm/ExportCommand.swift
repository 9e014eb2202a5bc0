import ArgumentParser
import RealmInspection
import RealmStorage

struct ExportCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, jsonl, csv, lossless
    case losslessLines = "lossless-lines"
  }
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the objects of a file as JSON, JSON lines or CSV.",
    discussion: """
      Example: realm export Dogs.realm --format csv --class Dog -o dogs.csv
      json and jsonl are what other programs expect: numbers, texts, dates in ISO 8601, embedded objects in place, links as keys of their
      targets. With exactly one --class they hold nothing but its objects; else they begin with what the classes are, so that
      'realm import' makes an equal file of them. lossless and lossless-lines show every bit and every key.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.", completion: .realmFile) var file: String
  @Option(help: "json, jsonl (one object a line), csv (one class), lossless (canonical JSON of the whole file) or lossless-lines.")
  var format = Format.json
  @Option(name: .customLong("class"), help: "Only this class; may be repeated.") var classes: [String] = []
  @Option(help: "Write linked objects in place, through so many links (json and jsonl of one class).") var expand: Int?
  @Option(help: "Replace tables and collections with more entries than this by a digest (lossless only).") var digest: Int?
  @Option(help: "What stands for null in CSV, instead of nothing: NA.") var null: String?
  @Option(name: [.customShort("o"), .customLong("output")], help: "The file to write instead of standard output.", completion: .file())
  var output: String?

  func validate() throws {
    if format == .csv && classes.count != 1 { throw ValidationError("CSV holds one class: give exactly one --class.") }
    if format != .lossless && digest != nil { throw ValidationError("--digest goes with --format lossless only.") }
    if let digest, digest < 0 { throw ValidationError("--digest needs a number from 0 on.") }
    try NullText.check(null, isCSV: format == .csv)
    guard let expand else { return }
    if !(0...32).contains(expand) { throw ValidationError("--expand needs a number from 0 to 32.") }
    if classes.count != 1 || format != .json && format != .jsonl {
      throw ValidationError("--expand goes with --format json or jsonl and exactly one --class.")
    }
  }

  func run() throws {
    if let output, output != "-" {
      try Command.run(file) { () throws(StorageError) in
        try OutputFile.checkDirectory(of: output)
        return true
      }
    }
    let isShown = output == nil && Terminal.showsResults
    let progress = Progress("export", isQuiet: common.quiet || isShown)
    defer { progress.finish() }
    try Command.read(file, common) { (opened) throws(StorageError) in
      let tables = try chosenTables(opened)
      let target = try OutputFile(output, source: file)
      let exporter = Exporter(opened, digestLimit: digest, to: target.sink)
      exporter.nullText = null.map { Array($0.utf8) }
      let total = try exporter.objectCount(tables)
      exporter.onProgress = { progress.update($0, of: total) }
      try write(tables, exporter)
      try opened.checkUndisturbed()
      try target.complete()
      return true
    }
  }

  private func write(_ tables: [TableDescription], _ exporter: Exporter) throws(StorageError) {
    switch format {
    case .json, .jsonl:
      let printer = PlainPrinter(exporter, expansion: expand ?? 0)
      if classes.count == 1, let table = tables.first {
        try printer.writeClass(table, asLines: format == .jsonl)
      } else {
        try printer.writeDocument(tables, asLines: format == .jsonl)
      }
    case .lossless: try exporter.writeJSON(tables: tables)
    case .losslessLines: try exporter.writeJSONLines(tables: tables)
    case .csv: if let table = tables.first { try writeCSV(table, exporter) }
    }
  }

  /// - Throws: `.invalidArgument` for a class of which CSV holds nothing; that it has no properties at all, the exporter says.
  private func writeCSV(_ table: TableDescription, _ exporter: Exporter) throws(StorageError) {
    let leftOut = exporter.leftOutOfCSV(table)
    let name = SchemaText.className(table.name)
    if !leftOut.isEmpty, leftOut.count == table.publicColumns.count {
      throw .invalidArgument(
        reason: "'\(name)' has nothing but embedded objects, and CSV leaves out what they hold; export with --format json or jsonl, which have it")
    }
    try exporter.writeCSV(table: table)
    common.noteLeftOutOfCSV(leftOut)
  }

  /// The tables of the named classes, or all, those that are only for synchronisation in the lossless forms alone; a class may be given with or without the prefix of its table.
  private func chosenTables(_ opened: OpenFile) throws(StorageError) -> [TableDescription] {
    if classes.isEmpty { return format == .lossless || format == .losslessLines ? opened.tables : opened.classes }
    var chosen: Set<TableKey> = []
    for name in classes { chosen.insert(try opened.table(named: name).key) }
    return opened.tables.filter { chosen.contains($0.key) }
  }
}
