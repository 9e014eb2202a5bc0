import RealmInspection
import RealmStorage

/// The writing half of an import: transactions over the rows of an input.
final class ImportSession {
  /// How many rows a transaction has if nobody says otherwise: what it changes is kept in memory until it is committed.
  static let rowLimit = 250_000
  private let command: ImportCommand
  private let cursor: ImportCursor
  private var tally: ImportTally
  /// Those that were made for rows.
  var createdText: String { NumberText.count(tally.createdCount, "object") }
  /// Behind the number of those that are new.
  var changedText: String { tally.changedCount > 0 ? ", changed \(tally.changedCount)" : "" }
  /// Rows that do not fit.
  private(set) var bad: [(line: Int, reason: String)] = []
  /// What is in the file already.
  private var committedCount = 0
  /// Whether anything was committed, if only properties.
  private var isChanged = false
  private var next = ImportStop.Next.line(1)
  /// What there was to say when the last transaction was committed: who goes on with the import does not meet the rows before it again.
  private var told: (notes: [String], badCount: Int, line: Int) = ([], 0, 0)
  /// Rows of the input that were looked at.
  private var readCount = 0
  /// Whether what was committed stays in the file when the import ends early: then the user is told how to go on.
  private var keepsPart = true
  /// Whether rows that do not fit can be left out: to others of an export of several classes something may link.
  private var maySkip = true

  init(_ command: ImportCommand, _ cursor: ImportCursor) {
    (self.command, self.cursor) = (command, cursor)
    tally = ImportTally(updates: command.update)
  }

  /// The objects of one class.
  /// - Parameter skipped: rows that are none, and are left out.
  func store(_ importer: Importer, rowCount: Int, skipped: [(line: Int, reason: String)]) throws {
    // A new file can be taken back as a whole, so it is made in transactions of bounded size. What becomes of one that exists is for the user to say.
    keepsPart = command.batch != nil || FileCalls.exists(command.output)
    if command.batch == nil, keepsPart, rowCount > ImportSession.rowLimit {
      command.say("the objects are committed \(ImportSession.rowLimit) at a time, which bounds memory; --batch 0 imports all of them or nothing")
    }
    do {
      try writing { database, made in
        try cursor.rewind()
        try write(database, made, importer, rowCount)
      }
    } catch {
      if keepsPart {
        for note in told.notes { command.say(note) }
        command.report(skipped: skipped.filter { $0.line <= told.line } + bad.prefix(told.badCount))
      }
      throw error
    }
  }

  /// The objects of several classes, in one transaction.
  func store(_ document: DocumentImporter, keepsGoing: @escaping (_ pass: Int) throws(StorageError) -> Void) throws {
    maySkip = false
    try writing { database, made in
      let transaction = try database.beginWrite()
      var isCommitted = false
      defer { if !isCommitted { transaction.cancel() } }
      let group = try transaction.openGroup()
      try made?.begin(transaction, group)
      (tally, bad) = try document.store(in: group, keepsGoing: keepsGoing)
      if !bad.isEmpty { throw BadRows() }
      try keepsGoing(1)
      try transaction.commit(group)
      (isCommitted, isChanged) = (true, true)
    }
    for line in document.conversions.lines { command.say(line) }
    sayRepeated()
  }

  /// Rows do not fit, and were not to be left out.
  private struct BadRows: Error {}

  /// - Parameter body: is told of the file if it is new.
  /// - Throws: `ImportStop` with the truth about what is in the file; a file that was made for nothing is gone then, unless others use it.
  private func writing(_ body: (Database, _ made: NewFile?) throws -> Void) throws {
    let path = command.output
    let traces = SessionTraces(path)
    var made: NewFile?
    do {
      let key = try command.common.encryptionKey()
      if FileCalls.exists(path) { _ = try Command.header(of: path, key: key) } else { made = NewFile(path, key: key) }
      var options = DatabaseOptions.forCommands(key: key, naming: path, isQuiet: command.common.quiet)
      (options.mayCreate, options.mayUpgrade) = (true, false)
      let database = try Database.open(path: path, options: options)
      do {
        defer { database.close() }
        try body(database, made)
      }
      if !isChanged { traces.remove() }
    } catch {
      if let made {
        if committedCount == 0 || !keepsPart, !made.remove() {
          keepsPart = true
          command.say("\(path) stays: another program uses it or wrote to it")
        }
      } else if committedCount == 0 {
        traces.remove()
      }
      if error is BadRows { throw ImportStop(bad: bad, command.inputName, maySkip: maySkip, committed: keptCount, next: next) }
      if case ImportError.storage(let error) = error { throw stop(error) }
      if let error = error as? StorageError { throw stop(error) }
      throw error
    }
  }

  /// What is in the file when the import ends early.
  private var keptCount: Int { keepsPart ? committedCount : 0 }

  private func stop(_ error: StorageError) -> ImportStop {
    let path = command.output
    if Diagnostics.isInterruption(error) { return ImportStop(interruptedAfter: keptCount, path, next: next) }
    return ImportStop(error, path, committed: keptCount, next: next)
  }

  private func write(_ database: Database, _ made: NewFile?, _ importer: Importer, _ rowCount: Int) throws {
    let progress = Progress("import", isQuiet: command.common.quiet)
    defer { progress.finish() }
    var handledCount = 0
    var isAtEnd = false
    var isFirst = true
    // An option is not looked at for each row: that is a search.
    let (firstLine, skipped) = (command.fromLine ?? 1, command.skip ?? 0)
    let limit = command.batch.map { $0 == 0 ? .max : $0 } ?? ImportSession.rowLimit
    repeat {
      let transaction = try database.beginWrite()
      var isCommitted = false
      defer { if !isCommitted { transaction.cancel() } }
      let group = try transaction.openGroup()
      try made?.begin(transaction, group)
      let (table, notes, changesSchema) = try importer.prepare(group)
      if isFirst { for note in notes { command.say(note) } }
      isFirst = false
      let before = tally
      var storedCount = 0
      let textRows = importer.textRows(cursor, table)
      while !isAtEnd, storedCount < limit {
        guard try cursor.next() else {
          isAtEnd = true
          break
        }
        if cursor.isTimeToAsk() {
          if Interruption.isRequested { throw Diagnostics.interruption(path: command.output) }
          progress.update(handledCount, of: rowCount)
        }
        readCount += 1
        if cursor.line < firstLine || readCount <= skipped || cursor.problem != nil { continue }
        handledCount += 1
        if take(try textRows?.store() ?? importer.store(cursor, in: table), table) { storedCount += 1 }
      }
      if !bad.isEmpty && !command.skipBad {
        tally = before
        throw BadRows()
      }
      // The last moment at which an interrupt changes anything: from here on the transaction is committed.
      if Interruption.isRequested { throw Diagnostics.interruption(path: command.output) }
      // Without rows the file stays as it is.
      if storedCount > 0 || changesSchema {
        if let made { try made.commit(transaction, group) } else { try transaction.commit(group) }
        (isCommitted, isChanged) = (true, true)
      }
      committedCount = tally.createdCount + tally.changedCount
      told = (importer.conversions.lines, bad.count, cursor.line)
      // Only where a row ends with its line does the line say where to go on.
      next = cursor.options.format == .json ? .row(readCount) : .line(cursor.nextLine)
    } while !isAtEnd
    for line in importer.conversions.lines { command.say(line) }
    sayRepeated()
  }

  /// - Returns: whether the present row is stored.
  private func take(_ outcome: Importer.Outcome, _ table: Table) -> Bool {
    switch outcome {
    case .created(let object): tally.add(object, of: table, isNew: true, line: cursor.line)
    case .changed(let object): tally.add(object, of: table, isNew: false, line: cursor.line)
    case .refused(let reason):
      bad.append((cursor.line, cursor.placeInLine + reason))
      return false
    }
    return true
  }

  private func sayRepeated() { if let note = tally.note { command.say(note + "; without --update such rows are refused") } }
}
