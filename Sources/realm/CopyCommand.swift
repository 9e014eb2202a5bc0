import ArgumentParser
import RealmInspection
import RealmStorage

struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Write the newest version of a file to a new file without free space.",
    discussion: "Works while other processes use the file. Example: realm copy Dogs.realm Backup.realm")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.") var file: String
  @Argument(help: "The file to make. It must not exist.") var output: String

  func run() throws {
    Interruption.watch()
    try Command.run(file) { () throws(StorageError) in
      let opened = try common.open(file)
      // A copy would call the contents of an older format those of format 24.
      guard opened.top.isNull || opened.header.selectedFormat == FileHeader.currentFormat else {
        throw .formatUpgradeRequired(path: file, version: opened.format)
      }
      guard let snapshot = opened.snapshot else { throw .invalidDatabase(path: file, reason: "it is damaged") }
      let progress = SharedProgress("copy", isQuiet: common.quiet)
      progress.start(total: Int(clamping: try Statistics(opened).usedByteCount))
      defer { progress.finish() }
      let storage = try WatchedStorage(path: output, mode: .createNew, onWrite: progress.update)
      do throws(StorageError) {
        try snapshot.write(to: storage)
        try storage.sync()
        try FileStorage.sync(directoryOf: output)
      } catch {
        _ = FileCalls.remove(output)
        throw error
      }
      try Command.answer("bytes before  \(opened.fileByteCount)\nbytes after   \(try storage.byteCount())\n")
      return true
    }
  }
}
