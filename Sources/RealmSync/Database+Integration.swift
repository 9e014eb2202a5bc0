package import RealmStorage

extension Database {
  /// Merges downloaded changesets with what this file has changed, applies them and records both, in one transaction; so observers see one change, and
  /// after a crash all of it has happened, or nothing.
  ///
  /// - Parameters:
  ///   - changesets: in the order of the server's history; none if the head alone is news.
  ///   - progress: what the download's head says.
  ///   - downloadableByteCount: what is still to come.
  ///   - mayRepeat: several changesets may have the same server version, as in flexible synchronisation.
  /// - Returns: the version that was made.
  /// - Throws: `SyncError`; the file is as it was then.
  @discardableResult
  package func integrate(
    _ changesets: [DownloadedChangeset], progress: SyncProgress, downloadableByteCount: UInt64 = 0, mayRepeat: Bool = false
  ) throws(SyncError) -> UInt64 {
    try writing(records: false) { (transaction, group) throws(SyncError) in
      var integration = try Integration(transaction, group, progress)
      try integration.integrate(changesets, mayRepeat: mayRepeat)
      try integration.finish(downloadableByteCount: downloadableByteCount)
    }.version
  }

  /// Takes the name that the server gives this file. What was downloaded before stays so: a copy of a file has a name of its own, and goes on
  /// where that one was.
  ///
  /// - Parameter salt: the secret that goes with it, not 0.
  /// - Throws: `.badState` if there is one already.
  package func setFileIdent(_ ident: UInt64, salt: UInt64) throws(SyncError) {
    _ = try writing { (transaction, _) throws(SyncError) in
      var status = try storing { () throws(StorageError) in try transaction.syncStatus() }
      guard ident > 0, salt > 0, salt >> 63 == 0 else { throw .badState("the server gave the name \(ident) with the salt \(salt)") }
      guard status.fileIdent == 0 else { throw .badState("this file is \(status.fileIdent) to the server already") }
      (status.fileIdent, status.fileIdentSalt) = (ident, salt)
      (status.download.clientVersion, status.upload.clientVersion) = (0, 0)
      transaction.synchronisation?.status = status
    }
  }

  /// How far this file has come with its server.
  package func syncStatus() throws(SyncError) -> SyncStatus {
    try storing { () throws(StorageError) in
      let read = try beginRead()
      defer { read.end() }
      if read.topRef.isNull { return SyncStatus() }
      let top = try TopArray(read.space, at: read.topRef)
      return try SyncHistory(root: top.history).status(read.space, fileIdent: top.syncFileID)
    }
  }
}
