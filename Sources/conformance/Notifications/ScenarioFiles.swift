import Foundation

/// The recorded scenarios of a directory, one file after the other: `NAME.jsonl`, or `NAME.jsonl.gz`.
struct ScenarioFiles {
  let directory: String
  /// In order.
  let names: [String]

  typealias Failure = PackedFile.Failure

  init(_ directory: String) throws {
    self.directory = directory
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      throw Failure(message: "\(directory): cannot be listed; give a directory of recorded scenarios")
    }
    self.names = names.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".jsonl.gz") }.sorted()
    if self.names.isEmpty {
      throw Failure(message: "\(directory): has no file of scenarios (.jsonl or .jsonl.gz); give a directory of recorded scenarios")
    }
  }

  func scenarios(_ name: String) throws -> [Scenario] {
    let data = try PackedFile.contents(directory + "/" + name)
    return try data.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do { return try Scenario(ScenarioValue(parsing: Data(line))) } catch {
        let reason = (error as? MalformedScenario)?.description ?? "is no JSON"
        throw Failure(message: "\(directory)/\(name): line \(index + 1) is no scenario: \(reason); take the file as it was recorded")
      }
    }
  }
}
