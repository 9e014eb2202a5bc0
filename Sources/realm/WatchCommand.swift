import ArgumentParser
import Foundation
import RealmInspection
import RealmQuery
import RealmStorage

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print what other programs change, as they commit, until interrupted.",
    discussion: """
      + is an object that came, - one that went, ~ one that was changed, with its properties before and after. With a query, objects come and go as
      they begin and cease to be selected. Classes and properties that come and go are told of, too, but not each object that goes with its class.
      Commits that follow each other closely are told of together.
      Example: realm watch Dogs.realm --class Dog 'age > 3' --json
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to watch. It is not modified.", completion: .realmFile) var file: String
  @Argument(help: "Only objects that this query selects.") var query: String?
  @Option(name: .customLong("class"), help: "Only this class; a query needs it unless the file has one class only.") var givenClass: String?
  @Flag(help: "One change a line as JSON.") var json = false
  @Option(help: "End after so many sets of changes.") var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count needs a number from 1 on.") }
  }

  func run() throws {
    Interruption.watch()
    try Command.run(file) { () throws(StorageError) in
      let header = try Command.header(of: file, key: common.encryptionKey())
      let traces = SessionTraces(file)
      defer { traces.remove() }
      let database = try open(header)
      defer { database.close() }
      try watch(database)
      return true
    }
  }

  /// Joins the session of the file, since only there commits are told.
  private func open(_ header: FileHeader) throws(StorageError) -> Database {
    var options = DatabaseOptions()
    options.encryptionKey = try common.encryptionKey()
    if let database = try joined(options) { return database }
    guard header.selectedTopRef.isNull || header.selectedFormat == FileHeader.currentFormat else {
      throw .formatUpgradeRequired(path: file, version: Int(header.selectedFormat))
    }
    // One that was compacted or copied is in a form that its first user turns into the usual one (T6.1), as every program would that opens it;
    // its contents stay the same.
    options = .forCommands(key: options.encryptionKey, naming: file, isQuiet: common.quiet)
    options.mayUpgrade = false
    do throws(StorageError) { return try Database.open(path: file, options: options) } catch {
      guard case .permissionDenied = error else { throw error }
      throw .invalidArgument(
        reason: "watching it needs a lock file beside it, and the file or its directory cannot be written; change its permissions or run as its owner"
      )
    }
  }

  /// - Returns: nil for a file that cannot be shared as it is. Nobody is kept out of it any more then.
  private func joined(_ options: DatabaseOptions) throws(StorageError) -> Database? {
    let database = try Database.openForInspection(path: file, options: options)
    if database.participantCount > 0 { return database }
    database.close()
    return nil
  }

  private func watch(_ database: Database) throws(StorageError) {
    var old = try OpenFile(database)
    let className = try className(old)
    if let className { _ = try old.table(named: className) }
    var oldSelection = try selection(old, className)
    if !common.quiet { Command.report("watching \(file); interrupt to end") }
    var left = count ?? .max
    var idleCount = 0
    while left > 0, !Interruption.isRequested {
      guard let version = old.snapshot?.version, database.newestVersion > version else {
        usleep(20_000)
        idleCount += 1
        // Once a second.
        if idleCount.isMultiple(of: 50) { try checkPlace(of: database) }
        continue
      }
      let new = try OpenFile(database)
      guard let snapshot = new.snapshot else { break }
      let changes = try VersionChanges(snapshot.changesets(after: version), watching: WatchedCollections())
      let newSelection = try selection(new, className)
      var lines: [String] = []
      let difference = FileDifference(old, new) { (change) throws(StorageError) in
        lines.append(json ? ChangeText.json(change, version: snapshot.version) : ChangeText.text(change))
      }
      var pair: (before: Set<ObjectKey>, after: Set<ObjectKey>)?
      if let oldSelection, let newSelection { pair = (oldSelection, newSelection) }
      try difference.run(changes, className: className, selection: pair)
      if !lines.isEmpty {
        try Command.answer(lines.joined(separator: "\n") + "\n")
        left -= 1
      }
      (old, oldSelection) = (new, newSelection)
    }
  }

  /// Nobody writes to a file that has lost its name.
  /// - Throws: `.fileNotFound` if no file has the name now.
  private func checkPlace(of database: Database) throws(StorageError) {
    if database.isAtItsPath { return }
    guard FileCalls.exists(FileCalls.realPath(file)) else { throw .fileNotFound(path: file) }
    throw .invalidArgument(reason: "another file has its name now, which is not watched; watch it anew")
  }

  /// The only class that is watched; nil if all are.
  private func className(_ file: OpenFile) throws(StorageError) -> String? {
    if givenClass != nil || query == nil { return givenClass }
    return try ClassChoice.onlyName(in: file.snapshot?.openGroup(), query: query)
  }

  /// What the query selects in a version; nil without query.
  private func selection(_ file: OpenFile, _ className: String?) throws(StorageError) -> Set<ObjectKey>? {
    guard let query, let className, let snapshot = file.snapshot else { return nil }
    return Set(try Selection.keys(query, className, in: snapshot.openGroup(), path: self.file))
  }
}
