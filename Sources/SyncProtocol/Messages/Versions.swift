/// How far one side has come in the history of the other.
///
/// Both directions have one: where a client is in the server's history and what the server had integrated of the client there, and what the server has
/// integrated of a client and what the client had integrated of the server there.
package struct VersionCursor: Hashable, Sendable {
  package var serverVersion: UInt64
  package var clientVersion: UInt64

  package init(serverVersion: UInt64 = 0, clientVersion: UInt64 = 0) { (self.serverVersion, self.clientVersion) = (serverVersion, clientVersion) }

  /// Whether both can be cursors into the client's history: who is further in it, is not behind in the server's (P5.4).
  package func agrees(with other: Self) -> Bool {
    if clientVersion == other.clientVersion { return serverVersion == other.serverVersion }
    return clientVersion < other.clientVersion ? serverVersion <= other.serverVersion : serverVersion >= other.serverVersion
  }
}

/// A version of the server's history, with the number that tells this history from one that was made anew.
package struct SaltedVersion: Hashable, Sendable {
  package var version: UInt64
  package var salt: Int64

  package init(version: UInt64 = 0, salt: Int64 = 0) { (self.version, self.salt) = (version, salt) }
}

/// The name that the server gave to a file, with the number that is its password.
package struct SaltedIdent: Hashable, Sendable {
  /// At least 1; 1 is the server itself.
  package var ident: UInt64
  /// Never 0.
  package var salt: Int64

  package init(ident: UInt64, salt: Int64) { (self.ident, self.salt) = (ident, salt) }
}

/// What the head of a DOWNLOAD says of both directions (P5.5).
package struct HeadProgress: Hashable, Sendable {
  /// Where the file is in the server's history afterwards, and which of its versions had been integrated there.
  package var download: VersionCursor
  /// The newest version of the server.
  package var latestServer: SaltedVersion
  /// Which version of the file the server has integrated last, and what that was based on.
  package var upload: VersionCursor

  package init(download: VersionCursor = VersionCursor(), latestServer: SaltedVersion = SaltedVersion(), upload: VersionCursor = VersionCursor()) {
    (self.download, self.latestServer, self.upload) = (download, latestServer, upload)
  }
}
