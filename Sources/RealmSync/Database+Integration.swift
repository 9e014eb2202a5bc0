import Changesets
import Merge
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
    let transaction = try storing { () throws(StorageError) in try beginWrite() }
    do throws(SyncError) {
      let status = try storing { () throws(StorageError) in try transaction.syncStatus() }
      guard status.fileIdent != 0 else { throw .badState("this file has no name with the server yet") }
      try progress.check(after: status, version: transaction.base.version)
      try progress.check(changesets, after: status, mayRepeat: mayRepeat)
      var local = try LocalChangesets(transaction)
      let transformed = try Self.transform(changesets, &local)
      let group = try storing { () throws(StorageError) in try transaction.openGroup(records: false) }
      for (number, changeset) in transformed.enumerated() {
        try ChangesetApplier(group: group, changeset: changeset, fileIdent: status.fileIdent).apply(number: number)
      }
      try transaction.note(changesets, progress, status, local, downloadableByteCount: downloadableByteCount)
      return try storing { () throws(StorageError) in try transaction.commit(group) }
    } catch {
      transaction.cancel()
      throw error
    }
  }

  private static func transform(_ downloaded: [DownloadedChangeset], _ local: inout LocalChangesets) throws(SyncError) -> [Changeset] {
    var parsed: [OriginatedChangeset] = []
    for (number, changeset) in downloaded.enumerated() {
      do throws(ChangesetError) {
        parsed.append(
          OriginatedChangeset(try Changeset(parsing: changeset.bytes), timestamp: Int64(clamping: changeset.timestamp), file: changeset.origin))
      } catch { throw .malformed(error, number: number) }
    }
    var begin = 0
    while begin < parsed.count {
      // Those that are concurrent with the same changes of this file go together.
      var end = begin + 1
      while end < parsed.count, downloaded[end].clientVersion == downloaded[begin].clientVersion { end += 1 }
      var theirs = Array(parsed[begin..<end])
      try local.merge(&theirs, after: downloaded[begin].clientVersion)
      parsed.replaceSubrange(begin..<end, with: theirs)
      begin = end
    }
    return parsed.map(\.changeset)
  }

  /// Takes the name that the server gives this file.
  ///
  /// - Parameter salt: the secret that goes with it, not 0.
  /// - Throws: `.badState` if there is one already.
  package func setFileIdent(_ ident: UInt64, salt: UInt64) throws(SyncError) {
    try changeStatus { (status) throws(SyncError) in
      guard ident > 0, salt > 0, salt >> 63 == 0 else { throw .badState("the server gave the name \(ident) with the salt \(salt)") }
      guard status.fileIdent == 0 else { throw .badState("this file is \(status.fileIdent) to the server already") }
      let uploadable = status.uploadableByteCount
      status = SyncStatus()
      (status.fileIdent, status.fileIdentSalt, status.uploadableByteCount) = (ident, salt, uploadable)
    }
  }

  private func changeStatus(_ body: (inout SyncStatus) throws(SyncError) -> Void) throws(SyncError) {
    let transaction = try storing { () throws(StorageError) in try beginWrite() }
    do throws(SyncError) {
      guard transaction.synchronisation != nil else { throw .badState("this file does not synchronise") }
      var status = try storing { () throws(StorageError) in try transaction.syncStatus() }
      try body(&status)
      transaction.synchronisation?.status = status
      try storing { () throws(StorageError) in _ = try transaction.commit() }
    } catch {
      transaction.cancel()
      throw error
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

extension LocalChangesets {
  fileprivate init(_ transaction: WriteTransaction) throws(SyncError) {
    guard transaction.synchronisation != nil else { throw .badState("this file does not synchronise") }
    let base = transaction.base
    let top = try storing { () throws(StorageError) in try TopArray(base.space, at: base.topRef) }
    let (root, ident) = try storing { () throws(StorageError) in (try top.history, try top.syncFileID) }
    try self.init(SyncHistory(root: root), base.space, version: base.version, fileIdent: ident)
  }
}

extension WriteTransaction {
  /// Makes the entry of an integration, and the new progress.
  fileprivate func note(
    _ changesets: [DownloadedChangeset], _ progress: SyncProgress, _ old: SyncStatus, _ local: LocalChangesets, downloadableByteCount: UInt64
  ) throws(SyncError) {
    guard var commit = synchronisation else { return }
    if let last = changesets.last {
      commit.entry = SyncEntry(changeset: [], serverVersion: last.serverVersion, origin: last.origin, timestamp: last.timestamp)
    }
    var status = old
    (status.download, status.upload, status.latestServer) = (progress.download, progress.upload, progress.latestServer)
    status.downloadedByteCount = changesets.reduce(old.downloadedByteCount) { $0 &+ $1.originalByteCount }
    status.downloadableByteCount = downloadableByteCount
    status.uploadedByteCount += try local.byteCount(after: old.upload.clientVersion, through: progress.upload.clientVersion)
    commit.status = status
    commit.reciprocals = local.reciprocals
    commit.trimsThrough = try local.trimmable(progress)
    synchronisation = commit
  }
}
