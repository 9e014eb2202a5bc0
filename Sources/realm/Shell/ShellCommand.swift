import ArgumentParser
import RealmInspection
import RealmStorage

struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell", abstract: "Read commands for one file from standard input, a line each.",
    discussion: """
      A line is what stands behind 'realm' on the command line, without the file: query --class Dog 'age > 3'. help lists the commands, exit ends.
      A line that begins with # is a comment. Of lines that are not typed all are run, and the exit status is that of the first that fails. JSON needs no quotes around it: insert --class Dog {"name": "Rex"}
      On a terminal lines can be edited, the arrows go back to earlier ones, and the tabulator completes commands, options, classes and properties,
      if libedit is installed.
      Example: realm shell Dogs.realm
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file that the commands are about.", completion: .realmFile) var file: String

  /// Commands whose first argument is the file.
  private static let commands: Set<String> = [
    "schema", "export", "query", "stat", "verify", "dump", "compact", "copy", "upgrade", "diff", "watch", "insert", "set", "delete", "link",
    "history", "salvage",
  ]

  func run() throws {
    try Command.run(file) { () throws(StorageError) in
      _ = try Command.header(of: file, key: common.encryptionKey())
      return true
    }
    var status: Int32 = 0
    var input = ShellInput(Terminal.isInteractive ? completion : nil)
    while let line = input.next() {
      if ShellLine.isComment(line) { continue }
      let parsed = ShellLine(line)
      guard parsed.isComplete else {
        Command.report("error: a quote, brace or bracket is not closed")
        if Terminal.isInteractive || status == 0 { status = Diagnostics.Status.usage }
        continue
      }
      guard let first = parsed.words.first else { continue }
      if first == "exit" || first == "quit" { break }
      let result = run(parsed.words)
      // At a terminal the last command counts, in a script the first that failed: what follows goes on, and would hide it.
      if Terminal.isInteractive || status == 0 { status = result }
      if Interruption.endsShell(isInteractive: Terminal.isInteractive) {
        Command.report("error: \(file): interrupted; no line after this one is run")
        status = Diagnostics.Status.failed
        break
      }
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// What can stand behind the beginning of a line, with the names that the file has now.
  private var completion: @Sendable (String) -> ShellCompletion.Answer {
    let (file, common) = (file, common)
    let outline = try? CommandOutline(json: RealmCommand._dumpHelp())
    return { line in
      guard let outline else { return ShellCompletion.Answer() }
      let names = try? FileNames(common.open(file))
      let answer = ShellCompletion(outline: outline, names: names ?? FileNames([:]), commandsWithFile: Self.commands).answer(line)
      return answer.isFile ? answer.withFiles() : answer
    }
  }

  private func run(_ words: [String]) -> Int32 {
    Interruption.forget()
    do {
      try RealmCommand.checkCommand(words[...])
      var command = try RealmCommand.parseAsRoot(arguments(words))
      try command.run()
      return 0
    } catch {
      let code = RealmCommand.exitCode(for: error)
      let message = Self.withoutFile(RealmCommand.text(error, of: words))
      if code == .success { return Self.show(message) }
      if !message.isEmpty, !(error is ExitCode) { Command.reportUsage(message + Self.hintOfPipes(words)) }
      return code == .validationFailure ? Diagnostics.Status.usage : code.rawValue
    }
  }

  /// Help, which is an answer like others: in their order, and no success where it cannot be written.
  private static func show(_ text: String) -> Int32 {
    do {
      try Command.run(Diagnostics.standardOutput) { () throws(StorageError) in
        try Command.answer(text + "\n")
        return true
      }
      return 0
    } catch { return (error as? ExitCode)?.rawValue ?? Diagnostics.Status.failed }
  }

  /// Help and usage as a line of the shell is written: without the tool's name, and without the file.
  private static func withoutFile(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let usage = ["Usage: realm ", "USAGE: realm "].first(where: line.hasPrefix) else { return String(line) }
      return String(usage.prefix(7) + line.dropFirst(usage.count)).replacing("<file> ", with: "").replacing(" --output <output>", with: "")
    }.joined(separator: "\n").replacing(/See 'realm( [a-z ]+)? --help'/) { "See 'help\($0.1 ?? "")'" }.replacing("'realm help", with: "'help")
  }

  /// What to do where a line is written as for the system's shell; empty for others.
  private static func hintOfPipes(_ words: [String]) -> String {
    guard let word = words.dropFirst().first(where: { ["|", ">", ">>", "<"].contains($0) }) else { return "" }
    return "\n  There are no pipes and no redirections here, such as '\(word)': leave the shell and run 'realm \(words[0])'."
  }

  /// With the file and its key where they belong.
  private func arguments(_ words: [String]) throws -> [String] {
    var key: [String] = []
    if let digits = common.key { key = ["--key", digits] }
    if let path = common.keyFile { key = ["--key-file", path] }
    if words[0] == "create" || words[0] == "drop", words.count > 1 { return Array(words[..<2]) + [file] + words[2...] + key }
    if words[0] == "import" {
      if words.contains(where: { $0 == "--output" || $0.hasPrefix("--output=") || $0.hasPrefix("-o") }) {
        throw ValidationError("The shell imports into \(file): leave -o out, or run 'realm import' outside of the shell.")
      }
      return words + ["-o", file] + key
    }
    return Self.commands.contains(words[0]) ? [words[0], file] + words[1...] + key : words
  }
}
