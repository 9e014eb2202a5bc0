import ArgumentParser
import Foundation
import RealmInspection
import RealmStorage

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read objects from CSV, JSON or JSON lines into a class.",
    discussion: """
      Example: realm import dogs.csv -o Dogs.realm --class Dog --primary-key id --type weight=float
      Types: bool int float double string date data decimal objectId uuid mixed, each with ? for optional.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read: .csv, .json (an array of objects), .jsonl or .ndjson.") var input: String
  @Option(name: [.customShort("o"), .customLong("output")], help: "The .realm file to write; created if it is not there.") var output: String
  @Option(name: .customLong("class"), help: "The class that the objects belong to.") var className: String
  @Option(help: "The property that becomes the primary key.") var primaryKey: String?
  @Option(name: .customLong("type"), help: "A property's type, as P=TYPE; may be repeated.") var types: [String] = []
  @Flag(help: "Change objects whose primary key exists instead of refusing the row.") var update = false
  @Flag(help: "Import the good rows even if others are bad.") var skipBad = false
  @Option(help: "Commit after so many objects instead of once at the end.") var batch: Int?
  @Option(help: "csv, json or jsonl, if the name of the file does not tell.") var format: String?

  func validate() throws {
    if className.isEmpty || className.utf8.count > 57 { throw ValidationError("--class needs a name of 1 to 57 bytes.") }
    if update && primaryKey == nil { throw ValidationError("--update needs --primary-key.") }
    if let batch, batch < 1 { throw ValidationError("--batch needs a number from 1 on.") }
    for type in types where parsed(type) == nil { throw ValidationError("'\(type)' is no type; write it as weight=double or born=date?.") }
    if inputFormat == nil { throw ValidationError("Give --format csv, json or jsonl: the name of the input does not tell.") }
  }

  private var inputFormat: ImportReader.Format? {
    if let format { return ImportReader.Format(rawValue: format.lowercased()) }
    let name = input.lowercased()
    if name.hasSuffix(".csv") { return .csv }
    if name.hasSuffix(".json") { return .json }
    return name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") ? .jsonl : nil
  }

  private func parsed(_ text: String) -> (name: String, type: ColumnType, isOptional: Bool)? {
    guard let separator = text.lastIndex(of: "="), separator > text.startIndex else { return nil }
    var name = text[text.index(after: separator)...]
    let isOptional = name.last == "?"
    if isOptional { name.removeLast() }
    let known: [String: ColumnType] = [
      "bool": .bool, "int": .int, "float": .float, "double": .double, "string": .string, "date": .timestamp, "data": .binary,
      "decimal": .decimal, "objectid": .objectID, "uuid": .uuid, "mixed": .mixed,
    ]
    return known[name.lowercased()].map { (String(text[..<separator]), $0, isOptional) }
  }

  func run() throws {
    guard let data = FileManager.default.contents(atPath: input), let inputFormat else {
      Command.report("error: \(input): cannot be read; give a file that exists")
      throw ExitCode(Diagnostics.Status.unreadable)
    }
    let rows = ImportReader.rows([UInt8](data), inputFormat)
    var options = Importer.Options(className: className)
    (options.primaryKey, options.updates) = (primaryKey, update)
    for type in types { if let (name, type, isOptional) = parsed(type) { options.types[name] = (type, isOptional) } }
    var (good, bad): ([(line: Int, value: ImportValue)], [(line: Int, reason: String)]) = ([], [])
    for row in rows {
      switch row.value {
      case .success(let value): good.append((row.line, value))
      case .failure(let problem): bad.append((row.line, problem.reason))
      }
    }
    if !bad.isEmpty && !skipBad { throw refusal(bad) }
    let importer: Importer
    do throws(ImportProblem) { importer = try Importer(good.map(\.value), options: options, isText: inputFormat == .csv) } catch {
      Command.report("error: \(input): \(error.reason)")
      throw ExitCode(Diagnostics.Status.unreadable)
    }
    if !common.quiet { for field in importer.fields { Command.report("  " + field.text) } }
    var refused: [(line: Int, reason: String)] = []
    var importedCount = 0
    try Command.run(output) { () throws(StorageError) in
      (importedCount, refused) = try write(good, importer)
      return true
    }
    if !refused.isEmpty && !skipBad { throw refusal(refused) }
    for (line, reason) in bad + refused { Command.report("\(input):\(line): skipped: \(reason)") }
    try Command.answer("imported \(importedCount) objects into \(className)\n")
  }

  private func refusal(_ bad: [(line: Int, reason: String)]) -> ExitCode {
    for (line, reason) in bad.prefix(20) { Command.report("\(input):\(line): \(reason)") }
    if bad.count > 20 { Command.report("and \(bad.count - 20) more") }
    Command.report("error: \(input): \(bad.count) bad row\(bad.count == 1 ? "" : "s"), nothing was imported; repair them or give --skip-bad")
    return ExitCode(Diagnostics.Status.unreadable)
  }

  /// What was made for nothing.
  private func removeOutput() {
    for suffix in ["", ".lock", ".note", ".management"] {
      do { try FileManager.default.removeItem(atPath: output + suffix) } catch { continue }
    }
  }

  /// - Returns: how many objects were imported, and the rows that do not fit. With such rows, and without --skip-bad, nothing is committed.
  private func write(
    _ rows: [(line: Int, value: ImportValue)], _ importer: Importer
  ) throws(StorageError) -> (Int, [(line: Int, reason: String)]) {
    Interruption.watch()
    let isNew = !FileManager.default.fileExists(atPath: output)
    let key = try common.encryptionKey()
    if !isNew { _ = try Command.header(of: output, key: key) }
    var isKept = !isNew
    defer { if !isKept { removeOutput() } }
    let progress = SharedProgress("import", isQuiet: common.quiet)
    var options = DatabaseOptions.forCommands(key: key)
    options.mayCreate = true
    options.mayUpgrade = false
    let database = try Database.open(path: output, options: options)
    defer { database.close() }
    progress.start(total: rows.count)
    defer { progress.finish() }
    var refused: [(line: Int, reason: String)] = []
    var keys: Set<[UInt8]> = []
    var importedCount = 0
    var next = 0
    repeat {
      let transaction = try database.beginWrite()
      var isCommitted = false
      defer { if !isCommitted { transaction.cancel() } }
      let group = try transaction.openGroup()
      let table = try importer.prepare(group)
      if next == 0 {
        // All rows are looked at before the first is written.
        for row in rows { if let reason = try importer.problem(row.value, table, &keys) { refused.append((row.line, reason)) } }
        if !refused.isEmpty && !skipBad { return (0, refused) }
      }
      let badLines = Set(refused.map(\.line))
      let end = min(rows.count, next + (batch ?? rows.count))
      for index in next..<end where !badLines.contains(rows[index].line) {
        try importer.store(rows[index].value, in: table)
        importedCount += 1
        progress.update(index)
      }
      next = end
      try transaction.commit(group)
      isCommitted = true
      isKept = true
    } while next < rows.count
    return (importedCount, refused)
  }
}
