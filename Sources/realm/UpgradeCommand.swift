import ArgumentParser
import RealmInspection
import RealmStorage

struct UpgradeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade", abstract: "Bring a file of format 10, 11 or 20 to 23 to format 24, keeping a backup.",
    discussion: "Example: realm upgrade Old.realm")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to upgrade.", completion: .realmFile) var file: String

  func run() throws {
    Interruption.watch()
    try Command.run(file) { () throws(StorageError) in
      let progress = Progress("upgrade", isQuiet: common.quiet, countsBytes: true)
      defer { progress.finish() }
      let key = try common.encryptionKey()
      let header = try Command.header(of: file, key: key)
      let format = Int(header.selectedFormat)
      if header.selectedTopRef.isNull || header.selectedFormat == FileHeader.currentFormat {
        try Command.answer("\(file): needs no upgrade: \(header.selectedTopRef.isNull ? "it is empty" : "it has format 24 already")\n")
        return true
      }
      let backup = RealmPaths(file).backup(version: format)
      let hadBackup = FileCalls.exists(backup)
      let before = try asymmetricObjects(key)
      let traces = SessionTraces(file)
      var isDone = false
      defer { if !isDone { traces.remove() } }
      try Database.open(path: file, options: .forCommands(key: key, naming: file, isQuiet: common.quiet, onWrite: progress.update)).close()
      isDone = true
      progress.finish()
      let reached = try Command.header(of: file, key: key).selectedFormat
      var text = "\(file): upgraded from format \(format) to \(reached); "
      if hadBackup {
        text += "no backup was made, since \(backup) exists already"
      } else if FileCalls.exists(backup) {
        text += "the file as it was is now \(backup)"
      } else {
        text += "no backup was made; \(RealmPaths(file).backupLog) tells why"
      }
      // An SDK does the same: such objects are made to be passed on (F11).
      for (className, count) in before.subtracting(try asymmetricObjects(key)) {
        let objects = NumberText.count(count, "object")
        text += "\n\(objects) of the asymmetric class \(className) \(count == 1 ? "is" : "are") gone, which format \(reached) does not keep"
      }
      try Command.answerDone(text + "\n")
      return true
    }
  }

  /// How many objects each asymmetric class has.
  private func asymmetricObjects(_ key: EncryptionKey?) throws(StorageError) -> AsymmetricObjects {
    let opened = try OpenFile(path: file, key: key)
    var counts: [String: Int] = [:]
    for table in opened.classes where table.kind == .asymmetric {
      counts[SchemaText.className(table.name)] = try Exporter(opened, digestLimit: nil, to: MemorySink()).objectCount([table])
    }
    return AsymmetricObjects(counts: counts)
  }

  private struct AsymmetricObjects {
    let counts: [String: Int]

    /// What is missing in `others`, by name.
    func subtracting(_ others: AsymmetricObjects) -> [(String, Int)] {
      counts.map { ($0, $1 - (others.counts[$0] ?? 0)) }.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
    }
  }
}
