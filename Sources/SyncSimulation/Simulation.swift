import ChangesetModel
import Changesets
import Merge
import Randomness
import RealmStorage
import RealmSync

/// Files that change, a server and a network between them, in one thread and in virtual time: whatever happens can be made to happen again by its seed.
///
/// Messages take their time, connections break with everything that is under way, clients and the server end and begin again after anything that they have
/// stored. Clocks are days apart. Afterwards everybody meets, and everything has to be equal.
package final class Simulation {
  /// What happens how often.
  package struct Plan: Sendable {
    package var clientCount = 3
    /// Until everybody meets.
    package var eventCount = 60
    /// How often in a thousand events somebody's connection breaks.
    package var breaks = 60
    /// How often in a thousand stored changes whoever made one ends right after it.
    package var restarts = 40
    /// Classes and properties are made while files are apart.
    package var changesSchema = true

    /// The usual.
    package init() {}
  }

  /// What was found to be wrong.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private var random: SeededGenerator
  private let plan: Plan
  private var server: ModelServer
  private var clients: [SimulatedClient] = []
  private var network = SimulatedNetwork()
  private let seed: UInt64

  /// - Parameter directory: for the files, which nobody removes.
  package init(seed: UInt64, directory: String, plan: Plan = Plan()) throws {
    self.seed = seed
    self.plan = plan
    random = SeededGenerator(seed: seed)
    server = ModelServer(salt: random.next() >> 1 | 1)
    for number in 0..<plan.clientCount {
      let skew = UInt64(random.below(4)) * 86_400_000
      clients.append(try SimulatedClient(number: number, path: "\(directory)/\(number).realm", skew: skew))
    }
  }

  /// Runs to the end.
  /// - Throws: `Failure` with the seed if something is wrong.
  package func run() throws {
    defer { for client in clients { client.close() } }
    do {
      try clients[0].perform(RandomHistory.baseChangeset)
      try meet()
      for _ in 0..<plan.eventCount { try happen() }
      try meet()
      try check()
    } catch { throw Failure(description: "seed \(seed): \(error)") }
  }

  // MARK: What happens

  private func happen() throws {
    network.now += UInt64(random.below(50))
    let client = clients[random.below(clients.count)]
    if random.below(1000) < plan.breaks { return disconnect(client.number) }
    switch random.below(6) {
    case 0, 1: try change(client)
    case 2: if !client.isConnected { connect(client) }
    case 3: try sendUpload(client)
    default: for _ in 0..<1 + random.below(4) { try deliver() }
    }
  }

  private func change(_ client: SimulatedClient) throws {
    let before = try client.realm()
    // Nothing to start from: the first download is still to come.
    guard before.classes["P"] != nil else { return }
    var history = RandomHistory(random.next(), file: client.status().fileIdent, from: before, erasesSchema: false)
    for item in history.changesets(transactions: 1 + random.below(2), changes: 1 + random.below(6)) {
      client.now = network.now
      try client.perform(item.changeset)
    }
    guard try client.realm() == history.realm else { throw Failure(description: "client \(client.number) did something else than it was told") }
    try mayRestart(client)
  }

  private func mayRestart(_ client: SimulatedClient) throws {
    guard random.below(1000) < plan.restarts else { return }
    disconnect(client.number)
    try client.reopen()
  }

  private func mayRestartServer() {
    guard random.below(1000) < plan.restarts else { return }
    for client in clients { disconnect(client.number) }
  }

  private func connect(_ client: SimulatedClient) {
    client.connect()
    let status = client.status()
    send(.fromClient(client.number, status.fileIdent == 0 ? .needIdent : .ident(status)))
  }

  private func disconnect(_ number: Int) {
    network.dropMessages(of: number)
    clients[number].disconnect()
  }

  private func sendUpload(_ client: SimulatedClient) throws {
    guard client.isConnected, client.isIdentified else { return }
    let upload = try client.nextUpload(byteLimit: 1 + random.below(400))
    if let upload { send(.fromClient(client.number, .upload(upload))) }
  }

  private func send(_ message: SimulatedNetwork.Message) { network.send(message, delay: UInt64(random.below(80))) }

  // MARK: Messages

  private func deliver() throws {
    guard let message = network.next() else { return }
    switch message {
    case .fromClient(let number, let content): try receive(content, from: clients[number])
    case .fromServer(let number, let content): try receive(content, at: clients[number])
    }
  }

  private func receive(_ content: SimulatedNetwork.ClientMessage, from client: SimulatedClient) throws {
    switch content {
    case .needIdent:
      let salt = random.next() >> 2 | 1
      let ident = server.addFile(salt: salt)
      if stillThere(client) { send(.fromServer(client.number, .ident(ident, salt: salt))) }
    case .ident(let status):
      guard server.files[status.fileIdent]?.salt == status.fileIdentSalt, status.download.serverVersion <= server.version else {
        throw Failure(description: "the server does not know client \(client.number), which it has given the name \(status.fileIdent)")
      }
      client.serverPosition = status.download.serverVersion
      sendDownloads(to: client, atLeastOne: true)
    case .upload(let upload):
      try server.integrate(upload, from: client.status().fileIdent)
      guard stillThere(client) else { return }
      client.serverPosition.map { _ in sendDownloads(to: client, atLeastOne: true) }
      for other in clients where other !== client && other.isConnected { sendDownloads(to: other, atLeastOne: false) }
    }
  }

  /// Whether the server, having stored something, is still there to say so.
  private func stillThere(_ client: SimulatedClient) -> Bool {
    mayRestartServer()
    return client.isConnected
  }

  private func sendDownloads(to client: SimulatedClient, atLeastOne: Bool) {
    guard var position = client.serverPosition else { return }
    var isFirst = atLeastOne
    while isFirst || position < server.version {
      isFirst = false
      let download = server.download(for: client.status().fileIdent, after: position, limit: 1 + random.below(5))
      position = download.progress.download.serverVersion
      send(.fromServer(client.number, .download(download)))
    }
    client.serverPosition = position
  }

  private func receive(_ content: SimulatedNetwork.ServerMessage, at client: SimulatedClient) throws {
    client.now = network.now
    switch content {
    case .ident(let ident, let salt):
      try client.setIdent(ident, salt: salt)
      send(.fromClient(client.number, .ident(client.status())))
    case .download(let download):
      try client.integrate(download)
    }
    try mayRestart(client)
  }

  // MARK: The end

  /// Nothing breaks any more, until everybody has everything.
  private func meet() throws {
    for _ in 0..<1000 {
      for client in clients where !client.isConnected { connect(client) }
      for client in clients { try sendUpload(client) }
      while let message = network.next() {
        switch message {
        case .fromClient(let number, let content): try receive(content, from: clients[number])
        case .fromServer(let number, let content): try receive(content, at: clients[number])
        }
      }
      if try clients.allSatisfy({ try $0.isConnected && $0.isIdentified && $0.hasEverything(of: server) }) { return }
    }
    throw Failure(description: "files and server do not come to an end")
  }

  private func check() throws {
    var model = ModelRealm()
    for entry in server.entries { try model.apply(entry.changeset.changeset) }
    for client in clients {
      guard try client.realm() == model else {
        throw Failure(description: "client \(client.number) differs from the server: \(try client.realm().difference(to: model))")
      }
      try client.checkFile()
      // What was changed here is in the server's history exactly once.
      let ident = client.status().fileIdent
      let uploaded = server.entries.filter { $0.origin == ident }.map(\.clientVersion)
      guard uploaded == client.changedVersions else {
        throw Failure(description: "client \(client.number) made versions \(client.changedVersions), the server has \(uploaded)")
      }
    }
  }
}
