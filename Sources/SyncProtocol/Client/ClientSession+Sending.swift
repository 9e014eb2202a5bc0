extension ClientSession {
  /// What is said next, if this session has something to say (P6): one message for each place that the connection offers.
  ///
  /// - Returns: a message to send now, and what the store is asked for so that there will be one later.
  mutating func fillPlace() -> (message: ClientMessage?, effects: [Effect]) {
    if isClosing || errorReceived { return (unbind(), []) }
    if isSuspended { return (nil, []) }
    switch stage {
    case .unbound: return (bind(), [])
    case .bound: return (testCommand() ?? ident(), [])
    case .identified: return identifiedMessage()
    case .unbinding, .over: return (nil, [])
    }
  }

  private mutating func identifiedMessage() -> (message: ClientMessage?, effects: [Effect]) {
    if let message = testCommand() { return (message, []) }
    if let failure = failureToSend {
      failureToSend = nil
      return (.jsonError(session: number, code: failure.code.rawValue, body: ClientErrorBody(message: failure.text).text), [])
    }
    if hasFailed { return (nil, []) }
    if markWanted > markSent {
      markSent = markWanted
      return (.mark(session: number, request: markWanted), [])
    }
    if let sentinel = file.migrationSentinel, lastQuerySent == sentinel { return (nil, []) }
    guard uploadsWaitForMark == nil else { return (nil, []) }
    if let query = queryToSend() { return (query, []) }
    return upload()
  }

  private mutating func unbind() -> ClientMessage? {
    switch stage {
    case .unbound:
      // The server knows nothing of it.
      stage = .over
      return nil
    case .bound, .identified:
      stage = errorReceived ? .over : .unbinding
      return .unbind(session: number)
    case .unbinding, .over: return nil
    }
  }

  private mutating func bind() -> ClientMessage? {
    // A name that is being stored would be asked for a second time.
    guard !identIsBeingStored else { return nil }
    stage = .bound
    return .bind(ClientMessage.Bind(session: number, body: bindBody, needsIdent: file.ident == nil))
  }

  private mutating func ident() -> ClientMessage? {
    guard let ident = file.ident, !identIsBeingStored, !isIntegrating else { return nil }
    stage = .identified
    received = file.progress
    sent = file.progress.upload
    let query = mode == .flexible ? file.query ?? ClientMessage.Query(version: 0, text: "{}") : nil
    lastQuerySent = query?.version ?? 0
    return .ident(
      ClientMessage.Ident(
        session: number, file: ident, download: file.progress.download, latestServer: file.progress.latestServer, query: query))
  }

  private mutating func testCommand() -> ClientMessage? {
    guard !testCommands.isEmpty else { return nil }
    testRequest += 1
    return .testCommand(session: number, request: testRequest, body: testCommands.removeFirst())
  }

  /// The next set of subscriptions that the server does not know.
  private var nextQuery: PendingQuery? { mode == .flexible ? file.pendingQueries.first { $0.query.version > lastQuerySent } : nil }

  private mutating func queryToSend() -> ClientMessage? {
    guard let next = nextQuery, sent.clientVersion >= next.snapshotVersion else { return nil }
    lastQuerySent = next.query.version
    markWanted += 1
    scanned = 0
    return .query(session: number, next.query)
  }

  private mutating func upload() -> (message: ClientMessage?, effects: [Effect]) {
    if let batch = readyUpload {
      readyUpload = nil
      sent = batch.progress
      let message = ClientMessage.Upload(
        session: number, progress: batch.progress, lockedServerVersion: batch.lockedServerVersion, entries: batch.entries)
      return (.upload(message), [])
    }
    let limit = nextQuery?.snapshotVersion
    guard readingUpload == nil, file.version > max(sent.clientVersion, scanned) else { return (nil, []) }
    uploadNumber += 1
    readingUpload = (file.version, sent.clientVersion, limit.map { $0 < file.version } ?? false)
    return (nil, [.readUpload(number: uploadNumber, after: sent.clientVersion, through: limit)])
  }

  /// Whether what was read is worth a message: changes are, and that versions of the server were integrated is unless a query is waiting.
  mutating func take(_ batch: UploadBatch, number: UInt64) -> [Effect] {
    guard let reading = readingUpload, number == uploadNumber else { return [] }
    readingUpload = nil
    if let entry = batch.entries.first(where: { $0.changeset.count > Self.changesetByteLimit }) {
      // No server takes it, however often it is sent.
      hasFailed = true
      let text = "the changes of version \(entry.cursor.clientVersion) have \(entry.changeset.count) bytes, more than \(Self.changesetByteLimit)"
      return [.report(ErrorReport(.limitExceeded, text, isFatal: true))]
    }
    // A store that has nothing new to say is not asked again before there is a new version.
    if batch.progress.clientVersion <= reading.after { scanned = reading.newest }
    guard batch.progress.clientVersion >= sent.clientVersion else { return [] }
    let acknowledges = sent.serverVersion < file.progress.download.serverVersion && batch.progress.serverVersion > sent.serverVersion
    if !batch.entries.isEmpty || acknowledges && !reading.isLimited && nextQuery == nil {
      readyUpload = batch
    } else {
      sent = batch.progress
    }
    return []
  }

  /// Of one message (P5.4).
  private static let changesetByteLimit = 16 << 20
}
