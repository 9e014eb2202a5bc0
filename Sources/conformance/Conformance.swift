import ArgumentParser
import Foundation
import RealmInspection
import RealmStorage

@main struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance", abstract: "Compare the engine with measured fixtures.", version: projectVersion,
    subcommands: [
      ChangesetConformance.self, ExportConformance.self, HistoryConformance.self, MergeConformance.self, NotificationConformance.self,
      QueryConformance.self,
    ])
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
  /// - Parameter subject: what is counted, if the line shall say so.
  func finish(_ subject: String? = nil) throws {
    print("\(subject.map { $0 + ": " } ?? "")\(passed) passed, \(failed) failed")
    if failed > 0 || passed == 0 { throw ExitCode(Diagnostics.Status.negative) }
  }
}

private func names(in directory: String) throws -> [String] {
  do {
    return try FileManager.default.contentsOfDirectory(atPath: directory)
  } catch {
    try? FileHandle.standardError.write(contentsOf: Data("error: \(directory): cannot be listed; give a directory of fixtures\n".utf8))
    throw ExitCode(Diagnostics.Status.unreadable)
  }
}

/// The names of all JSON files of a directory, packed ones included, in order.
func jsonFiles(in directory: String) throws -> [String] {
  try names(in: directory).filter { $0.hasSuffix(".json") || $0.hasSuffix(".json.gz") }.sorted()
}

/// The names of all pairs `NAME.realm`, `NAME.json` of a directory, in order.
func pairs(in directory: String) throws -> [String] {
  let names = try names(in: directory)
  let known = Set(names)
  return names.filter { $0.hasSuffix(".realm") }.map { String($0.dropLast(6)) }.filter { known.contains($0 + ".json") }.sorted()
}

extension ConformanceCommand {
  /// As the library's own, but wrong usage ends with status 2 (Documentation/CommandLine.md).
  static func main() {
    StandardStreams.reserve()
    do {
      var command = try parseAsRoot()
      try command.run()
      // What passed nobody knows whose output could not be written.
      guard fflush(nil) == 0 else {
        try? FileHandle.standardError.write(contentsOf: Data("error: standard output: cannot be written\n".utf8))
        throw ExitCode(Diagnostics.Status.failed)
      }
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      try? FileHandle.standardError.write(contentsOf: Data((fullMessage(for: error) + "\n").utf8))
      Self.exit(withError: ExitCode(Diagnostics.Status.usage))
    }
  }
}
