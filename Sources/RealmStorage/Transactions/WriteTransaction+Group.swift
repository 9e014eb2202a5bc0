extension WriteTransaction {
  /// The tables of this transaction. Give the same object back to `commit`.
  ///
  /// - Parameter records: in a file that synchronises, what is done is written down for others; else the caller sets `synchronisation`.
  package func openGroup(records: Bool = true) throws(StorageError) -> Group {
    writesTables = true
    let recorder = records && synchronisation != nil ? ChangesetRecorder(fileIdent: try syncStatus().fileIdent) : nil
    return try Group(writing: scratch, top: topRef, recorder: recorder, attempt: database.cancelledCount)
  }

  /// Finishes the tables for a commit: their top and, in a file that synchronises, what peers are to do.
  private func seal(_ group: Group) throws(StorageError) {
    if let recorder = group.recorder {
      try recorder.suspended { () throws(StorageError) in try group.removeAsymmetricObjects() }
      synchronisation?.record(try recorder.finished(group))
    }
    topRef = try group.finishedTop()
  }

  /// Makes the changes of a group a new version, with its log as the history entry.
  /// - Throws: see `commit(log:)`.
  @discardableResult package func commit(_ group: Group) throws(StorageError) -> UInt64 {
    try seal(group)
    return try commit(log: group.log.bytes)
  }

  /// The same, and goes on to read the new version.
  /// - Returns: nil if the version is durable but could not be claimed.
  /// - Throws: see `commit(log:)`.
  package func commitAndRead(_ group: Group) throws(StorageError) -> ReadTransaction? {
    try seal(group)
    return try commitAndRead(log: group.log.bytes)
  }

  /// The same, without barriers of its own.
  /// - Throws: see `commitIntoGroup(log:completion:)`, which also says when `completion` is called.
  package func commitIntoGroup(
    _ group: Group, completion: @escaping @Sendable (StorageError?) -> Void
  ) throws(StorageError) -> ReadTransaction? {
    try seal(group)
    return try commitIntoGroup(log: group.log.bytes, completion: completion)
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
