import Randomness

@testable import SyncProtocol

/// A file as a store keeps it, without contents: which versions it made and what it has got.
struct SimulatedFile {
  struct Change {
    let version: UInt64
    let serverVersion: UInt64
    let payload: [UInt8]
  }

  var ident: SaltedIdent?
  var version: UInt64 = 1
  var progress = HeadProgress()
  var changes: [Change] = []
  /// For every version, which server version was integrated then.
  var serverVersions: [UInt64] = [0, 0]
  var received: [[UInt8]] = []
  var keptBatches: [[UInt8]] = []
  var query: ClientMessage.Query?
  var queryAwaitsMark = false
  var pending: [ClientSession.PendingQuery] = []
  var lastQuery: UInt64 = 0
  /// Waits with the version that the server had when they began.
  var waits: [UInt64: UInt64] = [:]
  /// Those that have no number yet.
  var newWaits: [UInt64] = []
  /// Which key it has in the connection now.
  var key = 0
  /// Not handed on.
  var isStale = false

  mutating func makeVersion() {
    version += 1
    serverVersions.append(progress.download.serverVersion)
  }

  var asStored: ClientSession.File {
    var file = ClientSession.File(ident: ident, progress: progress, version: version, query: query)
    (file.pendingQueries, file.queryAwaitsMark) = (pending, queryAwaitsMark)
    return file
  }
}

/// A client with several files on one connection.
final class SimulatedClient {
  let number: Int
  private let mode: SyncMode
  weak var simulation: PairSimulation?
  var files: [SimulatedFile]
  private var connection: ClientConnection
  /// Of the transport; what belongs to another one comes too late.
  private(set) var transport = 0
  private var link: SimulatedLink?
  private var timers: [ClientConnection.Timer: Int] = [:]
  private var timerCount = 0
  private var lastKey = 0
  private var changesMade: UInt64 = 0
  /// When the store is done with what it was asked for.
  private var storeTime: UInt64 = 0

  init(_ number: Int, _ mode: SyncMode, fileCount: Int) {
    (self.number, self.mode) = (number, mode)
    files = Array(repeating: SimulatedFile(), count: fileCount)
    connection = ClientConnection(mode: mode)
    if mode == .flexible { for place in files.indices { files[place].query = ClientMessage.Query(version: 0, text: "{}") } }
  }

  private var network: PairSimulation { simulation! }

  func begin() { for place in files.indices { open(place) } }

  private func open(_ place: Int) {
    lastKey += 1
    files[place].key = lastKey
    connection(.open(key: lastKey, bindBody: mode == .partition ? "\"public\"" : FlexibleBind().text, files[place].asStored))
  }

  // MARK: What happens

  func change(_ place: Int) {
    files[place].makeVersion()
    if !network.chance(150) {
      changesMade += 1
      let payload = Notation.bytes("client \(number) change \(changesMade)")
      files[place].changes.append(
        SimulatedFile.Change(version: files[place].version, serverVersion: files[place].progress.download.serverVersion, payload: payload))
    }
    connection(.session(key: files[place].key, .versionMade(files[place].version)))
  }

  func subscribe(_ place: Int) {
    files[place].lastQuery += 1
    files[place].makeVersion()
    let query = ClientMessage.Query(version: files[place].lastQuery, text: "{\"Person\":\"(age > \(files[place].lastQuery))\"}")
    let pending = ClientSession.PendingQuery(query, snapshotVersion: files[place].version)
    files[place].pending.append(pending)
    connection(.session(key: files[place].key, .queryPending(pending)))
    connection(.session(key: files[place].key, .versionMade(files[place].version)))
  }

  func wait(_ place: Int) {
    files[place].newWaits.append(network.server.version)
    connection(.session(key: files[place].key, .waitForDownload))
  }

  /// The app closes the file and opens it again: waits are over, what was kept aside of a bootstrap is gone.
  func restartFile(_ place: Int) {
    // What the store was asked for is done before the file is closed.
    let key = files[place].key
    network.at(storeTime) { [self] in
      guard files[place].key == key else { return }
      connection(.session(key: key, .close))
      files[place].waits = [:]
      files[place].newWaits = []
      files[place].keptBatches = []
      open(place)
    }
  }

  func breakConnection() { link?.breakDown() }

  func finishChanging() { for place in files.indices { wait(place) } }

  var hasEverything: Bool { missing.isEmpty }

  var missing: [String] {
    files.compactMap { file in
      let name = "file \(file.ident?.ident ?? 0) of client \(number)"
      if file.progress.download.serverVersion != network.server.version { return "\(name) is at \(file.progress.download.serverVersion)" }
      if file.progress.upload.clientVersion < file.changes.last?.version ?? 0 { return "\(name) has uploaded \(file.progress.upload.clientVersion)" }
      if !file.waits.isEmpty || !file.newWaits.isEmpty { return "\(name) waits" }
      if file.query?.version ?? 0 != file.lastQuery || file.queryAwaitsMark { return "\(name) has no answer to its query" }
      return nil
    }
  }

  // MARK: The connection

  func connection(_ event: ClientConnection.Event) {
    for effect in connection.handle(event, now: network.now, using: &network.random) { perform(effect) }
  }

  private func perform(_ effect: ClientConnection.Effect) {
    switch effect {
    case .connect(let offer): connect(offer)
    case .disconnect:
      transport += 1
      link?.clientLeft()
      link = nil
    case .send(let bytes):
      link?.toServer(bytes)
      let current = transport
      network.later(UInt64(network.random.below(3))) { [self] in if current == transport { connection(.sent) } }
    case .setTimer(let timer, let milliseconds):
      timerCount += 1
      let number = timerCount
      timers[timer] = number
      network.later(milliseconds) { [self] in if timers[timer] == number { connection(.timer(timer)) } }
    case .cancelTimer(let timer): timers[timer] = nil
    case .fetch: network.later(20) { [self] in connection(.fetched) }
    case .logOut: network.fail("client \(number) is logged out")
    case .report(let report): if report.isFatal || report.error == .syncProtocolInvariantFailed { network.fail("client \(number): \(report)") }
    case .log, .closed: break
    case .session(let key, let wanted): if let place = files.firstIndex(where: { $0.key == key }) { ask(place, key, wanted) }
    }
  }

  private func connect(_ offer: String) {
    transport += 1
    let current = transport
    let trouble = network.isTroubled ? network.random.below(12) : 12
    network.later(UInt64(1 + network.random.below(30))) { [self] in
      guard current == transport else { return }
      switch trouble {
      case 0: connection(.failed(.unreachable))
      case 1: connection(.refused(status: 503))
      case 2: connection(.refused(status: 401))
      case 3: connection(.refused(status: 301))
      default:
        guard let version = ProtocolVersion.chosen(fromOffer: offer) else { return network.fail("no version") }
        link = SimulatedLink(network, self, current, network.server.accept(version))
        connection(.opened(subprotocol: version.token))
      }
    }
  }

  func received(_ bytes: [UInt8], transport: Int) { if transport == self.transport { connection(.received(bytes)) } }

  func transportEnded(_ transport: Int) {
    guard transport == self.transport else { return }
    link = nil
    connection(network.chance(100) ? .closeFrame(code: 1006) : .failed(.ended))
  }

  // MARK: The store

  private func ask(_ place: Int, _ key: Int, _ wanted: ClientSession.Effect) {
    storeTime = max(storeTime, network.now) + UInt64(network.random.below(15))
    network.at(storeTime) { [self] in
      guard files[place].key == key else { return }
      if let answer = answer(place, wanted) { connection(.session(key: key, answer)) }
    }
  }

  private func answer(_ place: Int, _ wanted: ClientSession.Effect) -> ClientSession.Event? {
    switch wanted {
    case .storeIdent(let ident):
      if files[place].ident != nil { network.fail("file \(place) of client \(number) gets a second name") }
      files[place].ident = ident
      return .identStored
    case .integrate(let download, let begins): return integrate(place, download, begins)
    case .readUpload(let number, let after, let through): return .uploadRead(number: number, upload(files[place], after, through))
    case .uploadAcknowledged(let cursor):
      if cursor.clientVersion > files[place].version { network.fail("version \(cursor.clientVersion) was never made") }
    case .waitBegan(let number): if !files[place].newWaits.isEmpty { files[place].waits[number] = files[place].newWaits.removeFirst() }
    case .downloadCompleted(let number):
      for (wait, version) in files[place].waits where wait <= number {
        files[place].waits[wait] = nil
        if files[place].progress.download.serverVersion < version {
          network.fail("a wait ends at version \(files[place].progress.download.serverVersion), the server was at \(version)")
        }
      }
    case .queryChanged(let version, let state): queryChanged(place, version, state)
    case .report(let report): network.fail("client \(self.number): \(report)")
    case .demand, .writesCompensated, .fetch, .resumeLater: network.fail("client \(number) is asked for \(wanted)")
    case .log, .testAnswer: break
    }
    return nil
  }

  private func queryChanged(_ place: Int, _ version: UInt64, _ state: ClientSession.QueryState) {
    switch state {
    case .complete: if files[place].query?.version == version { files[place].queryAwaitsMark = false }
    case .awaitingMark: if files[place].query?.version ?? 0 < version { network.fail("query \(version) awaits a mark, and is not there") }
    case .bootstrapping: break
    case .error(let text): network.fail("query \(version): \(text)")
    }
  }

  private func integrate(_ place: Int, _ download: ServerMessage.Download, _ begins: Bool) -> ClientSession.Event {
    if begins { files[place].keptBatches = [] }
    let payloads = download.entries.map(\.changeset).filter { !$0.isEmpty }
    if case .flexible(let version, let batch, _) = download.extent, batch != .steady {
      files[place].keptBatches += payloads
      if batch == .more { return .integrated(version: files[place].version) }
      files[place].received += files[place].keptBatches
      files[place].keptBatches = []
      if let pending = files[place].pending.first(where: { $0.query.version == version }), version > files[place].query?.version ?? 0 {
        (files[place].query, files[place].queryAwaitsMark) = (pending.query, true)
        files[place].pending.removeAll { $0.query.version <= version }
      }
    } else {
      files[place].received += payloads
    }
    files[place].progress = download.progress
    files[place].makeVersion()
    return .integrated(version: files[place].version)
  }

  /// Some of what is not sent, so that a query or a break falls between.
  private func upload(_ file: SimulatedFile, _ after: UInt64, _ through: UInt64?) -> ClientSession.UploadBatch {
    let end = min(through ?? .max, file.version)
    let all = file.changes.filter { $0.version > after && $0.version <= end }
    let some = all.prefix(1 + network.random.below(3))
    let progress = some.count < all.count ? all[some.count].version - 1 : max(end, after)
    return ClientSession.UploadBatch(
      entries: some.map {
        ClientMessage.Upload.Entry(
          cursor: VersionCursor(serverVersion: $0.serverVersion, clientVersion: $0.version), timestamp: network.now, changeset: $0.payload)
      },
      progress: VersionCursor(serverVersion: file.serverVersions[Int(progress)], clientVersion: progress),
      lockedServerVersion: file.progress.download.serverVersion)
  }
}
