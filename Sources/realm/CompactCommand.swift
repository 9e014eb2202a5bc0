import ArgumentParser
import RealmInspection
import RealmStorage

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Rewrite a file without its free space.",
    discussion: "Refused while another process has the file open, unless --online. Example: realm compact Dogs.realm --when-free-above 0.5")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to compact.", completion: .realmFile) var file: String
  @Option(help: "Only if more than this fraction of the file is free, 0 to 1.") var whenFreeAbove: Double?

  @Flag(
    help: ArgumentHelp(
      "Move the contents together inside the file and cut off its end, while others use it.",
      discussion: "Leaves some free space, and what older versions need that somebody reads."))
  var online = false

  func validate() throws {
    if let whenFreeAbove, !(whenFreeAbove >= 0 && whenFreeAbove <= 1) {
      throw ValidationError("--when-free-above needs a fraction from 0 to 1.")
    }
  }

  func run() throws {
    Interruption.watch()
    try Command.run(file) { () throws(StorageError) in
      let progress = Progress("compact", isQuiet: common.quiet, countsBytes: true)
      defer { progress.finish() }
      let key = try common.encryptionKey()
      _ = try Command.header(of: file, key: key)
      let before = try FileStorage(path: file, mode: .readOnly).byteCount()
      // Whoever opens it for writing may change its form.
      if try !isWorthwhile(key) { return try answer(before, before) }
      var options = DatabaseOptions.forCommands(key: key, naming: file, isQuiet: common.quiet, onWrite: progress.update)
      options.mayUpgrade = false
      let traces = SessionTraces(file)
      var isDone = false
      defer { if !isDone { traces.remove() } }
      let database = try Database.open(path: file, options: options)
      defer { database.close() }
      try checkIsSound(database)
      progress.start(total: Int(clamping: try database.spaceUse().usedByteCount))
      if online {
        try database.releaseUnusedSpace()
      } else {
        guard try database.compact() else { throw .fileInUse(path: file) }
      }
      isDone = true
      progress.finish()
      var after = try database.fileByteCount()
      if !online {
        // What was written in one go is in a form that its first user turns into the usual one (T6.1). Until then everybody who only reads it would
        // have to keep all others out.
        database.close()
        let usual = try Database.open(path: file, options: options)
        after = try usual.fileByteCount()
        usual.close()
      }
      return try answer(before, after)
    }
  }

  private func answer(_ before: UInt64, _ after: UInt64) throws(StorageError) -> Bool {
    try Command.answerDone("bytes before  \(before)\nbytes after   \(after)\n")
    return true
  }

  /// Whether so much of the file is free as the user wants.
  private func isWorthwhile(_ key: EncryptionKey?) throws(StorageError) -> Bool {
    guard let whenFreeAbove else { return true }
    let use = try Statistics(OpenFile(path: file, key: key))
    let free = use.totalByteCount - use.usedByteCount
    if Double(free) > whenFreeAbove * Double(use.totalByteCount) { return true }
    if !common.quiet { Command.report("\(file): \(free) of \(use.totalByteCount) bytes are free; not compacted") }
    return false
  }

  /// Older versions and nodes that nothing leads to are what a damaged file can be saved from: they are gone when it is compacted.
  private func checkIsSound(_ database: Database) throws(StorageError) {
    let check = try OpenFile(database, depth: .header).verify(isCancelled: { Interruption.isRequested })
    try Interruption.check(file)
    if !check.isClean { throw Diagnostics.damage(check, path: file) }
  }
}
