extension ServerMessage {
  /// Reads what a server has sent, as one WebSocket message.
  package init(parsing bytes: [UInt8], mode: SyncMode, limits: MessageLimits = .ofClient) throws(ProtocolError) {
    self = try FieldReader.message(in: bytes, mode, limits, Self.readers)
  }

  private static let readers: [String: FieldReader.MessageReader<Self>] = [
    "ident": { (reader, _, _) throws(ProtocolError) in
      let session = try reader.session()
      let ident = try reader.number("file ident", in: 1...UInt64(Int64.max))
      let salt = try reader.signed("file ident salt", .endOfLine)
      guard salt != 0 else { throw reader.error("file ident salt", .outOfRange) }
      return .ident(session: session, SaltedIdent(ident: ident, salt: salt))
    },
    "download": { (reader, mode, limits) throws(ProtocolError) in .download(try Download(&reader, mode, limits)) },
    "mark": { (reader, _, _) throws(ProtocolError) in
      .mark(session: try reader.session(), request: try reader.number("request", .endOfLine))
    },
    "unbound": { (reader, _, _) throws(ProtocolError) in .unbound(session: try reader.session(.endOfLine)) },
    "pong": { (reader, _, _) throws(ProtocolError) in .pong(timestamp: try reader.signed("timestamp", .endOfLine)) },
    "json_error": { (reader, _, limits) throws(ProtocolError) in
      let code = try reader.errorCode()
      let count = try reader.byteCount("error size", limit: limits.textByteCount)
      let session = try reader.number("session", .endOfLine)
      return .jsonError(session: session, code: code, body: try reader.text("error", byteCount: count))
    },
    "error": { (reader, _, limits) throws(ProtocolError) in
      let code = try reader.errorCode()
      let count = try reader.byteCount("error size", limit: limits.textByteCount)
      let tryAgain = try reader.flag("try again")
      let session = try reader.number("session", .endOfLine)
      return .error(session: session, code: code, tryAgain: tryAgain, text: try reader.text("error", byteCount: count))
    },
    "query_error": { (reader, mode, limits) throws(ProtocolError) in
      if mode == .partition { return nil }
      let code = try reader.errorCode()
      let count = try reader.byteCount("error size", limit: limits.textByteCount)
      let session = try reader.session()
      let version = try reader.queryVersion(.endOfLine)
      let text = try reader.text("error", byteCount: count)
      return .queryError(QueryError(session: session, queryVersion: version, code: code, text: text))
    },
    "log_message": { (reader, _, limits) throws(ProtocolError) in
      let session = try reader.number("session")
      let count = try reader.byteCount("message size", .endOfLine, limit: limits.textByteCount)
      return .logMessage(session: session, body: try reader.text("message", byteCount: count))
    },
    "test_command": { (reader, _, limits) throws(ProtocolError) in
      let (session, request) = (try reader.session(), try reader.number("request"))
      let count = try reader.byteCount("command size", .endOfLine, limit: limits.textByteCount)
      return .testCommand(session: session, request: request, body: try reader.text("command", byteCount: count))
    },
  ]
}

extension ServerMessage.Download {
  fileprivate init(_ reader: inout FieldReader, _ mode: SyncMode, _ limits: MessageLimits) throws(ProtocolError) {
    let session = try reader.session()
    let (server, client) = (try reader.number("download server version"), try reader.number("download client version"))
    let latest = try reader.number("latest server version")
    let salt = try reader.signed("latest server version salt")
    let (uploadClient, uploadServer) = (try reader.number("upload client version"), try reader.number("upload server version"))
    let extent = try Self.extent(&reader, mode)
    let size = try reader.bodySize(.endOfLine, limits)
    let body = FieldReader(body: try ChangesetBody.unpacked(&reader, size, limits), message: reader.message)
    let progress = HeadProgress(
      download: VersionCursor(serverVersion: server, clientVersion: client), latestServer: SaltedVersion(version: latest, salt: salt),
      upload: VersionCursor(serverVersion: uploadServer, clientVersion: uploadClient))
    self.init(session: session, progress: progress, extent: extent, entries: try Self.entries(body, limits))
  }

  private static func extent(_ reader: inout FieldReader, _ mode: SyncMode) throws(ProtocolError) -> Extent {
    guard mode == .flexible else { return .partition(remainingByteCount: try reader.number("downloadable bytes")) }
    let version = try reader.queryVersion()
    guard let batch = Batch(rawValue: try reader.number("batch state")) else { throw reader.error("batch state", .outOfRange) }
    guard let estimate = ProgressEstimate(parsing: try reader.token("progress")) else { throw reader.error("progress", .outOfRange) }
    return .flexible(queryVersion: version, batch, estimate)
  }

  private static func entries(_ body: FieldReader, _ limits: MessageLimits) throws(ProtocolError) -> [Entry] {
    var reader = body
    var entries: [Entry] = []
    while !reader.isAtEnd {
      guard entries.count < limits.entryCount else { throw reader.error("entries", .tooManyEntries) }
      let (server, client) = (try reader.number("server version"), try reader.number("client version"))
      let (timestamp, origin) = (try reader.number("timestamp"), try reader.number("origin"))
      let original = try reader.number("original size")
      let count = try reader.byteCount("changeset size", limit: reader.remainingByteCount)
      entries.append(
        Entry(
          cursor: VersionCursor(serverVersion: server, clientVersion: client), timestamp: timestamp, origin: origin, originalByteCount: original,
          changeset: try reader.raw("changeset", byteCount: count)))
    }
    return entries
  }
}
