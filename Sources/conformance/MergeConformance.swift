import ArgumentParser
import ChangesetModel
import RealmInspection

struct MergeConformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Check that the recorded changesets of a directory are merged as its files say.",
    discussion: "Example: conformance merge Tests/Fixtures/merge")

  @Argument(help: "A directory of JSON files with vectors.") var directory: String

  func run() throws {
    var tally = Tally()
    let names = try jsonFiles(in: directory)
    var bases: [String: ModelRealm] = [:]
    for name in names where name.hasPrefix("bases.json") {
      do {
        bases = try MergeVectors.bases(try PackedFile.contents(directory + "/" + name))
      } catch { tally.add(name, (error as? MergeVectors.Failure)?.text ?? "\(error)") }
    }
    for name in names where !name.hasPrefix("bases.json") {
      guard let data = try? PackedFile.contents(directory + "/" + name), let vectors = MergeVectors(data, bases: bases) else {
        tally.add(name, "cannot be read or unpacked, or is no file of merges")
        continue
      }
      for (identifier, problem) in vectors.results() { tally.add("\(name) \(identifier)", problem) }
    }
    try tally.finish("merge")
  }
}
