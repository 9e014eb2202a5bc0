import Testing

@testable import SyncProtocol

/// The recorded sessions as a whole, through both state machines.
@Suite struct RecordedSessionTests {
  private let salt: Int64 = 4_477_468_298_002_111_921

  private func cursor(_ server: UInt64, _ client: UInt64) -> VersionCursor { VersionCursor(serverVersion: server, clientVersion: client) }

  private func batch(
    _ client: UInt64, _ server: UInt64, locked: UInt64, _ entries: [(client: UInt64, server: UInt64, time: UInt64, bytes: [UInt8])] = []
  ) -> ClientSession.UploadBatch {
    ClientSession.UploadBatch(
      entries: entries.map { ClientMessage.Upload.Entry(cursor: cursor($0.server, $0.client), timestamp: $0.time, changeset: $0.bytes) },
      progress: cursor(server, client), lockedServerVersion: locked)
  }

  /// A store that hands out the uploads in turn, and whose file gets the versions in turn when something is integrated.
  private func store(uploads: [ClientSession.UploadBatch], versions: [UInt64]) -> (ClientSession.Effect) -> ClientSession.Event? {
    var (uploads, versions) = (uploads, versions)
    return { effect in
      switch effect {
      case .storeIdent: return .identStored
      case .readUpload(let number, _, _): return uploads.isEmpty ? nil : .uploadRead(number: number, uploads.removeFirst())
      case .integrate: return .integrated(version: versions.isEmpty ? 0 : versions.removeFirst())
      default: return nil
      }
    }
  }

  private let second = Notation.hex("3f0001503f0101690400010101000105003f02026c6908000101020100010801")

  @Test func aClientSpeaksAsTheOriginalInAPartition() {
    let client = ScriptedClient(.partition)
    client.store = store(
      uploads: [batch(4, 0, locked: 0, [(2, 0, 10, RecordedMessages.firstChangeset)]), batch(5, 1, locked: 1)], versions: [4, 5])
    client.handle(.open(key: 1, bindBody: "/s0", ClientSession.File(version: 4)))
    client.session(.waitForDownload)
    client.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"))
    #expect(client.takeSent() == ["bind 1 3 0 1 0\n/s0"])
    client.receive("log_message 0 16\n{\"level\":\"info\"}")
    client.receive("ident 1 2 9054908974073097061\n")
    #expect(client.takeSent() == ["ident 1 2 9054908974073097061 0 0 0 0\n", "mark 1 2\n"])
    client.receive("download 1 0 0 0 0 0 0 0 0 0 0\n")
    #expect(client.takeSent().isEmpty)
    client.receive("mark 1 2\n")
    #expect(client.takeBytes() == [Notation.bytes("upload 1 0 76 0 4 0 0\n2 0 10 0 64 ") + RecordedMessages.firstChangeset])
    client.receive("download 1 1 2 1 \(salt) 4 0 0 0 0 0\n")
    #expect(client.takeSent() == ["upload 1 0 0 0 5 1 1\n"])
    client.session(.waitForDownload)
    #expect(client.takeSent() == ["mark 1 3\n"])
    client.receive("mark 1 3\n")
    client.session(.close)
    #expect(client.takeSent() == ["unbind 1\n"])
    client.receive("unbound 1\n")
    #expect(client.takeEffects().contains(.closed(key: 1)))
    // Client B on the same connection.
    client.store = store(uploads: [], versions: [3])
    client.begin("/s0", ClientSession.File(version: 1), key: 2)
    #expect(client.takeSent() == ["bind 2 3 0 1 0\n/s0"])
    client.receive("ident 2 3 354664688139831904\n")
    #expect(client.takeSent() == ["ident 2 3 354664688139831904 0 0 0 0\n", "mark 2 1\n"])
    client.receive("download 2 1 0 1 \(salt) 0 0 0 0 79 0\n1 0 10 2 64 64 ", RecordedMessages.firstChangeset)
    client.session(.close, key: 2)
    #expect(client.takeSent() == ["unbind 2\n"])
    // Client A again.
    client.store = store(uploads: [batch(7, 1, locked: 1, [(6, 1, 100, second)])], versions: [7])
    let progress = HeadProgress(download: cursor(1, 2), latestServer: SaltedVersion(version: 1, salt: salt), upload: cursor(0, 4))
    let file = ClientSession.File(ident: SaltedIdent(ident: 2, salt: 9_054_908_974_073_097_061), progress: progress, version: 7)
    client.begin("/s0", file, key: 3)
    client.session(.waitForDownload, key: 3)
    #expect(
      client.takeSent() == ["bind 3 3 0 0 0\n/s0", "ident 3 2 9054908974073097061 1 2 1 4477468298002111921\n", "mark 3 1\n", "mark 3 2\n"])
    client.receive("download 3 1 2 1 \(salt) 5 1 0 0 0 0\n")
    client.receive("mark 3 2\n")
    #expect(client.takeBytes() == [Notation.bytes("upload 3 0 45 0 7 1 1\n6 1 100 0 32 ") + second])
    client.receive("download 3 2 6 2 \(salt) 7 1 0 0 0 0\n")
    #expect(client.takeViolation() == nil)
    #expect(client.connection.isConnected)
  }

  @Test func aServerSpeaksAsTheOriginalInAPartition() {
    let server = ScriptedServer(.partition) { $0.allowsPaths = true }
    func progress(_ server: UInt64, _ client: UInt64, upload: VersionCursor) -> HeadProgress {
      HeadProgress(
        download: cursor(server, client), latestServer: SaltedVersion(version: server, salt: server == 0 ? 0 : salt), upload: upload)
    }
    server.receive("bind 1 3 0 1 0\n/s0")
    #expect(server.takeWanted() == [.open(.path("/s0"))])
    server.session(.opened)
    #expect(server.takeWanted() == [.allocateIdent])
    #expect(server.takeSent().isEmpty)
    server.session(.identAllocated(SaltedIdent(ident: 2, salt: 9_054_908_974_073_097_061)))
    #expect(server.takeSent() == ["ident 1 2 9054908974073097061\n"])
    server.receive("ident 1 2 9054908974073097061 0 0 0 0\n")
    #expect(server.takeWanted() == [.loadFile(ident: 2)])
    server.session(.fileLoaded(ClientFileRecord(salt: 9_054_908_974_073_097_061), current: SaltedVersion()))
    #expect(server.takeWanted() == [.pull(after: cursor(0, 0))])
    server.receive("mark 1 2\n")
    server.session(.pulled(ServerSession.Pulled(progress: progress(0, 0, upload: cursor(0, 0)), entries: [])))
    #expect(server.takeSent() == ["download 1 0 0 0 0 0 0 0 0 0 0\n"])
    #expect(server.takeWanted() == [.readHead(forMark: 2)])
    server.session(.head(0, forMark: 2))
    #expect(server.takeSent() == ["mark 1 2\n"])
    server.receive("upload 1 0 76 0 4 0 0\n2 0 10 0 64 ", RecordedMessages.firstChangeset)
    let entry = ClientMessage.Upload.Entry(cursor: cursor(0, 2), timestamp: 10, changeset: RecordedMessages.firstChangeset)
    #expect(server.takeWanted() == [.integrate(entries: [entry], progress: cursor(0, 4), lockedServerVersion: 0)])
    server.session(.integrated(cursor(0, 4), rejection: nil))
    #expect(server.takeWanted() == [.pull(after: cursor(0, 0))])
    server.session(.pulled(ServerSession.Pulled(progress: progress(1, 2, upload: cursor(0, 4)), entries: [])))
    #expect(server.takeSent() == ["download 1 1 2 1 \(salt) 4 0 0 0 0 0\n"])
    server.receive("upload 1 0 0 0 5 1 1\n")
    server.session(.integrated(cursor(1, 5), rejection: nil))
    server.receive("mark 1 3\n")
    server.session(.head(1, forMark: 3))
    server.receive("unbind 1\n")
    #expect(server.takeSent() == ["mark 1 3\n", "unbound 1\n"])
    _ = server.takeWanted()
    // Client A again: what the server says does not depend on how often it was asked.
    server.receive("bind 3 3 0 0 0\n/s0")
    server.receive("ident 3 2 9054908974073097061 1 2 1 \(salt)\n")
    server.receive("mark 3 1\n")
    server.receive("mark 3 2\n")
    server.session(.opened, 3)
    let record = ClientFileRecord(salt: 9_054_908_974_073_097_061, upload: cursor(1, 5))
    server.session(.fileLoaded(record, current: SaltedVersion(version: 1, salt: salt)), 3)
    server.session(.head(1, forMark: 1), 3)
    server.session(.head(1, forMark: 2), 3)
    server.session(.pulled(ServerSession.Pulled(progress: progress(1, 2, upload: cursor(1, 5)), entries: [])), 3)
    #expect(server.takeSent() == ["download 3 1 2 1 \(salt) 5 1 0 0 0 0\n", "mark 3 2\n"])
    server.receive("upload 3 0 45 0 7 1 1\n6 1 100 0 32 ", second)
    server.session(.integrated(cursor(1, 7), rejection: nil), 3)
    server.session(.pulled(ServerSession.Pulled(progress: progress(2, 6, upload: cursor(1, 7)), entries: [])), 3)
    #expect(server.takeSent() == ["download 3 2 6 2 \(salt) 7 1 0 0 0 0\n"])
    #expect(!server.isClosed)
  }

  private let young = "{\"Person\":\"(age > 5)\"}"
  private let named = "{\"Person\":\"(age > 5) OR (name BEGINSWITH \\\"A\\\")\"}"

  @Test func aClientSpeaksAsTheOriginalInFlexibleSynchronisation() {
    let client = ScriptedClient(.flexible)
    let person = RecordedMessages.some(28)
    client.store = store(
      uploads: [
        batch(6, 0, locked: 2, [(5, 0, 375_147_311_419, RecordedMessages.some(49))]), batch(12, 3, locked: 3), batch(14, 4, locked: 4),
        batch(16, 4, locked: 4, [(16, 4, 375_147_311_540, person)]),
      ], versions: [])
    client.begin("{\"schemaVersion\":0,\"sessionReason\":0}", ClientSession.File(version: 6, query: ClientMessage.Query(version: 0, text: "{}")))
    client.receive("ident 1 11 1011\n")
    #expect(
      client.takeSent() == ["bind 1 37 0 1 0\n{\"schemaVersion\":0,\"sessionReason\":0}", "ident 1 11 1011 0 0 0 0 0 2\n{}", "mark 1 1\n"])
    client.receive("download 1 2 0 2 77 0 0 0 1 1 0 15 0\n2 0 1000 1 0 0 ")
    client.receive("mark 1 1\n")
    #expect(client.takeBytes() == [Notation.bytes("upload 1 0 71 0 6 0 2\n5 0 375147311419 0 49 ") + RecordedMessages.some(49)])
    client.receive("download 1 3 6 3 77 6 0 0 2 1 0 0 0\n")
    client.session(.queryPending(ClientSession.PendingQuery(ClientMessage.Query(version: 1, text: young), snapshotVersion: 6)))
    #expect(client.takeSent() == ["query 1 1 22\n\(young)", "mark 1 2\n"])
    client.receive("download 1 4 6 4 77 6 0 1 1 1 0 113 0\n4 6 1000 1 96 96 ", RecordedMessages.some(96))
    client.receive("mark 1 2\n")
    let states = client.takeWanted().compactMap { if case .queryChanged(1, let state) = $0 { state } else { nil } }
    #expect(states == [.bootstrapping, .awaitingMark, .complete])
    for version: UInt64 in [12, 14, 16] { client.session(.versionMade(version)) }
    let added = Notation.bytes("upload 1 0 51 0 16 4 4\n16 4 375147311540 0 28 ") + person
    #expect(client.takeBytes() == [Notation.bytes("upload 1 0 0 0 12 3 3\n"), Notation.bytes("upload 1 0 0 0 14 4 4\n"), added])
    client.receive("download 1 5 16 5 77 16 4 1 2 1 0 0 0\n")
    client.session(.queryPending(ClientSession.PendingQuery(ClientMessage.Query(version: 2, text: named), snapshotVersion: 16)))
    #expect(client.takeSent() == ["query 1 2 49\n\(named)", "mark 1 3\n"])
    client.session(.close)
    client.receive("unbound 1\n")
    #expect(client.takeSent() == ["unbind 1\n"])
    #expect(client.takeEffects().contains(.closed(key: 1)))
  }

  @Test func aServerSpeaksAsTheRecordedOneInFlexibleSynchronisation() {
    let server = ScriptedServer(.flexible)
    func progress(_ version: UInt64, _ client: UInt64, upload: VersionCursor) -> HeadProgress {
      HeadProgress(download: cursor(version, client), latestServer: SaltedVersion(version: version, salt: 77), upload: upload)
    }
    server.receive("bind 1 37 0 1 0\n{\"schemaVersion\":0,\"sessionReason\":0}")
    #expect(server.takeWanted() == [.open(.flexible(FlexibleBind()))])
    server.session(.opened)
    server.session(.identAllocated(SaltedIdent(ident: 11, salt: 1011)))
    server.receive("ident 1 11 1011 0 0 0 0 0 2\n{}")
    server.receive("mark 1 1\n")
    server.session(.fileLoaded(ClientFileRecord(salt: 1011), current: SaltedVersion(version: 2, salt: 77)))
    server.session(.pulled(ServerSession.Pulled(progress: progress(2, 0, upload: cursor(0, 0)), entries: [])))
    server.session(.head(2, forMark: 1))
    #expect(server.takeSent() == ["ident 1 11 1011\n", "download 1 2 0 2 77 0 0 0 2 1 0 0 0\n", "mark 1 1\n"])
    server.receive("upload 1 0 71 0 6 0 2\n5 0 375147311419 0 49 ", RecordedMessages.some(49))
    server.session(.integrated(cursor(0, 6), rejection: nil))
    server.session(.pulled(ServerSession.Pulled(progress: progress(3, 6, upload: cursor(0, 6)), entries: [])))
    #expect(server.takeSent() == ["download 1 3 6 3 77 6 0 0 2 1 0 0 0\n"])
    _ = server.takeWanted()
    server.receive("query 1 1 22\n\(young)")
    server.receive("mark 1 2\n")
    #expect(server.takeWanted() == [.bootstrap(ClientMessage.Query(version: 1, text: young), after: cursor(3, 6)), .readHead(forMark: 2)])
    server.session(.head(3, forMark: 2))
    #expect(server.takeSent().isEmpty)
    let objects = ServerMessage.Download.Entry(cursor: cursor(4, 6), timestamp: 1000, origin: 1, changeset: RecordedMessages.some(96))
    server.session(
      .batchRead(
        ServerSession.Batch(progress: progress(4, 6, upload: cursor(0, 6)), entries: [objects], estimate: .everything, isLast: true)))
    #expect(
      server.takeBytes() == [
        Notation.bytes("download 1 4 6 4 77 6 0 1 1 1 0 113 0\n4 6 1000 1 96 96 ") + RecordedMessages.some(96), Notation.bytes("mark 1 2\n"),
      ])
    server.receive("upload 1 0 0 0 12 3 3\n")
    server.receive("upload 1 0 0 0 14 4 4\n")
    server.receive("upload 1 0 51 0 16 4 4\n16 4 375147311540 0 28 ", RecordedMessages.some(28))
    for version: UInt64 in [12, 14, 16] { server.session(.integrated(cursor(version == 12 ? 3 : 4, version), rejection: nil)) }
    server.session(.pulled(ServerSession.Pulled(progress: progress(5, 16, upload: cursor(4, 16)), entries: [])))
    #expect(server.takeSent() == ["download 1 5 16 5 77 16 4 1 2 1 0 0 0\n"])
    server.receive("query 1 2 49\n\(named)")
    server.receive("unbind 1\n")
    #expect(server.takeSent() == ["unbound 1\n"])
    #expect(!server.isClosed)
  }

  /// The measured sequence of a client reset (P9): a fresh copy is downloaded, and the file goes on with its name.
  @Test func aResetNeedsANewNameOnly() {
    let client = ScriptedClient(.flexible)
    let everything = ClientMessage.Query(version: 1, text: "{\"Person\":\"(TRUEPREDICATE)\"}")
    let empty = ClientMessage.Query(version: 0, text: "{}")
    // The number 1 was for something else.
    client.begin(FlexibleBind().text, ClientSession.File(version: 1, query: empty), key: 9)
    client.session(.close, key: 9)
    client.receive("unbound 1\n")
    let progress = HeadProgress(download: cursor(5, 16), latestServer: SaltedVersion(version: 5, salt: 77), upload: cursor(4, 16))
    let file = ClientSession.File(ident: SaltedIdent(ident: 11, salt: 1011), progress: progress, version: 18, query: everything)
    client.begin(FlexibleBind().text, file, key: 1)
    #expect(client.takeSent().contains("ident 2 11 1011 5 16 5 77 1 28\n{\"Person\":\"(TRUEPREDICATE)\"}"))
    client.handle(.received(ServerFailure(.badClientFileIdent, "unknown").message(session: 2).encoded))
    #expect(client.takeSent() == ["unbind 2\n"])
    #expect(client.takeWanted().contains { if case .demand(.clientReset(true, _)) = $0 { true } else { false } })
    // The fresh copy.
    client.handle(.open(key: 2, bindBody: FlexibleBind(reason: .clientReset).text, ClientSession.File(version: 2, query: empty)))
    client.handle(.opened(subprotocol: "com.mongodb.realm-query-sync#14"))
    #expect(client.takeSent() == ["bind 3 37 0 1 0\n{\"schemaVersion\":0,\"sessionReason\":1}"])
    client.store = store(uploads: [], versions: [3, 4])
    client.receive("ident 3 12 1012\n")
    #expect(client.takeSent().first == "ident 3 12 1012 0 0 0 0 0 2\n{}")
    client.receive("download 3 5 0 5 77 0 0 0 2 1 0 0 0\n")
    client.session(.queryPending(ClientSession.PendingQuery(everything, snapshotVersion: 0)), key: 2)
    client.receive("mark 3 1\n")
    #expect(client.takeSent().contains("query 3 1 28\n{\"Person\":\"(TRUEPREDICATE)\"}"))
    client.session(.close, key: 2)
    #expect(client.takeSent().last == "unbind 3\n")
    client.receive("unbound 3\n")
    // The real file with the name of the copy, and with a change that was recovered.
    client.session(.close, key: 1)
    let recovered = RecordedMessages.some(13)
    client.store = store(uploads: [batch(21, 7, locked: 7, [(18, 7, 375_147_852_547, recovered)])], versions: [21])
    let fresh = HeadProgress(download: cursor(7, 0), latestServer: SaltedVersion(version: 7, salt: 77), upload: cursor(7, 0))
    let reset = ClientSession.File(ident: SaltedIdent(ident: 12, salt: 1012), progress: fresh, version: 21, query: everything)
    client.begin(FlexibleBind(reason: .clientReset).text, reset, key: 3)
    // The connection was there a moment ago, so that nothing has to wait for a MARK.
    #expect(
      client.takeBytes() == [
        Notation.bytes("bind 4 37 0 0 0\n{\"schemaVersion\":0,\"sessionReason\":1}"),
        Notation.bytes("ident 4 12 1012 7 0 7 77 1 28\n{\"Person\":\"(TRUEPREDICATE)\"}"),
        Notation.bytes("upload 4 0 36 0 21 7 7\n18 7 375147852547 0 13 ") + recovered,
      ])
    client.receive("download 4 7 0 7 77 0 0 1 2 1 0 0 0\n")
    #expect(client.takeViolation() == nil)
  }

  /// The captured sequence of P7.3.
  @Test func aServerMakesUpForWritesThatItDoesNotTake() throws {
    let server = ScriptedServer(.flexible)
    server.receive("bind 1 37 0 0 0\n{\"schemaVersion\":0,\"sessionReason\":0}")
    server.session(.opened)
    server.receive("ident 1 2 1011 4 6 4 77 1 11\n{\"A\":\"(x)\"}")
    server.session(.fileLoaded(ClientFileRecord(salt: 1011, upload: cursor(0, 6)), current: SaltedVersion(version: 4, salt: 77)))
    server.session(.viewOpened(isReproducible: true))
    server.session(.pulled(server.pulled(4, client: 6, upload: cursor(0, 6))))
    _ = server.takeSent()
    server.receive("upload 1 0 51 0 16 4 4\n16 4 375147672453 0 28 ", RecordedMessages.some(28))
    var body = ErrorBody(message: "m", tryAgain: false, action: .warning)
    body.rejection = ErrorBody.Rejection(
      serverVersion: 6, clientVersion: 16, updates: [.init(reason: "write outside of the permissions", table: "Person", key: .int(9))])
    server.session(.integrated(cursor(4, 16), rejection: ServerFailure(.compensatingWrite, body)))
    let entry = ServerMessage.Download.Entry(cursor: cursor(6, 16), timestamp: 1000, origin: 1, changeset: RecordedMessages.some(13))
    let progress = HeadProgress(download: cursor(6, 16), latestServer: SaltedVersion(version: 6, salt: 77), upload: cursor(4, 16))
    server.session(.pulled(ServerSession.Pulled(progress: progress, entries: [entry])))
    let sent = server.takeBytes()
    #expect(
      sent.first.map(Notation.text)?.hasSuffix(
        "\"action\":\"Warning\",\"compensatingWriteServerVersion\":6,\"rejectedClientVersion\":16,\"rejectedUpdates\":["
          + "{\"reason\":\"write outside of the permissions\",\"table\":\"Person\",\"pk\":\"AQk=\"}]}") == true)
    #expect(sent.last == Notation.bytes("download 1 6 16 6 77 16 4 1 2 1 0 31 0\n6 16 1000 1 13 13 ") + RecordedMessages.some(13))
  }
}
