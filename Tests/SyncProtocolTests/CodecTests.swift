import Compression
import Testing

@testable import SyncProtocol

@Suite struct CodecTests {
  @Test(arguments: RecordedMessages.client) func whatClientsSaidIsReadAndWrittenWithTheSameBytes(_ recorded: RecordedMessages.Recorded) throws {
    let message = try ClientMessage(parsing: recorded.bytes, mode: recorded.mode)
    #expect(Notation.text(message.encoded) == Notation.text(recorded.bytes))
    #expect(message.encoded == recorded.bytes)
  }

  @Test(arguments: RecordedMessages.server) func whatServersSaidIsReadAndWrittenWithTheSameBytes(_ recorded: RecordedMessages.Recorded) throws {
    let message = try ServerMessage(parsing: recorded.bytes, mode: recorded.mode)
    #expect(Notation.text(message.encoded) == Notation.text(recorded.bytes))
    #expect(message.encoded == recorded.bytes)
  }

  @Test func fieldsGoWhereTheyBelong() throws {
    let ident = try ClientMessage(
      parsing: Notation.bytes("ident 2 11 1011 5 16 6 77 1 28\n{\"Person\":\"(TRUEPREDICATE)\"}"), mode: .flexible)
    #expect(
      ident
        == .ident(
          ClientMessage.Ident(
            session: 2, file: SaltedIdent(ident: 11, salt: 1011), download: VersionCursor(serverVersion: 5, clientVersion: 16),
            latestServer: SaltedVersion(version: 6, salt: 77), query: ClientMessage.Query(version: 1, text: "{\"Person\":\"(TRUEPREDICATE)\"}"))))
    let upload = try ClientMessage(parsing: Notation.bytes("upload 1 0 17 0 9 8 7\n6 5 4 3 7 changes"), mode: .partition)
    let entry = ClientMessage.Upload.Entry(
      cursor: VersionCursor(serverVersion: 5, clientVersion: 6), timestamp: 4, origin: 3, changeset: Notation.bytes("changes"))
    #expect(
      upload
        == .upload(
          ClientMessage.Upload(session: 1, progress: VersionCursor(serverVersion: 8, clientVersion: 9), lockedServerVersion: 7, entries: [entry])))
    let download = try ServerMessage(parsing: Notation.bytes("download 1 9 8 7 -6 5 4 3 2 0.5 0 17 0\n6 5 4 3 20 4 data"), mode: .flexible)
    let progress = HeadProgress(
      download: VersionCursor(serverVersion: 9, clientVersion: 8), latestServer: SaltedVersion(version: 7, salt: -6),
      upload: VersionCursor(serverVersion: 4, clientVersion: 5))
    let change = ServerMessage.Download.Entry(
      cursor: VersionCursor(serverVersion: 6, clientVersion: 5), timestamp: 4, origin: 3, originalByteCount: 20, changeset: Notation.bytes("data"))
    let half = try #require(ProgressEstimate(parsing: Array("0.5".utf8)[...]))
    #expect(
      download
        == .download(
          ServerMessage.Download(
            session: 1, progress: progress, extent: .flexible(queryVersion: 3, .steady, half), entries: [change])))
  }

  @Test(arguments: [
    // A sign, other white space, a blank field, no field, other digits (P3).
    ("mark +1 2\n", "session"), ("mark 1  2\n", "request"), ("mark  1 2\n", "session"), ("mark 1 2 \n", "request"), ("mark 1 2\r\n", "request"),
    ("mark 1 -2\n", "request"), ("mark 1\n", "session"), ("mark 1 2", "request"), ("mark 1 0x2\n", "request"), ("mark 1 2 3\n", "request"),
    ("mark 1 18446744073709551616\n", "request"), ("mark 1 99999999999999999999999999\n", "request"), ("mark\t1 2\n", "type"), ("", "type"),
    (" mark 1 2\n", "type"), ("mark", "type"), ("MARK 1 2\n", "type"), ("alloc 1\n", "type"), ("state_request 1\n", "type"),
    // Nothing follows a message.
    ("mark 1 2\n ", "end"), ("unbind 1\nunbind 1\n", "end"), ("bind 1 3 0 1 0\n/s0x", "end"),
    // The session 0 is the connection.
    ("mark 0 2\n", "session"), ("unbind 0\n", "session"), ("bind 0 3 0 1 0\n/s0", "session"),
    // Flags are 0 or 1, and the body of a BIND is there.
    ("bind 1 3 0 2 0\n/s0", "need ident"), ("bind 1 0 0 1 0\n", "body size"), ("bind 1 4 0 1 0\n/s0", "body"), ("bind 1 3 1 1 0\n/s0", "token"),
    ("bind 1 3 0 1 -0\n/s0", "is subserver"), ("bind 1 2 0 1 0\n\u{301}x", "end"),
    ("ident 1 2 -9223372036854775809 0 0 0 0\n", "file ident salt"), ("ident 1 2 - 0 0 0 0\n", "file ident salt"),
    ("upload 1 0 6 0 4 0 0\n2 0 1", "body"), ("upload 1 0 5 0 4 0 0\n2 0 1", "timestamp"), ("upload 1 0 5 0 4 0 0\n2 0 10", "timestamp"),
    ("upload 1 0 11 0 4 0 0\n2 0 10 0 3 ", "changeset size"),
    ("upload 1 0 12 0 4 0 0\n2 0 10 0 3 a", "changeset"), ("upload 1 0 12 0 4 0 0\n2  0 10 0 1 a", "server version"),
    ("upload 1 1 5 3 4 0 0\nabc", "body"), ("upload 1 2 5 3 4 0 0\nabc", "compressed"), ("query 1 1 2\n{}", "type"),
    ("json_error 2147483648 2 1\n{}", "code"), ("json_error 212 2 0\n{}", "session"),
  ])
  func aBrokenMessageOfAClientIsRefusedWithItsPlace(_ text: String, _ field: String) throws {
    let error = #expect(throws: ProtocolError.self) { try ClientMessage(parsing: Notation.bytes(text), mode: .partition) }
    #expect(error?.field == field, "\(String(describing: error))")
  }

  @Test(arguments: [
    ("ident 1 0 5\n", "file ident"), ("ident 1 2 0\n", "file ident salt"), ("query_error 226 3 1 9223372036854775808\nbad", "query version"),
    ("download 1 4 6 4 77 6 0 1 3 1 0 0 0\n", "batch state"), ("download 1 4 6 4 77 6 0 1 -1 1 0 0 0\n", "batch state"),
    ("download 1 4 6 4 77 6 0 1 1 1.1 0 0 0\n", "progress"), ("download 1 4 6 4 77 6 0 1 1 -0.1 0 0 0\n", "progress"),
    ("download 1 4 6 4 77 6 0 1 1 nan 0 0 0\n", "progress"), ("download 1 4 6 4 77 6 0 1 1 0x1 0 0 0\n", "progress"),
    ("download 1 4 6 4 77 6 0 1 1  0 0 0\n", "progress"), ("download 1 4 6 4 77 6 0 -1 1 1 0 0 0\n", "query version"),
    ("download 1 4 6 4 77 6 0 0 0 0 0\n", "compressed"), ("pong\n", "type"), ("pong x\n", "timestamp"), ("transact 1\n", "type"),
    ("unbound 1 \n", "session"), ("log_message 0 3\n{}", "message"),
  ])
  func aBrokenMessageOfAServerIsRefusedWithItsPlace(_ text: String, _ field: String) throws {
    let error = #expect(throws: ProtocolError.self) { try ServerMessage(parsing: Notation.bytes(text), mode: .flexible) }
    #expect(error?.field == field, "\(String(describing: error))")
  }

  @Test func zerosInFrontOfNumbersCount() throws {
    #expect(
      try ClientMessage(parsing: Notation.bytes("mark 0001 000000000000000000000000000002\n"), mode: .partition) == .mark(session: 1, request: 2))
  }

  @Test func partitionBasedSynchronisationHasNoQueries() {
    #expect(throws: ProtocolError.self) { try ServerMessage(parsing: Notation.bytes("query_error 226 3 1 2\nbad"), mode: .partition) }
  }

  @Test(arguments: ["0.33", "1", "1.0", "0", "1e-3", "0.5E-1", "0.00", "1e+0", "01"]) func anEstimateIsKeptAsItIsWritten(_ text: String) throws {
    let bytes = Notation.bytes("download 1 4 6 4 77 6 0 1 0 \(text) 0 0 0\n")
    #expect(try ServerMessage(parsing: bytes, mode: .flexible).encoded == bytes)
  }

  @Test(arguments: [(0, 3, "0"), (1, 3, "0.33"), (2, 3, "0.66"), (3, 3, "1"), (4, 3, "1"), (0, 0, "1"), (5, 100, "0.05")])
  func anEstimateIsWrittenInHundredths(_ done: UInt64, _ total: UInt64, _ text: String) {
    #expect(ProgressEstimate(done, of: total).text == text)
  }

  @Test(arguments: [
    ("alloc 1\n", ErrorCode.unknownMessage), ("mark 1 +2\n", .badSyntax), ("mark 0 2\n", .badSessionIdent),
    ("upload 1 1 5 3 4 0 0\nabc", .badDecompression), ("upload 1 0 2 0 4 0 0\nx ", .badChangesetHeaderSyntax),
    ("upload 1 0 12 0 4 0 0\n2 0 10 0 3 a", .badChangesetSize), ("upload 1 0 99999999999 0 4 0 0\n", .otherError),
  ])
  func everyErrorHasACodeThatMayBeSent(_ text: String, _ code: ErrorCode) throws {
    let error = #expect(throws: ProtocolError.self) { try ClientMessage(parsing: Notation.bytes(text), mode: .partition) }
    #expect(error?.code == code)
    for reason in ProtocolError.Reason.allCases {
      #expect(!ProtocolError(message: "mark", field: "session", offset: 0, reason: reason).code.endsClients)
    }
  }
}

@Suite struct CompressionTests {
  private func upload(_ changesets: [[UInt8]]) -> ClientMessage.Upload {
    let entries = changesets.map {
      ClientMessage.Upload.Entry(cursor: VersionCursor(serverVersion: 1, clientVersion: 2), timestamp: 3, changeset: $0)
    }
    return ClientMessage.Upload(session: 1, progress: VersionCursor(serverVersion: 1, clientVersion: 2), lockedServerVersion: 1, entries: entries)
  }

  private func head(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self).split(separator: " ")
  }

  @Test func bodiesUpTo1024BytesTravelAsTheyAre() {
    let small = ClientMessage.upload(upload([[UInt8](repeating: 7, count: 1024 - "2 1 3 0 1011 ".utf8.count)])).encoded
    #expect(head(small)[2...4] == ["0", "1024", "0"])
    let large = ClientMessage.upload(upload([[UInt8](repeating: 7, count: 1025 - "2 1 3 0 1012 ".utf8.count)])).encoded
    #expect(head(large)[2...3] == ["1", "1025"])
  }

  @Test func aBodyThatDoesNotShrinkTravelsAsItIs() {
    var bits: UInt64 = 1
    let noise = (0..<5000).map { _ in
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: bits >> 56)
    }
    #expect(head(ClientMessage.upload(upload([noise])).encoded)[2] == "0")
  }

  @Test func aCompressedBodyIsAZlibStreamOfTheFastestLevel() throws {
    let message = ClientMessage.upload(upload((0..<25).map { [UInt8](repeating: UInt8($0), count: 5600) }))
    let bytes = message.encoded
    let body = bytes.drop { $0 != 0x0a }.dropFirst()
    #expect(body.prefix(2) == [0x78, 0x01])
    #expect(head(bytes)[4] == Substring(String(body.count)))
    #expect(try ClientMessage(parsing: bytes, mode: .partition) == message)
  }

  @Test func smallCompressedBodiesAreTaken() throws {
    let body = Notation.bytes("4 6 1000 1 3 3 abc")
    let stream = Compression.deflated(body)
    let bytes = Notation.bytes("download 1 4 6 4 77 6 0 1 0 0.66 1 \(body.count) \(stream.count)\n") + stream
    guard case .download(let download) = try ServerMessage(parsing: bytes, mode: .flexible) else {
      Issue.record("this is a download")
      return
    }
    #expect(download.entries.map(\.changeset) == [Notation.bytes("abc")])
  }

  @Test func whatAStreamDecompressesToIsBoundedBeforeItIsDecompressed() {
    let stream = Compression.deflated([UInt8](repeating: 0, count: 1 << 20))
    var limits = MessageLimits.ofServer
    limits.uncompressedByteCount = 1 << 20 - 1
    for (size, reason) in [(1 << 20, ProtocolError.Reason.bodyTooLarge), (1 << 19 - 1, .badCompression)] {
      let bytes = Notation.bytes("upload 1 1 \(size) \(stream.count) 4 0 0\n") + stream
      let error = #expect(throws: ProtocolError.self) { try ClientMessage(parsing: bytes, mode: .partition, limits: limits) }
      #expect(error?.reason == reason)
    }
    // A size that no stream of so few bytes can have.
    let error = #expect(throws: ProtocolError.self) {
      try ClientMessage(parsing: Notation.bytes("upload 1 1 60000000 10 4 0 0\n0123456789"), mode: .partition)
    }
    #expect(error?.reason == .badCompression)
  }

  @Test func everySizeHasALimit() {
    var limits = MessageLimits(bodyByteCount: 100, uncompressedByteCount: 100)
    (limits.textByteCount, limits.headByteCount, limits.entryCount) = (10, 40, 2)
    let cases: [(String, ProtocolError.Reason)] = [
      ("upload 1 0 101 0 4 0 0\n", .bodyTooLarge), ("bind 1 11 0 1 0\n01234567890", .bodyTooLarge),
      ("bind 1 1 11 1 0\nx01234567890", .bodyTooLarge),
      ("mark 1 00000000000000000000000000000000000000000002\n", .headTooLong),
      ("upload 1 0 33 0 4 0 0\n2 0 1 0 1 a3 0 1 0 1 b4 0 1 0 1 c", .tooManyEntries),
      (String(repeating: "x", count: 50), .headTooLong),
    ]
    for (text, reason) in cases {
      let error = #expect(throws: ProtocolError.self) { try ClientMessage(parsing: Notation.bytes(text), mode: .partition, limits: limits) }
      #expect(error?.reason == reason, "\(text)")
    }
  }
}
