import ArgumentParser
import Foundation
import RealmInspection
import RealmStorage

struct ExportConformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Check that every X.realm of a directory exports as its X.json says.",
    discussion: "Example: conformance export Tests/Fixtures/encrypted")

  @Argument(help: "A directory with pairs of X.realm and X.json.") var directory: String

  func run() throws {
    var tally = Tally()
    for name in try pairs(in: directory) {
      let path = directory + "/" + name + ".realm"
      guard let expected = FileManager.default.contents(atPath: directory + "/" + name + ".json") else {
        tally.add(name, "\(name).json cannot be read")
        continue
      }
      do {
        if let encrypted = EncryptedSideCar(expected) {
          tally.add(name, try encrypted.difference(from: path))
        } else {
          tally.add(name, try Conformance.exportDifference(path: path, expected: [UInt8](expected)))
        }
      } catch let error as StorageError {
        tally.add(name, Diagnostics.message(error, path: path))
      } catch {
        tally.add(name, "\(name).json is no side-car of an encrypted file")
      }
    }
    try tally.finish()
  }
}
