import ChangesetModel
import Changesets
import Foundation
import Randomness
import RealmStorage
import RealmSync
import SyncSimulation
import Testing

@Suite struct ThrowawayTurn {
  /// /tmp/turn.txt: seed, then paths; each file gets random changes.
  @Test func turn() throws {
    guard let text = try? String(contentsOfFile: "/tmp/turn.txt", encoding: .utf8) else { return }
    let lines = text.split(separator: "\n").map(String.init)
    var random = SeededGenerator(seed: UInt64(lines[0])!)
    for path in lines.dropFirst() {
      var options = DatabaseOptions()
      options.historyType = .syncClient
      let database = try Database.open(path: path, options: options)
      defer { database.close() }
      var realm = try database.read { (group) throws(StorageError) in try ModelRealm(group) }
      if realm.classes["P"] == nil {
        try database.perform(RandomHistory.baseChangeset)
        realm = try database.read { (group) throws(StorageError) in try ModelRealm(group) }
      }
      var history = RandomHistory(random.next(), file: try database.syncStatus().fileIdent, from: realm, erasesSchema: false)
      for item in history.changesets(transactions: 1 + random.below(6), changes: 1 + random.below(12)) { try database.perform(item.changeset) }
      let snapshot = try database.snapshot()
      #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24).violations.isEmpty, "\(path)")
      let new = try database.read { (group) throws(StorageError) in try ModelRealm(group) }
      #expect(new == history.realm, "\(path)")
    }
  }
}
