/// What a server has stored of a client's file.
package struct ClientFileRecord: Equatable, Sendable {
  /// Nil if the file has none, and so cannot identify itself.
  package var salt: Int64?
  /// Not one of the server's own, and of the kind that it was when it got its name.
  package var isOfSameKind = true
  /// What it needs of the history was thrown away.
  package var isExpired = false
  /// From which server version on its reciprocal history is there.
  package var reciprocalBase: UInt64 = 0
  /// How far it was integrated.
  package var upload = VersionCursor()
  package var lockedServerVersion: UInt64 = 0

  package init(salt: Int64?, upload: VersionCursor = VersionCursor()) { (self.salt, self.upload) = (salt, upload) }

  /// The checks of an IDENT, in their order (P5.3).
  /// - Parameters:
  ///   - record: nil for a file that was never there.
  ///   - current: the server's version, whose salt is that of all its versions.
  /// - Returns: the error that leads to a client reset; nil if the file can go on.
  package static func failure(of ident: ClientMessage.Ident, _ record: Self?, current: SaltedVersion) -> ServerFailure? {
    guard let record else { return ServerFailure(.badClientFileIdent, "there is no file \(ident.file.ident)") }
    guard let salt = record.salt, salt == ident.file.salt else {
      return ServerFailure(.divergingHistories, "file \(ident.file.ident) has another salt")
    }
    let (server, latest) = (ident.download.serverVersion, ident.latestServer)
    guard server >= record.reciprocalBase else {
      return ServerFailure(.badServerVersion, "server version \(server) is older than what is kept for the file, from \(record.reciprocalBase) on")
    }
    if record.isExpired { return ServerFailure(.clientFileExpired, "file \(ident.file.ident) was away for too long") }
    guard server <= current.version else { return ServerFailure(.badServerVersion, "server version \(server) comes after \(current.version)") }
    guard ident.download.clientVersion <= record.upload.clientVersion else {
      return ServerFailure(
        .badClientVersion, "client version \(ident.download.clientVersion) comes after \(record.upload.clientVersion), the last that was integrated")
    }
    guard server <= latest.version, latest.version <= current.version else {
      return ServerFailure(.badServerVersion, "server version \(latest.version) is not between \(server) and \(current.version)")
    }
    // Nobody has seen a salt before there was a version.
    guard latest.version == 0 || latest.salt == current.salt else {
      return ServerFailure(.divergingHistories, "server version \(latest.version) has another salt")
    }
    return record.isOfSameKind ? nil : ServerFailure(.badClientFileIdent, "file \(ident.file.ident) is of another kind")
  }
}
