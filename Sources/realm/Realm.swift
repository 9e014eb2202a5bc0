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
  /// The library prints the help of the whole tool for words that it does not know.
  private static func checkTopic(_ arguments: ArraySlice<String>) throws {
    guard arguments.first == "help", let topic = arguments.dropFirst().first, !topic.hasPrefix("-") else { return }
    guard topic == "help" || configuration.subcommands.contains(where: { $0._commandName == topic }) else {
      throw ValidationError("There is no command '\(topic)'.")
    }
  }

  /// As the library's own, but wrong usage ends with status 2 (Documentation/CommandLine.md).
  static func main() {
    StandardStreams.reserve()
    Interruption.surviveFileLimit()
    do {
      try checkTopic(CommandLine.arguments.dropFirst())
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      // Help, the version, scripts for shells: whoever keeps them in a file should know that they are not there.
      if code == .success {
        let text = fullMessage(for: error)
        do throws(StorageError) { if !text.isEmpty { try Command.answer(text + "\n") } } catch {
          if case .io("write", _, EPIPE) = error { Self.exit(withError: ExitCode(0)) }
          Command.report("error: " + Diagnostics.message(error, path: Diagnostics.standardOutput))
          Self.exit(withError: ExitCode(Diagnostics.Status.failed))
        }
        Self.exit(withError: ExitCode(0))
      }
      guard code == .validationFailure else { exit(withError: error) }
      Command.report(fullMessage(for: error))
      Self.exit(withError: ExitCode(Diagnostics.Status.usage))
    }
  }
}
