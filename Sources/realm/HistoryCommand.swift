import ArgumentParser
import RealmInspection
import RealmStorage

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Print what the transactions did whose logs are still in the file, oldest first.",
    discussion: """
      A log says which objects and properties were changed, not to what. Files keep the logs of the versions that somebody still reads.
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
      let entries = try HistoryEntries(opened)
      let words = LogWords(TableIndex(opened.tables))
      var skipped = entries.count - (last ?? entries.count)
      let output = TextOutput(try OutputFile(nil, source: file).sink)
      try entries.forEach { (entry) throws(StorageError) in
        skipped -= 1
        if skipped >= 0 { return true }
        output.append(try json ? line(entry) : text(entry, words))
        try output.flushIfLong()
        return true
      }
      try output.flush()
      if !common.quiet && !json { Command.report("\(entries.count) transaction\(entries.count == 1 ? "" : "s") in the file") }
      return true
    }
  }

  private func line(_ entry: HistoryEntries.Entry) throws(StorageError) -> String {
    let instructions = try entry.instructions().joined(separator: ", ")
    return "{\"version\": \(entry.toVersion), \"bytes\": \(entry.bytes.count), \"instructions\": [\(instructions)]}\n"
  }

  private func text(_ entry: HistoryEntries.Entry, _ words: LogWords) throws(StorageError) -> String {
    let lines = try words.lines(of: entry.bytes)
    return "version \(entry.toVersion), \(entry.bytes.count) bytes\n" + lines.map { "  \($0)\n" }.joined()
  }
}
