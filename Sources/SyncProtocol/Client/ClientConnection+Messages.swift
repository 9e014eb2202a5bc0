extension ClientConnection {
  /// Takes the bytes of one message.
  mutating func received(_ bytes: [UInt8], _ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator) {
    guard state == .connected else { return }
    do throws(Violation) {
      let message: ServerMessage
      do throws(ProtocolError) { message = try ServerMessage(parsing: bytes, mode: mode, limits: limits) } catch { throw Violation(error) }
      try take(message, now, &effects, &random)
    } catch {
      halt(ErrorReport(.syncProtocolInvariantFailed, error.description, isFatal: true), now, &effects)
    }
  }

  private mutating func take(
    _ message: ServerMessage, _ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator
  ) throws(Violation) {
    if case .pong(let timestamp) = message { return try receivePong(timestamp, now, &effects, &random) }
    guard message.session != 0 else { return try takeForConnection(message, now, &effects, &random) }
    guard let key = keys[message.session], var member = members[key] else {
      // Messages to sessions that are over were under way; others never had anybody to go to.
      if pastNumbers.contains(message.session) { return }
      throw Violation(.badSessionIdent, "a message came for session \(message.session), which was never there")
    }
    let results = try member.session.receive(message)
    if case .download = message {
      // The server does what it is for.
      member.backOff.reset()
      backOff.reset()
      fetchCount = 0
    }
    members[key] = member
    pass(results, of: key, &effects, &random)
    retireIfOver(key)
  }

  private mutating func takeForConnection(
    _ message: ServerMessage, _ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator
  ) throws(Violation) {
    switch message {
    case .logMessage(_, let body):
      do throws(ProtocolError) { effects.append(.log(try LogBody(parsing: body))) } catch { throw Violation(error) }
    case .jsonError(_, let code, let text):
      let body: ErrorBody
      do throws(ProtocolError) { body = try ErrorBody(parsing: text, code: code) } catch { throw Violation(error) }
      try serverEnds(code, ErrorReport(code: code, body, isFatal: !body.tryAgain), body, now, &effects, &random)
    case .error(_, let code, let tryAgain, let text):
      let error = ErrorCode(rawValue: code)?.sdkError ?? .unknownError
      try serverEnds(code, ErrorReport(code: code, error, text, isFatal: !tryAgain), nil, now, &effects, &random)
    default: throw Violation(.badSessionIdent, "a message that belongs to a session came for the connection")
    }
  }

  /// An error of the whole connection (P5.8): it comes back only if it is told to.
  private mutating func serverEnds(
    _ code: Int32, _ report: ErrorReport, _ body: ErrorBody?, _ now: UInt64, _ effects: inout [Effect],
    _ random: inout some RandomNumberGenerator
  ) throws(Violation) {
    guard let known = ErrorCode(rawValue: code), !known.isOfSession else {
      throw Violation(.badMessageOrder, "the error \(code), which is not about connections, came for one")
    }
    guard !report.isFatal else { return halt(report, now, &effects) }
    if known != .connectionClosed { effects.append(.report(report)) }
    end(ClosingReaction(retry: .afterBackOff), .serverError(code), report.message, now, &effects, &random, asked: body?.backOff)
  }

  /// Hands on what a session wants, and does what is the connection's.
  mutating func pass(_ results: [ClientSession.Effect], of key: Int, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator) {
    for result in results {
      switch result {
      case .resumeLater(let code, let asked, let fixed):
        let usual = members[key]?.backOff.next(code, asked, using: &random) ?? 0
        resuming.insert(key)
        effects.append(.setTimer(.resume(key), milliseconds: fixed ?? usual))
      case .fetch(let fetch):
        self.fetch(fetch, &effects)
        fetchers.insert(key)
      default: effects.append(.session(key: key, result))
      }
    }
  }
}
