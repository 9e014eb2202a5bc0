/// One WebSocket of a server with all its sessions.
///
/// It owns neither socket nor clock: time comes with every event, in milliseconds of a clock that only goes forward.
package struct ServerConnection: Sendable {
  /// What a server chooses.
  package struct Configuration: Sendable {
    package var limits = MessageLimits.ofServer
    /// A connection that is silent for so long is closed. Clients say something every minute; more than 10 minutes are usual (P5.9).
    package var idleMilliseconds: UInt64 = 30 * 60 * 1000
    /// At the same time.
    package var sessionLimit = 1000
    /// Of one connection. Then it is closed, and the client opens another one.
    package var totalSessionLimit = 100_000
    /// Paths name realms, too: for clients that are tested against the protocol's test server.
    package var allowsPaths = false

    package init() {}
  }

  /// What happens.
  package enum Event: Sendable {
    /// A binary message.
    case received([UInt8])
    case session(UInt64, ServerSession.Event)
    /// Whether the client reads more slowly than it gets.
    case congestion(Bool)
    /// The file that this connection has is bound on another one.
    case superseded(fileIdent: UInt64)
    /// The time that `setTimer` was for is over.
    case timerFired
  }

  /// What is to be done.
  package enum Effect: Equatable, Sendable {
    case send([UInt8])
    /// Close the transport, after what was sent. Nothing more comes of any session.
    case close
    /// The only one; it replaces the former.
    case setTimer(milliseconds: UInt64)
    /// What a session wants, other than to send something.
    case session(UInt64, ServerSession.Effect)
  }

  let version: ProtocolVersion
  let configuration: Configuration
  private var sessions: [UInt64: ServerSession] = [:]
  private var pastNumbers: Set<UInt64> = []
  private var isClosed = false
  private var lastHeard: UInt64
  private var isCongested = false

  /// - Parameters:
  ///   - version: that both have agreed on.
  ///   - now: milliseconds.
  package init(version: ProtocolVersion, configuration: Configuration = Configuration(), now: UInt64) {
    (self.version, self.configuration, lastHeard) = (version, configuration, now)
  }

  /// Reading should stop until the store has done something of what is asked of it.
  package var isBusy: Bool { sessions.values.contains(where: \.isBusy) }

  /// What comes first.
  /// - Parameter greeting: for the client's log.
  package func begin(greeting: LogBody?) -> [Effect] {
    let timer = Effect.setTimer(milliseconds: configuration.idleMilliseconds)
    guard let greeting, version.number >= 10 else { return [timer] }
    return [timer, .send(ServerMessage.logMessage(session: 0, body: greeting.body).encoded)]
  }

  /// - Parameter now: milliseconds.
  package mutating func handle(_ event: Event, now: UInt64) -> [Effect] {
    if isClosed { return [] }
    do throws(Violation) {
      switch event {
      case .received(let bytes):
        lastHeard = now
        return try received(bytes)
      case .session(let number, let event):
        guard var session = sessions[number] else { return [] }
        let results = try session.handle(event)
        return keep(session, results)
      case .congestion(let isCongested):
        self.isCongested = isCongested
        return congested()
      case .superseded(let ident):
        guard sessions.values.contains(where: { $0.fileIdent == ident }) else { return [] }
        return close(ServerFailure(.connectionClosed, "the file \(ident) is synchronised by another connection"))
      case .timerFired:
        let silence = now - min(now, lastHeard)
        if silence < configuration.idleMilliseconds { return [.setTimer(milliseconds: configuration.idleMilliseconds - silence)] }
        isClosed = true
        return [.close]
      }
    } catch {
      return close(ServerFailure(error.code.isOfSession ? .otherError : error.code, error.description))
    }
  }

  private mutating func close(_ failure: ServerFailure) -> [Effect] {
    isClosed = true
    return [.send(failure.message(session: 0).encoded), .close]
  }

  private mutating func received(_ bytes: [UInt8]) throws(Violation) -> [Effect] {
    let message: ClientMessage
    do throws(ProtocolError) { message = try ClientMessage(parsing: bytes, mode: version.mode, limits: configuration.limits) } catch {
      throw Violation(error)
    }
    switch message {
    case .ping(let ping): return [.send(ServerMessage.pong(timestamp: ping.timestamp).encoded)]
    case .bind(let bind): return try bound(bind)
    default: break
    }
    guard let number = message.session, var session = sessions[number] else {
      throw Violation(.badSessionIdent, "there is no session \(message.session ?? 0)")
    }
    if case .ident(let ident) = message, let other = sessions.values.first(where: { $0.fileIdent == ident.file.ident && $0.number != number }) {
      throw Violation(.boundInOtherSession, "the file \(ident.file.ident) is bound in session \(other.number)")
    }
    let results = try session.receive(message)
    return keep(session, results)
  }

  private mutating func bound(_ bind: ClientMessage.Bind) throws(Violation) -> [Effect] {
    guard sessions[bind.session] == nil, !pastNumbers.contains(bind.session) else {
      throw Violation(.reuseOfSessionIdent, "session \(bind.session) was bound before")
    }
    guard pastNumbers.count < configuration.totalSessionLimit else {
      return close(ServerFailure(.connectionClosed, "this connection has had enough sessions"))
    }
    var session = ServerSession(bind, version: version)
    session.isCongested = isCongested
    guard sessions.count < configuration.sessionLimit else {
      return try refuse(session, ServerFailure(.otherSessionError, "there are too many sessions", action: .transient))
    }
    guard let address = try address(bind) else { return try refuse(session, ServerFailure(.illegalRealmPath, "this names no partition")) }
    return keep(session, [.open(address)])
  }

  private mutating func refuse(_ session: ServerSession, _ failure: ServerFailure) throws(Violation) -> [Effect] {
    var session = session
    let results = try session.fail(failure)
    return keep(session, results)
  }

  private func address(_ bind: ClientMessage.Bind) throws(Violation) -> ServerSession.Address? {
    if version.mode == .flexible {
      do throws(ProtocolError) { return .flexible(try FlexibleBind(parsing: bind.body)) } catch { throw Violation(error) }
    }
    if configuration.allowsPaths, Self.isPath(bind.body) { return .path(bind.body) }
    return PartitionValue(parsing: bind.body).map { .partition($0) }
  }

  /// Names between slashes, as the test server takes them (P10).
  private static func isPath(_ text: String) -> Bool {
    let names = text.split(separator: "/", omittingEmptySubsequences: false)
    guard names.first == "", names.count > 1, text.utf8.count <= 1024 else { return false }
    return names.dropFirst().allSatisfy { name in
      !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-") }
    }
  }

  private mutating func keep(_ session: ServerSession, _ results: [ServerSession.Effect]) -> [Effect] {
    if session.isEnded {
      sessions[session.number] = nil
      pastNumbers.insert(session.number)
    } else {
      sessions[session.number] = session
    }
    return results.map { result in
      if case .send(let message) = result { .send(message.encoded) } else { .session(session.number, result) }
    }
  }

  private mutating func congested() -> [Effect] {
    var effects: [Effect] = []
    for number in sessions.keys.sorted() {
      guard var session = sessions[number] else { continue }
      session.isCongested = isCongested
      let results = isCongested ? [] : session.proceed()
      effects += keep(session, results)
    }
    return effects
  }
}
