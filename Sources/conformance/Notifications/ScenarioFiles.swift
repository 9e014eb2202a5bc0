import Foundation

/// The recorded scenarios of a directory, one file after the other: `NAME.jsonl`, or `NAME.jsonl.gz`.
struct ScenarioFiles {
  let directory: String
  /// In order.
  let names: [String]

  struct Failure: Error { let message: String }

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
    let data = try contents(directory + "/" + name)
    return try data.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do { return try Scenario(ScenarioValue(parsing: Data(line))) } catch {
        let reason = (error as? MalformedScenario)?.description ?? "is no JSON"
        throw Failure(message: "\(directory)/\(name): line \(index + 1) is no scenario: \(reason); take the file as it was recorded")
      }
    }
  }

  private func contents(_ path: String) throws -> Data {
    if path.hasSuffix(".gz") { return try unpacked(path) }
    guard let data = FileManager.default.contents(atPath: path) else { throw Failure(message: "\(path): cannot be read; check its permissions") }
    return data
  }

  private func unpacked(_ path: String) throws -> Data {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "--decompress", "--stdout", path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { throw Failure(message: "\(path): cannot be unpacked, gzip is missing; install it, or unpack the file") }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(message: "\(path): cannot be unpacked by gzip; take the file as it was recorded") }
    return data
  }
}
