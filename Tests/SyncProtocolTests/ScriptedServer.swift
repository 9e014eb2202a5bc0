@testable import SyncProtocol

/// A server connection whose store does what the test says.
final class ScriptedServer {
  var connection: ServerConnection
  var now: UInt64 = 1_000_000
  private var sent: [[UInt8]] = []
  private(set) var wanted: [ServerSession.Effect] = []
  private(set) var isClosed = false
  private(set) var timers: [UInt64] = []

  init(_ mode: SyncMode, version: Int = 14, _ configure: (inout ServerConnection.Configuration) -> Void = { _ in }) {
    var configuration = ServerConnection.Configuration()
    configure(&configuration)
    connection = ServerConnection(version: ProtocolVersion(mode: mode, number: version), configuration: configuration, now: now)
  }

  func take(_ effects: [ServerConnection.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let bytes): sent.append(bytes)
      case .close: isClosed = true
      case .setTimer(let milliseconds): timers.append(milliseconds)
      case .session(_, let effect): wanted.append(effect)
      }
    }
  }

  func handle(_ event: ServerConnection.Event) { take(connection.handle(event, now: now)) }
  func receive(_ text: String, _ body: [UInt8] = []) { handle(.received(Notation.bytes(text) + body)) }
  func session(_ event: ServerSession.Event, _ number: UInt64 = 1) { handle(.session(number, event)) }

  /// A session of the file 2 with the salt 1011 that has said IDENT, and got its first DOWNLOAD, of a server at version 5 with the salt 77.
  func becomeSteady(_ record: ClientFileRecord = ClientFileRecord(salt: 1011), query: String = " 0 2", queryBody: String = "{}") {
    let isFlexible = connection.version.mode == .flexible
    receive(isFlexible ? "bind 1 37 0 0 0\n{\"schemaVersion\":0,\"sessionReason\":0}" : "bind 1 8 0 0 0\n\"public\"")
    session(.opened)
    receive("ident 1 2 1011 0 0 0 0\(isFlexible ? query : "")\n\(isFlexible ? queryBody : "")")
    session(.fileLoaded(record, current: SaltedVersion(version: 5, salt: 77)))
    session(.viewOpened(isReproducible: true))
    session(.pulled(pulled(5)))
    _ = takeSent()
    _ = takeWanted()
  }

  /// A part of the history without changes.
  func pulled(_ server: UInt64, client: UInt64 = 0, upload: VersionCursor = VersionCursor(), latest: UInt64? = nil) -> ServerSession.Pulled {
    ServerSession.Pulled(
      progress: HeadProgress(
        download: VersionCursor(serverVersion: server, clientVersion: client), latestServer: SaltedVersion(version: latest ?? server, salt: 77),
        upload: upload), entries: [])
  }

  func takeSent() -> [String] {
    defer { sent = [] }
    return sent.map(Notation.text)
  }

  func takeBytes() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }

  func takeWanted() -> [ServerSession.Effect] {
    defer { wanted = [] }
    return wanted
  }

  /// The code of the error that was sent, with its session.
  func takeError() -> (code: Int32, session: UInt64)? {
    defer { sent = [] }
    for bytes in sent {
      if case .jsonError(let session, let code, _)? = try? ServerMessage(parsing: bytes, mode: connection.version.mode) { return (code, session) }
    }
    return nil
  }
}
