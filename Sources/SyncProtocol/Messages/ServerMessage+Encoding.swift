extension ServerMessage {
  /// The bytes of one WebSocket message.
  package var encoded: [UInt8] {
    var writer: FieldWriter
    switch self {
    case .download(let download): return download.encoded
    case .ident(let session, let file):
      writer = FieldWriter("ident")
      writer.fields(session, file.ident)
      writer.field(file.salt)
      writer.endHead()
    case .mark(let session, let request):
      writer = FieldWriter("mark")
      writer.fields(session, request)
      writer.endHead()
    case .unbound(let session):
      writer = FieldWriter("unbound")
      writer.field(session)
      writer.endHead()
    case .pong(let timestamp):
      writer = FieldWriter("pong")
      writer.field(timestamp)
      writer.endHead()
    case .logMessage(let session, let body):
      writer = FieldWriter("log_message")
      writer.fields(session, UInt64(body.utf8.count))
      writer.endHead(body)
    case .testCommand(let session, let request, let body):
      writer = FieldWriter("test_command")
      writer.fields(session, request, UInt64(body.utf8.count))
      writer.endHead(body)
    case .jsonError, .error, .queryError: return encodedError
    }
    return writer.bytes
  }

  private var encodedError: [UInt8] {
    var writer = FieldWriter()
    switch self {
    case .jsonError(let session, let code, let body):
      writer = FieldWriter("json_error")
      writer.field(code)
      writer.fields(UInt64(body.utf8.count), session)
      writer.endHead(body)
    case .error(let session, let code, let tryAgain, let text):
      writer = FieldWriter("error")
      writer.field(code)
      writer.field(UInt64(text.utf8.count))
      writer.field(tryAgain)
      writer.field(session)
      writer.endHead(text)
    case .queryError(let error):
      writer = FieldWriter("query_error")
      writer.field(error.code)
      writer.fields(UInt64(error.text.utf8.count), error.session, error.queryVersion)
      writer.endHead(error.text)
    default: preconditionFailure("this is no error")
    }
    return writer.bytes
  }
}

extension ServerMessage.Download {
  fileprivate var encoded: [UInt8] {
    var body: [UInt8] = []
    for entry in entries {
      var head = FieldWriter()
      head.fields(entry.cursor.serverVersion, entry.cursor.clientVersion, entry.timestamp, entry.origin)
      head.fields(entry.originalByteCount, UInt64(entry.changeset.count))
      body.append(contentsOf: head.bytes)
      body.append(UInt8(ascii: " "))
      body.append(contentsOf: entry.changeset)
    }
    let packed = ChangesetBody.packed(body)
    var writer = FieldWriter("download")
    writer.fields(session, progress.download.serverVersion, progress.download.clientVersion, progress.latestServer.version)
    writer.field(progress.latestServer.salt)
    writer.fields(progress.upload.clientVersion, progress.upload.serverVersion)
    switch extent {
    case .partition(let remaining): writer.field(remaining)
    case .flexible(let version, let batch, let estimate):
      writer.fields(version, batch.rawValue)
      writer.field(estimate.text)
    }
    writer.field(packed.isCompressed)
    writer.fields(UInt64(body.count), UInt64(packed.compressedByteCount))
    writer.endHead(packed.bytes)
    return writer.bytes
  }
}
