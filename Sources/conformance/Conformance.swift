import ArgumentParser

@main struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance", abstract: "Compare the engine with measured fixtures.", version: "0.1.0")
}
