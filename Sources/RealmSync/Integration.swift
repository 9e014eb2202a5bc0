import Changesets
import Merge
import RealmStorage

/// The integration of downloaded changesets in one write transaction, in one or several portions.
struct Integration {
  private let transaction: WriteTransaction
  private let group: Group
  private let progress: SyncProgress
  private let status: SyncStatus
  private var local: LocalChangesets
  /// The last changeset that was integrated.
  private var last: DownloadedChangeset?
  private var count = 0
  private var originalByteCount: UInt64 = 0

  /// - Parameters:
  ///   - group: the tables of the transaction, of which nothing is written down for peers.
  ///   - progress: where both sides are when everything is integrated.
  /// - Throws: `.badProgress` if that cannot follow from where they are.
  init(_ transaction: WriteTransaction, _ group: Group, _ progress: SyncProgress) throws(SyncError) {
    (self.transaction, self.group, self.progress) = (transaction, group, progress)
    status = try storing { () throws(StorageError) in try transaction.syncStatus() }
    guard status.fileIdent != 0 else { throw .badState("this file has no name with the server yet") }
    try progress.check(after: status, version: transaction.base.version)
    let base = transaction.base
    let root = try storing { () throws(StorageError) in try TopArray(base.space, at: base.topRef).history }
    local = try LocalChangesets(SyncHistory(root: root), base.space, version: base.version, fileIdent: status.fileIdent)
  }

  /// Merges and applies what comes next.
  /// - Parameter mayRepeat: several changesets may have the same server version.
  mutating func integrate(_ changesets: [DownloadedChangeset], mayRepeat: Bool) throws(SyncError) {
    let cursor = last.map { SyncStatus.Cursor(serverVersion: $0.serverVersion, clientVersion: $0.clientVersion) } ?? status.download
    try progress.check(changesets, after: cursor, fileIdent: status.fileIdent, mayRepeat: mayRepeat)
    for (position, changeset) in try transform(changesets).enumerated() {
      try ChangesetApplier(group: group, changeset: changeset, fileIdent: status.fileIdent).apply(number: count + position)
    }
    count += changesets.count
    last = changesets.last ?? last
    originalByteCount = changesets.reduce(originalByteCount) { $0 &+ $1.originalByteCount }
  }

  private mutating func transform(_ downloaded: [DownloadedChangeset]) throws(SyncError) -> [Changeset] {
    var parsed: [OriginatedChangeset] = []
    for (position, changeset) in downloaded.enumerated() {
      do throws(ChangesetError) {
        parsed.append(
          OriginatedChangeset(try Changeset(parsing: changeset.bytes), timestamp: Int64(clamping: changeset.timestamp), file: changeset.origin))
      } catch { throw .malformed(error, number: count + position) }
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

  /// Notes what the commit leaves: the entry of an integration, and the new progress.
  /// - Parameter downloadableByteCount: what is still to come.
  func finish(downloadableByteCount: UInt64) throws(SyncError) {
    guard var commit = transaction.synchronisation else { return }
    if let last {
      commit.entry = SyncEntry(changeset: [], serverVersion: last.serverVersion, origin: last.origin, timestamp: last.timestamp)
    }
    var status = status
    status.uploadedByteCount &+= try local.byteCount(after: status.upload.clientVersion, through: progress.upload.clientVersion)
    (status.download, status.upload, status.latestServer) = (progress.download, progress.upload, progress.latestServer)
    status.downloadedByteCount &+= originalByteCount
    status.downloadableByteCount = downloadableByteCount
    commit.status = status
    commit.reciprocals = local.reciprocals
    commit.trimsThrough = try local.trimmable(progress)
    transaction.synchronisation = commit
  }
}
