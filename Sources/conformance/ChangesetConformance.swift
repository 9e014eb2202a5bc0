import ArgumentParser
import Changesets
import Foundation
import RealmInspection

struct ChangesetConformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changesets", abstract: "Check that the recorded changesets of a directory are parsed, described and encoded as its files say.",
    discussion: "Example: conformance changesets Tests/Fixtures/changesets")

  @Argument(help: "A directory of JSON files with cases.") var directory: String

  func run() throws {
    var tally = Tally()
    for name in try jsonFiles(in: directory) {
      guard let data = try? PackedFile.contents(directory + "/" + name), let cases = ChangesetVectors(data) else {
        tally.add(name, "cannot be read or unpacked, or is no file of changesets")
        continue
      }
      for (identifier, problem) in cases.results() { tally.add("\(name) \(identifier)", problem) }
    }
    try tally.finish("changesets")
  }
}
