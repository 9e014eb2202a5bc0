import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Who holds which version. T4.1, T9.
@Suite(.mustEnd) struct VersionClaimTests {
  let directory = TestDirectory()

  private func commit(_ database: Database, _ name: String) throws {
    try database.write { (group) throws(StorageError) in _ = try group.addTable("class_" + name) }
  }
  private struct Counts: Equatable {
    let version: UInt64
    let live, frozen, ownLive, ownFrozen: UInt32
  }
  private func counts(_ database: Database) throws -> [Counts] {
    try database.versionClaims().map {
      Counts(version: $0.version, live: $0.live, frozen: $0.frozen, ownLive: $0.ownLive, ownFrozen: $0.ownFrozen)
    }
  }

  @Test func aDatabaseKnowsItsOwnAndOthersClaims() throws {
    let (first, second) = (try Database.open(path: directory.file()), try Database.open(path: directory.file()))
    try commit(first, "A")
    #expect(try counts(first) == [Counts(version: 2, live: 0, frozen: 0, ownLive: 0, ownFrozen: 0)])
    var readers = [try first.snapshot(), try first.snapshot(), try second.snapshot(), try first.snapshot(.frozen)]
    try commit(first, "B")
    try commit(first, "C")
    // Participants are counted in the file, transactions in the participant.
    #expect(
      try counts(first) == [
        Counts(version: 2, live: 2, frozen: 1, ownLive: 2, ownFrozen: 1), Counts(version: 4, live: 0, frozen: 0, ownLive: 0, ownFrozen: 0),
      ])
    #expect(try counts(second).first == Counts(version: 2, live: 2, frozen: 1, ownLive: 1, ownFrozen: 0))
    #expect(try first.versionClaims()[0].liveOfOthers == 1 && first.versionClaims()[0].frozenOfOthers == 0)
    #expect(try first.versionClaims().map(\.isNewest) == [false, true])
    withExtendedLifetime(readers) {}
    readers.removeAll()
    #expect(try counts(second) == [Counts(version: 4, live: 0, frozen: 0, ownLive: 0, ownFrozen: 0)])
    #expect(first.participantCount == 2)
  }
}
