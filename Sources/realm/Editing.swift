import ArgumentParser
import RealmInspection
import RealmQuery
import RealmStorage

/// What commands that change a file share.
struct EditingOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @Flag(help: "Say what would change, and change nothing.") var dryRun = false

  /// Runs `body` in one transaction and says what it changed: nothing if it throws, or in a dry run.
  /// - Parameters:
  ///   - isNew: whether the file is to be made; nil for commands that make none.
  ///   - body: returns the line that sums it up; objects that differ afterwards are listed above it.
  func edit(_ file: String, isNew: Bool? = nil, _ body: (Group) throws -> String) throws {
    Interruption.watch()
    try Command.run(file) { () throws(StorageError) in
      let key = try common.encryptionKey()
      if let isNew, isNew == FileCalls.exists(file) {
        let reason = isNew ? "it exists; leave out --new to change it" : "no such file; check the path, or give --new to make it"
        throw .invalidArgument(reason: reason)
      }
      if isNew == true { return try make(file, key, body) }
      let header = try Command.header(of: file, key: key)
      // Whoever opens such a file first converts it: so the change is tried on a copy, and the file stays as it is if nothing comes of it.
      let byteCount = try FileStorage(path: file, mode: .readOnly).byteCount()
      if !header.selectedTopRef.isNull, header.selectedFormat != FileHeader.currentFormat {
        throw .formatUpgradeRequired(path: file, version: Int(header.selectedFormat))
      }
      if header.isStreaming || byteCount % FreeSpace.pageByteCount != 0 {
        let copy = try PrivateCopy(of: file)
        defer { withExtendedLifetime(copy) {} }
        let summary = try transaction(copy.path, as: file, key, commits: false, body)
        if dryRun { return try answer(ofDryRun: summary) }
      }
      let traces = SessionTraces(file)
      var isDone = false
      defer { if !isDone { traces.remove() } }
      let summary = try transaction(file, as: file, key, commits: !dryRun, body)
      if dryRun { return try answer(ofDryRun: summary) }
      isDone = true
      try Command.answerDone(summary + "\n")
      return true
    }
  }

  /// Runs `body` in the first transaction of a file, which does not stay if it throws, nor after a dry run.
  private func make(_ file: String, _ key: EncryptionKey?, _ body: (Group) throws -> String) throws(StorageError) -> Bool {
    try OutputFile.checkDirectory(of: file)
    let made = NewFile(file, key: key)
    var isDone = false
    defer { if !isDone { _ = made.remove() } }
    let summary = try transaction(file, as: file, key, made, commits: !dryRun, body)
    if dryRun { return try answer(ofDryRun: "made \(file) and \(summary)") }
    isDone = true
    try Command.answerDone("made \(file) and \(summary)\n")
    return true
  }

  private func answer(ofDryRun summary: String) throws(StorageError) -> Bool {
    try Command.answer("dry run, nothing was changed; otherwise: \(summary)\n")
    return true
  }

  /// - Parameters:
  ///   - name: of the file that `path` stands for, in messages.
  ///   - made: the file, if it is to be made.
  private func transaction(
    _ path: String, as name: String, _ key: EncryptionKey?, _ made: NewFile? = nil, commits: Bool, _ body: (Group) throws -> String
  ) throws(StorageError) -> String {
    var options = DatabaseOptions.forCommands(key: key, naming: name, isQuiet: common.quiet)
    (options.mayCreate, options.mayUpgrade) = (made != nil, false)
    let database = try Database.open(path: path, options: options)
    defer { database.close() }
    let transaction = try database.beginWrite()
    var isCommitted = false
    defer { if !isCommitted { transaction.cancel() } }
    let group = try transaction.openGroup()
    try made?.begin(transaction, group)
    let summary: String
    do { summary = try body(group) } catch let problem as ImportProblem {
      throw .invalidArgument(reason: "\(problem.reason); nothing was changed")
    } catch StorageError.invalidArgument(let reason) where !reason.contains(";") {
      throw .invalidArgument(reason: "\(reason); nothing was changed")
    } catch let error as StorageError { throw error } catch { throw .invalidArgument(reason: "\(error); nothing was changed") }
    if commits {
      if let made { try made.commit(transaction, group) } else { try transaction.commit(group) }
      isCommitted = true
    }
    return summary
  }

  /// Objects as they are named in messages: by primary key, or object key.
  static func names(_ keys: [ObjectKey], _ table: Table) throws(StorageError) -> String {
    var names: [String] = []
    for key in keys.prefix(20) {
      guard let column = table.primaryKeyColumn else {
        names.append("\(key.rawValue)")
        continue
      }
      names.append(try table.value(key, column.key).queryText)
    }
    return names.joined(separator: ", ") + (keys.count > 20 ? " and \(keys.count - 20) more" : "")
  }

  static func count(_ number: Int, _ table: Table) -> String {
    "\(NumberText.count(number, "object")) of \(SchemaText.className(Array(table.nameText.utf8)))"
  }

  /// Says what became of values that are none of the type of their property.
  func say(_ notes: ConversionNotes) { for line in notes.lines { say(line) } }

  func say(_ note: String) { if !common.quiet { Command.report("note: " + note) } }

  /// An argument that has to be JSON.
  static func json(_ text: String) throws(ImportProblem) -> ImportValue {
    do throws(ImportProblem) { return try ImportValue(checking: Array(text.utf8)) } catch {
      let shown = text.count > 40 ? text.prefix(39) + "…" : text
      throw ImportProblem(reason: "'\(shown)' is no JSON: \(error.reason)")
    }
  }

  /// A value of the command line: JSON, or a text where it is none. Of what is written as a text that is what was written, number or not.
  static func value(_ text: String, _ type: ColumnType?) -> ImportValue {
    let bytes = Array(text.utf8)
    guard let value = ImportValue(json: bytes) else { return .text(bytes) }
    switch value {
    case .bool, .integer, .number:
      switch type {
      // Digits are data, and an identifier, too.
      case .string, .binary, .objectID, .uuid: return .text(bytes)
      default: return value
      }
    default: return value
    }
  }

  /// `name=VALUE` as a member.
  static func member(_ assignment: String, of table: Table) throws(ImportProblem) -> (name: String, value: ImportValue) {
    guard let separator = assignment.firstIndex(of: "="), separator > assignment.startIndex else {
      throw ImportProblem(reason: "'\(assignment)' sets nothing; write it as age=5 or name=Rex")
    }
    let name = String(assignment[..<separator])
    let column = table.publicColumns.first { $0.name.elementsEqual(name.utf8) && !$0.isCollection }
    var type = column?.type
    // A link is written as the key of its target.
    if let column, column.type == .link { type = (try? table.group.table(column.oppositeTable))?.primaryKeyColumn?.type }
    return (name, value(String(assignment[assignment.index(after: separator)...]), type))
  }
}
