import Changesets
import Testing

@testable import SyncProtocol

/// What a server may say to a session, and when.
@Suite struct ClientSessionTests {
  private let known = ClientSession.File(
    ident: SaltedIdent(ident: 2, salt: 1011),
    progress: HeadProgress(
      download: VersionCursor(serverVersion: 5, clientVersion: 6), latestServer: SaltedVersion(version: 7, salt: 77),
      upload: VersionCursor(serverVersion: 4, clientVersion: 8)), version: 9)

  private func steady(_ mode: SyncMode = .partition) -> ScriptedClient {
    let client = ScriptedClient(mode)
    var file = known
    if mode == .flexible { file.query = ClientMessage.Query(version: 1, text: "{}") }
    client.becomeSteady(file)
    return client
  }

  @Test func aFileWithoutANameAsksForOneAndStoresItFirst() {
    let client = ScriptedClient(.partition)
    client.begin("null", ClientSession.File(version: 2))
    #expect(client.takeSent() == ["bind 1 4 0 1 0\nnull"])
    client.receive("ident 1 5 -7\n")
    #expect(client.takeWanted() == [.storeIdent(SaltedIdent(ident: 5, salt: -7))])
    #expect(client.takeSent().isEmpty)
    client.session(.identStored)
    #expect(client.takeSent() == ["ident 1 5 -7 0 0 0 0\n", "mark 1 1\n"])
  }

  /// It goes on in the server's history where the file that it was copied from was; but of its own history the server has nothing.
  @Test func aCopyBeginsItsUploadsAnewUnderItsOwnName() {
    let client = ScriptedClient(.partition)
    var copy = known
    copy.ident = nil
    client.store = { effect in
      guard case .readUpload(let number, let after, _) = effect else { return nil }
      let entry = ClientMessage.Upload.Entry(cursor: VersionCursor(serverVersion: 5, clientVersion: after + 3), timestamp: 1, changeset: [0x40])
      let progress = VersionCursor(serverVersion: 5, clientVersion: 10)
      return .uploadRead(number: number, ClientSession.UploadBatch(entries: [entry], progress: progress, lockedServerVersion: 5))
    }
    client.begin("null", copy)
    client.receive("ident 1 5 7\n")
    client.session(.identStored)
    #expect(client.takeSent() == ["bind 1 4 0 1 0\nnull", "ident 1 5 7 5 0 7 77\n", "mark 1 1\n"])
    // The server knows nothing of it, and says so.
    client.receive("download 1 5 0 7 77 0 0 0 0 0 0\n")
    client.session(.integrated(version: 10))
    client.receive("mark 1 1\n")
    #expect(client.takeViolation() == nil)
    #expect(client.takeSent() == ["upload 1 0 11 0 10 5 5\n3 5 1 0 1 @"])
  }

  @Test(arguments: ["ident 1 5 7\n", "ident 1 6 7\n", "ident 1 0 7\n", "ident 1 5 0\n"]) func aSecondNameIsRefused(_ text: String) {
    for isStored in [true, false] {
      let client = ScriptedClient(.partition)
      client.begin("null", ClientSession.File(version: 2))
      client.receive("ident 1 5 7\n")
      if isStored { client.session(.identStored) }
      client.receive(text)
      #expect(client.takeViolation() != nil)
    }
  }

  @Test func aFileWithANameIsGivenNone() {
    let client = ScriptedClient(.partition)
    client.begin("null", known)
    client.receive("ident 1 2 1011\n")
    #expect(client.takeViolation() != nil)
  }

  @Test func changesThatAreTooLargeForAMessageAreNotSent() {
    let client = ScriptedClient(.partition)
    client.begin("null", known)
    client.store = { effect in
      guard case .readUpload(let number, _, _) = effect else { return nil }
      let entry = ClientMessage.Upload.Entry(
        cursor: VersionCursor(serverVersion: 5, clientVersion: 9), timestamp: 0, changeset: [UInt8](repeating: 0, count: 16 << 20 + 1))
      let progress = VersionCursor(serverVersion: 5, clientVersion: 9)
      return .uploadRead(number: number, ClientSession.UploadBatch(entries: [entry], progress: progress, lockedServerVersion: 5))
    }
    client.receive("mark 1 1\n")
    let reports = client.takeReports()
    #expect(reports.map(\.error) == [.limitExceeded])
    #expect(reports.first?.message.contains("version 9 have 16777217 bytes") == true)
    #expect(!client.takeSent().contains { $0.hasPrefix("upload") })
    client.session(.close)
    #expect(client.takeSent() == ["unbind 1\n"])
  }

  @Test func aNameThatIsBeingStoredIsNotAskedForAgain() {
    let client = ScriptedClient(.partition)
    client.begin("null", ClientSession.File(version: 2))
    client.receive("ident 1 5 7\n")
    client.handle(.failed(.ended))
    client.handle(.timer(.reconnect))
    client.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"))
    _ = client.takeSent()
    client.session(.identStored)
    #expect(client.takeSent() == ["bind 2 4 0 0 0\nnull", "ident 2 5 7 0 0 0 0\n", "mark 2 1\n"])
  }

  @Test(arguments: ["download 1 0 0 0 0 0 0 0 0 0 0\n", "mark 1 1\n", "unbound 1\n", "mark 9 1\n"]) func beforeIdentOnlyANameMayCome(_ text: String) {
    let client = ScriptedClient(.partition)
    client.begin("null", ClientSession.File(version: 2))
    client.receive(text)
    #expect(client.takeViolation() != nil)
    #expect(!client.connection.isConnected)
  }

  @Test(arguments: [
    // The newest server version, what is acknowledged, and both cursors never go back; and they keep their order (P5.5).
    "5 6 6 77 8 4", "5 6 7 77 7 4", "5 6 7 77 10 4", "4 6 7 77 8 4", "8 6 7 77 8 4", "5 6 7 77 9 6", "5 5 7 77 8 4", "5 9 7 77 8 4",
  ])
  func headsThatContradictWhatIsKnownAreRefused(_ fields: String) {
    let client = steady()
    client.receive("download 1 \(fields) 0 0 0 0\n")
    #expect(client.takeViolation()?.hasPrefix("DOWNLOAD: ") == true)
  }

  @Test(arguments: ["5 6 7 77 8 4", "5 6 7 77 9 4", "7 8 9 77 9 5", "6 6 6000 77 8 6"]) func headsThatGoOnAreTaken(_ fields: String) {
    let client = steady()
    client.receive("download 1 \(fields) 0 0 0 0\n")
    #expect(client.takeViolation() == nil)
    #expect(client.connection.isConnected)
  }

  @Test(arguments: [
    // Server versions increase and stay below the head's, client versions do not decrease, and a file never gets its own changes.
    ("5 6 0 3 1 1 a", SyncMode.partition), ("9 6 0 3 1 1 a", .partition), ("4 6 0 3 1 1 a", .flexible), ("6 5 0 3 1 1 a", .partition),
    ("6 8 0 3 1 1 a", .partition), ("6 6 0 0 1 1 a", .partition), ("6 6 0 2 1 1 a", .partition), ("7 6 0 3 1 1 a7 6 0 3 1 1 b", .partition),
    ("7 6 0 3 1 1 a6 6 0 3 1 1 b", .flexible), ("6 7 0 3 1 1 a7 6 0 3 1 1 b", .flexible),
  ])
  func changesetsOutOfOrderAreRefused(_ entries: String, _ mode: SyncMode) {
    let client = steady(mode)
    client.receive("download 1 8 7 8 77 8 4 \(mode == .flexible ? "1 2 1" : "0") 0 \(entries.utf8.count) 0\n\(entries)")
    #expect(client.takeViolation()?.hasPrefix("changeset ") == true)
  }

  @Test func flexibleChangesetsMayShareAVersion() {
    let client = steady(.flexible)
    client.receive("download 1 8 7 8 77 8 4 1 2 1 0 26 0\n5 6 0 3 1 1 a5 6 0 3 1 1 b")
    #expect(client.takeViolation() == nil)
  }

  @Test func checksGoOnFromTheDownloadThatIsBeingIntegrated() {
    let client = steady()
    client.receive("download 1 7 6 7 77 8 4 0 0 0 0\n")
    client.receive("download 1 6 6 7 77 8 4 0 0 0 0\n")
    #expect(client.takeViolation() != nil)
  }

  @Test(arguments: ["mark 1 2\n", "mark 1 1\n", "mark 1 0\n"]) func marksThatWereNotAskedForAreRefused(_ text: String) {
    let client = steady()
    client.receive(text)
    #expect(client.takeViolation() != nil)
  }

  @Test func oneMarkMayAnswerSeveral() {
    let client = steady()
    for _ in 0..<3 { client.session(.waitForDownload) }
    #expect(client.takeSent() == ["mark 1 2\n", "mark 1 3\n", "mark 1 4\n"])
    client.receive("mark 1 4\n")
    #expect(client.takeWanted().contains(.downloadCompleted(4)))
    client.receive("mark 1 3\n")
    #expect(client.takeViolation() != nil)
  }

  @Test func aMarkCountsWhenEverythingBeforeItIsInTheFile() {
    let client = steady()
    client.session(.waitForDownload)
    client.receive("download 1 7 6 7 77 8 4 0 0 0 0\n")
    client.receive("mark 1 2\n")
    #expect(!client.takeWanted().contains(.downloadCompleted(2)))
    client.session(.integrated(version: 10))
    #expect(client.takeWanted().contains(.downloadCompleted(2)))
  }

  @Test(arguments: [true, false]) func aWaitOutlivesAConnectionThatBreaksWhileTheStoreIsAtWork(_ succeeds: Bool) {
    let client = steady()
    client.session(.waitForDownload)
    client.receive("download 1 7 6 7 77 8 4 0 0 0 0\n")
    client.receive("mark 1 2\n")
    client.handle(.failed(.ended))
    client.handle(.timer(.reconnect))
    client.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"))
    _ = client.takeSent()
    client.session(succeeds ? .integrated(version: 10) : .integrationFailed(.badChangeset, "no"))
    #expect(client.takeWanted().contains(.downloadCompleted(2)) == succeeds)
    #expect(client.takeSent().contains("mark 2 2\n") != succeeds)
  }

  @Test func uploadsWaitForTheFirstMarkUnlessTheConnectionWasLostNotLongAgo() {
    let client = ScriptedClient(.partition)
    client.begin("null", known)
    _ = client.takeSent()
    #expect(!client.takeWanted().contains { if case .readUpload = $0 { true } else { false } })
    client.receive("mark 1 1\n")
    #expect(client.takeWanted().contains(.readUpload(number: 2, after: 8, through: nil)))
    for (pause, isFast) in [(UInt64(59_000), true), (61_000, false)] {
      client.handle(.failed(.ended))
      client.now += pause
      client.handle(.timer(.reconnect))
      client.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"))
      #expect(client.takeWanted().contains { if case .readUpload = $0 { true } else { false } } == isFast)
      #expect(client.takeSent().last?.hasPrefix("mark") != isFast)
    }
  }

  @Test func whatIsReadForAConnectionThatIsGoneIsNotSent() {
    let client = steady()
    client.handle(.failed(.ended))
    client.handle(.timer(.reconnect))
    client.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"))
    _ = client.takeSent()
    let batch = ClientSession.UploadBatch(entries: [], progress: VersionCursor(serverVersion: 5, clientVersion: 9), lockedServerVersion: 5)
    client.session(.uploadRead(number: 2, batch))
    #expect(client.takeSent().isEmpty)
  }

  @Test func aStoreWithNothingToUploadIsNotAskedAgain() {
    let client = ScriptedClient(.partition)
    client.begin("null", known)
    client.store = { effect in
      guard case .readUpload(let number, _, _) = effect else { return nil }
      return .uploadRead(
        number: number, ClientSession.UploadBatch(entries: [], progress: VersionCursor(serverVersion: 4, clientVersion: 8), lockedServerVersion: 5))
    }
    client.receive("mark 1 1\n")
    client.session(.versionMade(9))
    #expect(client.takeWanted().filter { if case .readUpload = $0 { true } else { false } }.count == 1)
    client.session(.versionMade(10))
    #expect(client.takeWanted().filter { if case .readUpload = $0 { true } else { false } }.count == 1)
  }

  @Test func whatWasReadBeforeAnAcknowledgementIsReadAgain() {
    let client = ScriptedClient(.partition)
    var file = known
    file.version = 20
    client.becomeSteady(file)
    // The server has more of this file than it knew, while the store was reading.
    client.receive("download 1 5 6 7 77 12 4 0 0 0 0\n")
    client.session(.integrated(version: 20))
    let batch = ClientSession.UploadBatch(entries: [], progress: VersionCursor(serverVersion: 4, clientVersion: 10), lockedServerVersion: 5)
    _ = client.takeWanted()
    client.session(.uploadRead(number: 2, batch))
    #expect(client.takeWanted() == [.readUpload(number: 3, after: 12, through: nil)])
  }

  @Test func aDownloadThatCannotBeIntegratedIsToldOnceAndTheRestIgnored() {
    let client = steady()
    client.receive("download 1 7 6 7 77 8 4 0 0 14 0\n6 6 0 3 2 2 ab")
    client.session(.integrationFailed(.badChangeset, "BadChangeset: no"))
    #expect(client.takeSent() == ["json_error 212 30 1\n{\"message\":\"BadChangeset: no\"}"])
    #expect(client.takeReports() == [ErrorReport(code: 212, .badChangeset, "BadChangeset: no", isFatal: false)])
    client.receive("download 1 0 0 0 0 0 0 0 0 0 0\n")
    client.session(.versionMade(20))
    client.session(.waitForDownload)
    #expect(client.takeSent().isEmpty)
    #expect(client.takeViolation() == nil)
    client.session(.close)
    #expect(client.takeSent() == ["unbind 1\n"])
  }

  // MARK: The end

  @Test func afterUnbindEverythingIsIgnoredButTheEnd() {
    let client = steady()
    client.session(.close)
    #expect(client.takeSent() == ["unbind 1\n"])
    client.receive("download 1 0 0 0 0 0 0 0 0 0 0\n")
    client.receive("mark 1 900\n")
    client.receive("unbound 1\n")
    #expect(client.takeEffects().contains(.closed(key: 1)))
    // Still under way.
    client.receive("download 1 0 0 0 0 0 0 0 0 0 0\n")
    #expect(client.connection.isConnected)
    client.receive("mark 2 1\n")
    #expect(client.takeViolation()?.contains("never there") == true)
  }

  @Test func anErrorMayComeInsteadOfUnbound() {
    let client = steady()
    client.session(.close)
    client.receive(error(208, "ClientReset"))
    #expect(client.takeEffects().contains(.closed(key: 1)))
  }

  @Test func aSessionThatWasNeverBoundEndsSilently() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", known))
    client.session(.close)
    #expect(client.takeSent().isEmpty)
    #expect(client.takeEffects().contains(.closed(key: 1)))
  }

  // MARK: Errors

  private func error(_ code: Int, _ action: String, tryAgain: Bool = false, session: Int = 1, _ more: String = "") -> String {
    let body =
      "{\"message\":\"m\",\"tryAgain\":\(tryAgain),\"logURL\":\"u\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false,\"action\":\"\(action)\"\(more)}"
    return "json_error \(code) \(body.utf8.count) \(session)\n\(body)"
  }

  @Test(arguments: ["unbound 1\n", "mark 1 1\n", "download 1 5 6 7 77 8 4 0 0 0 0\n", "json_error 201 2 1\n{}"])
  func afterAnErrorASecondClientWaitsInVain(_ text: String) {
    // Another session keeps the connection.
    let client = steady()
    client.begin("null", known, key: 2)
    client.receive(error(206, "ApplicationBug"))
    #expect(client.takeSent().last == "unbind 1\n")
    // The number is dead: what comes now was under way, and means nothing.
    client.receive(text)
    #expect(client.takeViolation() == nil)
    #expect(client.connection.isConnected)
  }

  @Test func anErrorOfTheConnectionForASessionIsAViolation() {
    let client = steady()
    client.receive(error(109, "ProtocolViolation"))
    #expect(client.takeViolation() != nil)
  }

  @Test func anErrorWithoutAKeyIsAViolation() {
    let client = steady()
    client.receive("json_error 206 15 1\n{\"message\":\"m\"}")
    #expect(client.takeViolation() != nil)
  }

  @Test(arguments: [
    ("ApplicationBug", 206, SDKError.syncPermissionDenied), ("ProtocolViolation", 201, .runtimeError), ("Whatever", 201, .runtimeError),
    ("ApplicationBug", 240, .unknownError),
  ])
  func fatalErrorsStopASessionForGood(_ action: String, _ code: Int, _ name: SDKError) {
    let client = steady()
    client.receive(error(code, action))
    #expect(client.takeSent() == ["unbind 1\n"])
    let effects = client.takeEffects()
    #expect(effects.contains(.session(key: 1, .report(ErrorReport(code: Int32(code), name, "m Logs: u", isFatal: true)))))
    // It was the only one that wanted the connection.
    #expect(effects.contains(.disconnect))
    client.handle(.reconnectNow)
    #expect(!client.takeEffects().contains { if case .connect = $0 { true } else { false } })
  }

  @Test func aWarningStopsASessionUnlessItIsAboutCompensatedWrites() {
    let client = steady()
    client.receive(error(212, "Warning"))
    #expect(client.takeSent() == ["unbind 1\n"])
    #expect(client.takeReports().first?.isFatal == false)
  }

  @Test func aTransientErrorIsSilentAndTheSessionComesBackWithAnotherNumber() {
    let client = steady()
    client.begin("null", known, key: 2)
    _ = client.takeSent()
    var last: UInt64 = 0
    for round in 1...3 {
      client.receive(error(229, "Transient", tryAgain: true, session: round == 1 ? 1 : round + 1))
      #expect(client.takeSent() == ["unbind \(round == 1 ? 1 : round + 1)\n"])
      let waits = client.takeEffects().compactMap { if case .setTimer(.resume(1), let wait) = $0 { wait } else { nil } }
      #expect(waits.count == 1)
      // Twice as long each time, up to a quarter less.
      let full = UInt64(500) << UInt64(round)
      #expect((full / 4 * 3...full).contains(waits[0]))
      #expect(waits[0] > last / 2)
      last = waits[0]
      client.handle(.timer(.resume(1)))
      #expect(client.takeSent() == ["bind \(round + 2) 8 0 0 0\n\"public\"", "ident \(round + 2) 2 1011 5 6 7 77\n"])
    }
    // Something went well.
    client.receive("download 5 5 6 7 77 8 4 0 0 0 0\n")
    client.receive(error(229, "Transient", tryAgain: true, session: 5))
    let waits = client.takeEffects().compactMap { if case .setTimer(.resume(1), let wait) = $0 { wait } else { nil } }
    #expect(waits.allSatisfy { $0 <= 1000 } && waits.count == 1)
  }

  @Test func theServerMaySayHowLongToWait() {
    let client = steady()
    client.receive(error(201, "Transient", tryAgain: true, ",\"backoffIntervalSec\":40,\"backoffMaxDelaySec\":60,\"backoffMultiplier\":2"))
    let waits = client.takeEffects().compactMap { if case .setTimer(.resume(1), let wait) = $0 { wait } else { nil } }
    #expect(waits.allSatisfy { (30_000...40_000).contains($0) } && waits.count == 1)
    client.handle(.timer(.resume(1)))
    #expect(client.takeEffects().contains { if case .connect = $0 { true } else { false } })
  }

  @Test func aClosedSessionComesBackAfterASecond() {
    let client = steady()
    client.receive(error(200, "Transient", tryAgain: true))
    #expect(client.takeEffects().contains(.setTimer(.resume(1), milliseconds: 1000)))
  }

  @Test(arguments: [("ClientReset", false, true), ("ClientReset", true, false), ("ClientResetNoRecovery", false, false)])
  func aResetSaysWhetherRecoveryIsAllowed(_ action: String, _ isDisabled: Bool, _ isAllowed: Bool) {
    let client = steady()
    var body = ErrorBody(message: "m", tryAgain: false, action: .clientReset)
    (body.action, body.isRecoveryModeDisabled) = (action, isDisabled)
    client.handle(.received(ServerMessage.jsonError(session: 1, code: 208, body: body.text).encoded))
    #expect(client.takeWanted().compactMap { if case .demand(.clientReset(let allows, _)) = $0 { allows } else { nil } } == [isAllowed])
  }

  @Test func demandsGoToTheOwnerOfTheFile() {
    for (action, check) in [
      ("DeleteRealm", { if case .demand(.deleteRealm) = $0 { true } else { false } }),
      ("LogOutUser", { if case .demand(.logOut) = $0 { true } else { false } }),
    ] as [(String, (ClientSession.Effect) -> Bool)] {
      let client = steady()
      client.receive(error(201, action))
      #expect(client.takeWanted().contains(where: check))
    }
  }

  @Test(arguments: [("RefreshUser", ClosingReaction.Fetch.token), ("RefreshLocation", .locationAndToken)])
  func afterAFetchTheSessionIsBoundAgain(_ action: String, _ fetch: ClosingReaction.Fetch) {
    let client = steady()
    client.begin("null", known, key: 2)
    client.receive(error(201, action))
    #expect(client.takeEffects().contains(.fetch(fetch)))
    _ = client.takeSent()
    client.handle(.fetched)
    #expect(client.takeSent().contains { $0.hasPrefix("bind 3 ") })
  }

  @Test func aPartitionCanBecomeFlexible() {
    let client = steady()
    client.receive(error(232, "MigrateToFLX", ",\"partitionQuery\":\"owner == 1\""))
    #expect(client.takeWanted().contains(.demand(.migrateToFlexibleSync(partitionQuery: "owner == 1"))))
  }

  @Test(arguments: [true, false]) func onlyAMigratedFileGoesBack(_ wasMigrated: Bool) {
    let client = ScriptedClient(.flexible)
    var file = known
    file.wasMigrated = wasMigrated
    client.becomeSteady(file)
    client.receive(error(234, "RevertToPBS"))
    #expect((client.takeViolation() == nil) == wasMigrated)
  }

  @Test func aNewSchemaVersionLeavesTheSessionAlone() {
    let client = steady(.flexible)
    client.receive(error(236, "MigrateSchema", ",\"previousSchemaVersion\":3"))
    #expect(client.takeWanted().contains(.demand(.migrateSchema(previousVersion: 3))))
    client.session(.close)
    client.receive("unbound 1\n")
    #expect(client.takeEffects().contains(.closed(key: 1)))
  }

  @Test(arguments: [true, false]) func theObsoleteErrorKnowsNoActions(_ tryAgain: Bool) {
    let client = steady()
    client.receive("error 201 4 \(tryAgain ? 1 : 0) 1\noops")
    let effects = client.takeEffects()
    #expect(effects.contains(.session(key: 1, .report(ErrorReport(code: 201, .runtimeError, "oops", isFatal: !tryAgain)))))
    #expect(effects.contains { if case .setTimer(.resume(1), _) = $0 { true } else { false } } == tryAgain)
  }

  @Test func aCompensatedWriteIsToldWhenTheFileHasWhatTheServerMadeOfIt() {
    let client = steady(.flexible)
    let more =
      ",\"compensatingWriteServerVersion\":7,\"rejectedClientVersion\":9,\"rejectedUpdates\":[{\"reason\":\"r\",\"table\":\"Person\",\"pk\":\"AQk=\"}]"
    client.receive(error(231, "Warning", more))
    #expect(client.takeSent().isEmpty)
    client.receive("download 1 6 6 7 77 9 4 1 2 1 0 0 0\n")
    client.session(.integrated(version: 10))
    #expect(!client.takeWanted().contains { if case .writesCompensated = $0 { true } else { false } })
    client.receive("download 1 7 6 7 77 9 4 1 2 1 0 13 0\n7 6 0 1 1 1 a")
    client.session(.integrated(version: 11))
    let rejection = ErrorBody.Rejection(serverVersion: 7, clientVersion: 9, updates: [.init(reason: "r", table: "Person", key: .int(9))])
    #expect(client.takeWanted().contains(.writesCompensated(ErrorReport(code: 231, .syncCompensatingWrite, "m Logs: u", isFatal: false), rejection)))
  }

  @Test func testCommandsGoOutBeforeEverythingElse() {
    let client = ScriptedClient(.partition)
    client.begin("null", ClientSession.File(version: 2))
    _ = client.takeSent()
    client.session(.testCommand("{\"a\":1}"))
    #expect(client.takeSent() == ["test_command 1 1 7\n{\"a\":1}"])
    client.receive("test_command 1 1 2\n{}")
    #expect(client.takeWanted().contains(.testAnswer("{}")))
  }
}
