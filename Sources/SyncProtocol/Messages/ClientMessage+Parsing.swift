extension ClientMessage {
  /// Reads what a client has sent, as one WebSocket message.
  package init(parsing bytes: [UInt8], mode: SyncMode, limits: MessageLimits = .ofServer) throws(ProtocolError) {
    self = try FieldReader.message(in: bytes, mode, limits, Self.readers)
  }

  private static let readers: [String: FieldReader.MessageReader<Self>] = [
    "bind": { (reader, _, limits) throws(ProtocolError) in .bind(try Bind(&reader, limits)) },
    "ident": { (reader, mode, limits) throws(ProtocolError) in .ident(try Ident(&reader, mode, limits)) },
    "upload": { (reader, _, limits) throws(ProtocolError) in .upload(try Upload(&reader, limits)) },
    "query": { (reader, mode, limits) throws(ProtocolError) in
      if mode == .partition { return nil }
      let session = try reader.session()
      let version = try reader.queryVersion()
      let count = try reader.byteCount("query size", .endOfLine, limit: limits.textByteCount)
      return .query(session: session, Query(version: version, text: try reader.text("query", byteCount: count)))
    },
    "mark": { (reader, _, _) throws(ProtocolError) in
      .mark(session: try reader.session(), request: try reader.number("request", .endOfLine))
    },
    "unbind": { (reader, _, _) throws(ProtocolError) in .unbind(session: try reader.session(.endOfLine)) },
    "ping": { (reader, _, _) throws(ProtocolError) in
      .ping(Ping(timestamp: try reader.signed("timestamp"), roundTripMilliseconds: try reader.signed("round trip", .endOfLine)))
    },
    "json_error": { (reader, _, limits) throws(ProtocolError) in
      let code = try reader.errorCode()
      let count = try reader.byteCount("error size", limit: limits.textByteCount)
      let session = try reader.session(.endOfLine)
      return .jsonError(session: session, code: code, body: try reader.text("error", byteCount: count))
    },
    "test_command": { (reader, _, limits) throws(ProtocolError) in
      let (session, request) = (try reader.session(), try reader.number("request"))
      let count = try reader.byteCount("command size", .endOfLine, limit: limits.textByteCount)
      return .testCommand(session: session, request: request, body: try reader.text("command", byteCount: count))
    },
  ]
}

extension ClientMessage.Bind {
  fileprivate init(_ reader: inout FieldReader, _ limits: MessageLimits) throws(ProtocolError) {
    let session = try reader.session()
    let bodyCount = try reader.byteCount("body size", limit: limits.textByteCount)
    guard bodyCount > 0 else { throw reader.error("body size", .outOfRange) }
    let tokenCount = try reader.byteCount("token size", limit: limits.textByteCount)
    let needsIdent = try reader.flag("need ident")
    let isSubserver = try reader.flag("is subserver", .endOfLine)
    let body = try reader.text("body", byteCount: bodyCount)
    let token = try reader.text("token", byteCount: tokenCount)
    self.init(session: session, body: body, token: token, needsIdent: needsIdent, isSubserver: isSubserver)
  }
}

extension ClientMessage.Ident {
  fileprivate init(_ reader: inout FieldReader, _ mode: SyncMode, _ limits: MessageLimits) throws(ProtocolError) {
    let session = try reader.session()
    let file = SaltedIdent(ident: try reader.number("file ident"), salt: try reader.signed("file ident salt"))
    let download = try reader.cursor(clientFirst: false)
    let latest = try reader.number("latest server version")
    let salt = try reader.signed("latest server version salt", mode == .flexible ? .space : .endOfLine)
    self.init(session: session, file: file, download: download, latestServer: SaltedVersion(version: latest, salt: salt))
    guard mode == .flexible else { return }
    let version = try reader.queryVersion()
    let count = try reader.byteCount("query size", .endOfLine, limit: limits.textByteCount)
    query = ClientMessage.Query(version: version, text: try reader.text("query", byteCount: count))
  }
}

extension ClientMessage.Upload {
  fileprivate init(_ reader: inout FieldReader, _ limits: MessageLimits) throws(ProtocolError) {
    let session = try reader.session()
    let size = try reader.bodySize(.space, limits)
    let client = try reader.number("progress client version")
    let server = try reader.number("progress server version")
    let locked = try reader.number("locked server version", .endOfLine)
    let body = FieldReader(body: try ChangesetBody.unpacked(&reader, size, limits), message: reader.message)
    let progress = VersionCursor(serverVersion: server, clientVersion: client)
    self.init(session: session, progress: progress, lockedServerVersion: locked, entries: try Self.entries(body, limits))
  }

  private static func entries(_ body: FieldReader, _ limits: MessageLimits) throws(ProtocolError) -> [Entry] {
    var reader = body
    var entries: [Entry] = []
    while !reader.isAtEnd {
      guard entries.count < limits.entryCount else { throw reader.error("entries", .tooManyEntries) }
      let cursor = try reader.cursor(clientFirst: true)
      let (timestamp, origin) = (try reader.number("timestamp"), try reader.number("origin"))
      let count = try reader.byteCount("changeset size", limit: reader.remainingByteCount)
      entries.append(
        Entry(cursor: cursor, timestamp: timestamp, origin: origin, changeset: try reader.raw("changeset", byteCount: count)))
    }
    return entries
  }
}
