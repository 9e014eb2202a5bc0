extension ClientSession {
  /// Takes what the server has said to this session.
  /// - Throws: what it must not say, or not now (P6).
  mutating func receive(_ message: ServerMessage) throws(Violation) -> [Effect] {
    switch message {
    case .ident(_, let ident): return try receive(ident)
    case .download(let download): return try receive(download)
    case .mark(_, let request): return try receiveMark(request)
    case .unbound: return try receiveUnbound()
    case .jsonError(_, let code, let body): return try receiveError(code, body)
    case .error(_, let code, let tryAgain, let text): return try receiveError(code, tryAgain, text)
    case .queryError(let error): return try receive(error)
    case .logMessage(_, let body):
      do throws(ProtocolError) { return [.log(try LogBody(parsing: body))] } catch { throw Violation(error) }
    case .testCommand(_, _, let body): return [.testAnswer(body)]
    case .pong: return []
    }
  }

  private func require(_ condition: Bool, _ what: String) throws(Violation) {
    if !condition { throw Violation(.badMessageOrder, "\(what) came when it was not expected") }
  }

  private mutating func receive(_ ident: SaltedIdent) throws(Violation) -> [Effect] {
    if isClosing { return [] }
    try require(stage == .bound && file.ident == nil && !identIsBeingStored && !errorReceived, "IDENT")
    guard ident.ident > 0, ident.salt != 0 else { throw Violation(.badSyntax, "IDENT with the name \(ident.ident) and the salt \(ident.salt)") }
    file.ident = ident
    identIsBeingStored = true
    // A copy of a file goes on in the server's history, which has nothing of its own yet: the store forgets how far that came, too.
    (file.progress.download.clientVersion, file.progress.upload.clientVersion) = (0, 0)
    return [.storeIdent(ident)]
  }

  private mutating func receiveMark(_ request: UInt64) throws(Violation) -> [Effect] {
    if isClosing { return [] }
    try require(stage == .identified && !errorReceived, "MARK")
    guard request <= markSent, request > markReceived else {
      throw Violation(.badMessageOrder, "MARK \(request) came after \(markReceived), when \(markSent) was asked for")
    }
    markReceived = request
    if isIntegrating {
      marksAhead.append((integrationsBegun, request))
      return []
    }
    return reachMark(request)
  }

  /// Everything that came before a MARK is in the file.
  mutating func reachMark(_ request: UInt64) -> [Effect] {
    markReached = request
    var effects: [Effect] = []
    if let delaying = uploadsWaitForMark, request >= delaying { uploadsWaitForMark = nil }
    if let waiting = queryAwaitingMark, request >= waiting.request {
      queryAwaitingMark = nil
      file.queryAwaitsMark = false
      effects.append(.queryChanged(version: waiting.version, .complete))
    }
    return effects + [.downloadCompleted(request)]
  }

  private mutating func receiveUnbound() throws(Violation) -> [Effect] {
    try require(stage == .unbinding && !errorReceived, "UNBOUND")
    stage = .over
    return []
  }

  private mutating func receive(_ error: ServerMessage.QueryError) throws(Violation) -> [Effect] {
    if isClosing { return [] }
    try require(mode == .flexible && stage == .identified && !errorReceived, "QUERY_ERROR")
    guard error.queryVersion <= lastQuerySent else {
      throw Violation(.badMessageOrder, "QUERY_ERROR for version \(error.queryVersion), when \(lastQuerySent) was the last one")
    }
    file.pendingQueries.removeAll { $0.query.version == error.queryVersion }
    return [.queryChanged(version: error.queryVersion, .error(error.text))]
  }
}
