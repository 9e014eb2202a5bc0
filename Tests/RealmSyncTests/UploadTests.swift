import RealmStorage
import RealmSync
import TestSupport
import Testing

/// What goes into one message.
@Suite struct UploadTests {
  /// The sizes of the changesets of each message, one message after the other.
  private func messages(_ file: SyncFile, byteLimit: Int, messageByteLimit: Int) throws -> [[Int]] {
    var (messages, sent): ([[Int]], UInt64) = ([], 0)
    while true {
      let upload = try file.database.upload(after: sent, byteLimit: byteLimit, messageByteLimit: messageByteLimit)
      if upload.changesets.isEmpty { return messages }
      messages.append(upload.changesets.map(\.bytes.count))
      let last = try #require(upload.changesets.last?.clientVersion)
      #expect(upload.progress.clientVersion >= last)
      sent = upload.progress.clientVersion
    }
  }

  /// A message that servers do not take would come again and again, or lead to a reset, which throws away what was never uploaded.
  @Test func aLargeChangesetBehindSmallOnesGetsAMessageOfItsOwn() throws {
    let file = try SyncFile()
    for size in [10, 20, 3000, 30, 4000, 40] {
      try file.write { group in
        let table = try group.table(named: "class_T") ?? group.addTable("class_T")
        if table.publicColumns.isEmpty { try table.addColumn(ColumnDefinition("b", .binary)) }
        try table.set(table.createObject(), table.column(named: "b").key, .binary([UInt8](repeating: 1, count: size)))
      }
    }
    let all = try #require(try messages(file, byteLimit: .max, messageByteLimit: .max).first)
    #expect(all.count == 6)
    let limit = all[3] + all[4]
    let limited = try messages(file, byteLimit: all[0] + all[1] + 1, messageByteLimit: limit)
    #expect(limited == [Array(all[0...2]), [all[3]], [all[4]], [all[5]]])
    // One that is too large for any message is left to whoever sends it.
    #expect(try messages(file, byteLimit: .max, messageByteLimit: 100).allSatisfy { $0.count == 1 || $0.reduce(0, +) < 100 })
  }
}
