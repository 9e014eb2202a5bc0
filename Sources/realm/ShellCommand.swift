import ArgumentParser
import RealmInspection
import RealmStorage

struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell", abstract: "Read commands for one file from standard input, a line each.",
    discussion: """
      A line is what stands behind 'realm' on the command line, without the file: query --class Dog 'age > 3'. help lists the commands, exit ends.
      For history and editing of lines, run it as: rlwrap realm shell Dogs.realm
      Example: realm shell Dogs.realm
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file that the commands are about.") var file: String

  /// Commands whose first argument is the file.
  private static let commands: Set<String> = [
    "schema", "export", "query", "stat", "verify", "dump", "compact", "copy", "upgrade", "diff", "watch", "insert", "set", "delete", "link",
  ]

  func run() throws {
    try Command.run(file) { () throws(StorageError) in
      _ = try Command.header(of: file, key: common.encryptionKey())
      return true
    }
    var status: Int32 = 0
    while let line = nextLine() {
      guard let words = ShellLine.words(line) else {
        Command.report("error: a quote is not closed")
        status = Diagnostics.Status.usage
        continue
      }
      guard let first = words.first else { continue }
      if first == "exit" || first == "quit" { break }
      status = run(words)
    }
    // Of the last command, as in scripts of other shells.
    if status != 0 { throw ExitCode(status) }
  }

  private func nextLine() -> String? {
    if Terminal.isInteractive { Command.prompt("realm> ") }
    return readLine()
  }

  private func run(_ words: [String]) -> Int32 {
    Interruption.forget()
    do {
      var command = try RealmCommand.parseAsRoot(arguments(words))
      try command.run()
      return 0
    } catch {
      let code = RealmCommand.exitCode(for: error)
      let message = RealmCommand.fullMessage(for: error)
      if code == .success { print(message) } else if !message.isEmpty, !(error is ExitCode) { Command.report(message) }
      return code == .validationFailure ? Diagnostics.Status.usage : code.rawValue
    }
  }

  /// With the file and its key where they belong.
  private func arguments(_ words: [String]) -> [String] {
    var key: [String] = []
    if let digits = common.key { key = ["--key", digits] }
    if let path = common.keyFile { key = ["--key-file", path] }
    if words[0] == "create" || words[0] == "drop", words.count > 1 { return Array(words[..<2]) + [file] + words[2...] + key }
    if words[0] == "import" { return words + ["-o", file] + key }
    return Self.commands.contains(words[0]) ? [words[0], file] + words[1...] + key : words
  }
}

/// Lines as a shell divides them.
enum ShellLine {
  /// Words are separated by blanks; quotes of both kinds keep them together, a backslash takes the next character as it is.
  /// - Returns: nil if a quote is not closed.
  static func words(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let found = word { words.append(found) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil && !isEscaped ? words : nil
  }
}
