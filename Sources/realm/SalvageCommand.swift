import ArgumentParser
import RealmInspection
import RealmStorage

struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage", abstract: "Copy what can be read of a damaged file into a new one, and say what is lost.",
    discussion: """
      Every object that the damage does not touch comes back, and of the others what is left. If the newest version cannot be found, the newest
      one that can is read. Exit status 1 if anything is lost, as what a file knows of the server that it synchronises with. Close the file in all programs first.
      Example: realm salvage Broken.realm -o Saved.realm
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The damaged file. It is not modified.", completion: .file()) var file: String
  @Option(name: [.customShort("o"), .customLong("output")], help: "The file to make. It must not exist.", completion: .file()) var output: String

  func validate() throws {
    try OutputFile.checkNamesRealm(output, as: "-o")
  }

  func run() throws {
    try Command.run(file) { () throws(StorageError) in
      let progress = Progress("salvage", isQuiet: common.quiet)
      defer { progress.finish() }
      try OutputFile.checkDirectory(of: output)
      guard !FileCalls.exists(output) else { throw .fileExists(path: output) }
      let key = try common.encryptionKey()
      var losses: [String: Int] = [:]
      var order: [String] = []
      func lose(_ text: String) {
        if losses[text] == nil { order.append(text) }
        losses[text, default: 0] += 1
      }
      let opened = try OpenFile(salvaging: file, key: key, onDamage: lose)
      if let loss = SyncEntries.lossOfSalvage(opened) { lose(loss) }
      Interruption.watch()
      // What can be read may still be wrong, such as a text in which there are other bytes: other structures tell.
      let check = opened.verify(isCancelled: { Interruption.isRequested })
      try Interruption.check(output)
      var options = DatabaseOptions.forCommands(key: key, naming: output, isQuiet: common.quiet)
      options.mayCreate = true
      let made = NewFile(output, key: key)
      var isDone = false
      defer { if !isDone { _ = made.remove() } }
      let database = try FileMode.asPrivate(as: file) { () throws(StorageError) in try Database.open(path: output, options: options) }
      defer { database.close() }
      let transaction = try database.beginWrite()
      defer { if !isDone { transaction.cancel() } }
      let group = try transaction.openGroup()
      try made.begin(transaction, group)
      // Somebody else made it at the same moment.
      if made.hasOthers { throw .fileExists(path: output) }
      let salvage = Salvage(opened, into: group, onDamage: lose) { (count) throws(StorageError) in
        try Interruption.check(output)
        progress.update(count)
      }
      try salvage.run()
      try transaction.commit(group)
      isDone = true
      progress.finish()
      for text in order { Command.report("lost: \(text)" + ((losses[text] ?? 1) > 1 ? " (\(losses[text] ?? 1) times)" : "")) }
      if salvage.lostLinkCount > 0 { Command.report("lost: \(NumberText.count(salvage.lostLinkCount, "link")) to objects that are lost") }
      if !check.isClean {
        let found = Diagnostics.findings(check, in: " in the damaged file")
        Command.report("what is saved may be wrong in places: 'realm verify' finds \(found)")
      }
      let isComplete = order.isEmpty && salvage.lostLinkCount == 0 && check.isClean
      try Command.answerDone("saved \(NumberText.count(salvage.objectCount, "object"))\(isComplete ? "; nothing is lost" : "")\n")
      return isComplete
    }
  }
}
