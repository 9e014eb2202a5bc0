import ArgumentParser
import RealmInspection
import RealmStorage

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Print what the transactions did whose logs are still in the file, oldest first.",
    discussion: """
      A log says which objects and properties were changed, not to what. Files keep the logs of the versions that somebody still reads.
      Files that synchronise also keep what a version changed for others, with the values, until the server has it: printed below a line with
      who made it, when, and on which version of the server's history.
      Example: realm history Dogs.realm --last 10
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.", completion: .realmFile) var file: String
  @Flag(help: "One transaction a line as JSON, with its instructions.") var json = false
  @Option(help: "Only so many of the newest ones.") var last: Int?

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last needs a number from 1 on.") }
  }

  func run() throws {
    try Command.read(file, common) { (opened) throws(StorageError) in
      let (logs, sync) = (try HistoryEntries(opened), try SyncEntries(opened))
      let newest = logs.baseVersion + UInt64(logs.count)
      let base = min(logs.baseVersion, sync?.baseVersion ?? logs.baseVersion)
      let first = max(base, newest - min(newest, UInt64(last ?? .max))) + 1
      let words = LogWords(TableIndex(opened.tables))
      let output = TextOutput(try OutputFile(nil, source: file).sink)
      func write(_ version: UInt64, _ log: HistoryEntries.Entry?) throws(StorageError) {
        if version < first { return }
        let entry = try sync?.entry(ofVersion: version)
        output.append(try json ? line(version, log, entry) : text(version, log, entry, words))
        try output.flushIfLong()
      }
      // Logs go before what others still need to know.
      var version = first
      while version <= logs.baseVersion {
        try write(version, nil)
        version += 1
      }
      try logs.forEach { (entry) throws(StorageError) in
        try write(entry.toVersion, entry)
        return true
      }
      try output.flush()
      if !common.quiet && !json {
        let waiting = try sync.map { (sync) throws(StorageError) in ", \(try sync.waiting().count) of them wait for upload" } ?? ""
        Command.report("\(NumberText.count(newest - base, "transaction")) in the file\(waiting)")
      }
      return true
    }
  }

  private func line(_ version: UInt64, _ log: HistoryEntries.Entry?, _ entry: SyncEntries.Entry?) throws(StorageError) -> String {
    var text = "{\"version\": \(version)"
    if let log { text += ", \"bytes\": \(log.bytes.count), \"instructions\": [\(try log.instructions().joined(separator: ", "))]" }
    if let entry { text += ", \"sync\": \(SyncText.json(entry))" }
    return text + "}\n"
  }

  private func text(
    _ version: UInt64, _ log: HistoryEntries.Entry?, _ entry: SyncEntries.Entry?, _ words: LogWords
  ) throws(StorageError) -> String {
    var lines = try log.map { (log) throws(StorageError) in try words.lines(of: log.bytes) } ?? []
    if let entry { lines += SyncText.lines(entry) }
    return "version \(version)" + (log.map { ", \($0.bytes.count) bytes" } ?? "") + "\n" + lines.map { "  \($0)\n" }.joined()
  }
}
