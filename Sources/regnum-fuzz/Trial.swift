import Randomness
import RealmInspection
import RealmStorage

/// What an input came to.
enum Verdict: UInt8 {
  /// Not opened at all.
  case refused
  case damaged
  /// Verification finds nothing wrong.
  case clean
}

/// Two parts of the engine contradict each other.
struct Contradiction: Error {
  let what: String
}

/// Pushes one file through everything that reads, and sometimes through what writes.
struct Trial {
  let path: String
  /// Opens as part of a session, with a lock file.
  let usesSession: Bool
  let isThorough: Bool
  /// Of an encrypted file.
  var key: EncryptionKey?
  /// A hash of everything that the file contains, if all of it could be read.
  private(set) var contents: Int?
  private(set) var verdict = Verdict.refused
  /// The first thing verification found.
  private(set) var firstViolation = ""

  init(path: String, usesSession: Bool, isThorough: Bool) {
    (self.path, self.usesSession, self.isThorough) = (path, usesSession, isThorough)
  }

  private final class HashingSink: ByteSink {
    private var hasher = Hasher()
    func write(_ bytes: [UInt8]) throws(StorageError) { for byte in bytes { hasher.combine(byte) } }
    var hash: Int { hasher.finalize() }
  }
  private final class NullSink: ByteSink {
    func write(_ bytes: [UInt8]) throws(StorageError) {}
  }

  private func open(_ depth: OpenFile.Depth) throws(StorageError) -> OpenFile {
    if usesSession { return try OpenFile(path: path, key: key, depth: depth) }
    var options = DatabaseOptions.quick
    options.encryptionKey = key
    options.isImmutable = true
    options.acceptsAnyHistory = true
    return try OpenFile(Database.open(path: path, options: options), depth: depth)
  }

  // MARK: Reading

  mutating func read() throws {
    do throws(StorageError) {
      let result = try open(.header).verify()
      verdict = result.isClean ? .clean : .damaged
      firstViolation = result.violations.first ?? ""
    } catch {
      firstViolation = "\(error)"
    }
    do throws(StorageError) { try export() } catch {
      if verdict == .clean { throw Contradiction(what: "verified as clean, but reading says \(error)") }
    }
  }

  private mutating func export() throws(StorageError) {
    let file = try open(.schema)
    if key == nil {
      try Exporter(file, digestLimit: nil, to: NullSink()).writeJSON()
    } else {
      let sink = HashingSink()
      try Exporter(file, digestLimit: nil, to: sink).writeJSON()
      contents = sink.hash
    }
    guard isThorough else { return }
    var first: StorageError?
    func attempt(_ body: () throws(StorageError) -> Void) {
      do throws(StorageError) { try body() } catch { first = first ?? error }
    }
    attempt { () throws(StorageError) in try Exporter(file, digestLimit: 3, to: NullSink()).writeJSON() }
    attempt { () throws(StorageError) in try Exporter(file, digestLimit: nil, to: NullSink()).writeJSONLines() }
    // Of a class without properties CSV holds nothing.
    for table in file.tables where !table.publicColumns.isEmpty {
      attempt { () throws(StorageError) in try Exporter(file, digestLimit: nil, to: NullSink()).writeCSV(table: table) }
    }
    attempt { () throws(StorageError) in _ = try Statistics(file) }
    attempt { () throws(StorageError) in _ = try Dump(file, start: nil, previewLimit: 4, to: NullSink()).write() }
    _ = SchemaText.json(file)
    _ = SwiftSource(file).text
    _ = SchemaText.readable(file)
    attempt { () throws(StorageError) in
      try HistoryEntries(file).forEach { (entry) throws(StorageError) in
        // Logs are bytes to verification.
        do throws(StorageError) { _ = try entry.instructions() } catch {}
        return true
      }
    }
    // The tables layer knows format 24 only.
    if file.format == 24, let snapshot = file.snapshot {
      attempt { () throws(StorageError) in try readTables(Group(reading: snapshot.space, top: snapshot.topRef)) }
    }
    if let first { throw first }
  }

  private func readTables(_ group: Group) throws(StorageError) {
    for key in try group.tableKeys() {
      let table = try group.table(key)
      var keys = try table.keys()
      keys += try table.tombstoneKeys()
      for key in keys.prefix(200) {
        let row = try table.row(key)
        for column in table.publicColumns {
          guard column.isCollection else {
            let value = try row.value(column)
            try lookUp(value, column, table)
            if case .list = value { try readCollection(table.collection(key, column.key), depth: 0) }
            if case .dictionary = value { try readCollection(table.collection(key, column.key), depth: 0) }
            continue
          }
          try readCollection(table.collection(key, column.key), depth: 0)
        }
        for column in table.backlinkColumns { _ = try table.backlinks(key, column.key) }
      }
    }
  }

  private func lookUp(_ value: Value, _ column: ColumnDescription, _ table: Table) throws(StorageError) {
    if column.key == table.primaryKeyColumn?.key { _ = try table.find(primaryKey: value) }
    if column.attributes.contains(.fullTextIndexed) {
      _ = try table.fullTextObjects(column.key, word: "words")
    } else if !column.indexRef.isNull {
      _ = try table.indexedObjects(column.key, equalTo: value)
    }
  }

  private func readCollection(_ collection: ObjectCollection, depth: Int) throws(StorageError) {
    guard depth < 6 else { return }
    let values = try collection.all()
    let kind = try collection.kind()
    for (index, value) in values.prefix(20).enumerated() {
      if kind == .dictionary && !collection.column.hasIntegerKeys { _ = try collection.value(for: collection.key(at: index)) }
      if kind == .set { _ = try collection.contains(value) }
      switch value {
      case .list, .dictionary:
        let step: PathStep = kind == .dictionary ? .key(try collection.key(at: index)) : .index(index)
        try readCollection(collection.nested(step), depth: depth + 1)
      default: break
      }
    }
  }

  // MARK: Writing

  /// Opens the file for writing, edits it at random, commits, opens it again.
  func write(_ random: inout SeededGenerator) throws {
    var reached = "opening"
    do throws(StorageError) {
      var options = DatabaseOptions.quick
      options.encryptionKey = key
      let database = try Database.open(path: path, options: options)
      defer { database.close() }
      for round in 0..<2 {
        reached = "round \(round)"
        let transaction = try database.beginWrite()
        do throws(StorageError) {
          let group = try transaction.openGroup()
          var edits = RandomEdits(group, changesSchema: true)
          try edits.run(1 + random.below(20), &random)
          reached = "commit \(round)"
          try transaction.commit(group)
        } catch {
          transaction.cancel()
          throw error
        }
        if random.once(in: 4) {
          reached = "compaction"
          _ = try database.compact()
        }
      }
      reached = "reopening"
    } catch {
      if verdict == .clean && !error.isExpected { throw Contradiction(what: "verified as clean, but \(reached) says \(error)") }
      return
    }
    var second = Trial(path: path, usesSession: true, isThorough: false)
    second.key = key
    try second.read()
    if verdict == .clean && second.verdict != .clean {
      throw Contradiction(what: "clean before writing, afterwards: \(second.firstViolation)")
    }
  }
}

extension StorageError {
  /// What writing may say about a file without violations.
  fileprivate var isExpected: Bool {
    switch self {
    // The damaged page may be one that only writing looks at.
    case .incompatibleHistory, .decryptionFailed: true
    default: false
    }
  }
}
