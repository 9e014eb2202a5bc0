extension WriteTransaction {
  /// Whether the file takes part in synchronisation: each of its commits has to leave an entry for others.
  func synchronises() throws(StorageError) -> Bool {
    switch try TopArray(scratch.space, at: topRef).historyType {
    case SyncHistory.type: true
    case 0: database.historyType == .syncClient
    default: false
    }
  }

  /// How far the file has come with its server, as this transaction found it.
  package func syncStatus() throws(StorageError) -> SyncStatus {
    if base.topRef.isNull { return SyncStatus() }
    let top = try TopArray(base.space, at: base.topRef)
    return try SyncHistory(root: top.history).status(base.space, fileIdent: top.syncFileID)
  }

  /// The entry of a commit that changed nothing for others. The commit says when it is made.
  func localEntry() throws(StorageError) -> SyncEntry {
    SyncEntry(changeset: nil, serverVersion: try syncStatus().download.serverVersion, origin: 0, timestamp: 0)
  }
}
