extension ServerSession {
  /// Takes what the client has said to this session, BIND excepted.
  /// - Throws: what the whole connection ends with.
  mutating func receive(_ message: ClientMessage) throws(Violation) -> [Effect] {
    if case .unbind = message { return unbind() }
    switch stage {
    // What was under way when the error was sent.
    case .failed: return []
    case .ended: throw Violation(.badSessionIdent, "a message came for session \(number), which is over")
    case .opening, .allocatingIdent, .waitingForIdent: return try receiveBeforeIdent(message)
    case .loadingFile, .openingView: return try keep(message)
    case .steady: return try receiveSteady(message)
    }
  }

  private mutating func unbind() -> [Effect] {
    // After an error the client expects silence (P5.7).
    let effects: [Effect] = if case .failed = stage { [.ended] } else { [.send(.unbound(session: number)), .ended] }
    stage = .ended
    (early, marks, nextQuery, bootstrapping, fileIdent) = ([], [], nil, nil, nil)
    return effects
  }

  /// A file with a name says IDENT right behind BIND, whatever the store does meanwhile.
  private mutating func receiveBeforeIdent(_ message: ClientMessage) throws(Violation) -> [Effect] {
    switch (message, stage) {
    case (.testCommand, _): return try receiveSteady(message)
    case (.ident(let ident), .waitingForIdent) where early.isEmpty: return try receive(ident)
    case (.ident, .opening) where !needsIdent && early.isEmpty: return try keep(message)
    case (.ident, _), (_, .waitingForIdent), (_, .allocatingIdent): throw Violation(.badMessageOrder, "session \(number) is not at this message")
    default:
      guard !early.isEmpty else { throw Violation(.badMessageOrder, "session \(number) has not said IDENT") }
      return try keep(message)
    }
  }

  private mutating func keep(_ message: ClientMessage) throws(Violation) -> [Effect] {
    if case .ident = message, !early.isEmpty || !isOpening { throw Violation(.badMessageOrder, "session \(number) has said IDENT before") }
    guard early.count < Self.earlyLimit else { throw Violation(.otherError, "session \(number) says too much before it is answered") }
    early.append(message)
    return []
  }

  private var isOpening: Bool { if case .opening = stage { true } else { false } }

  mutating func receive(_ ident: ClientMessage.Ident) throws(Violation) -> [Effect] {
    guard (ident.query != nil) == (version.mode == .flexible) else { throw Violation(.badSyntax, "IDENT of another kind of synchronisation") }
    stage = .loadingFile(ident)
    fileIdent = ident.file.ident
    return [.loadFile(ident: ident.file.ident)]
  }

  mutating func receiveSteady(_ message: ClientMessage) throws(Violation) -> [Effect] {
    switch message {
    case .upload(let upload): return try receive(upload)
    case .mark(_, let request):
      guard request > lastMark else { throw Violation(.badMessageOrder, "MARK \(request) came after \(lastMark)") }
      lastMark = request
      return [.readHead(forMark: request)]
    case .query(_, let query): return try receive(query)
    case .jsonError(_, let code, let body):
      // The client ignores everything now: only a reset brings it back (P5.8).
      let failure = ServerFailure(.badClientFileIdent, "the client could not integrate what it was sent")
      return [.clientFailed(code: code, body: body)] + (try fail(failure))
    case .testCommand(_, let request, _): return [.send(.testCommand(session: number, request: request, body: "{}"))]
    case .bind, .ident: throw Violation(.badMessageOrder, "session \(number) is beyond this message")
    case .unbind, .ping: return []
    }
  }

  private mutating func receive(_ upload: ClientMessage.Upload) throws(Violation) -> [Effect] {
    guard var checks = uploads else { return [] }
    let entries: [ClientMessage.Upload.Entry]
    do throws(ServerFailure) {
      entries = try checks.accept(upload, sentServerVersion: cursor.serverVersion, mayRelay: isSubserver)
    } catch { return try fail(error) }
    uploads = checks
    integrationCount += 1
    if !upload.entries.isEmpty { owesDownload = true }
    return [.integrate(entries: entries, progress: upload.progress, lockedServerVersion: upload.lockedServerVersion)]
  }

  private mutating func receive(_ query: ClientMessage.Query) throws(Violation) -> [Effect] {
    guard version.mode == .flexible else { throw Violation(.unknownMessage, "there are no queries here") }
    guard query.version > lastQuery else { throw Violation(.badMessageOrder, "QUERY \(query.version) came after \(lastQuery)") }
    lastQuery = query.version
    do throws(ProtocolError) { _ = try QueryText(parsing: query.text) } catch {
      return [.send(.queryError(queryError(query.version, .badQuery, error.description)))]
    }
    // One that was not begun is not answered any more (P7.1).
    nextQuery = query
    return proceed()
  }

  func queryError(_ queryVersion: UInt64, _ code: ErrorCode, _ text: String) -> ServerMessage.QueryError {
    ServerMessage.QueryError(session: number, queryVersion: queryVersion, code: code.rawValue, text: text)
  }
}
