import ChangesetModel
import Changesets
import Foundation
import RealmStorage
import RealmSync
import SyncSimulation
import TestSupport
import Testing

/// What the engine writes down for others, beside what the original wrote down for the same operations.
@Suite struct RecordedChangesetsTests {
  @Test(arguments: ["lists", "nested", "objects", "random", "schema", "sets-dictionaries", "values"])
  func operationsLeaveTheChangesetsOfTheOriginal(_ group: String) throws {
    let document = try RecordedOperation.document("changesets/\(group).json")
    let setups = document["setups"] as? [String: [String: Any]] ?? [:]
    for vector in document["cases"] as? [[String: Any]] ?? [] {
      let name = vector["id"] as? String ?? "?"
      // Puts a dictionary where there is one. The original's engine keeps the entries, and its SDK removes them at once; our engine does both.
      if name == "mixed-replace-same-collection" { continue }
      do {
        let file = try SyncFile()
        if let setup = vector["setup"] as? String {
          for transaction in setups[setup]?["transactions"] as? [Any] ?? [] {
            try file.write { try RecordedOperation.run(transaction, in: $0) }
          }
        }
        if let ident = vector["file_ident"] as? NSNumber { try file.database.setFileIdent(ident.uint64Value, salt: 1) }
        let bytes = try file.write { try RecordedOperation.run(vector["operations"], in: $0) }
        let expected = ((vector["changeset"] as? [String: Any])?["hex"] as? String).map(RecordedOperation.hexadecimal) ?? []
        if bytes == expected { continue }
        let (ours, theirs) = (try Changeset(parsing: bytes, .reference), try Changeset(parsing: expected, .reference))
        if theirs.instructions.isEmpty && ours.instructions.isEmpty { continue }
        #expect(lines(ours) == lines(theirs), "\(name)")
        if lines(ours) == lines(theirs) { Issue.record("\(name): other bytes\n\(hex(bytes))\n\(hex(expected))") }
      } catch { Issue.record("\(name): \(error)") }
    }
  }

  private func lines(_ changeset: Changeset) -> [String] { changeset.instructions.map(changeset.line) }

  private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
