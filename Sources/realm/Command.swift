import ArgumentParser
import RealmInspection
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What all commands share.
struct CommonOptions: ParsableArguments {
  @Flag(help: "No progress and no summary on standard error.") var quiet = false
  @Option(help: "The key of an encrypted file, 128 hexadecimal digits. Others can see it in the list of processes.") var key: String?
  @Option(
    help: "A file with the key: 64 bytes, or 128 hexadecimal digits. Without either option the variable REALM_KEY is used.", completion: .file())
  var keyFile: String?

  func validate() throws {
    if key != nil && keyFile != nil { throw ValidationError("Give --key or --key-file, not both.") }
    if let key { try KeySource.check(key, "--key") } else if keyFile == nil { try KeySource.check(KeySource.variable, "REALM_KEY") }
  }

  /// The key of the file that the command is about; nil for a plain one.
  func encryptionKey() throws(StorageError) -> EncryptionKey? {
    try KeySource.key(digits: key ?? (keyFile == nil ? KeySource.variable : nil), file: keyFile)
  }

  /// - Parameter names: of properties.
  func noteLeftOutOfCSV(_ names: [String]) {
    if quiet { return }
    for name in names { Command.report("note: \(name): CSV leaves out what embedded objects hold; --format json and jsonl have it") }
  }

  func open(_ path: String, depth: OpenFile.Depth = .schema) throws(StorageError) -> OpenFile {
    try OpenFile(path: path, key: encryptionKey(), depth: depth)
  }
}

/// Runs a command's work and turns its end into an exit status (Documentation/CommandLine.md).
enum Command {
  /// - Parameter work: returns whether the command's answer is yes.
  static func run(_ path: String, _ work: () throws(StorageError) -> Bool) throws {
    let isPositive: Bool
    do throws(StorageError) {
      isPositive = try work()
    } catch {
      // The reader of a pipe went away: nothing more to say.
      if case .io("write", _, EPIPE) = error { throw ExitCode(0) }
      report("error: " + Diagnostics.message(error, path: path))
      throw ExitCode(Diagnostics.status(error))
    }
    if !isPositive { throw ExitCode(Diagnostics.Status.negative) }
  }

  /// Runs a command that only reads a file.
  static func read(
    _ path: String, _ common: CommonOptions, depth: OpenFile.Depth = .schema, _ work: (OpenFile) throws(StorageError) -> Bool
  ) throws {
    try run(path) { () throws(StorageError) in
      let opened = try common.open(path, depth: depth)
      let isPositive: Bool
      do throws(StorageError) { isPositive = try work(opened) } catch {
        // It looks damaged to who reads it while another program changes it.
        if Diagnostics.status(error) == Diagnostics.Status.unreadable { try opened.checkUndisturbed() }
        throw error
      }
      try opened.checkUndisturbed()
      return isPositive
    }
  }

  /// One line on standard error, whatever names and values in it hold.
  static func report(_ line: String) {
    Progress.say(ShownText.escaped(line) + "\n")
  }

  /// How a command is used, in several lines.
  static func reportUsage(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    Progress.say(lines.map { ShownText.escaped(String($0)) }.joined(separator: "\n") + "\n")
  }

  /// Text on standard error.
  static func prompt(_ text: String) {
    do throws(StorageError) { try DescriptorSink(descriptor: STDERR_FILENO, path: "standard error").write(Array(text.utf8)) } catch {}
  }

  /// Text on standard output.
  static func answer(_ text: String) throws(StorageError) {
    try TerminalSink.standardOutput().write(Array(text.utf8))
  }

  /// What a command did, on standard output: if that cannot be written, the message must not let anybody believe that nothing was done.
  static func answerDone(_ text: String) throws(StorageError) {
    do throws(StorageError) { try answer(text) } catch { throw Diagnostics.unreported(error) }
  }

  /// The header of a file that a command is going to open for writing, so that what is no realm file of a known format is refused before
  /// anything is made beside it.
  static func header(of path: String, key: EncryptionKey?) throws(StorageError) -> FileHeader {
    let file = try FileStorage(path: path, mode: .readOnly)
    let header: FileHeader
    do throws(StorageError) { header = try FileHeader.read(from: key.map { EncryptedStorage(file, key: $0) } ?? file) } catch {
      throw error.sayingWhetherKeyIsRight(path: path, key: key)
    }
    guard header.selectedTopRef.isNull || OpenFile.readableFormats.contains(header.selectedFormat) else {
      throw .unsupportedVersion(path: path, version: Int(header.selectedFormat))
    }
    return header
  }
}
