extension WriteTransaction {
  /// The tables of this transaction. Give the same object back to `commit`.
  package func openGroup() throws(StorageError) -> Group { try Group(writing: scratch, top: topRef) }

  /// Makes the changes of a group a new version, with its log as the history entry.
  /// - Throws: see `commit(log:)`.
  @discardableResult package func commit(_ group: Group) throws(StorageError) -> UInt64 {
    topRef = try group.finishedTop()
    return try commit(log: group.log.bytes)
  }

  /// Writes the present state of the tables, uncommitted changes included, to a new file without free space.
  /// - Throws: see `write(toFile:)`.
  package func write(_ group: Group, toFile path: String, encryptionKey: EncryptionKey? = nil) throws(StorageError) {
    topRef = try group.finishedTop()
    try write(toFile: path, encryptionKey: encryptionKey)
  }

  /// Brings the contents of an older format to format 24. F11.
  static func upgradeContents(_ transaction: WriteTransaction, from format: Int) throws(StorageError) {
    let group = try transaction.openGroup()
    try FormatUpgrade.run(group, from: format)
    transaction.topRef = try group.finishedTop()
  }
}

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

extension Snapshot {
  /// The tables of this version; valid while the snapshot lives.
  package func openGroup() throws(StorageError) -> Group { try Group(reading: space, top: topRef) }
}
