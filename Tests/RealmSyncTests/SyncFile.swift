import RealmStorage
import RealmSync
import TestSupport

/// A file that synchronises, in a directory of its own.
final class SyncFile {
  let database: Database
  let directory = TestDirectory(inMemory: true)

  init(clock: @escaping @Sendable () -> UInt64 = { 1000 }) throws {
    var options = DatabaseOptions()
    options.durability = .unsafe
    options.historyType = .syncClient
    options.syncClock = clock
    database = try Database.open(path: directory.file(), options: options)
  }

  deinit { database.close() }

  /// - Returns: what the transaction leaves for others.
  @discardableResult func write(_ body: (Group) throws -> Void) throws -> [UInt8] {
    let transaction = try database.beginWrite()
    do {
      let group = try transaction.openGroup()
      try body(group)
      try transaction.commit(group)
    } catch {
      transaction.cancel()
      throw error
    }
    let entry = try lastEntry()
    return try entry.changeset.map { try StoredChangeset.bytes($0, version: 0) } ?? []
  }

  func lastEntry() throws -> SyncEntry {
    let read = try database.beginRead()
    defer { read.end() }
    let history = SyncHistory(root: try TopArray(read.space, at: read.topRef).history)
    return try history.entry(read.space, history.count(read.space) - 1)
  }
}
