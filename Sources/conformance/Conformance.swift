import ArgumentParser
import Foundation
import RealmInspection
import RealmStorage

@main struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance", abstract: "Compare the engine with measured fixtures.", version: projectVersion,
    subcommands: [ExportConformance.self, HistoryConformance.self, NotificationConformance.self, QueryConformance.self])
}

/// Counts results, prints failures, and ends with the line that scripts read.
struct Tally {
  var passed = 0
  var failed = 0
  /// - Parameter problem: nil if the vector passed.
  mutating func add(_ name: String, _ problem: String?) {
    if let problem {
      failed += 1
      print("\(name): \(problem)")
    } else {
      passed += 1
    }
  }
  func finish() throws {
    print("\(passed) passed, \(failed) failed")
    if failed > 0 || passed == 0 { throw ExitCode(Diagnostics.Status.negative) }
  }
}

/// The names of all pairs `NAME.realm`, `NAME.json` of a directory, in order.
func pairs(in directory: String) throws -> [String] {
  let names: [String]
  do {
    names = try FileManager.default.contentsOfDirectory(atPath: directory)
  } catch {
    FileHandle.standardError.write(Data("error: \(directory): cannot be listed; give a directory of fixtures\n".utf8))
    throw ExitCode(Diagnostics.Status.unreadable)
  }
  let known = Set(names)
  return names.filter { $0.hasSuffix(".realm") }.map { String($0.dropLast(6)) }.filter { known.contains($0 + ".json") }.sorted()
}

extension ConformanceCommand {
  /// As the library's own, but wrong usage ends with status 2 (Documentation/CommandLine.md).
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
      Self.exit(withError: ExitCode(Diagnostics.Status.usage))
    }
  }
}
