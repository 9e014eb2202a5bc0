package import RealmStorage

/// A changeset as it comes from the server.
package struct DownloadedChangeset: Sendable {
  /// The version of the server's history that it made.
  package var serverVersion: UInt64
  /// The last version of this file that the server had integrated before.
  package var clientVersion: UInt64
  /// Milliseconds since 2015-01-01T00:00:00Z, by the clock of who made it.
  package var timestamp: UInt64
  /// The file that made it, never this one.
  package var origin: UInt64
  /// Its size before the server transformed it, for statistics.
  package var originalByteCount: UInt64
  /// The instructions.
  package var bytes: [UInt8]

  /// With everything that a message says of it.
  package init(
    serverVersion: UInt64, clientVersion: UInt64, timestamp: UInt64, origin: UInt64, originalByteCount: UInt64? = nil, bytes: [UInt8]
  ) {
    (self.serverVersion, self.clientVersion) = (serverVersion, clientVersion)
    (self.timestamp, self.origin, self.bytes) = (timestamp, origin, bytes)
    self.originalByteCount = originalByteCount ?? UInt64(bytes.count)
  }
}

/// What the head of a download says: how far both directions have come when it is integrated.
package struct SyncProgress: Equatable, Sendable {
  /// Where this file is in the server's history, and which of its versions had been integrated there.
  package var download: SyncStatus.Cursor
  /// The newest version of the server.
  package var latestServer: SyncStatus.Server
  /// What the server has integrated of this file.
  package var upload: SyncStatus.Cursor

  /// With everything that a head says of it.
  package init(download: SyncStatus.Cursor, latestServer: SyncStatus.Server, upload: SyncStatus.Cursor) {
    (self.download, self.latestServer, self.upload) = (download, latestServer, upload)
  }

  /// The rules that a server has to keep (P5.5).
  /// - Parameter version: of the file.
  /// - Throws: `.badProgress` that names the first broken one.
  func check(after status: SyncStatus, version: UInt64) throws(SyncError) {
    func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(SyncError) { if !condition { throw .badProgress(text()) } }
    let (server, acknowledged, reached) = (latestServer.version, upload.clientVersion, download)
    try require(server < 1 << 62, "server version \(server) is too large")
    try require(latestServer.salt >> 63 == 0, "the salt \(latestServer.salt) is too large")
    try require(server >= status.latestServer.version, "the server's version goes back from \(status.latestServer.version) to \(server)")
    try require(
      acknowledged >= status.upload.clientVersion, "the upload goes back from version \(status.upload.clientVersion) to \(acknowledged)")
    try require(acknowledged <= version, "version \(acknowledged) is acknowledged, but this is version \(version)")
    try require(
      reached.serverVersion >= status.download.serverVersion,
      "the download goes back from server version \(status.download.serverVersion) to \(reached.serverVersion)")
    try require(reached.serverVersion <= server, "server version \(reached.serverVersion) is downloaded, but the latest is \(server)")
    try require(
      reached.serverVersion >= upload.serverVersion,
      "the upload is based on server version \(upload.serverVersion), which is beyond the download, \(reached.serverVersion)")
    try require(
      reached.clientVersion >= status.download.clientVersion,
      "the download goes back from version \(status.download.clientVersion) to \(reached.clientVersion)")
    try require(
      reached.clientVersion <= acknowledged, "the download includes version \(reached.clientVersion), but only \(acknowledged) is acknowledged")
  }

  /// The rules for the changesets of one download.
  /// - Parameters:
  ///   - cursor: of the changeset before.
  ///   - mayRepeat: several may make the same server version, as in flexible synchronisation.
  func check(
    _ changesets: [DownloadedChangeset], after cursor: SyncStatus.Cursor, fileIdent: UInt64, mayRepeat: Bool
  ) throws(SyncError) {
    var (server, client) = (cursor.serverVersion, cursor.clientVersion)
    for (number, changeset) in changesets.enumerated() {
      let isNext = changeset.serverVersion > server || mayRepeat && changeset.serverVersion == server
      guard isNext, changeset.serverVersion <= download.serverVersion else {
        throw .badProgress(
          "changeset \(number) has server version \(changeset.serverVersion), after \(server), in a download up to \(download.serverVersion)")
      }
      guard changeset.clientVersion >= client, changeset.clientVersion <= download.clientVersion else {
        throw .badProgress(
          "changeset \(number) has client version \(changeset.clientVersion), after \(client), in a download up to \(download.clientVersion)")
      }
      guard changeset.origin > 0, changeset.origin != fileIdent else {
        throw .badProgress("changeset \(number) comes from file \(changeset.origin)")
      }
      (server, client) = (changeset.serverVersion, changeset.clientVersion)
    }
  }
}
