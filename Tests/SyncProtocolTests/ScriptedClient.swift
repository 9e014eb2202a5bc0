import Randomness

@testable import SyncProtocol

/// A client connection whose store does what the test says, at once.
final class ScriptedClient {
  var connection: ClientConnection
  var now: UInt64 = 1_000_000
  private var random = SeededGenerator(seed: 7)
  /// Messages that were sent and not looked at.
  private var sent: [[UInt8]] = []
  /// Everything else that was asked for and not looked at.
  private(set) var effects: [ClientConnection.Effect] = []
  /// What the store answers.
  var store: (ClientSession.Effect) -> ClientSession.Event? = { _ in nil }

  init(_ mode: SyncMode, routeIsConfirmed: Bool = true) { connection = ClientConnection(mode: mode, routeIsConfirmed: routeIsConfirmed) }

  /// What happens, with everything that follows from it at once.
  func handle(_ event: ClientConnection.Event) {
    var events = [event]
    while !events.isEmpty {
      for effect in connection.handle(events.removeFirst(), now: now, using: &random) {
        switch effect {
        case .send(let bytes):
          sent.append(bytes)
          events.append(.sent)
        case .session(let key, let wanted):
          effects.append(effect)
          if let answer = store(wanted) { events.append(.session(key: key, answer)) }
        default: effects.append(effect)
        }
      }
    }
  }

  func session(_ event: ClientSession.Event, key: Int = 1) { handle(.session(key: key, event)) }
  func receive(_ text: String, _ body: [UInt8] = []) { handle(.received(Notation.bytes(text) + body)) }

  /// Opens a session and the connection.
  func begin(_ bindBody: String, _ file: ClientSession.File, key: Int = 1) {
    handle(.open(key: key, bindBody: bindBody, file))
    if !connection.isConnected { handle(.opened(subprotocol: ProtocolVersion(mode: connection.mode, number: 14).token)) }
  }

  /// A session of a new file that has said IDENT, and got the answer to its first MARK: `download` says the least.
  func becomeSteady(_ file: ClientSession.File = ClientSession.File(version: 2)) {
    begin(connection.mode == .partition ? "\"public\"" : FlexibleBind().text, file)
    if file.ident == nil {
      receive("ident 1 2 1011\n")
      session(.identStored)
    }
    receive("mark 1 1\n")
    _ = takeSent()
    _ = takeEffects()
  }

  func takeSent() -> [String] {
    defer { sent = [] }
    return sent.map(Notation.text)
  }

  func takeBytes() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }

  func takeEffects() -> [ClientConnection.Effect] {
    defer { effects = [] }
    return effects
  }

  /// What sessions have asked for.
  func takeWanted() -> [ClientSession.Effect] {
    takeEffects().compactMap { if case .session(_, let effect) = $0 { effect } else { nil } }
  }

  func takeReports() -> [ErrorReport] {
    takeEffects().compactMap { effect in
      switch effect {
      case .report(let report), .session(_, .report(let report)): report
      default: nil
      }
    }
  }

  /// The error that has ended the connection.
  func takeViolation() -> String? {
    let all = takeEffects()
    guard all.contains(.disconnect) else { return nil }
    for case .report(let report) in all where report.isFatal && report.error == .syncProtocolInvariantFailed { return report.message }
    return nil
  }
}
