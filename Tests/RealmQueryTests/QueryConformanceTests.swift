import Foundation
import Testing

/// The measured queries, in all three ways of evaluation.
@Suite struct QueryConformanceTests {
  static let directory: String? = {
    if let named = ProcessInfo.processInfo.environment["REGNUM_SHARED"] { return named + "/fixtures/queries" }
    var directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while directory.path != "/" {
      let candidate = directory.appendingPathComponent("shared/fixtures/queries").path
      if FileManager.default.fileExists(atPath: candidate) { return candidate }
      directory.deleteLastPathComponent()
    }
    return nil
  }()

  @Test(
    .enabled(if: directory != nil, "../shared is not there"),
    arguments: [[], ["--ignore-indexes"], ["--each-object"], ["--negate-twice"]])
  func `measured queries have the measured answers`(options: [String]) throws {
    let directory = try #require(Self.directory)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("conformance")
    process.arguments = ["queries", directory + "/querydata.realm", directory + "/queries.json"] + options
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let named = output.split(separator: "\n").filter { $0.contains("#") && !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
    // Compared with a corrected answer; see `VectorCorrection`.
    #expect(named == ["quirk#61"], "\(output.suffix(3000))")
    #expect(process.terminationStatus == 0)
    #expect(output.hasSuffix("queries: 4059 passed, 0 failed\n"))
  }
}
