/// Sound messages of every kind, to be damaged.
package enum MessageSamples {
  private static let cursor = VersionCursor(serverVersion: 5, clientVersion: 16)
  private static let query = ClientMessage.Query(version: 1, text: #"{"Person":"(age > 5) OR (name BEGINSWITH \"A\")"}"#)
  private static let error =
    #"{"message":"m","tryAgain":true,"logURL":"","shouldClientReset":false,"isRecoveryModeDisabled":false,"action":"Transient"#

  /// What a client says, in the order in which it may be said.
  package static func client(_ mode: SyncMode) -> [[UInt8]] {
    let entries = [(6, 20), (7, 0), (9, 2000)].map { version, byteCount in
      ClientMessage.Upload.Entry(
        cursor: VersionCursor(serverVersion: 4, clientVersion: version), timestamp: 375_147_311_419,
        changeset: [UInt8](repeating: 7, count: byteCount))
    }
    let bind = mode == .partition ? PartitionValue.integer(5).text() : FlexibleBind(migratedPartition: "\"x\"").text
    let ident = ClientMessage.Ident(
      session: 1, file: SaltedIdent(ident: 2, salt: 1011), download: cursor, latestServer: SaltedVersion(version: 5, salt: 77),
      query: mode == .flexible ? query : nil)
    let progress = VersionCursor(serverVersion: 4, clientVersion: 9)
    var messages: [ClientMessage] = [
      .bind(ClientMessage.Bind(session: 1, body: bind, needsIdent: false)), .ident(ident), .mark(session: 1, request: 1),
      .upload(ClientMessage.Upload(session: 1, progress: progress, lockedServerVersion: 4, entries: Array(entries.prefix(2)))),
      .upload(ClientMessage.Upload(session: 1, progress: progress, lockedServerVersion: 4, entries: entries)),
      .upload(ClientMessage.Upload(session: 1, progress: progress, lockedServerVersion: 4)),
      .ping(ClientMessage.Ping(timestamp: 1_000_000, roundTripMilliseconds: 12)), .testCommand(session: 1, request: 1, body: "{}"),
      .jsonError(session: 1, code: 212, body: ClientErrorBody(message: "BadChangeset").text), .unbind(session: 1),
    ]
    if mode == .flexible { messages.append(.query(session: 1, ClientMessage.Query(version: 2, text: query.text))) }
    return messages.map(\.encoded)
  }

  /// What a server says, in the order in which it may be said.
  package static func server(_ mode: SyncMode) -> [[UInt8]] {
    var messages: [ServerMessage] = [
      .logMessage(session: 0, body: LogBody(level: "info", text: "hello", requestIdent: "6b00").body),
      .ident(session: 1, SaltedIdent(ident: 2, salt: 1011)), .download(download(mode, .steady, [])),
      .download(download(mode, .steady, [6, 7, 2000])),
      .mark(session: 1, request: 1), .pong(timestamp: 1_000_000), .testCommand(session: 1, request: 1, body: "{}"),
      .jsonError(session: 1, code: 201, body: error + "\",\"backoffIntervalSec\":1,\"backoffMaxDelaySec\":9,\"backoffMultiplier\":2}"),
      .jsonError(
        session: 1, code: 231,
        body: error
          + #"","compensatingWriteServerVersion":6,"rejectedClientVersion":9,"rejectedUpdates":[{"reason":"r","table":"Person","pk":"AQk="}]}"#),
      .jsonError(session: 1, code: 232, body: error + "\",\"partitionQuery\":\"owner == 1\"}"),
      .jsonError(session: 1, code: 236, body: error + "\",\"previousSchemaVersion\":3}"), .jsonError(session: 0, code: 100, body: error + "\"}"),
      .error(session: 1, code: 201, tryAgain: true, text: "oops"), .unbound(session: 1),
    ]
    if mode == .flexible {
      messages += [
        .download(download(mode, .more, [6])), .download(download(mode, .last, [6, 0])),
        .queryError(ServerMessage.QueryError(session: 1, queryVersion: 1, code: 226, text: "bad")),
      ]
    }
    return messages.map(\.encoded)
  }

  private static func download(_ mode: SyncMode, _ batch: ServerMessage.Download.Batch, _ byteCounts: [Int]) -> ServerMessage.Download {
    let entries = byteCounts.enumerated().map { place, byteCount in
      ServerMessage.Download.Entry(
        cursor: VersionCursor(serverVersion: UInt64(6 + place), clientVersion: 16), timestamp: 1000, origin: 3,
        changeset: [UInt8](repeating: 9, count: byteCount))
    }
    let progress = HeadProgress(
      download: VersionCursor(serverVersion: 9, clientVersion: 16), latestServer: SaltedVersion(version: 9, salt: 77),
      upload: VersionCursor(serverVersion: 4, clientVersion: 16))
    let extent: ServerMessage.Download.Extent =
      mode == .partition ? .partition(remainingByteCount: 100) : .flexible(queryVersion: 1, batch, ProgressEstimate(1, of: 3))
    return ServerMessage.Download(session: 1, progress: progress, extent: extent, entries: entries)
  }

  /// Numbers that break sums, limits and signs.
  private static let extremes = [
    "0", "1", "2", "-1", "+1", "00", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "", " ",
    "2147483648",
    "1e3", "4294967296", "1000000000", "99999999999999999999999999999999999999999999",
  ]

  /// One to four damages of one of the messages.
  package static func damaged(_ samples: [[UInt8]], using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = samples[Int.random(in: samples.indices, using: &random)]
    for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes.removeSubrange(place...)
      case 3: bytes.remove(at: place)
      case 4: bytes.insert([0, 0x0a, 0x20, 0x2d, 0x30, 0x39, 0x78, 0xff].randomElement(using: &random) ?? 0, at: place)
      case 5: bytes.append(contentsOf: [0x20, 0x0a, 0x00].prefix(Int.random(in: 1...3, using: &random)))
      case 6, 7: forge(&bytes, using: &random)
      default:
        let other = samples[Int.random(in: samples.indices, using: &random)]
        bytes.replaceSubrange(place..., with: other[Int.random(in: other.indices, using: &random)...])
      }
    }
    return bytes
  }

  /// Another number in place of one of the head.
  private static func forge(_ bytes: inout [UInt8], using random: inout some RandomNumberGenerator) {
    let head = bytes.prefix { $0 != 0x0a }
    let spaces = head.indices.filter { bytes[$0] == 0x20 }
    guard let space = spaces.randomElement(using: &random) else { return }
    let end = head[(space + 1)...].firstIndex(of: 0x20) ?? head.endIndex
    bytes.replaceSubrange(space + 1..<end, with: (extremes.randomElement(using: &random) ?? "").utf8)
  }
}
