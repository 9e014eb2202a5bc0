import ArgumentParser
import Foundation
import RealmInspection
import RealmStorage

struct HistoryConformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Check that every X.realm of a directory holds the transaction logs of its X.json.",
    discussion: "Example: conformance history Tests/Fixtures/history")

  @Argument(help: "A directory with pairs of X.realm and X.json.") var directory: String

  func run() throws {
    var tally = Tally()
    for name in try pairs(in: directory) {
      let path = directory + "/" + name + ".realm"
      guard let data = FileManager.default.contents(atPath: directory + "/" + name + ".json") else {
        tally.add(name, "\(name).json cannot be read")
        continue
      }
      do {
        tally.add(name, try HistorySideCar(data).difference(from: path))
      } catch let error as StorageError {
        tally.add(name, Diagnostics.message(error, path: path))
      } catch {
        tally.add(name, "\(name).json is no side-car of a history: \(error)")
      }
    }
    try tally.finish()
  }
}
