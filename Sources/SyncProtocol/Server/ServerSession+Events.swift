extension ServerSession {
  /// Takes what the store says.
  /// - Throws: what the whole connection ends with.
  mutating func handle(_ event: Event) throws(Violation) -> [Effect] {
    switch stage {
    case .failed, .ended: return []
    default: break
    }
    switch event {
    case .failed(let failure): return try fail(failure)
    case .log(let body): return version.number < 10 ? [] : [.send(.logMessage(session: number, body: body.body))]
    case .headMoved(let version):
      head = max(head, version)
      return proceed()
    case .opened, .identAllocated, .fileLoaded, .viewOpened: return try begin(event)
    case .integrated, .pulled, .head, .batchRead, .queryRejected, .viewChanged:
      guard isSteady else { return [] }
      return try goOn(event)
    }
  }

  private mutating func begin(_ event: Event) throws(Violation) -> [Effect] {
    switch (event, stage) {
    case (.opened, .opening):
      if needsIdent {
        stage = .allocatingIdent
        return [.allocateIdent]
      }
      stage = .waitingForIdent
      guard case .ident(let ident)? = early.first else { return [] }
      early.removeFirst()
      return try receive(ident)
    case (.identAllocated(let ident), .allocatingIdent):
      stage = .waitingForIdent
      return [.send(.ident(session: number, ident))]
    case (.fileLoaded(let record, let current), .loadingFile(let ident)):
      if let failure = ClientFileRecord.failure(of: ident, record, current: current) { return try fail(failure) }
      guard let record else { return [] }
      uploads = UploadChecks(record)
      (acknowledged, cursor) = (record.upload, ident.download)
      head = max(head, current.version)
      guard let query = ident.query, query.version > 0 else { return try becomeSteady(ident.query) }
      stage = .openingView(ident)
      return [.openView(query, after: cursor)]
    case (.viewOpened(let isReproducible), .openingView(let ident)):
      guard !isReproducible else { return try becomeSteady(ident.query) }
      guard version.number >= 14 else { return try fail(Self.permissionsFailure) }
      nextQuery = ident.query
      return try becomeSteady(ident.query)
    default: return []
    }
  }

  private static var permissionsFailure: ServerFailure { ServerFailure(.serverPermissionsChanged, "what the file may contain has changed") }

  private mutating func becomeSteady(_ query: ClientMessage.Query?) throws(Violation) -> [Effect] {
    (self.query, lastQuery, stage, owesDownload) = (query, query?.version ?? 0, .steady, true)
    var effects = proceed()
    let messages = early
    early = []
    for message in messages {
      if !isSteady { break }
      effects += try receiveSteady(message)
    }
    return effects
  }

  private mutating func goOn(_ event: Event) throws(Violation) -> [Effect] {
    switch event {
    case .integrated(let cursor, let rejection):
      integrationCount = max(0, integrationCount - 1)
      if cursor.clientVersion > acknowledged.clientVersion { acknowledged = cursor }
      let warning = try rejection.map { (failure) throws(Violation) in try fail(failure) } ?? []
      return warning + proceed()
    case .pulled(let pulled):
      guard isPulling else { return [] }
      isPulling = false
      return send(pulled) + proceed()
    case .head(let version, let request):
      head = max(head, version)
      marks.append((request, version))
      return proceed()
    case .batchRead(let batch): return send(batch)
    case .queryRejected(let code, let text):
      guard let rejected = bootstrapping else { return [] }
      bootstrapping = nil
      if nextQuery?.version == rejected.version { nextQuery = query }
      return [.send(.queryError(queryError(rejected.version, code, text)))] + proceed()
    case .viewChanged:
      guard version.number >= 14 else { return try fail(Self.permissionsFailure) }
      if nextQuery == nil { nextQuery = bootstrapping ?? query }
      return proceed()
    default: return []
    }
  }

  // MARK: Downloads

  /// Starts what can be started: a bootstrap when everything that came before it is integrated, else a pull if there is something to be had. MARKs are
  /// answered when neither is left that they were to wait for.
  mutating func proceed() -> [Effect] {
    if awaitsContinuation, !isCongested, let query = bootstrapping {
      awaitsContinuation = false
      return [.continueBootstrap(queryVersion: query.version)]
    }
    guard isSteady, !isPulling, bootstrapping == nil else { return [] }
    if let query = nextQuery {
      guard integrationCount == 0, !isCongested else { return [] }
      (nextQuery, bootstrapping) = (nil, query)
      return [.bootstrap(query, after: cursor)]
    }
    let effects = answerMarks()
    // What is owed for an upload is said when it is integrated.
    let owes = owesDownload && (integrationCount == 0 || !hasSentDownload)
    guard !isCongested, owes || head > cursor.serverVersion else { return effects }
    isPulling = true
    return effects + [.pull(after: cursor)]
  }

  private mutating func answerMarks() -> [Effect] {
    guard hasSentDownload else { return [] }
    // The newest of those that can be answered stands for all of them (P5.6).
    let count = marks.prefix { $0.version <= cursor.serverVersion }.count
    guard count > 0 else { return [] }
    let request = marks[count - 1].request
    marks.removeFirst(count)
    return [.send(.mark(session: number, request: request))]
  }

  /// What the client has never gone back from: the newest acknowledgement that this session or the store knows.
  private mutating func headProgress(_ progress: HeadProgress) -> HeadProgress {
    var result = progress
    if result.upload.clientVersion < acknowledged.clientVersion { result.upload = acknowledged } else { acknowledged = result.upload }
    cursor = result.download
    head = max(head, result.latestServer.version)
    return result
  }

  private mutating func send(_ pulled: Pulled) -> [Effect] {
    let progress = headProgress(pulled.progress)
    if integrationCount == 0 || !hasSentDownload { owesDownload = false }
    hasSentDownload = true
    let extent: ServerMessage.Download.Extent =
      if let query { .steady(queryVersion: query.version) } else { .partition(remainingByteCount: pulled.remainingByteCount) }
    return [.send(.download(ServerMessage.Download(session: number, progress: progress, extent: extent, entries: pulled.entries)))]
  }

  private mutating func send(_ batch: Batch) -> [Effect] {
    guard let query = bootstrapping else { return [] }
    let before = cursor
    let progress = headProgress(batch.progress)
    var entries = batch.entries
    if batch.isLast {
      // A last batch with nothing in it makes clients of other makers go round in circles (P7.2).
      if entries.isEmpty { entries.append(ServerMessage.Download.Entry(cursor: progress.download, timestamp: 0, origin: 1, changeset: [])) }
      (bootstrapping, self.query) = (nil, query)
      if integrationCount == 0 { owesDownload = false }
      hasSentDownload = true
    } else {
      // The client has not come further before the last one is there.
      cursor = before
    }
    let extent = ServerMessage.Download.Extent.flexible(
      queryVersion: query.version, batch.isLast ? .last : .more, batch.isLast ? .everything : batch.estimate)
    let message = ServerMessage.Download(session: number, progress: progress, extent: extent, entries: entries)
    awaitsContinuation = !batch.isLast
    return [.send(.download(message))] + proceed()
  }
}
