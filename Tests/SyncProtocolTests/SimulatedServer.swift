import Randomness

@testable import SyncProtocol

/// One WebSocket between a client and the server. Messages keep their order; those under way are lost with it.
final class SimulatedLink {
  private let simulation: PairSimulation
  private let client: SimulatedClient
  private let transport: Int
  private let server: SimulatedServerConnection
  private var (upTime, downTime): (UInt64, UInt64) = (0, 0)
  private var isBroken = false

  init(_ simulation: PairSimulation, _ client: SimulatedClient, _ transport: Int, _ server: SimulatedServerConnection) {
    (self.simulation, self.client, self.transport, self.server) = (simulation, client, transport, server)
    server.link = self
  }

  func toServer(_ bytes: [UInt8]) {
    upTime = max(upTime, simulation.now) + UInt64(simulation.random.below(40))
    simulation.at(upTime) { [self] in if !isBroken { server.handle(.received(bytes)) } }
  }

  func toClient(_ bytes: [UInt8]) {
    downTime = max(downTime, simulation.now) + UInt64(simulation.random.below(40))
    simulation.at(downTime) { [self] in if !isBroken { client.received(bytes, transport: transport) } }
  }

  /// The server has said its last word.
  func endAfterSending() {
    simulation.at(downTime) { [self] in
      if isBroken { return }
      isBroken = true
      client.transportEnded(transport)
    }
  }

  /// Everything under way is lost, and nobody knows at once.
  func breakDown() {
    if isBroken { return }
    isBroken = true
    simulation.later(UInt64(simulation.random.below(50))) { [self] in client.transportEnded(transport) }
    simulation.later(UInt64(simulation.random.below(200))) { [self] in server.drop() }
  }

  func clientLeft() {
    isBroken = true
    simulation.later(UInt64(simulation.random.below(200))) { [self] in server.drop() }
  }
}

/// A server's end of a connection, with what it has asked the store for.
final class SimulatedServerConnection {
  private let server: SimulatedServer
  private var connection: ServerConnection
  weak var link: SimulatedLink?
  private(set) var isDropped = false
  private var storeTime: UInt64 = 0
  private(set) var openQuestions = 0
  /// What a bootstrap has still to send, by session.
  var rest: [UInt64: [ServerSession.Batch]] = [:]
  /// The files of its sessions.
  var idents: [UInt64: UInt64] = [:]

  init(_ server: SimulatedServer, _ version: ProtocolVersion) {
    self.server = server
    connection = ServerConnection(version: version, now: server.network.now)
    perform(connection.begin(greeting: LogBody(level: "info", text: "hello", requestIdent: "1")))
  }

  func drop() { isDropped = true }

  func handle(_ event: ServerConnection.Event) {
    if !isDropped { perform(connection.handle(event, now: server.network.now)) }
  }

  private func perform(_ effects: [ServerConnection.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let bytes):
        if case .jsonError(_, let code, let body)? = try? ServerMessage(parsing: bytes, mode: connection.version.mode), code != 100 {
          server.network.fail("the server says \(code) \(body)")
        }
        link?.toClient(bytes)
      case .close:
        link?.endAfterSending()
        drop()
      case .setTimer(let milliseconds): server.network.later(milliseconds) { [self] in handle(.timerFired) }
      case .session(let number, let wanted):
        if case .send = wanted { continue }
        if case .ended = wanted {
          (rest[number], idents[number]) = (nil, nil)
          continue
        }
        ask(number, wanted)
      }
    }
  }

  private func ask(_ number: UInt64, _ wanted: ServerSession.Effect) {
    storeTime = max(storeTime, server.network.now) + UInt64(server.network.random.below(25))
    openQuestions += 1
    server.network.at(storeTime) { [self] in
      openQuestions -= 1
      // What a connection has asked for that is gone is done as well as not; here sometimes.
      guard !isDropped || canStillIntegrate(wanted, number) else { return }
      if let answer = server.answer(self, number, wanted) { handle(.session(number, answer)) }
    }
  }

  private func canStillIntegrate(_ wanted: ServerSession.Effect, _ number: UInt64) -> Bool {
    guard case .integrate = wanted else { return false }
    return idents[number] != nil
  }
}

/// The server's store: an order of all changes, and what is known of the files.
final class SimulatedServer {
  struct Entry {
    let version: UInt64
    let origin: UInt64
    let clientVersion: UInt64
    let payload: [UInt8]
  }

  private let mode: SyncMode
  weak var simulation: PairSimulation?
  private(set) var history: [Entry] = []
  private var files: [UInt64: ClientFileRecord] = [:]
  /// After which versions how much of a file was integrated.
  private var milestones: [UInt64: [(version: UInt64, clientVersion: UInt64)]] = [:]
  private var connections: [SimulatedServerConnection] = []
  private let salt: Int64 = 77

  init(_ mode: SyncMode) { self.mode = mode }

  var network: PairSimulation { simulation! }
  var version: UInt64 { UInt64(history.count) }
  var isIdle: Bool { connections.allSatisfy { $0.isDropped || $0.openQuestions == 0 } }

  func accept(_ version: ProtocolVersion) -> SimulatedServerConnection {
    let connection = SimulatedServerConnection(self, version)
    connections.removeAll(where: \.isDropped)
    connections.append(connection)
    return connection
  }

  /// What is stored stays, everything else is gone.
  func restart() {
    for connection in connections {
      connection.link?.breakDown()
      connection.drop()
      connection.idents = [:]
    }
    connections = []
  }

  func changeRights() {
    for connection in connections { for number in connection.idents.keys.sorted() { connection.handle(.session(number, .viewChanged)) } }
  }

  func answer(_ connection: SimulatedServerConnection, _ number: UInt64, _ wanted: ServerSession.Effect) -> ServerSession.Event? {
    switch wanted {
    case .open: return .opened
    case .allocateIdent:
      let ident = UInt64(files.count) + 2
      files[ident] = ClientFileRecord(salt: Int64(ident) * 1000 + 1)
      return .identAllocated(SaltedIdent(ident: ident, salt: Int64(ident) * 1000 + 1))
    case .loadFile(let ident): return load(ident, connection, number)
    case .openView: return .viewOpened(isReproducible: !network.chance(300))
    case .integrate(let entries, let progress, let locked): return integrate(entries, progress, locked, connection, number)
    case .pull(let cursor): return .pulled(pull(connection.idents[number] ?? 0, cursor))
    case .readHead(let mark): return .head(version, forMark: mark)
    case .bootstrap(_, let cursor):
      connection.rest[number] = batches(connection.idents[number] ?? 0, cursor)
      return nextBatch(connection, number)
    case .continueBootstrap: return nextBatch(connection, number)
    case .clientFailed(let code, let body): network.fail("a client says \(code) \(body)")
    case .send, .ended: break
    }
    return nil
  }

  private func load(_ ident: UInt64, _ connection: SimulatedServerConnection, _ number: UInt64) -> ServerSession.Event {
    for other in connections where other !== connection && other.idents.values.contains(ident) {
      other.handle(.superseded(fileIdent: ident))
      other.idents = other.idents.filter { $0.value != ident }
    }
    for other in connections where other.isDropped { other.idents = other.idents.filter { $0.value != ident } }
    connection.idents[number] = ident
    return .fileLoaded(files[ident], current: SaltedVersion(version: version, salt: salt))
  }

  private func integrate(
    _ entries: [ClientMessage.Upload.Entry], _ progress: VersionCursor, _ locked: UInt64, _ connection: SimulatedServerConnection, _ number: UInt64
  ) -> ServerSession.Event? {
    guard let ident = connection.idents[number], var file = files[ident] else { return nil }
    for entry in entries {
      if entry.cursor.clientVersion <= history.last(where: { $0.origin == ident })?.clientVersion ?? 0 {
        network.fail("version \(entry.cursor.clientVersion) of file \(ident) comes a second time")
      }
      history.append(Entry(version: version + 1, origin: ident, clientVersion: entry.cursor.clientVersion, payload: entry.changeset))
      milestones[ident, default: []].append((version, entry.cursor.clientVersion))
    }
    if progress.clientVersion > file.upload.clientVersion { file.upload = progress }
    file.lockedServerVersion = max(file.lockedServerVersion, locked)
    files[ident] = file
    if !entries.isEmpty {
      for other in connections { for session in other.idents.keys.sorted() { other.handle(.session(session, .headMoved(version))) } }
    }
    return .integrated(file.upload, rejection: nil)
  }

  private func clientVersion(_ ident: UInt64, at version: UInt64) -> UInt64 {
    milestones[ident]?.last { $0.version <= version }?.clientVersion ?? 0
  }

  private func pull(_ ident: UInt64, _ cursor: VersionCursor) -> ServerSession.Pulled {
    let end = min(version, cursor.serverVersion + UInt64(1 + network.random.below(5)))
    let entries = history.filter { $0.version > cursor.serverVersion && $0.version <= end && $0.origin != ident }
    return ServerSession.Pulled(progress: progress(ident, end, cursor), entries: entries.map { download($0, ident, $0.version) })
  }

  private func progress(_ ident: UInt64, _ end: UInt64, _ cursor: VersionCursor) -> HeadProgress {
    HeadProgress(
      download: VersionCursor(serverVersion: end, clientVersion: max(clientVersion(ident, at: end), cursor.clientVersion)),
      latestServer: SaltedVersion(version: version, salt: version == 0 ? 0 : salt), upload: files[ident]?.upload ?? VersionCursor())
  }

  private func download(_ entry: Entry, _ ident: UInt64, _ version: UInt64) -> ServerMessage.Download.Entry {
    ServerMessage.Download.Entry(
      cursor: VersionCursor(serverVersion: version, clientVersion: clientVersion(ident, at: entry.version - 1)), timestamp: 0, origin: entry.origin,
      changeset: entry.payload)
  }

  /// Everything up to the newest version in one bootstrap of several batches.
  private func batches(_ ident: UInt64, _ cursor: VersionCursor) -> [ServerSession.Batch] {
    let end = version
    let progress = progress(ident, end, cursor)
    let entries = history.filter { $0.version > cursor.serverVersion && $0.origin != ident }.map { download($0, ident, end) }
    var batches: [ServerSession.Batch] = []
    var rest = entries[...]
    repeat {
      let some = rest.prefix(network.random.below(4))
      rest = rest.dropFirst(some.count)
      let isLast = rest.isEmpty && network.chance(700)
      let estimate = ProgressEstimate(UInt64(entries.count - rest.count), of: UInt64(entries.count))
      batches.append(ServerSession.Batch(progress: progress, entries: Array(some), estimate: estimate, isLast: isLast))
    } while batches.last?.isLast == false
    return batches
  }

  private func nextBatch(_ connection: SimulatedServerConnection, _ number: UInt64) -> ServerSession.Event? {
    guard var rest = connection.rest[number], !rest.isEmpty else { return nil }
    let batch = rest.removeFirst()
    connection.rest[number] = rest
    return .batchRead(batch)
  }
}
