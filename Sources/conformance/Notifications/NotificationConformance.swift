import ArgumentParser
import Foundation
import RealmInspection

struct NotificationConformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications", abstract: "Replay recorded scenarios, and compare what observers are told.",
    discussion: "Example: conformance notifications Tests/Fixtures/notifications")

  @Argument(help: "A directory with files of scenarios, X.jsonl or X.jsonl.gz.") var directory: String

  func run() throws {
    let places = FileManager.default.temporaryDirectory.appendingPathComponent(Self.folder)
    try FileManager.default.createDirectory(at: places, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: places) }
    var (passed, failed) = (0, 0)
    do {
      let files = try ScenarioFiles(directory)
      for file in files.names {
        for scenario in try files.scenarios(file) {
          if let reason = ScenarioExclusion.reason(scenario) {
            print("\(file) \(scenario.name): left out: \(reason)")
          } else if let problem = problem(scenario, "\(passed + failed)") {
            print("\(file) \(scenario.name): \(problem)")
            failed += 1
          } else {
            passed += 1
            if ScenarioCorrection.isNeeded(scenario) { print("\(file) \(scenario.name): passed, but \(ScenarioCorrection.reason)") }
          }
        }
      }
    } catch let failure as ScenarioFiles.Failure {
      try? FileHandle.standardError.write(contentsOf: Data("error: \(failure.message)\n".utf8))
      throw ExitCode(Diagnostics.Status.unreadable)
    }
    print("notifications: \(passed) passed, \(failed) failed")
    if failed > 0 || passed == 0 { throw ExitCode(Diagnostics.Status.negative) }
  }

  /// Where the realms in memory have their places, of each of which files stay. They are shared with other processes.
  private static let folder = "conformance-\(ProcessInfo.processInfo.processIdentifier)"

  private func problem(_ scenario: Scenario, _ number: String) -> String? {
    do { return try ScenarioReplay(scenario, identifier: "\(Self.folder)/\(number)").difference() } catch { return "cannot be replayed: \(error)" }
  }
}
