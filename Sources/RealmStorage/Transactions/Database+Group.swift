extension Database {
  /// Runs `body` in a write transaction and commits it; cancels it if `body` throws.
  /// - Returns: the new version.
  @discardableResult
  package func write(_ body: (Group) throws(StorageError) -> Void) throws(StorageError) -> UInt64 {
    let transaction = try beginWrite()
    do throws(StorageError) {
      let group = try transaction.openGroup()
      try body(group)
      return try transaction.commit(group)
    } catch {
      transaction.cancel()
      throw error
    }
  }

  /// Runs `body` on the tables of a version, the newest unless told otherwise.
  package func read<Result>(version: UInt64? = nil, _ body: (Group) throws(StorageError) -> Result) throws(StorageError) -> Result {
    let read = try beginRead(version: version)
    defer { read.end() }
    return try body(Group(reading: read.space, top: read.topRef))
  }
}
