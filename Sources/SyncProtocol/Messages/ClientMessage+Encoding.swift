extension ClientMessage {
  /// The bytes of one WebSocket message.
  package var encoded: [UInt8] {
    var writer: FieldWriter
    switch self {
    case .bind(let bind): return bind.encoded
    case .ident(let ident): return ident.encoded
    case .upload(let upload): return upload.encoded
    case .query(let session, let query):
      writer = FieldWriter("query")
      writer.fields(session, query.version, UInt64(query.text.utf8.count))
      writer.endHead(query.text)
    case .mark(let session, let request):
      writer = FieldWriter("mark")
      writer.fields(session, request)
      writer.endHead()
    case .unbind(let session):
      writer = FieldWriter("unbind")
      writer.field(session)
      writer.endHead()
    case .ping(let ping):
      writer = FieldWriter("ping")
      writer.field(ping.timestamp)
      writer.field(ping.roundTripMilliseconds)
      writer.endHead()
    case .jsonError(let session, let code, let body):
      writer = FieldWriter("json_error")
      writer.field(code)
      writer.fields(UInt64(body.utf8.count), session)
      writer.endHead(body)
    case .testCommand(let session, let request, let body):
      writer = FieldWriter("test_command")
      writer.fields(session, request, UInt64(body.utf8.count))
      writer.endHead(body)
    }
    return writer.bytes
  }
}

extension ClientMessage.Bind {
  fileprivate var encoded: [UInt8] {
    var writer = FieldWriter("bind")
    writer.fields(session, UInt64(body.utf8.count), UInt64(token.utf8.count))
    writer.field(needsIdent)
    writer.field(isSubserver)
    writer.endHead(body + token)
    return writer.bytes
  }
}

extension ClientMessage.Ident {
  fileprivate var encoded: [UInt8] {
    var writer = FieldWriter("ident")
    writer.fields(session, file.ident)
    writer.field(file.salt)
    writer.fields(download.serverVersion, download.clientVersion, latestServer.version)
    writer.field(latestServer.salt)
    if let query { writer.fields(query.version, UInt64(query.text.utf8.count)) }
    writer.endHead(query?.text ?? "")
    return writer.bytes
  }
}

extension ClientMessage.Upload {
  fileprivate var encoded: [UInt8] {
    var body: [UInt8] = []
    for entry in entries {
      var head = FieldWriter()
      head.fields(entry.cursor.clientVersion, entry.cursor.serverVersion, entry.timestamp, entry.origin, UInt64(entry.changeset.count))
      body.append(contentsOf: head.bytes)
      body.append(UInt8(ascii: " "))
      body.append(contentsOf: entry.changeset)
    }
    let packed = ChangesetBody.packed(body)
    var writer = FieldWriter("upload")
    writer.field(session)
    writer.field(packed.isCompressed)
    writer.fields(
      UInt64(body.count), UInt64(packed.compressedByteCount), progress.clientVersion, progress.serverVersion, lockedServerVersion)
    writer.endHead(packed.bytes)
    return writer.bytes
  }
}
