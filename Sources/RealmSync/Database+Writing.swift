import RealmStorage

extension Database {
  /// Runs work in a write transaction of a file that synchronises, and commits it.
  ///
  /// - Parameter records: whether what is done to classes is written down for peers; else `body` says what the commit leaves.
  /// - Throws: what `body` throws, and `.badState` for other files; the file is as it was then.
  func writing<Result>(
    records: Bool = true, _ body: (WriteTransaction, Group) throws(SyncError) -> Result
  ) throws(SyncError) -> (result: Result, version: UInt64) {
    let transaction = try storing { () throws(StorageError) in try beginWrite() }
    do throws(SyncError) {
      guard transaction.synchronisation != nil else { throw .badState("this file does not synchronise") }
      let group = try storing { () throws(StorageError) in try transaction.openGroup(records: records) }
      let result = try body(transaction, group)
      return (result, try storing { () throws(StorageError) in try transaction.commit(group) })
    } catch {
      transaction.cancel()
      throw error
    }
  }

  /// Reads the newest version.
  func reading<Result>(_ body: (Group) throws(SyncError) -> Result) throws(SyncError) -> Result {
    let read = try storing { () throws(StorageError) in try beginRead() }
    defer { read.end() }
    return try body(try storing { () throws(StorageError) in try Group(reading: read.space, top: read.topRef) })
  }
}
