import Testing

@testable import SyncProtocol

/// What clients may say to a server, and when.
@Suite struct ServerSessionTests {
  private func cursor(_ server: UInt64, _ client: UInt64) -> VersionCursor { VersionCursor(serverVersion: server, clientVersion: client) }

  // MARK: BIND

  @Test func aNameIsSentOnlyWhenItIsDurable() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 8 0 1 0\n\"public\"")
    server.session(.opened)
    #expect(server.takeWanted() == [.open(.partition(.string("public"))), .allocateIdent])
    #expect(server.takeSent().isEmpty)
    server.session(.identAllocated(SaltedIdent(ident: 2, salt: 5)))
    #expect(server.takeSent() == ["ident 1 2 5\n"])
    // Once.
    server.session(.identAllocated(SaltedIdent(ident: 3, salt: 5)))
    #expect(server.takeSent().isEmpty)
  }

  @Test(arguments: ["{\"$numberInt\":\"5\"}", "{\"$numberLong\":\"5\"}"]) func bothIntegersAreOnePartition(_ body: String) {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 \(body.utf8.count) 0 1 0\n\(body)")
    #expect(server.takeWanted() == [.open(.partition(.integer(5)))])
  }

  @Test func whatNamesNoPartitionIsRefused() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 3 0 1 0\n/s0")
    let error = server.takeError()
    #expect(error?.code == 204)
    #expect(error?.session == 1)
    #expect(!server.isClosed)
    server.receive("unbind 1\n")
    #expect(server.takeSent().isEmpty)
  }

  @Test(arguments: ["/s0", "/a/b.c/d_e-f"]) func pathsAreTakenIfTheyAreAllowed(_ path: String) {
    let server = ScriptedServer(.partition) { $0.allowsPaths = true }
    server.receive("bind 1 \(path.utf8.count) 0 1 0\n\(path)")
    #expect(server.takeWanted() == [.open(.path(path))])
  }

  @Test(arguments: ["/", "//a", "/a/", "a", "/a b", "/\u{e9}"]) func otherPathsAreNot(_ path: String) {
    let server = ScriptedServer(.partition) { $0.allowsPaths = true }
    server.receive("bind 1 \(path.utf8.count) 0 1 0\n\(path)")
    #expect(server.takeError()?.code == 204)
  }

  @Test func aRefusedRealmEndsTheSession() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 8 0 0 0\n\"public\"")
    server.receive("ident 1 2 1011 0 0 0 0\n")
    server.session(.failed(ServerFailure(.permissionDenied, "no")))
    #expect(server.takeError()?.code == 206)
    server.session(.opened)
    server.receive("mark 1 1\n")
    server.receive("unbind 1\n")
    #expect(server.takeSent().isEmpty)
    #expect(server.takeWanted().last == .ended)
  }

  @Test func aPartitionThatBecameFlexibleSaysSo() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 8 0 0 0\n\"public\"")
    var body = ErrorBody(message: "m", tryAgain: false, action: .migrateToFlexibleSync)
    body.partitionQuery = "owner == 1"
    server.session(.failed(ServerFailure(.migrateToFlexibleSync, body)))
    #expect(server.takeSent().first?.contains("\"action\":\"MigrateToFLX\",\"partitionQuery\":\"owner == 1\"") == true)
  }

  @Test func theWrongKindOfSynchronisationEndsTheConnection() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 8 0 0 0\n\"public\"")
    server.session(.failed(ServerFailure(.switchToFlexibleSync, "flexible")))
    let error = server.takeError()
    #expect(error?.code == 113)
    #expect(error?.session == 0)
    #expect(server.isClosed)
  }

  @Test func errorsThatEndClientsAreNeverSent() {
    for code in ErrorCode.allCases where code.endsClients {
      #expect(!ServerFailure(code, "").code.endsClients)
      #expect(ServerFailure(code, "").code.isOfSession == code.isOfSession)
    }
  }

  // MARK: The order of messages

  @Test(arguments: [
    "mark 1 1\n", "upload 1 0 0 0 0 0 0\n", "ident 1 2 1011 0 0 0 0\n", "json_error 212 2 1\n{}", "mark 2 1\n", "unbind 2\n", "bind 1 4 0 1 0\nnull",
    "query 1 1 2\n{}", "alloc 1\n", "ping 1\n",
  ])
  func messagesThatAreOutOfOrderEndTheConnection(_ text: String) throws {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 4 0 1 0\nnull")
    server.receive(text)
    let error = try #require(server.takeError())
    #expect(error.session == 0)
    #expect([102, 103, 106, 107, 109].contains(error.code))
    #expect(server.isClosed)
    // Nothing follows.
    server.session(.opened)
    server.receive("ping 1 0\n")
    #expect(server.takeSent().isEmpty)
  }

  @Test func aSecondIdentEndsTheConnection() {
    for isEarly in [true, false] {
      let server = ScriptedServer(.partition)
      if isEarly {
        server.receive("bind 1 4 0 0 0\nnull")
        server.receive("ident 1 2 1011 0 0 0 0\n")
      } else {
        server.becomeSteady()
      }
      server.receive("ident 1 2 1011 0 0 0 0\n")
      #expect(server.takeError()?.code == 109)
    }
  }

  @Test func aNumberIsDeadAfterUnbind() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("unbind 1\n")
    #expect(server.takeSent() == ["unbound 1\n"])
    server.receive("bind 1 4 0 1 0\nnull")
    #expect(server.takeError()?.code == 107)
  }

  @Test func unbindMayComeAtAnyTime() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 4 0 1 0\nnull")
    server.receive("unbind 1\n")
    #expect(server.takeSent() == ["unbound 1\n"])
    server.session(.opened)
    server.session(.identAllocated(SaltedIdent(ident: 2, salt: 5)))
    #expect(server.takeSent().isEmpty)
  }

  @Test func whatComesBeforeTheStoreHasAnsweredWaits() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 4 0 0 0\nnull")
    server.receive("ident 1 2 1011 0 0 0 0\n")
    server.receive("mark 1 1\n")
    server.receive("upload 1 0 13 0 4 0 0\n2 0 10 0 1 ab")
    #expect(server.takeError() != nil)
    #expect(server.isClosed)
    let other = ScriptedServer(.partition)
    other.receive("bind 1 4 0 0 0\nnull")
    other.receive("ident 1 2 1011 0 0 0 0\n")
    other.receive("mark 1 1\n")
    other.receive("upload 1 0 12 0 4 0 0\n2 0 10 0 1 a")
    other.session(.opened)
    #expect(other.takeWanted() == [.open(.partition(.null)), .loadFile(ident: 2)])
    other.session(.fileLoaded(ClientFileRecord(salt: 1011), current: SaltedVersion(version: 5, salt: 77)))
    let entry = ClientMessage.Upload.Entry(cursor: cursor(0, 2), timestamp: 10, changeset: [0x61])
    #expect(
      other.takeWanted() == [
        .pull(after: cursor(0, 0)), .readHead(forMark: 1), .integrate(entries: [entry], progress: cursor(0, 4), lockedServerVersion: 0),
      ])
  }

  @Test func aClientThatDoesNotStopIsStopped() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 4 0 0 0\nnull")
    server.receive("ident 1 2 1011 0 0 0 0\n")
    for request in 1...20 { server.receive("mark 1 \(request)\n") }
    #expect(server.connection.isBusy)
    for request in 21...2000 { server.receive("mark 1 \(request)\n") }
    #expect(server.takeError()?.code == 101)
  }

  @Test func afterAnErrorTheServerIsSilent() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("mark 1 1\n")
    server.session(.failed(ServerFailure(.badChangeset, "no")))
    #expect(server.takeError()?.code == 212)
    server.session(.head(5, forMark: 1))
    server.session(.headMoved(9))
    server.session(.pulled(server.pulled(9)))
    server.session(.failed(ServerFailure(.badChangeset, "again")))
    server.receive("mark 1 2\n")
    server.receive("upload 1 0 0 0 0 0 0\n")
    server.receive("unbind 1\n")
    #expect(server.takeSent().isEmpty)
    #expect(server.takeWanted().last == .ended)
  }

  @Test(arguments: [231, 236] as [Int32]) func someErrorsLeaveTheSessionAlone(_ code: Int32) throws {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    let known = try #require(ErrorCode(rawValue: code))
    var body = ErrorBody(message: "m", tryAgain: false, action: known.usualAction)
    if code == 231 { body.rejection = ErrorBody.Rejection(serverVersion: 6, clientVersion: 4, updates: []) } else { body.previousSchemaVersion = 1 }
    server.session(.failed(ServerFailure(known, body)))
    #expect(server.takeError()?.code == code)
    server.receive("unbind 1\n")
    #expect(server.takeSent() == ["unbound 1\n"])
  }

  @Test func aClientThatCannotIntegrateIsReset() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("json_error 212 15 1\n{\"message\":\"m\"}")
    #expect(server.takeSent().first?.contains("\"action\":\"ClientReset\"") == true)
    #expect(server.takeWanted().contains(.clientFailed(code: 212, body: "{\"message\":\"m\"}")))
  }

  // MARK: IDENT

  private func failure(_ fields: String, _ record: ClientFileRecord?) -> ServerFailure? {
    guard case .ident(let ident)? = try? ClientMessage(parsing: Notation.bytes("ident 1 \(fields)\n"), mode: .partition) else { return nil }
    return ClientFileRecord.failure(of: ident, record, current: SaltedVersion(version: 9, salt: 77))
  }

  @Test func theChecksOfAnIdentComeInTheirOrder() {
    var record = ClientFileRecord(salt: 1011, upload: cursor(3, 6))
    record.reciprocalBase = 3
    #expect(failure("2 1011 5 6 8 77", record) == nil)
    #expect(failure("2 1011 5 6 8 77", nil)?.code == .badClientFileIdent)
    #expect(failure("2 1012 2 6 8 77", record)?.code == .divergingHistories)
    #expect(failure("2 1011 5 6 8 77", ClientFileRecord(salt: nil))?.code == .divergingHistories)
    #expect(failure("2 1011 2 6 8 77", record)?.code == .badServerVersion)
    #expect(failure("2 1011 10 6 8 77", record)?.code == .badServerVersion)
    #expect(failure("2 1011 5 7 8 77", record)?.code == .badClientVersion)
    #expect(failure("2 1011 5 6 4 77", record)?.code == .badServerVersion)
    #expect(failure("2 1011 5 6 10 77", record)?.code == .badServerVersion)
    #expect(failure("2 1011 5 6 8 78", record)?.code == .divergingHistories)
    record.isExpired = true
    #expect(failure("2 1011 10 7 8 78", record)?.code == .clientFileExpired)
    #expect(failure("2 1011 2 7 8 78", record)?.code == .badServerVersion)
    (record.isExpired, record.isOfSameKind) = (false, false)
    #expect(failure("2 1011 5 6 8 77", record)?.code == .badClientFileIdent)
    #expect(failure("2 1011 5 6 8 78", record)?.code == .divergingHistories)
    // A file that knows nothing has no salt.
    #expect(failure("2 1011 0 0 0 0", ClientFileRecord(salt: 1011)) == nil)
  }

  @Test func aBadIdentLeadsToAReset() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 4 0 0 0\nnull")
    server.session(.opened)
    server.receive("ident 1 2 1011 0 0 0 0\n")
    server.session(.fileLoaded(nil, current: SaltedVersion(version: 5, salt: 77)))
    #expect(server.takeSent().first?.contains("\"shouldClientReset\":true,\"isRecoveryModeDisabled\":false,\"action\":\"ClientReset\"") == true)
  }

  @Test func aFileIsBoundOnceOnAConnection() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("bind 2 4 0 0 0\nnull")
    server.receive("ident 2 2 1011 0 0 0 0\n")
    let error = server.takeError()
    #expect(error?.code == 108)
    #expect(error?.session == 0)
  }

  @Test func aFileMayBeBoundAgainAfterUnbind() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("unbind 1\n")
    server.receive("bind 2 4 0 0 0\nnull")
    server.receive("ident 2 2 1011 0 0 0 0\n")
    server.session(.opened, 2)
    #expect(server.takeWanted().last == .loadFile(ident: 2))
    #expect(!server.isClosed)
  }

  @Test func anotherConnectionOfTheFileEndsThisOne() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.handle(.superseded(fileIdent: 3))
    #expect(!server.isClosed)
    server.handle(.superseded(fileIdent: 2))
    #expect(server.takeSent().first?.hasPrefix("json_error 100 ") == true)
    #expect(server.isClosed)
  }

  // MARK: UPLOAD

  /// What an upload leads to in a session with the file at (4, 10), which has got the history up to version 5.
  private func code(_ head: String, _ entries: String = "", before: String? = nil) -> Int32? {
    let server = ScriptedServer(.partition)
    var record = ClientFileRecord(salt: 1011, upload: cursor(4, 10))
    record.lockedServerVersion = 2
    server.becomeSteady(record)
    if let before { server.receive("upload 1 0 0 0 \(before)\n") }
    server.receive("upload 1 0 \(entries.utf8.count) 0 \(head)\n\(entries)")
    return server.takeError()?.code
  }

  @Test func uploadsThatContradictWhatIsKnownAreRefused() {
    #expect(code("12 5 5") == nil)
    // What was integrated before may come again.
    #expect(code("8 3 3") == nil)
    #expect(code("11 4 3", before: "12 5 4") == 210)
    #expect(code("12 6 5") == 209)
    #expect(code("0 1 2") == 209)
    #expect(code("13 4 5", before: "12 5 5") == 209)
    #expect(code("12 4 5", before: "12 5 5") == 209)
    #expect(code("12 3 5") == 209)
    #expect(code("8 5 5") == 209)
    #expect(code("10 5 5") == 209)
    #expect(code("12 5 1") == 209)
    #expect(code("13 5 3", before: "12 5 4") == 209)
    #expect(code("12 5 6") == 209)
  }

  @Test func entriesThatContradictTheirHeadAreRefused() {
    #expect(code("14 5 5", "11 4 0 0 0 13 5 0 0 0 ") == nil)
    #expect(code("14 5 5", "13 4 0 0 0 11 5 0 0 0 ") == 210)
    #expect(code("14 5 5", "13 4 0 0 0 13 4 0 0 0 ") == 210)
    #expect(code("14 5 5", "12 5 0 0 0 ", before: "12 5 5") == 210)
    #expect(code("14 5 5", "11 5 0 0 0 13 4 0 0 0 ") == 209)
    #expect(code("14 5 5", "15 5 0 0 0 ") == 210)
    #expect(code("14 4 5", "13 5 0 0 0 ") == 209)
    #expect(code("14 5 5", "14 4 0 0 0 ") == 209)
    #expect(code("14 5 5", "13 5 0 3 0 ") == 216)
  }

  @Test func whatWasIntegratedBeforeIsPassedOver() {
    let server = ScriptedServer(.partition)
    server.becomeSteady(ClientFileRecord(salt: 1011, upload: cursor(4, 10)))
    let body = "9 4 0 0 0 10 4 0 0 0 12 4 0 0 1 a"
    server.receive("upload 1 0 \(body.utf8.count) 0 12 4 4\n\(body)")
    let entry = ClientMessage.Upload.Entry(cursor: cursor(4, 12), timestamp: 0, changeset: [0x61])
    #expect(server.takeWanted() == [.integrate(entries: [entry], progress: cursor(4, 12), lockedServerVersion: 4)])
  }

  @Test func anUploadIsAcknowledgedWhenItIsDurable() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("upload 1 0 10 0 4 0 0\n2 0 0 0 0 ")
    #expect(server.takeSent().isEmpty)
    _ = server.takeWanted()
    server.session(.integrated(cursor(0, 4), rejection: nil))
    #expect(server.takeWanted() == [.pull(after: cursor(5, 0))])
    // The store may have read before it integrated: the acknowledgement is in the head all the same.
    server.session(.pulled(server.pulled(5)))
    #expect(server.takeSent() == ["download 1 5 0 5 77 4 0 0 0 0 0\n"])
    // Nothing is owed for progress alone.
    server.receive("upload 1 0 0 0 5 5 5\n")
    _ = server.takeWanted()
    server.session(.integrated(cursor(5, 5), rejection: nil))
    #expect(server.takeWanted().isEmpty)
  }

  @Test func anAcknowledgementNeverGoesBack() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("upload 1 0 10 0 4 0 0\n2 0 0 0 0 ")
    server.session(.integrated(cursor(0, 4), rejection: nil))
    server.session(.pulled(server.pulled(5, upload: cursor(0, 4))))
    server.session(.headMoved(6))
    server.session(.pulled(server.pulled(6, upload: cursor(0, 2))))
    #expect(server.takeSent().last == "download 1 6 0 6 77 4 0 0 0 0 0\n")
  }

  @Test func writesThatWereNotTakenAreToldBeforeWhatMakesUpForThem() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    server.receive("upload 1 0 10 0 4 0 0\n2 0 0 0 0 ")
    var body = ErrorBody(message: "m", tryAgain: false, action: .warning)
    body.rejection = ErrorBody.Rejection(serverVersion: 6, clientVersion: 2, updates: [])
    server.session(.integrated(cursor(0, 4), rejection: ServerFailure(.compensatingWrite, body)))
    server.session(.pulled(server.pulled(6, upload: cursor(0, 4))))
    let sent = server.takeSent()
    #expect(sent.map { $0.prefix(10) } == ["json_error", "download 1"])
    #expect(sent.first?.contains("\"compensatingWriteServerVersion\":6") == true)
  }

  // MARK: MARK

  @Test func aMarkIsAnsweredWhenEverythingBeforeItIsSent() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.receive("mark 1 1\n")
    server.session(.head(7, forMark: 1))
    #expect(server.takeSent().isEmpty)
    server.session(.pulled(server.pulled(6, latest: 7)))
    #expect(server.takeSent() == ["download 1 6 0 7 77 0 0 0 0 0 0\n"])
    server.session(.pulled(server.pulled(7)))
    #expect(server.takeSent() == ["download 1 7 0 7 77 0 0 0 0 0 0\n", "mark 1 1\n"])
  }

  @Test func onlyTheNewestMarkIsAnswered() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    for request in 1...3 as ClosedRange<UInt64> {
      server.receive("mark 1 \(request)\n")
      server.session(.head(request == 3 ? 9 : 6, forMark: request))
    }
    server.session(.pulled(server.pulled(6, latest: 9)))
    #expect(server.takeSent() == ["download 1 6 0 9 77 0 0 0 0 0 0\n", "mark 1 2\n"])
    server.receive("mark 1 3\n")
    #expect(server.takeError()?.code == 109)
  }

  @Test func aFileAtTheHeadGetsAnEmptyDownload() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 4 0 0 0\nnull")
    server.session(.opened)
    server.receive("ident 1 2 1011 5 0 5 77\n")
    server.session(.fileLoaded(ClientFileRecord(salt: 1011), current: SaltedVersion(version: 5, salt: 77)))
    #expect(server.takeWanted().last == .pull(after: cursor(5, 0)))
    server.session(.pulled(server.pulled(5)))
    #expect(server.takeSent() == ["download 1 5 0 5 77 0 0 0 0 0 0\n"])
    #expect(server.takeWanted().isEmpty)
  }

  @Test func nothingIsReadForAClientThatDoesNotKeepUp() {
    let server = ScriptedServer(.partition)
    server.becomeSteady()
    server.handle(.congestion(true))
    server.session(.headMoved(9))
    #expect(server.takeWanted().isEmpty)
    server.handle(.congestion(false))
    #expect(server.takeWanted() == [.pull(after: cursor(5, 0))])
  }

  // MARK: The connection

  @Test func aPingIsAnsweredWithItsNumber() {
    let server = ScriptedServer(.partition)
    server.receive("ping -5 3\n")
    server.receive("ping 1234567 0\n")
    #expect(server.takeSent() == ["pong -5\n", "pong 1234567\n"])
  }

  @Test func aSilentClientIsLeft() {
    let server = ScriptedServer(.partition)
    server.take(server.connection.begin(greeting: LogBody(level: "info", text: "hello", requestIdent: "6b00")))
    #expect(server.timers == [1_800_000])
    #expect(server.takeSent() == ["log_message 0 45\n{\"co_id\":\"6b00\",\"level\":\"info\",\"msg\":\"hello\"}"])
    server.now += 1_000_000
    server.receive("ping 1 0\n")
    server.now += 800_000
    server.handle(.timerFired)
    #expect(server.timers.last == 1_000_000)
    server.now += 1_000_000
    server.handle(.timerFired)
    #expect(server.isClosed)
  }

  @Test func thereAreOnlySoManySessions() {
    let server = ScriptedServer(.partition) {
      $0.sessionLimit = 2
      $0.totalSessionLimit = 1
    }
    for number in 1...3 { server.receive("bind \(number) 4 0 1 0\nnull") }
    let error = server.takeError()
    #expect(error?.code == 201)
    #expect(error?.session == 3)
    server.receive("unbind 3\n")
    server.receive("bind 4 4 0 1 0\nnull")
    #expect(server.takeError()?.code == 100)
    #expect(server.isClosed)
  }

  @Test func testCommandsGetAnEmptyAnswer() {
    let server = ScriptedServer(.partition)
    server.receive("bind 1 4 0 1 0\nnull")
    server.receive("test_command 1 7 2\n{}")
    #expect(server.takeSent() == ["test_command 1 7 2\n{}"])
  }
}
