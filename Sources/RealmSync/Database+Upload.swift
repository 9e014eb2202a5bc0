package import RealmStorage

/// A changeset that the server is to get.
package struct UploadedChangeset: Equatable, Sendable {
  /// The version of this file that it made.
  package let clientVersion: UInt64
  /// What of the server's history was integrated then.
  package let serverVersion: UInt64
  /// Milliseconds since 2015-01-01T00:00:00Z.
  package let timestamp: UInt64
  /// The instructions.
  package let bytes: [UInt8]
}

/// What is to be sent next.
package struct Upload: Equatable, Sendable {
  /// In the order of their versions.
  package let changesets: [UploadedChangeset]
  /// How far in this file's history they reach, with what means nothing to the server.
  package let progress: SyncStatus.Cursor
  /// The oldest server version that this file may still need the server's history from.
  package let lockedServerVersion: UInt64
}

extension Database {
  /// What the server does not have yet.
  ///
  /// - Parameters:
  ///   - version: of this file, up to which everything was sent; at least what the server has acknowledged.
  ///   - byteLimit: no further changeset once they are that large together; at least one is sent.
  ///   - messageByteLimit: nor one with which they would be that large; servers take no larger messages.
  ///   - last: a version of this file after which nothing is sent yet.
  package func upload(
    after version: UInt64, byteLimit: Int = 128 << 10, messageByteLimit: Int = 16 << 20, through last: UInt64 = .max
  ) throws(SyncError) -> Upload {
    let read = try storing { () throws(StorageError) in try beginRead() }
    defer { read.end() }
    let space = read.space
    guard !read.topRef.isNull else { return Upload(changesets: [], progress: SyncStatus.Cursor(), lockedServerVersion: 0) }
    let top = try storing { () throws(StorageError) in try TopArray(space, at: read.topRef) }
    let (root, ident) = try storing { () throws(StorageError) in (try top.history, try top.syncFileID) }
    let history = SyncHistory(root: root)
    let status = try storing { () throws(StorageError) in try history.status(space, fileIdent: ident) }
    let local = try LocalChangesets(history, space, version: read.version, fileIdent: ident)
    var changesets: [UploadedChangeset] = []
    var byteCount = 0
    let end = min(last, read.version)
    var progress = end
    try local.forEachUploaded(after: max(version, status.upload.clientVersion), through: end) { (version, entry) throws(SyncError) in
      let isFull = byteCount >= byteLimit
      let bytes = isFull ? [] : try StoredChangeset.bytes(entry.changeset ?? [], version: version)
      if isFull || byteCount + bytes.count >= messageByteLimit && !changesets.isEmpty {
        progress = version - 1
        return false
      }
      byteCount += bytes.count
      changesets.append(
        UploadedChangeset(clientVersion: version, serverVersion: entry.serverVersion, timestamp: entry.timestamp, bytes: bytes))
      return true
    }
    let serverVersion = try storing { () throws(StorageError) in try history.serverVersion(space, at: progress, version: read.version) }
    return Upload(
      changesets: changesets, progress: SyncStatus.Cursor(serverVersion: serverVersion ?? status.download.serverVersion, clientVersion: progress),
      lockedServerVersion: status.download.serverVersion)
  }
}
