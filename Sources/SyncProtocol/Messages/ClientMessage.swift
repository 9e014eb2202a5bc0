/// What a client says (P4.1).
package enum ClientMessage: Equatable, Sendable {
  case bind(Bind)
  case ident(Ident)
  /// Only in flexible synchronisation.
  case query(session: UInt64, Query)
  case upload(Upload)
  case mark(session: UInt64, request: UInt64)
  case unbind(session: UInt64)
  case ping(Ping)
  case jsonError(session: UInt64, code: Int32, body: String)
  case testCommand(session: UInt64, request: UInt64, body: String)

  /// The first message of a session.
  package struct Bind: Equatable, Sendable {
    package var session: UInt64
    /// A partition value as extended JSON, or what `FlexibleBind` reads; never empty.
    package var body: String
    /// Always empty today: tokens travel with the request that opens the connection (P2.1).
    package var token: String
    package var needsIdent: Bool
    package var isSubserver: Bool

    package init(session: UInt64, body: String, token: String = "", needsIdent: Bool, isSubserver: Bool = false) {
      (self.session, self.body, self.token, self.needsIdent, self.isSubserver) = (session, body, token, needsIdent, isSubserver)
    }
  }

  /// What a file knows, once it has a name.
  package struct Ident: Equatable, Sendable {
    package var session: UInt64
    package var file: SaltedIdent
    package var download: VersionCursor
    package var latestServer: SaltedVersion
    /// The active one; nil in partition-based synchronisation.
    package var query: Query?

    package init(session: UInt64, file: SaltedIdent, download: VersionCursor, latestServer: SaltedVersion, query: Query? = nil) {
      (self.session, self.file, self.download, self.latestServer, self.query) = (session, file, download, latestServer, query)
    }
  }

  /// What a client subscribes to.
  package struct Query: Equatable, Sendable {
    /// Counted from 0, the empty one.
    package var version: UInt64
    /// What `QueryText` reads.
    package var text: String

    package init(version: UInt64, text: String) { (self.version, self.text) = (version, text) }
  }

  /// Changes of a client, or only how far it has come.
  package struct Upload: Equatable, Sendable {
    package var session: UInt64
    /// Up to where in the client's history everything is uploaded with this message.
    package var progress: VersionCursor
    /// The oldest server version that the client may still need the server's history from.
    package var lockedServerVersion: UInt64
    package var entries: [Entry]

    package init(session: UInt64, progress: VersionCursor, lockedServerVersion: UInt64, entries: [Entry] = []) {
      (self.session, self.progress, self.lockedServerVersion, self.entries) = (session, progress, lockedServerVersion, entries)
    }

    /// One changeset.
    package struct Entry: Equatable, Sendable {
      /// The version that it made in the client, and what of the server's history was integrated then.
      package var cursor: VersionCursor
      /// Milliseconds since 2015-01-01T00:00:00Z.
      package var timestamp: UInt64
      /// 0 for the file itself.
      package var origin: UInt64
      package var changeset: [UInt8]

      package init(cursor: VersionCursor, timestamp: UInt64, origin: UInt64 = 0, changeset: [UInt8]) {
        (self.cursor, self.timestamp, self.origin, self.changeset) = (cursor, timestamp, origin, changeset)
      }
    }
  }

  /// A sign of life.
  package struct Ping: Equatable, Sendable {
    /// Milliseconds of a clock of the client's, which the answer repeats.
    package var timestamp: Int64
    /// How long the answer to the previous one took; 0 for the first.
    package var roundTripMilliseconds: Int64

    package init(timestamp: Int64, roundTripMilliseconds: Int64) { (self.timestamp, self.roundTripMilliseconds) = (timestamp, roundTripMilliseconds) }
  }

  /// The session that it is about; nil for `ping`.
  package var session: UInt64? {
    switch self {
    case .bind(let bind): bind.session
    case .ident(let ident): ident.session
    case .upload(let upload): upload.session
    case .query(let session, _), .mark(let session, _), .unbind(let session), .jsonError(let session, _, _), .testCommand(let session, _, _): session
    case .ping: nil
    }
  }
}
