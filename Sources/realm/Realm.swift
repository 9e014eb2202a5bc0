import ArgumentParser
import RealmInspection
import RealmStorage

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
  /// As the library's own, but wrong usage ends with status 2 (Documentation/CommandLine.md).
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      Command.report(fullMessage(for: error))
      Self.exit(withError: ExitCode(Diagnostics.Status.usage))
    }
  }
}
