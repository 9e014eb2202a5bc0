import Foundation
import RealmInspection
import RealmStorage
import TestSupport
import Testing

@testable import realm

/// What long commands say on a terminal while they work, and how they end when they are interrupted.
@Suite(.mustEnd) struct ProgressTests {
  private let directory = TestDirectory()

  @Test(arguments: [
    (realm.Progress.State(label: "verify"), "verify: 4 s"),
    (realm.Progress.State(label: "salvage", done: 8000), "salvage: 8000, 2000 a second"),
    (realm.Progress.State(label: "export", done: 25, total: 100), "export: 25 %, 6 a second, 13 s left"),
    (realm.Progress.State(label: "reading", done: 600_000, countsBytes: true), "reading: 600 kB, 150 kB a second"),
    (realm.Progress.State(label: "copy", done: 40_000_000, total: 80_000_000, countsBytes: true), "copy: 50 %, 10.0 MB a second, 5 s left"),
  ])
  func theLineSaysWhatIsKnown(_ state: realm.Progress.State, _ text: String) {
    #expect(state.text(4) == text)
  }

  /// A pipe that somebody has open for writing and never writes to.
  private func idlePipe() throws -> (path: String, descriptor: Int32) {
    let path = directory.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    return (path, descriptor)
  }

  @Test func anImportThatWaitsForItsInputSaysSoAndObeysAnInterrupt() throws {
    let pipe = try idlePipe()
    defer { close(pipe.descriptor) }
    let output = directory.file("dogs.realm")
    let run = try TerminalProcess("realm", ["import", "-", "--format", "csv", "-o", output, "--class", "Dog"], input: pipe.path)
    #expect(run.shows("reading: 0 s"), "\(run.screen)")
    let start = ContinuousClock.now
    run.type("\u{3}")
    #expect(run.end() == Int32(4), "\(run.screen)")
    #expect(ContinuousClock.now - start < .seconds(5), "it is a fraction of a second on an idle machine")
    #expect(run.screen.contains("interrupted") && !FileManager.default.fileExists(atPath: output))
  }

  @Test func nothingIsShownWhereNobodyWantsIt() throws {
    let pipe = try idlePipe()
    defer { close(pipe.descriptor) }
    let output = directory.file("dogs.realm")
    let run = try TerminalProcess("realm", ["import", "-", "--format", "csv", "-o", output, "--class", "Dog", "--quiet"], input: pipe.path)
    letPass(milliseconds: 900)
    run.type("\u{3}")
    #expect(run.end() == Int32(4))
    #expect(!run.screen.contains("reading: "), "\(run.screen)")
  }

  @Test func everyLongCommandSaysHowFarItIsAndObeysAnInterrupt() throws {
    let (table, file, other) = (directory.file("dogs.csv"), directory.file("dogs.realm"), directory.file("other.realm"))
    let rows = (0..<60_000).map { "\($0),Dog \($0 * 7919 % 60_000),\($0 % 17)\n" }
    try Data(("id,name,age\n" + rows.joined()).utf8).write(to: URL(fileURLWithPath: table))
    let options = ["--class", "Dog", "--primary-key", "id"]
    try ToolRun("realm", ["import", table, "-o", file] + options + ["--quiet"]).expect(status: 0)
    try FileManager.default.copyItem(atPath: file, toPath: other)
    let commands: [(label: String, arguments: [String], made: String?)] = [
      ("reading", ["import", table, "-o", directory.file("new.realm")] + options, directory.file("new.realm")),
      ("diff", ["diff", file, other], nil), ("salvage", ["salvage", file, "-o", directory.file("saved.realm")], directory.file("saved.realm")),
      ("export", ["export", file, "-o", directory.file("dogs.json")], directory.file("dogs.json")),
    ]
    for (label, arguments, made) in commands {
      let run = try TerminalProcess("realm", arguments, output: directory.file("results"))
      // A fast machine may be done before half a second has passed, after which there is a line.
      guard run.shows(label + ": ", within: 5) else {
        #expect(run.end() == 0, "\(label): \(run.screen)")
        continue
      }
      run.type("\u{3}")
      let status = try #require(run.end(within: 5), "\(label) goes on")
      if status == 0 { continue }
      #expect(status == 4 || status == 128 + SIGINT, "\(label): \(run.screen)")
      if let made { #expect(!FileManager.default.fileExists(atPath: made), "\(label) leaves a part of what it was making") }
    }
  }

  @Test func aPrintedValueTakesNoMoreMemoryThanItHas() throws {
    let fixture = directory.file("dogs.realm")
    try Data("id,name\n1,Rex\n".utf8).write(to: URL(fileURLWithPath: directory.file("dogs.csv")))
    try ToolRun.realm("import", directory.file("dogs.csv"), "-o", fixture, "--class", "Dog", "--quiet").expect(status: 0)
    let opened = try OpenFile(path: fixture)
    let table = try opened.table(named: "Dog")
    let printer = PlainPrinter(Exporter(opened, digestLimit: nil, to: MemorySink()))
    let object = try printer.object(ObjectKey(0), table)
    #expect(object.fields.allSatisfy { $0.capacity < 256 }, "\(object.fields.map(\.capacity))")
  }
}
