/// How far a client has come with its uploads in one session, and what the next one must not contradict (P5.4).
struct UploadChecks: Sendable {
  /// What was integrated when the session began: entries up to here are passed over.
  private let threshold: VersionCursor
  private var progress = VersionCursor()
  private var lockedServerVersion: UInt64

  init(_ record: ClientFileRecord) { (threshold, lockedServerVersion) = (record.upload, record.lockedServerVersion) }

  /// - Parameters:
  ///   - sentServerVersion: up to which the client has got the history, in this session or before it.
  ///   - mayRelay: the client passes on changes of other files.
  /// - Returns: the entries that were not integrated before.
  mutating func accept(
    _ upload: ClientMessage.Upload, sentServerVersion: UInt64, mayRelay: Bool
  ) throws(ServerFailure) -> [ClientMessage.Upload.Entry] {
    let new = upload.progress
    func require(_ condition: Bool, _ code: ErrorCode, _ text: @autoclosure () -> String) throws(ServerFailure) {
      if !condition { throw ServerFailure(code, "UPLOAD: \(text())") }
    }
    try require(
      new.clientVersion >= progress.clientVersion, .badClientVersion, "the progress goes back from \(progress.clientVersion) to \(new.clientVersion)")
    try require(new.serverVersion <= sentServerVersion, .badServerVersion, "server version \(new.serverVersion) was not sent yet")
    try require(
      new.clientVersion > 0 || new.serverVersion == 0, .badServerVersion, "nothing was uploaded, but server version \(new.serverVersion) integrated")
    try require(new.agrees(with: progress), .badServerVersion, "the progress does not go with that of the upload before")
    try require(new.agrees(with: threshold), .badServerVersion, "the progress does not go with what was integrated")
    try require(
      upload.lockedServerVersion >= lockedServerVersion, .badServerVersion,
      "the locked version goes back from \(lockedServerVersion) to \(upload.lockedServerVersion)")
    try require(
      upload.lockedServerVersion <= sentServerVersion, .badServerVersion, "the locked version \(upload.lockedServerVersion) was not sent yet")
    var last = VersionCursor(serverVersion: progress.serverVersion, clientVersion: progress.clientVersion)
    for entry in upload.entries {
      try require(
        entry.cursor.clientVersion > last.clientVersion, .badClientVersion, "version \(entry.cursor.clientVersion) comes after \(last.clientVersion)")
      try require(
        entry.cursor.agrees(with: last), .badServerVersion, "version \(entry.cursor.clientVersion) knows less of the server than the one before")
      try require(entry.origin == 0 || mayRelay, .badOriginFileIdent, "version \(entry.cursor.clientVersion) comes from file \(entry.origin)")
      last = entry.cursor
    }
    try require(last.clientVersion <= new.clientVersion, .badClientVersion, "version \(last.clientVersion) comes after the progress")
    try require(last.agrees(with: new), .badServerVersion, "version \(last.clientVersion) does not go with the progress")
    (progress, lockedServerVersion) = (new, upload.lockedServerVersion)
    return upload.entries.filter { $0.cursor.clientVersion > threshold.clientVersion }
  }
}
