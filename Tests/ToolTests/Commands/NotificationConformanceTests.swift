import Foundation
import TestSupport
import Testing

/// The recorded scenarios of observing, replayed through the SDK.
@Suite(.mustEnd) struct NotificationConformanceTests {
  private let directory = TestDirectory()

  private func replay(_ lines: [String]) throws -> ToolRun {
    _ = try directory.write(Array(lines.joined(separator: "\n").utf8), as: "some.jsonl")
    return try ToolRun("conformance", ["notifications", directory.path])
  }

  /// All scenarios, or some of each file.
  private func recording() throws -> (folder: String, isWhole: Bool) {
    let folder = Fixture.folder("notifications")
    if TestScale.current != .hundredth { return (folder, true) }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".jsonl") {
      let lines = try String(contentsOfFile: folder + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
      _ = try directory.write(Array(sample(lines).joined(separator: "\n").utf8), as: name)
    }
    return (directory.path, false)
  }

  @Test func observersAreToldWhatWasRecorded() throws {
    let (folder, isWhole) = try recording()
    let run = try ToolRun("conformance", ["notifications", folder])
    #expect(run.status == 0)
    #expect(run.output.hasSuffix(isWhole ? "\nnotifications: 1338 passed, 0 failed\n" : " passed, 0 failed\n"), "\(run.output.suffix(3000))")
    guard isWhole else { return }
    // See `ScenarioExclusion` and `ScenarioCorrection`.
    let named = run.output.split(separator: "\n").dropLast()
    #expect(named.filter { $0.contains(": left out: ") }.count == 5, "\(run.output.suffix(3000))")
    #expect(named.filter { $0.contains(": passed, but ") }.count == 6, "\(run.output.suffix(3000))")
    #expect(named.count == 11)
  }

  /// Tests get unpacked copies of the recording, where it is kept compressed.
  @Test func compressedFilesAreReplayed() throws {
    let packed = PackageLocation.directory + "/Tests/Fixtures/notifications/sets.jsonl.gz"
    try FileManager.default.copyItem(atPath: packed, toPath: directory.file("sets.jsonl.gz"))
    let run = try ToolRun("conformance", ["notifications", directory.path])
    run.expect(status: 0, output: "notifications: 79 passed, 0 failed\n")
  }

  @Test func aReportThatWasRecordedOtherwiseIsNamed() throws {
    let observed = #""observe":{"kind":"results","source":null,"filter":null,"sort":[],"distinct":[],"limit":null,"keyPaths":null}"#
    let operation = #"{"op":"create","id":2,"values":{"n":1}}"#
    let change = #"{"deletions":[],"insertions":[0],"modifications":[]}"#
    let run = try replay([
      #"{"name":"one","seed":1,"setup":[{"op":"create","id":1,"values":{}}],"# + observed + #","initial":[1],"#
        + #""transactions":[{"ops":["# + operation + #"],"change":"# + change + #","after":[1,2]}]}"#
    ])
    run.expect(
      status: 1,
      output: #"some.jsonl one: transaction 1: expected report {"deletions": [], "insertions": [0], "modifications": []}, "#
        + #"got {"deletions": [], "insertions": [1], "modifications": []}"# + "\nnotifications: 0 passed, 1 failed\n")
  }

  @Test func damagedScenariosAreRefused() throws {
    let path = directory.path
    var run = try replay([#"{"name":"#])
    run.expectError(3, about: path + "/some.jsonl", "line 1 is no scenario: is no JSON")
    run = try replay([#"{"name":"one","setup":[],"transactions":[]}"#])
    run.expectError(3, about: path + "/some.jsonl", "no kind that is known")
    run = try replay([#"{"name":"one","setup":[{"op":"explode"}],"transactions":[]}"#])
    run.expectError(3, about: path + "/some.jsonl", "there is no operation")
  }

  @Test func aDirectoryWithoutScenariosIsRefused() throws {
    let empty = try ToolRun("conformance", ["notifications", directory.path])
    empty.expectError(3, about: directory.path, "no file of scenarios")
    let missing = directory.file("nowhere")
    let run = try ToolRun("conformance", ["notifications", missing])
    run.expectError(3, about: missing, "cannot be listed")
  }
}
