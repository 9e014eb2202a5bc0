import Randomness

@testable import SyncProtocol

/// Clients and a server, each with a store of its own, over connections that are slow and break, in virtual time.
///
/// Nobody cheats: whatever one side says to the other goes through bytes, and every answer of a store takes its time.
final class PairSimulation {
  /// What was found to be wrong.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let mode: SyncMode
  var random: SeededGenerator
  private(set) var now: UInt64 = 10_000
  private var queue: [(time: UInt64, order: UInt64, action: () -> Void)] = []
  private var order: UInt64 = 0
  private(set) var failures: [String] = []
  let server: SimulatedServer
  private(set) var clients: [SimulatedClient] = []
  /// Connections break, and servers refuse.
  private(set) var isTroubled = true

  init(seed: UInt64, mode: SyncMode) {
    (self.mode, random) = (mode, SeededGenerator(seed: seed))
    server = SimulatedServer(mode)
    let fileCount = 1 + random.below(3)
    for number in 0...random.below(4) { clients.append(SimulatedClient(number, mode, fileCount: fileCount)) }
    server.simulation = self
    for client in clients { client.simulation = self }
  }

  func fail(_ text: String) { failures.append("at \(now): \(text)") }

  func later(_ delay: UInt64, _ action: @escaping () -> Void) { at(now + delay, action) }

  func at(_ time: UInt64, _ action: @escaping () -> Void) {
    order += 1
    queue.append((max(time, now), order, action))
  }

  func chance(_ perMille: Int) -> Bool { random.below(1000) < perMille }

  /// Runs what is due first.
  private func step() -> Bool {
    guard let place = queue.indices.min(by: { (queue[$0].time, queue[$0].order) < (queue[$1].time, queue[$1].order) }) else { return false }
    let next = queue.remove(at: place)
    now = next.time
    next.action()
    return true
  }

  /// A while with troubles, and then one without them, after which everybody has everything.
  func run() throws {
    for client in clients { client.begin() }
    for _ in 0..<20 + random.below(200) {
      at(now + UInt64(random.below(400)), happen)
      for _ in 0..<1 + random.below(6) where failures.isEmpty { _ = step() }
    }
    isTroubled = false
    for client in clients { client.finishChanging() }
    let end = now + 3_600_000
    var isDone = false
    while failures.isEmpty, !isDone, now < end, step() { isDone = clients.allSatisfy(\.hasEverything) && server.isIdle }
    if failures.isEmpty, !isDone { fail("it does not come to an end: " + clients.flatMap(\.missing).joined(separator: "; ")) }
    if failures.isEmpty { check() }
    if let first = failures.first { throw Failure(description: first) }
  }

  private func happen() {
    let client = clients[random.below(clients.count)]
    switch random.below(12) {
    case 0: client.breakConnection()
    case 1: if chance(200) { server.restart() }
    case 2: client.restartFile(random.below(client.files.count))
    case 3, 4: client.wait(random.below(client.files.count))
    case 5, 6: if mode == .flexible { client.subscribe(random.below(client.files.count)) } else { client.change(random.below(client.files.count)) }
    case 7: if mode == .flexible { server.changeRights() }
    case 8: client.connection(.reconnectNow)
    default: client.change(random.below(client.files.count))
    }
  }

  private func check() {
    let files = clients.flatMap(\.files)
    let idents = files.compactMap { $0.ident?.ident }
    if Set(idents).count != files.count { fail("files share idents: \(idents)") }
    for file in files {
      guard let ident = file.ident?.ident else { continue }
      let expected = server.history.filter { $0.origin != ident }.map(\.payload)
      if file.received != expected { fail("file \(ident) has received \(file.received.count) of \(expected.count) changes, or in another order") }
      let uploaded = server.history.filter { $0.origin == ident }
      if uploaded.map(\.clientVersion) != file.changes.map(\.version) {
        fail("file \(ident) made \(file.changes.count) changes, the server has \(uploaded.count)")
      }
      if uploaded.map(\.payload) != file.changes.map(\.payload) { fail("changes of file \(ident) came as others") }
      if !file.waits.isEmpty { fail("\(file.waits.count) waits of file \(ident) never ended") }
    }
  }
}
