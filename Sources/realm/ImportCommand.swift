import ArgumentParser
import Foundation
import RealmInspection
import RealmQuery
import RealmStorage

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read objects from CSV, JSON or JSON lines into a class.",
    discussion: """
      Example: realm import dogs.csv -o Dogs.realm --class Dog --primary-key id --type weight=float
      Types: \(TypeWords.all), each with ? for optional, and in brackets for lists: [int], [int?].
      All or nothing, unless --skip-bad or --batch is given, or more than \(ImportSession.rowLimit) rows go to a file that exists; that is said.
      What would be lost by a type is said, too, with the option that chooses otherwise.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(
    help: "The file to read: .csv, .tsv, .json (an array of objects), .jsonl or .ndjson; - for standard input.", completion: .file())
  var input: String
  @Option(
    name: [.customShort("o"), .customLong("output")], help: "The .realm file to write; created if it is not there.", completion: .file())
  var output: String
  @Option(name: .customLong("class"), help: "The class that the objects belong to. Left out for an export of several classes, which says it itself.")
  var className: String?
  @Option(help: "The property that becomes the primary key.") var primaryKey: String?
  @Option(name: .customLong("type"), help: "A property's type, as P=TYPE; may be repeated.") var types: [String] = []
  @Flag(help: "Change objects whose primary key exists instead of refusing the row.") var update = false
  @Flag(help: "Import the good rows even if others are bad.") var skipBad = false
  @Option(
    help: """
      Commit after so many objects, which bounds memory, and keep them if the import ends early; 0 commits once, at the end. Not given, it is \
      \(ImportSession.rowLimit), and a new file is removed again if the import ends early.
      """)
  var batch: Int?
  @Option(help: "Leave out the rows before this line, to go on with an import in batches that was interrupted.") var fromLine: Int?
  @Option(help: "Leave out so many rows, for the same purpose where a line may hold several: in a JSON array.") var skip: Int?
  @Option(help: "csv, json or jsonl, if the name of the file does not tell.", completion: .list(["csv", "json", "jsonl"])) var format: String?
  @Option(help: "A text that means null in CSV where it has no quotes, such as NA; may be repeated. An empty field does in any case.")
  var null: [String] = []
  @Option(help: "What separates the fields of CSV: one character, or tab. Found out if not given.") var delimiter: String?
  @Option(
    help: "The encoding of the text: utf-8, latin1, windows-1252, utf-16, utf-16le or utf-16be.",
    completion: .list(TextEncoding.allCases.map(\.rawValue)))
  var encoding: String?
  @Option(
    help: "What to do with a name that a header or an object has twice: refuse, first, last or rename.",
    completion: .list(["refuse", "first", "last", "rename"]))
  var duplicates = "refuse"
  @Option(
    help: "Which number of dates such as 1/2/2020 is the day: dmy or mdy. Not given, they stay strings.", completion: .list(["dmy", "mdy"]))
  var slashes: String?

  func validate() throws {
    if let className, className.isEmpty || className.utf8.count > 57 { throw ValidationError("--class needs a name of 1 to 57 bytes.") }
    if let batch, batch < 0 { throw ValidationError("--batch needs a number from 0 on.") }
    if let fromLine, fromLine < 1 { throw ValidationError("--from-line needs a number from 1 on.") }
    if let skip, skip < 0 { throw ValidationError("--skip needs a number from 0 on.") }
    if skip != nil && fromLine != nil { throw ValidationError("Give --from-line or --skip, not both.") }
    for type in types where parsed(type) == nil {
      throw ValidationError("'\(type)' is no type; write it as weight=double or born=date?. Types: \(TypeWords.all).")
    }
    if inputFormat == nil, input.lowercased().hasSuffix(".realm") {
      throw ValidationError("\(input) is a Realm file; 'realm export' writes what can be imported, 'realm copy' a whole new file.")
    }
    if inputFormat == nil { throw ValidationError("Give --format csv, json or jsonl: the name of the input does not tell.") }
    try OutputFile.checkNamesRealm(output, as: "-o")
    if delimiter != nil && delimiterByte == nil { throw ValidationError("--delimiter needs one character of ASCII, or tab.") }
    for text in null { try NullText.check(text, isCSV: inputFormat == .csv) }
    if let encoding, TextEncoding(rawValue: encoding.lowercased()) == nil {
      throw ValidationError("--encoding knows \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    if DuplicateNames(rawValue: duplicates) == nil { throw ValidationError("--duplicates needs refuse, first, last or rename.") }
    if let slashes, DateForm.SlashOrder(rawValue: slashes) == nil { throw ValidationError("--slashes needs dmy or mdy.") }
  }

  private var inputFormat: ImportCursor.Format? {
    if let format { return ImportCursor.Format(rawValue: format.lowercased()) }
    let name = input.lowercased()
    if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return .csv }
    if name.hasSuffix(".json") { return .json }
    return name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") ? .jsonl : nil
  }

  private var delimiterByte: UInt8? {
    guard let delimiter else { return nil }
    if delimiter == "tab" || delimiter == "\\t" { return 0x09 }
    let bytes = Array(delimiter.utf8)
    return bytes.count == 1 && bytes[0] < 0x80 && ![0x22, 0x0A, 0x0D].contains(bytes[0]) ? bytes[0] : nil
  }

  private func parsed(_ text: String) -> (name: String, type: ChosenType)? {
    guard let separator = text.lastIndex(of: "="), separator > text.startIndex else { return nil }
    return ChosenType(text[text.index(after: separator)...]).map { (String(text[..<separator]), $0) }
  }

  func run() throws {
    Interruption.watch()
    try Command.run(output) { () throws(StorageError) in
      // Before anything is read.
      try OutputFile.checkDirectory(of: output)
      return true
    }
    var options = ImportCursor.Options()
    options.format = inputFormat ?? .csv
    options.delimiter = delimiterByte
    options.nullTexts = Set(null.map { Array($0.utf8) })
    options.duplicates = DuplicateNames(rawValue: duplicates) ?? .refuse
    do {
      let found = try ImportInput(input, encoding.flatMap { TextEncoding(rawValue: $0.lowercased()) }, isQuiet: common.quiet)
      if let note = found.note { say(note) }
      if options.format == .json, try hasLines(found.source) { options.format = .jsonl }
      try run(ImportCursor(found.source, options))
    } catch ImportError.storage(let error) {
      Command.report("error: " + Diagnostics.message(error, path: inputName))
      throw ExitCode(Diagnostics.status(error))
    } catch ImportError.input(let problem) {
      let place = problem.line.map { "\(inputName):\($0)" } ?? inputName
      Command.report("error: \(place): \(problem.text); nothing was imported")
      throw ExitCode(Diagnostics.Status.unreadable)
    } catch let stop as ImportStop {
      for (line, reason) in stop.bad.prefix(20) { Command.report("\(inputName):\(line): \(reason)") }
      if stop.bad.count > 20 { Command.report("and \(stop.bad.count - 20) more") }
      Command.report("error: \(stop.message)")
      throw ExitCode(stop.status)
    } catch let error as StorageError {
      try Command.run(output) { () throws(StorageError) in throw error }
    }
  }

  var inputName: String { input == "-" ? "standard input" : input }
  /// A choice that was made for the user and can be made differently.
  func say(_ note: String) { if !common.quiet { Command.report("note: " + note) } }

  func report(skipped rows: [(line: Int, reason: String)]) {
    for (line, reason) in rows { Command.report("\(inputName):\(line): skipped: \(reason)") }
  }

  private func run(_ cursor: ImportCursor) throws {
    if let document = try DocumentImporter(cursor, updates: update) {
      guard className == nil, primaryKey == nil, types.isEmpty, !skipBad, batch == nil, fromLine == nil, skip == nil else {
        throw ImportStop(usage: "\(inputName): is an export that says what its classes are; give nothing but -o and --update for it")
      }
      return try run(document, cursor)
    }
    guard let className else {
      throw ImportStop(usage: "\(inputName): says nothing of classes; give the one that its objects belong to with --class")
    }
    if DocumentImporter.isLossless(cursor) {
      throw ImportStop(usage: "\(inputName): is an export in a lossless form, which is not imported; export with --format json or jsonl, which is")
    }
    try cursor.rewind()
    var options = Importer.Options(className: className)
    for type in types { if let (name, type) = parsed(type) { options.types[ExactName(name)] = type } }
    (options.primaryKey, options.updates) = (primaryKey, update)
    options.slashes = slashes.flatMap { DateForm.SlashOrder(rawValue: $0) }
    if cursor.options.format == .csv, delimiter == nil, cursor.delimiter != UInt8(ascii: ",") {
      let shown = cursor.delimiter == 0x09 ? "tabs" : "'\(Character(Unicode.Scalar(cursor.delimiter)))'"
      say("fields are separated by \(shown); --delimiter says otherwise")
    }
    let known = existingProperties(className)
    let inference = try self.inference(cursor, options, known: known)
    if inference.rowCount == 0, inference.bad.isEmpty, fromLine ?? 1 > 1 || skip ?? 0 > 0 {
      throw ImportStop(
        usage: "\(inputName): nothing is left to import: its last row, number \(inference.readCount), is in line \(inference.lastLine)")
    }
    let bad = inference.bad.map { (line: $0.line, reason: $0.problem.text) }
    if !bad.isEmpty && !skipBad { throw ImportStop(bad: bad, inputName, committed: 0, next: .line(1)) }
    for note in inference.notes { say(note) }
    if inference.rowCount == 0 {
      let what =
        cursor.header.isEmpty
        ? (bad.isEmpty ? "it holds no objects" : "none of its rows is an object") + "; nothing was made"
        : (bad.isEmpty ? "there are no rows below its header" : "none of the rows below its header is good")
          + (inference.fields.contains { known[ExactName($0.name)] == nil } ? ": properties that are not there yet become optional strings" : "")
      Command.report("\(inputName): \(what)")
    } else if inference.fields.isEmpty {
      let have = inference.rowCount == 1 ? "has" : "have"
      Command.report("\(inputName): its \(NumberText.count(inference.rowCount, "object")) \(have) no properties; nothing was imported")
    }
    let importer = try refusing { () throws(ImportProblem) in try Importer(inference, options: options) }
    if !common.quiet { for field in importer.fields where known[ExactName(field.name)] == nil { Command.report("  " + field.text) } }
    let session = ImportSession(self, cursor)
    if !inference.fields.isEmpty { try session.store(importer, rowCount: inference.rowCount, skipped: bad) }
    report(skipped: bad + session.bad)
    let place = inference.fields.isEmpty ? "" : " into \(className)"
    try Command.answerDone("imported \(session.createdText)\(place)\(session.changedText)\n")
  }

  /// Several classes at once.
  private func run(_ document: DocumentImporter, _ cursor: ImportCursor) throws {
    let progress = Progress("import", isQuiet: common.quiet, countsBytes: true)
    defer { progress.finish() }
    // The input is read twice.
    let total = 2 * Int(clamping: cursor.source.byteCount)
    let session = ImportSession(self, cursor)
    try session.store(document) { (pass) throws(StorageError) in
      if Interruption.isRequested { throw Diagnostics.interruption(path: output) }
      progress.update(cursor.consumedByteCount + (pass == 0 ? 0 : total / 2), of: total)
    }
    try Command.answerDone("imported \(session.createdText)\(session.changedText)\n")
  }

  /// Whether what is called JSON is JSON lines.
  /// - Throws: where the user says that it is none.
  private func hasLines(_ source: ImportSource) throws(ImportError) -> Bool {
    do throws(StorageError) { if try !source.beginsWithLines() { return false } } catch { throw .storage(error) }
    guard format == nil else {
      throw .input(ImportProblem(reason: "each line is an object, so that the input is no JSON but JSON lines", hint: "give --format jsonl"))
    }
    say("each line is an object, so the input is read as JSON lines, in spite of its name")
    return true
  }

  /// Those of the class that the objects go to, if it is there: they keep their types, whatever the input looks like. What is wrong with the file
  /// is found when it is written to.
  private func existingProperties(_ className: String) -> [ExactName: ColumnType?] {
    guard FileCalls.exists(output) else { return [:] }
    do throws(StorageError) {
      return ImportInference.known(try common.open(output).importTarget(className).map { Array($0.publicColumns) } ?? [])
    } catch { return [:] }
  }

  private func refusing<Result>(_ body: () throws(ImportProblem) -> Result) throws(ImportError) -> Result {
    do throws(ImportProblem) { return try body() } catch { throw .input(error) }
  }

  private func inference(_ cursor: ImportCursor, _ options: Importer.Options, known: [ExactName: ColumnType?]) throws(ImportError) -> ImportInference
  {
    let progress = Progress("reading", isQuiet: common.quiet, countsBytes: true)
    defer { progress.finish() }
    let total = Int(clamping: cursor.source.byteCount)
    return try ImportInference(
      cursor, firstLine: fromLine ?? 1, skipped: skip ?? 0, types: options.types, known: known, slashes: options.slashes
    ) { () throws(StorageError) in
      if Interruption.isRequested { throw Diagnostics.interruption(path: inputName) }
      progress.update(cursor.consumedByteCount, of: total)
    }
  }
}

/// Why an import ended before its end, and what is in the file now.
struct ImportStop: Error {
  var bad: [(line: Int, reason: String)] = []
  let message: String
  let status: Int32

  /// Where the rows begin that are not in the file.
  enum Next {
    case line(Int)
    /// Behind so many rows, several of which may stand in a line.
    case row(Int)

    var option: String {
      switch self {
      case .line(let line): "--from-line \(line)"
      case .row(let count): "--skip \(count)"
      }
    }
    fileprivate var place: String {
      switch self {
      case .line(let line): "before line \(line)"
      case .row(let count): "of the first \(NumberText.count(count, "row"))"
      }
    }
  }

  /// - Parameter maySkip: whether `--skip-bad` is of use.
  init(bad: [(line: Int, reason: String)], _ inputName: String, maySkip: Bool = true, committed: Int, next: Next) {
    self.bad = bad
    let rows = "\(inputName): \(NumberText.count(bad.count, "bad row"))"
    if committed == 0 {
      message = "\(rows), nothing was imported; repair them" + (maySkip ? " or give --skip-bad" : "")
      status = Diagnostics.Status.unreadable
    } else {
      message = "\(rows); the \(committed) objects \(next.place) are in the file; repair the rows and go on with \(next.option)"
      status = Diagnostics.Status.failed
    }
  }

  /// The outside failed.
  init(_ error: StorageError, _ output: String, committed: Int, next: Next) {
    let text = Diagnostics.message(error, path: output)
    // Not of the batches before.
    let rest = text.replacing(", nothing was changed", with: "")
    message = committed == 0 ? text : "\(rest); \(committed) objects are in the file, go on with \(next.option)"
    status = Diagnostics.status(error)
  }

  /// The options do not fit the input.
  init(usage message: String) { (self.message, status) = (message, Diagnostics.Status.usage) }

  /// The user asked for it.
  init(interruptedAfter committed: Int, _ output: String, next: Next) {
    let done = "\(output): interrupted; \(committed) objects are in the file"
    message = committed == 0 ? "\(output): interrupted; nothing was changed" : done + "; go on with \(next.option)"
    status = Diagnostics.Status.failed
  }
}
