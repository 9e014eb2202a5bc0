import Testing

@testable import SyncProtocol

/// The connection of a client: turns, signs of life, and when it tries again.
@Suite struct ClientConnectionTests {
  private let file = ClientSession.File(ident: SaltedIdent(ident: 2, salt: 1011), version: 2)

  private func connects(_ client: ScriptedClient) -> Bool {
    client.takeEffects().contains { if case .connect = $0 { true } else { false } }
  }

  private func timers(_ client: ScriptedClient, _ wanted: ClientConnection.Timer) -> [UInt64] {
    client.takeEffects().compactMap { if case .setTimer(wanted, let time) = $0 { time } else { nil } }
  }

  @Test func aConnectionIsOpenedForTheFirstSessionWithAllVersions() {
    let client = ScriptedClient(.flexible)
    client.handle(.open(key: 1, bindBody: "{}", file))
    #expect(
      client.takeEffects().prefix(3) == [
        .cancelTimer(.linger),
        .connect(
          subprotocols: "com.mongodb.realm-query-sync#14, com.mongodb.realm-query-sync#13, com.mongodb.realm-query-sync#12"),
        .setTimer(.connect, milliseconds: 120_000),
      ])
    client.handle(.open(key: 2, bindBody: "{}", file))
    #expect(!connects(client))
  }

  @Test(arguments: [nil, "com.mongodb.realm-sync#14", "com.mongodb.realm-query-sync#15", "chat"])
  func anAnswerThatWasNotOfferedIsTheEnd(_ subprotocol: String?) {
    let client = ScriptedClient(.flexible)
    client.handle(.open(key: 1, bindBody: "{}", file))
    client.handle(.opened(subprotocol: subprotocol))
    let effects = client.takeEffects()
    #expect(effects.contains(.disconnect))
    #expect(effects.contains { if case .report(let report) = $0 { report.error == .syncProtocolNegotiationFailed && report.isFatal } else { false } })
    #expect(client.takeSent().isEmpty)
    client.handle(.timer(.reconnect))
    #expect(!connects(client))
  }

  @Test func sessionsSpeakInTurn() {
    var connection = ClientConnection(mode: .partition)
    var random = SystemRandomNumberGenerator()
    for key in 1...3 { _ = connection.handle(.open(key: key, bindBody: "null", file), now: 0, using: &random) }
    var sent: [String] = []
    var event = ClientConnection.Event.opened(subprotocol: "com.mongodb.realm-sync#14")
    for _ in 0..<9 {
      let effects = connection.handle(event, now: 0, using: &random)
      let messages = effects.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
      // One message for each place.
      #expect(messages.count == 1)
      sent += messages.map { Notation.text(Array($0.prefix(7).prefix { $0 != 0x0a })) }
      event = .sent
    }
    #expect(sent == ["bind 1 ", "bind 2 ", "bind 3 ", "ident 1", "ident 2", "ident 3", "mark 1 ", "mark 2 ", "mark 3 "])
    #expect(connection.handle(.sent, now: 0, using: &random).isEmpty)
  }

  @Test func textThatIsNoMessageEndsTheConnection() {
    for text in ["alloc 1\n", "download 1\n", "", "pong 1\n", "mark 0 1\n", "ident 0 1 1\n", "log_message 0 1\n{", "unbound 7\n"] {
      let client = ScriptedClient(.partition)
      client.becomeSteady(file)
      client.receive(text)
      #expect(client.takeViolation() != nil, "\(text)")
    }
  }

  @Test func logMessagesOfTheConnectionAreHandedOn() {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.receive("log_message 0 2\n{}")
    #expect(client.takeEffects() == [.log(LogBody(level: nil, text: nil, requestIdent: nil))])
    client.receive("log_message 1 2\n{}")
    #expect(client.takeWanted() == [.log(LogBody(level: nil, text: nil, requestIdent: nil))])
  }

  // MARK: Signs of life

  @Test func theFirstPingComesWithinAPeriodAndLaterOnesAtItsEnd() {
    let client = ScriptedClient(.partition)
    client.begin("null", file)
    #expect(timers(client, .ping).allSatisfy { $0 <= 60_000 })
    _ = client.takeSent()
    client.handle(.timer(.ping))
    #expect(client.takeSent() == ["ping 1000000 0\n"])
    #expect(timers(client, .pong) == [120_000])
    client.now += 50
    client.receive("pong 1000000\n")
    let waits = timers(client, .ping)
    #expect(waits.count == 1)
    #expect(waits.allSatisfy { (53_950...59_950).contains($0) })
    client.now += 55_000
    client.handle(.timer(.ping))
    #expect(client.takeSent() == ["ping 1055050 50\n"])
  }

  @Test func aPingIsSentAheadOfSessions() {
    var connection = ClientConnection(mode: .partition)
    var random = SystemRandomNumberGenerator()
    _ = connection.handle(.open(key: 1, bindBody: "null", file), now: 0, using: &random)
    _ = connection.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"), now: 0, using: &random)
    _ = connection.handle(.timer(.ping), now: 5, using: &random)
    #expect(connection.handle(.sent, now: 5, using: &random).first == .send(Notation.bytes("ping 5 0\n")))
  }

  @Test(arguments: ["pong 999999\n", "pong 1000000\npong 1000000\n"]) func anotherNumberIsRefused(_ text: String) {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.handle(.timer(.ping))
    client.receive(text)
    #expect(client.takeViolation() != nil)
  }

  @Test func aPongThatNobodyAskedForIsRefused() {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.handle(.timer(.ping))
    client.receive("pong 1000000\n")
    client.receive("pong 1000000\n")
    #expect(client.takeViolation() != nil)
  }

  @Test func withoutAPongTheConnectionIsGivenUp() {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.handle(.timer(.ping))
    client.handle(.timer(.pong))
    let effects = client.takeEffects()
    #expect(effects.contains(.disconnect))
    #expect(effects.contains { if case .report(let report) = $0 { !report.isFatal } else { false } })
    client.handle(.timer(.reconnect))
    #expect(connects(client))
  }

  @Test func aPingIsSentAtOnceWhenTheNetworkIsBackOrTheTokenNew() {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.handle(.reconnectNow)
    #expect(client.takeSent() == ["ping 1000000 0\n"])
    // Another one as soon as this one is answered.
    client.handle(.fetched)
    #expect(client.takeSent().isEmpty)
    client.receive("pong 1000000\n")
    #expect(client.takeSent() == ["ping 1000000 0\n"])
  }

  // MARK: Trying again

  @Test func theWaitDoublesWhileTheReasonStaysTheSame() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", file))
    var full: UInt64 = 1000
    for _ in 0..<12 {
      _ = client.takeEffects()
      client.handle(.failed(.unreachable))
      let waits = timers(client, .reconnect)
      #expect(waits.count == 1 && waits.allSatisfy { (full / 4 * 3...full).contains($0) })
      full = min(full * 2, 300_000)
      client.handle(.timer(.reconnect))
    }
    _ = client.takeEffects()
    client.handle(.refused(status: 503))
    #expect(timers(client, .reconnect).allSatisfy { $0 <= 1000 })
  }

  @Test func aDownloadEndsTheDoubling() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", file))
    for _ in 0..<5 {
      client.handle(.failed(.ended))
      client.handle(.timer(.reconnect))
    }
    client.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"))
    client.receive("download 1 0 0 0 0 0 0 0 0 0 0\n")
    _ = client.takeEffects()
    client.handle(.failed(.ended))
    #expect(timers(client, .reconnect).allSatisfy { $0 <= 1000 })
  }

  @Test func theNetworkCutsTheWaitShort() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", file))
    client.handle(.failed(.unreachable))
    _ = client.takeEffects()
    client.handle(.reconnectNow)
    #expect(connects(client))
  }

  @Test func aConnectionThatTakesTooLongIsGivenUp() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", file))
    _ = client.takeEffects()
    client.handle(.timer(.connect))
    #expect(client.takeEffects().contains { if case .report(let report) = $0 { report.error == .syncConnectTimeout } else { false } })
  }

  @Test func aNewTokenIsTriedAtOnceButNotAgainAndAgain() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", file))
    _ = client.takeEffects()
    client.handle(.refused(status: 401))
    #expect(client.takeEffects().contains(.fetch(.token)))
    client.handle(.fetched)
    #expect(connects(client))
    client.handle(.refused(status: 401))
    client.handle(.fetched)
    let effects = client.takeEffects()
    #expect(!effects.contains { if case .connect = $0 { true } else { false } })
    #expect(effects.contains { if case .setTimer(.reconnect, _) = $0 { true } else { false } })
  }

  @Test func aForbiddenUserIsLoggedOutAndNothingIsTriedAgain() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", file))
    _ = client.takeEffects()
    client.handle(.refused(status: 403))
    let effects = client.takeEffects()
    #expect(effects.contains(.logOut))
    #expect(!effects.contains { if case .setTimer(.reconnect, _) = $0 { true } else { false } })
    // The app opens another one.
    client.handle(.open(key: 2, bindBody: "null", file))
    #expect(connects(client))
  }

  @Test func anUnconfirmedRouteIsAskedForAgain() {
    let client = ScriptedClient(.partition, routeIsConfirmed: false)
    client.handle(.open(key: 1, bindBody: "null", file))
    _ = client.takeEffects()
    client.handle(.refused(status: 404))
    #expect(client.takeEffects() == [.disconnect, .cancelTimer(.connect), .fetch(.locationAndToken)])
    client.handle(.fetched)
    client.handle(.refused(status: 404))
    #expect(!client.takeEffects().contains(.fetch(.locationAndToken)))
  }

  @Test func aTokenDoesNotConfirmTheRoute() {
    let client = ScriptedClient(.partition, routeIsConfirmed: false)
    client.handle(.open(key: 1, bindBody: "null", file))
    client.handle(.refused(status: 401))
    client.handle(.fetched)
    _ = client.takeEffects()
    client.handle(.refused(status: 404))
    #expect(client.takeEffects().contains(.fetch(.locationAndToken)))
    client.handle(.fetchFailed)
    #expect(timers(client, .reconnect).count == 1)
  }

  @Test func theCodeOfANormalCloseIsIgnoredUntilTheTransportEnds() {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.handle(.closeFrame(code: 1000))
    #expect(client.connection.isConnected)
    client.handle(.failed(.ended))
    let effects = client.takeEffects()
    #expect(!client.connection.isConnected)
    #expect(!effects.contains { if case .report = $0 { true } else { false } })
    #expect(effects.contains { if case .setTimer(.reconnect, _) = $0 { true } else { false } })
  }

  @Test func aMessageThatWasTooBigResetsEveryFile() {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.begin("null", file, key: 2)
    client.handle(.closeFrame(code: 1009))
    #expect(client.takeWanted().filter { if case .demand(.clientReset(true, _)) = $0 { true } else { false } }.count == 2)
    #expect(!client.connection.isConnected)
  }

  @Test func anErrorOfTheConnectionComesBackOnlyIfItSaysSo() {
    for (tryAgain, code) in [(true, ErrorCode.connectionClosed), (true, .otherError), (false, .badSyntax)] {
      let client = ScriptedClient(.partition)
      client.becomeSteady(file)
      let body = ErrorBody(message: "m", tryAgain: tryAgain, action: tryAgain ? .transient : .protocolViolation)
      client.handle(.received(ServerMessage.jsonError(session: 0, code: code.rawValue, body: body.text).encoded))
      let effects = client.takeEffects()
      #expect(effects.contains(.disconnect))
      #expect(effects.contains { if case .setTimer(.reconnect, _) = $0 { true } else { false } } == tryAgain)
    }
  }

  @Test(arguments: [Int32(208), 213, 999, 115]) func anErrorOfASessionForTheConnectionIsAViolation(_ code: Int32) {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    let body = ErrorBody(message: "m", tryAgain: true, action: .transient)
    client.handle(.received(ServerMessage.jsonError(session: 0, code: code, body: body.text).encoded))
    #expect(client.takeViolation() != nil)
  }

  @Test func withoutSessionsTheConnectionLingers() {
    let client = ScriptedClient(.partition)
    client.becomeSteady(file)
    client.session(.close)
    client.receive("unbound 1\n")
    #expect(timers(client, .linger) == [30_000])
    client.handle(.open(key: 2, bindBody: "null", file))
    #expect(client.takeEffects().contains(.cancelTimer(.linger)))
    #expect(client.takeSent().last == "mark 2 1\n")
    client.session(.close, key: 2)
    client.receive("unbound 2\n")
    client.handle(.timer(.linger))
    #expect(client.takeEffects().contains(.disconnect))
    client.handle(.open(key: 3, bindBody: "null", file))
    #expect(connects(client))
  }

  @Test func numbersAreNeverUsedTwice() {
    let client = ScriptedClient(.partition)
    client.handle(.open(key: 1, bindBody: "null", file))
    for number in 1...3 {
      client.handle(.opened(subprotocol: "com.mongodb.realm-sync#14"))
      #expect(client.takeSent().first == "bind \(number) 4 0 0 0\nnull")
      client.handle(.failed(.ended))
      client.handle(.timer(.reconnect))
    }
  }
}
