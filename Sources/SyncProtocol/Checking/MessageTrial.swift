/// Gives messages of any kind to the parser and, when they pass, to both sides' state machines, whose stores answer anything at any time.
///
/// An error is fine. A message that passes has to come out the same a second time.
package struct MessageTrial {
  private let mode: SyncMode
  /// What a client says first.
  private let beginning: [[UInt8]]
  private var client: ClientConnection
  private var server: ServerConnection
  /// Of `client`.
  private var key = 0
  private var now: UInt64 = 1_000_000
  /// How many messages were none.
  package private(set) var refusedCount: UInt64 = 0

  package init(mode: SyncMode) {
    self.mode = mode
    beginning = Array(MessageSamples.client(mode).prefix(2))
    client = ClientConnection(mode: mode)
    server = ServerConnection(version: ProtocolVersion(mode: mode, number: 14), now: 0)
  }

  /// - Returns: what is wrong with this library.
  package mutating func problem(withServerMessage bytes: [UInt8], using random: inout some RandomNumberGenerator) -> String? {
    feedClient(.received(bytes), using: &random)
    guard let message = try? ServerMessage(parsing: bytes, mode: mode) else {
      refusedCount += 1
      return nil
    }
    let encoded = message.encoded
    guard let again = try? ServerMessage(parsing: encoded, mode: mode) else { return "is refused after encoding" }
    if again != message { return "is another one after encoding" }
    if again.encoded != encoded { return "does not encode to the same bytes again" }
    guard case .jsonError(_, let code, let body) = message, let error = try? ErrorBody(parsing: body, code: code) else { return nil }
    return (try? ErrorBody(parsing: error.text, code: code)) == error ? nil : "has a body that is another one after encoding"
  }

  /// - Returns: what is wrong with this library.
  package mutating func problem(withClientMessage bytes: [UInt8], using random: inout some RandomNumberGenerator) -> String? {
    feedServer(.received(bytes), using: &random)
    guard let message = try? ClientMessage(parsing: bytes, mode: mode) else {
      refusedCount += 1
      return nil
    }
    let encoded = message.encoded
    guard let again = try? ClientMessage(parsing: encoded, mode: mode) else { return "is refused after encoding" }
    if again != message { return "is another one after encoding" }
    if again.encoded != encoded { return "does not encode to the same bytes again" }
    guard case .bind(let bind) = message, let partition = PartitionValue(parsing: bind.body) else { return nil }
    return PartitionValue(parsing: partition.text()) == partition ? nil : "has a partition that is another one after encoding"
  }

  // MARK: The client

  private mutating func feedClient(_ event: ClientConnection.Event, using random: inout some RandomNumberGenerator) {
    if !client.isConnected { reconnect(using: &random) }
    now += UInt64.random(in: 0...1000, using: &random)
    var events = [event]
    // What follows from it, as far as anybody cares.
    for _ in 0..<40 where !events.isEmpty {
      for effect in client.handle(events.removeFirst(), now: now, using: &random) {
        switch effect {
        case .send: events.append(.sent)
        case .session(let key, let wanted): if let answer = answer(to: wanted, using: &random) { events.append(.session(key: key, answer)) }
        case .fetch: events.append(Bool.random(using: &random) ? .fetched : .fetchFailed)
        case .setTimer(let timer, _): if Int.random(in: 0..<4, using: &random) == 0 { events.append(.timer(timer)) }
        default: break
        }
      }
      if Int.random(in: 0..<16, using: &random) == 0 { events.append(anyEvent(using: &random)) }
    }
  }

  private mutating func reconnect(using random: inout some RandomNumberGenerator) {
    client = ClientConnection(mode: mode)
    key += 1
    let progress = HeadProgress(
      download: VersionCursor(serverVersion: 5, clientVersion: 6), latestServer: SaltedVersion(version: 5, salt: 77),
      upload: VersionCursor(serverVersion: 4, clientVersion: 9))
    let isNew = Bool.random(using: &random)
    var file = ClientSession.File(
      ident: isNew ? nil : SaltedIdent(ident: 2, salt: 1011), progress: isNew ? HeadProgress() : progress, version: 20,
      query: mode == .flexible ? ClientMessage.Query(version: 1, text: "{}") : nil)
    file.wasMigrated = Bool.random(using: &random)
    let body = mode == .partition ? "\"public\"" : FlexibleBind().text
    for event: ClientConnection.Event in [
      .open(key: key, bindBody: body, file), .opened(subprotocol: ProtocolVersion(mode: mode, number: 14).token), .sent, .sent, .sent,
    ] { _ = client.handle(event, now: now, using: &random) }
    _ = client.handle(.timer(.ping), now: 1_000_000, using: &random)
    _ = client.handle(.sent, now: now, using: &random)
  }

  private func answer(to wanted: ClientSession.Effect, using random: inout some RandomNumberGenerator) -> ClientSession.Event? {
    if Int.random(in: 0..<8, using: &random) == 0 { return nil }
    switch wanted {
    case .storeIdent: return .identStored
    case .integrate:
      return Int.random(in: 0..<8, using: &random) == 0 ? .integrationFailed(.badChangeset, "no") : .integrated(version: anyVersion(using: &random))
    case .readUpload(let number, let after, _):
      let last = after &+ UInt64.random(in: 0...9, using: &random)
      let entry = ClientMessage.Upload.Entry(cursor: VersionCursor(serverVersion: 5, clientVersion: last), timestamp: 0, changeset: [1, 2])
      return .uploadRead(
        number: number,
        ClientSession.UploadBatch(
          entries: Bool.random(using: &random) ? [entry] : [], progress: VersionCursor(serverVersion: 5, clientVersion: last), lockedServerVersion: 5)
      )
    default: return nil
    }
  }

  private func anyVersion(using random: inout some RandomNumberGenerator) -> UInt64 {
    Int.random(in: 0..<20, using: &random) == 0 ? .max : UInt64.random(in: 0...30, using: &random)
  }

  private func anyEvent(using random: inout some RandomNumberGenerator) -> ClientConnection.Event {
    let version = anyVersion(using: &random)
    let query = ClientSession.PendingQuery(ClientMessage.Query(version: version, text: "{}"), snapshotVersion: anyVersion(using: &random))
    let event: ClientConnection.Event? = [
      .session(key: key, .versionMade(version)), .session(key: key, .waitForDownload), .session(key: key, .queryPending(query)),
      .session(key: key, .integrated(version: version)), .session(key: key, .integrationFailed(.badChangeset, "no")),
      .session(key: key, .migrationSentinelChanged(version)), .session(key: key, .close), .session(key: key, .identStored), .reconnectNow, .fetched,
      .sent,
      .closeFrame(code: UInt16.random(in: 1000...1015, using: &random)), .failed(.ended), .refused(status: Int.random(in: 100...600, using: &random)),
      .opened(subprotocol: nil), .timer(.resume(key)), .timer(.linger), .timer(.ping), .session(key: key, .testCommand("{}")),
    ].randomElement(using: &random)
    return event ?? .sent
  }

  // MARK: The server

  private mutating func feedServer(_ event: ServerConnection.Event, using random: inout some RandomNumberGenerator) {
    now += UInt64.random(in: 0...1000, using: &random)
    var events = [event]
    for _ in 0..<40 where !events.isEmpty {
      for effect in server.handle(events.removeFirst(), now: now) {
        switch effect {
        case .send, .setTimer: break
        case .close:
          server = ServerConnection(version: ProtocolVersion(mode: mode, number: 14), now: now)
          events = beginning.prefix(Int.random(in: 0...2, using: &random)).map { .received($0) }
        case .session(let number, let wanted): if let answer = answer(to: wanted, using: &random) { events.append(.session(number, answer)) }
        }
      }
      if Int.random(in: 0..<16, using: &random) == 0 { events.append(anyServerEvent(using: &random)) }
    }
  }

  private func anyProgress(using random: inout some RandomNumberGenerator) -> HeadProgress {
    let server = anyVersion(using: &random)
    return HeadProgress(
      download: VersionCursor(serverVersion: server, clientVersion: anyVersion(using: &random)),
      latestServer: SaltedVersion(version: anyVersion(using: &random), salt: 77),
      upload: VersionCursor(serverVersion: 4, clientVersion: anyVersion(using: &random)))
  }

  private func answer(to wanted: ServerSession.Effect, using random: inout some RandomNumberGenerator) -> ServerSession.Event? {
    if Int.random(in: 0..<12, using: &random) == 0 { return nil }
    switch wanted {
    case .open: return .opened
    case .allocateIdent: return .identAllocated(SaltedIdent(ident: 2, salt: 1011))
    case .loadFile:
      let record = ClientFileRecord(salt: 1011, upload: VersionCursor(serverVersion: 4, clientVersion: 16))
      return .fileLoaded(record, current: SaltedVersion(version: 5, salt: 77))
    case .openView: return .viewOpened(isReproducible: Bool.random(using: &random))
    case .integrate(_, let progress, _): return .integrated(progress, rejection: nil)
    case .pull: return .pulled(ServerSession.Pulled(progress: anyProgress(using: &random), entries: []))
    case .readHead(let mark): return .head(anyVersion(using: &random), forMark: mark)
    case .bootstrap, .continueBootstrap:
      return .batchRead(
        ServerSession.Batch(progress: anyProgress(using: &random), entries: [], estimate: .nothing, isLast: Bool.random(using: &random)))
    case .send, .clientFailed, .ended: return nil
    }
  }

  private func anyServerEvent(using random: inout some RandomNumberGenerator) -> ServerConnection.Event {
    let progress = anyProgress(using: &random)
    let event: ServerConnection.Event? = [
      .session(1, .headMoved(progress.latestServer.version)), .session(1, .viewChanged), .session(1, .opened), .timerFired,
      .session(1, .integrated(progress.upload, rejection: ServerFailure(.compensatingWrite, "no"))), .session(1, .queryRejected(.badQuery, "no")),
      .session(1, .failed(ServerFailure(.tokenExpired, "no"))), .session(1, .pulled(ServerSession.Pulled(progress: progress, entries: []))),
      .congestion(Bool.random(using: &random)), .superseded(fileIdent: 2), .session(1, .identAllocated(SaltedIdent(ident: 3, salt: 4))),
      .session(1, .log(LogBody(level: nil, text: nil, requestIdent: nil))),
    ].randomElement(using: &random)
    return event ?? .timerFired
  }
}
