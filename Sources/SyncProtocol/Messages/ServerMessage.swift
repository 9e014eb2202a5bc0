/// What a server says (P4.2).
package enum ServerMessage: Equatable, Sendable {
  case ident(session: UInt64, SaltedIdent)
  case download(Download)
  case mark(session: UInt64, request: UInt64)
  case unbound(session: UInt64)
  case pong(timestamp: Int64)
  /// The session is 0 for the whole connection; the body is what `ErrorBody` reads.
  case jsonError(session: UInt64, code: Int32, body: String)
  /// Obsolete, still understood.
  case error(session: UInt64, code: Int32, tryAgain: Bool, text: String)
  /// Only in flexible synchronisation.
  case queryError(QueryError)
  /// The session is 0 for the whole connection; the body is what `LogBody` reads.
  case logMessage(session: UInt64, body: String)
  case testCommand(session: UInt64, request: UInt64, body: String)

  /// Changes of the server's history, or only how far both sides have come.
  package struct Download: Equatable, Sendable {
    package var session: UInt64
    package var progress: HeadProgress
    package var extent: Extent
    package var entries: [Entry]

    package init(session: UInt64, progress: HeadProgress, extent: Extent, entries: [Entry] = []) {
      (self.session, self.progress, self.extent, self.entries) = (session, progress, extent, entries)
    }

    /// What a message is a part of.
    package enum Extent: Equatable, Sendable {
      /// How many bytes are to come after it, for bars.
      case partition(remainingByteCount: UInt64)
      case flexible(queryVersion: UInt64, Batch, ProgressEstimate)

      /// Steady state: no part of a bootstrap.
      package static func steady(queryVersion: UInt64) -> Self { .flexible(queryVersion: queryVersion, .steady, .everything) }
    }

    /// Where a message of flexible synchronisation stands.
    package enum Batch: UInt64, Sendable {
      /// Part of a bootstrap, and not its end.
      case more = 0
      /// The end of a bootstrap.
      case last = 1
      case steady = 2
    }

    /// One changeset.
    package struct Entry: Equatable, Sendable {
      /// The version of the server that it made, and the last version of the file that the server had integrated before.
      package var cursor: VersionCursor
      /// Milliseconds since 2015-01-01T00:00:00Z, by the clock of who made it.
      package var timestamp: UInt64
      /// The file that made it, never the one that gets it; 1 is the server.
      package var origin: UInt64
      /// The size before the server transformed it, for statistics.
      package var originalByteCount: UInt64
      package var changeset: [UInt8]

      package init(cursor: VersionCursor, timestamp: UInt64, origin: UInt64, originalByteCount: UInt64? = nil, changeset: [UInt8]) {
        (self.cursor, self.timestamp, self.origin, self.changeset) = (cursor, timestamp, origin, changeset)
        self.originalByteCount = originalByteCount ?? UInt64(changeset.count)
      }
    }
  }

  /// A query that cannot be answered.
  package struct QueryError: Equatable, Sendable {
    package var session: UInt64
    package var queryVersion: UInt64
    package var code: Int32
    package var text: String

    package init(session: UInt64, queryVersion: UInt64, code: Int32, text: String) {
      (self.session, self.queryVersion, self.code, self.text) = (session, queryVersion, code, text)
    }
  }

  /// The session that it is about; 0 for the connection.
  package var session: UInt64 {
    switch self {
    case .ident(let session, _), .mark(let session, _), .unbound(let session), .jsonError(let session, _, _): session
    case .error(let session, _, _, _), .logMessage(let session, _), .testCommand(let session, _, _): session
    case .download(let download): download.session
    case .queryError(let error): error.session
    case .pong: 0
    }
  }
}
