import Foundation
import RealmSync
import TestSupport
import Testing

@testable import RealmStorage

/// Each rule of `SyncHistory.check`, broken alone.
@Suite(.mustEnd) struct SyncHistoryDamageTests {
  private let directory = TestDirectory()

  /// The bytes of a sound file with two entries, and where its parts are.
  private final class Image {
    var bytes: [UInt8]
    private let file: SyncFile
    private let snapshot: Snapshot

    init() throws {
      file = try SyncFile()
      let reader = try file.database.beginRead()
      defer { reader.end() }
      try file.database.setFileIdent(2, salt: 1 << 40)
      let changeset = try file.write { group in _ = try group.addTable("class_Dog") }
      try file.receive([], serverVersion: 5, origin: 3)
      try #require(!changeset.isEmpty)
      snapshot = try file.database.snapshot()
      bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
    }

    private func top() throws -> TopArray { try TopArray(snapshot.space, at: snapshot.topRef) }
    private func root() throws -> Node { try snapshot.space.node(at: top().history) }

    /// Puts another element into a node of elements of whole bytes.
    private func set(_ node: Node, _ index: Int, _ value: Int64) throws {
      let width = node.header.width / 8
      try #require(width > 0)
      let start = Int(node.ref.byteOffset) + NodeHeader.byteCount + index * width
      for byte in 0..<width { bytes[start + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }

    func setSlot(_ slot: Int, _ element: Int64) throws { try set(root(), slot, element) }
    func setVersion(_ version: UInt64) throws { try set(top().node, TopArray.Slot.version, Int64(tagged: version)) }

    /// Makes a node one element shorter.
    private func shorten(_ node: Node) { bytes[Int(node.ref.byteOffset) + 7] -= 1 }
    func shortenRoot() throws { shorten(try root()) }
    func shortenColumn(_ slot: Int) throws { shorten(try snapshot.space.node(at: root().child(slot))) }

    /// Puts another byte into the first entry with instructions, wherever it lies, or lay in older versions.
    func setChangeset(_ index: Int, _ byte: UInt8) throws {
      let history = SyncHistory(root: try top().history)
      let entry = try #require(try history.changes(snapshot.space).first)
      let stored = try #require(try history.entry(snapshot.space, entry.index).changeset)
      let places = bytes.ranges(of: stored).map(\.lowerBound)
      try #require(!places.isEmpty)
      for place in places { bytes[place + index] = byte }
    }
  }

  private func violations(_ change: (Image) throws -> Void) throws -> [String] {
    let image = try Image()
    try change(image)
    let path = try directory.write(image.bytes)
    let run = try ToolRun.realm("verify", path, "--quiet")
    let found = run.output.split(separator: "\n").map(String.init)
    #expect(run.status == (found.isEmpty ? 0 : 1))
    return found
  }

  private func expect(_ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ change: (Image) throws -> Void) throws {
    let found = try violations(change)
    #expect(found.contains { $0.contains(words) }, "\(found)", sourceLocation: sourceLocation)
  }

  @Test func aSoundHistoryHasNoViolation() throws { #expect(try violations { _ in } == []) }

  @Test func aMissingSlotIsNamed() throws { try expect("history: 20 slots, not 21") { try $0.shortenRoot() } }

  @Test func aRefWhereANumberBelongsIsNamed() throws {
    try expect("slot 3 holds a ref, not a tagged integer") { try $0.setSlot(SyncHistory.Slot.latestServerVersion, 24) }
  }

  @Test func somethingInASlotThatNobodyUsesIsNamed() throws {
    try expect("history: its slot 19, which nobody uses any more, is not empty") { try $0.setSlot(SyncHistory.Slot.cooked, 3) }
  }

  @Test func aLogThatIsLongerThanTheVersionIsNamed() throws {
    try expect("changesets lead to version 2") { try $0.setVersion(2) }
  }

  @Test func moreEntriesThanVersionsAreNamed() throws { try expect("history: 2 entries lead to version 2") { try $0.setVersion(2) } }

  @Test(arguments: [SyncHistory.Slot.serverVersions, SyncHistory.Slot.origins, SyncHistory.Slot.timestamps])
  func columnsOfDifferentLengthAreNamed(_ slot: Int) throws {
    let counts = (SyncHistory.Slot.changesets...SyncHistory.Slot.timestamps).map { $0 == slot ? 1 : 2 }
    try expect("history: its columns have \(counts) entries") { try $0.shortenColumn(slot) }
  }

  @Test func aChangesetOfAnUnknownFormIsNamed() throws {
    try expect("a stored changeset is compressed by an unknown algorithm, 7") { try $0.setChangeset(0, 0x71) }
  }

  @Test func aChangesetOfAnotherSizeIsNamed() throws {
    try expect("a stored changeset of 200 bytes has ") { try $0.setChangeset(1, 200) }
  }

  @Test func anEntryFromTheServersFutureIsNamed() throws {
    try expect("entry 1 is from server version 5, the latest is 4") {
      try $0.setSlot(SyncHistory.Slot.latestServerVersion, Int64(tagged: 4))
    }
  }
}
