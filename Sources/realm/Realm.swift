import ArgumentParser

@main struct RealmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realm", abstract: "Look into, check and maintain .realm files.", version: "0.1.0",
    subcommands: [
      SchemaCommand.self, ExportCommand.self, StatCommand.self, VerifyCommand.self, DumpCommand.self, CompactCommand.self, CopyCommand.self,
      UpgradeCommand.self,
    ])
}
