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

@main struct RealmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realm", abstract: "Look into, query, check and maintain .realm files.", version: projectVersion,
    subcommands: [
      QuickstartCommand.self,
      SchemaCommand.self, ExportCommand.self, ImportCommand.self, QueryCommand.self, StatCommand.self, VerifyCommand.self, DumpCommand.self,
      CompactCommand.self, CopyCommand.self, UpgradeCommand.self, DiffCommand.self, WatchCommand.self, StudioCommand.self, SalvageCommand.self,
      HistoryCommand.self, ShellCommand.self,
      InsertCommand.self, SetCommand.self, DeleteCommand.self, LinkCommand.self, CreateCommand.self, DropCommand.self,
    ])
}

extension RealmCommand {
  /// The library takes a command that it does not know for an argument too many, and prints the help of the whole tool for such a topic.
  static func checkCommand(_ words: ArraySlice<String>) throws {
    var words = words
    if words.first == "help" { words = words.dropFirst() }
    var known = configuration.subcommands
    var path = ""
    while !known.isEmpty, let word = words.popFirst(), !word.hasPrefix("-"), word != "help" {
      guard let command = known.first(where: { $0._commandName == word }) else {
        let nearest = NearestName.of(word, known.map { $0._commandName }).map { "did you mean '\(path)\($0)'?" }
        let help = "'realm help\(path.isEmpty ? "" : " " + path.dropLast())' lists those there are."
        throw ValidationError("There is no command '\(path)\(word)'; \(nearest ?? help)")
      }
      path += word + " "
      known = command.configuration.subcommands
    }
  }

  /// As the library's own, but wrong usage ends with status 2 (Documentation/CommandLine.md).
  static func main() {
    StandardStreams.reserve()
    Interruption.surviveFileLimit()
    do {
      try checkCommand(CommandLine.arguments.dropFirst())
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      // Help, the version, scripts for shells: whoever keeps them in a file should know that they are not there.
      if code == .success {
        let text = CompletionScript.completingTopics(fullMessage(for: error), configuration.subcommands.map { $0._commandName })
        do throws(StorageError) { if !text.isEmpty { try Command.answer(text + "\n") } } catch {
          if case .io("write", _, EPIPE) = error { Self.exit(withError: ExitCode(0)) }
          Command.report("error: " + Diagnostics.message(error, path: Diagnostics.standardOutput))
          Self.exit(withError: ExitCode(Diagnostics.Status.failed))
        }
        Self.exit(withError: ExitCode(0))
      }
      guard code == .validationFailure else { exit(withError: error) }
      Command.reportUsage(text(error, of: Array(CommandLine.arguments.dropFirst())))
      Self.exit(withError: ExitCode(Diagnostics.Status.usage))
    }
  }
}
