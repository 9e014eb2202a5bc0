import Randomness

@testable import SyncProtocol

/// Messages with any contents that they can have.
struct RandomMessage {
  var random: SeededGenerator

  private mutating func number() -> UInt64 {
    switch random.below(5) {
    case 0: 0
    case 1: UInt64(random.below(10))
    case 2: UInt64.max
    default: random.next() >> UInt64(random.below(64))
    }
  }

  private mutating func positive() -> UInt64 { max(1, number()) }
  private mutating func small() -> UInt64 { number() >> 1 }
  private mutating func salt() -> Int64 { Int64(bitPattern: number()) }
  private mutating func flag() -> Bool { random.below(2) == 0 }

  private mutating func text() -> String {
    let scalars = ["a", "{", "\"", "\\", " ", "\n", "\u{0}", "\u{e9}", "\u{1F600}", "0"]
    return (0..<random.below(30)).map { _ in scalars[random.below(scalars.count)] }.joined()
  }

  private mutating func bytes() -> [UInt8] {
    let count = random.below(4) == 0 ? random.below(3000) : random.below(20)
    let isNoise = flag()
    return (0..<count).map { _ in isNoise ? UInt8(truncatingIfNeeded: random.next()) : 0x20 }
  }

  private mutating func cursor() -> VersionCursor { VersionCursor(serverVersion: number(), clientVersion: number()) }

  mutating func client(_ mode: SyncMode) -> ClientMessage {
    switch random.below(mode == .flexible ? 9 : 8) {
    case 0:
      return .bind(
        ClientMessage.Bind(session: positive(), body: "x" + text(), token: text(), needsIdent: flag(), isSubserver: flag()))
    case 1:
      let query = mode == .flexible ? ClientMessage.Query(version: small(), text: text()) : nil
      return .ident(
        ClientMessage.Ident(
          session: positive(), file: SaltedIdent(ident: number(), salt: salt()), download: cursor(),
          latestServer: SaltedVersion(version: number(), salt: salt()), query: query))
    case 2:
      let entries = (0..<random.below(4)).map { _ in
        ClientMessage.Upload.Entry(cursor: cursor(), timestamp: number(), origin: number(), changeset: bytes())
      }
      return .upload(ClientMessage.Upload(session: positive(), progress: cursor(), lockedServerVersion: number(), entries: entries))
    case 3: return .mark(session: positive(), request: number())
    case 4: return .unbind(session: positive())
    case 5: return .ping(ClientMessage.Ping(timestamp: salt(), roundTripMilliseconds: salt()))
    case 6: return .jsonError(session: positive(), code: Int32(random.below(1000)), body: text())
    case 7: return .testCommand(session: positive(), request: number(), body: text())
    default: return .query(session: positive(), ClientMessage.Query(version: small(), text: text()))
    }
  }

  mutating func server(_ mode: SyncMode) -> ServerMessage {
    switch random.below(mode == .flexible ? 10 : 9) {
    case 0:
      let salt = salt()
      return .ident(session: positive(), SaltedIdent(ident: max(1, small()), salt: salt == 0 ? 1 : salt))
    case 1:
      let entries = (0..<random.below(4)).map { _ in
        ServerMessage.Download.Entry(cursor: cursor(), timestamp: number(), origin: number(), originalByteCount: number(), changeset: bytes())
      }
      let batches = [ServerMessage.Download.Batch.more, .last, .steady]
      let extent: ServerMessage.Download.Extent =
        mode == .partition
        ? .partition(remainingByteCount: number())
        : .flexible(queryVersion: small(), batches[random.below(3)], ProgressEstimate(UInt64(random.below(100)), of: 99))
      let progress = HeadProgress(download: cursor(), latestServer: SaltedVersion(version: number(), salt: salt()), upload: cursor())
      return .download(ServerMessage.Download(session: positive(), progress: progress, extent: extent, entries: entries))
    case 2: return .mark(session: positive(), request: number())
    case 3: return .unbound(session: positive())
    case 4: return .pong(timestamp: salt())
    case 5: return .jsonError(session: number(), code: Int32(random.below(1000)), body: text())
    case 6: return .error(session: number(), code: Int32(random.below(1000)), tryAgain: flag(), text: text())
    case 7: return .logMessage(session: number(), body: text())
    case 8: return .testCommand(session: positive(), request: number(), body: text())
    default:
      return .queryError(
        ServerMessage.QueryError(session: positive(), queryVersion: small(), code: Int32(random.below(1000)), text: text()))
    }
  }
}
