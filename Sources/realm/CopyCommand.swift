import ArgumentParser
import RealmInspection
import RealmStorage

struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Write the newest version of a file to a new file without free space.",
    discussion: """
      Works while other processes use the file. The copy is encrypted as the file is, unless told otherwise. The copy of a file that synchronises
      goes on where the file is, by a name of its own that the server gives it; so it cannot have changes that the server may not have.
      Example: realm copy Dogs.realm Backup.realm
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.", completion: .realmFile) var file: String
  @Argument(help: "The file to make. It must not exist.", completion: .file()) var output: String
  @Option(help: "Encrypt the copy with this key, 128 hexadecimal digits.") var newKey: String?
  @Option(help: "Encrypt the copy with the key in this file: 64 bytes, or 128 hexadecimal digits.", completion: .file()) var newKeyFile: String?
  @Flag(help: "Do not encrypt the copy.") var noKey = false
  @Flag(help: "A copy that does not synchronise, of a file that does.") var local = false

  func validate() throws {
    try OutputFile.checkNamesRealm(output, as: "the copy")
    let choices = (newKey == nil ? 0 : 1) + (newKeyFile == nil ? 0 : 1) + (noKey ? 1 : 0)
    if choices > 1 { throw ValidationError("Give one of --new-key, --new-key-file and --no-key.") }
    try KeySource.check(newKey, "--new-key")
  }

  private func outputKey() throws(StorageError) -> EncryptionKey? {
    if noKey { return nil }
    if let key = try KeySource.key(digits: newKey, file: newKeyFile) { return key }
    return try common.encryptionKey()
  }

  func run() throws {
    try Command.run(file) { () throws(StorageError) in
      let progress = Progress("copy", isQuiet: common.quiet, countsBytes: true)
      defer { progress.finish() }
      let opened = try common.open(file)
      // A copy would call the contents of an older format those of format 24.
      guard opened.top.isNull || opened.header.selectedFormat == FileHeader.currentFormat else {
        throw .formatUpgradeRequired(path: file, version: opened.format)
      }
      guard let snapshot = opened.snapshot else { throw .invalidDatabase(path: file, reason: "it is damaged") }
      let synchronises = opened.group?.synchronises == true
      let unconfirmed = try local ? 0 : snapshot.unconfirmedChangeCount()
      guard unconfirmed == 0 else {
        throw .invalidArgument(
          reason: "the server may not have \(unconfirmed) of its transactions, which the copy would upload, too; synchronise it, or give --local")
      }
      progress.start(total: Int(clamping: try Statistics(opened).usedByteCount))
      let key = try outputKey()
      // From here on there is something to be removed when the command is interrupted.
      Interruption.watch()
      try snapshot.write(toFile: output, encryptionKey: key, content: synchronises && local ? .tablesOnly : .everything) {
        (path) throws(StorageError) in
        try FileMode.asPrivate(as: file) { () throws(StorageError) in
          try WatchedStorage(
            path: path, mode: .createNew, hasKey: key != nil, check: { [output] () throws(StorageError) in try Interruption.check(output) },
            onWrite: progress.update)
        }
      }
      progress.finish()
      try Command.answerDone("bytes before  \(opened.fileByteCount)\nbytes after   \(try FileStorage(path: output, mode: .readOnly).byteCount())\n")
      if synchronises && !common.quiet {
        Command.report(local ? "the copy does not synchronise" : "the copy synchronises as a file of its own, from where this one is")
      }
      return true
    }
  }
}
