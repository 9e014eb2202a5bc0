import Testing

@testable import SyncProtocol

@Suite struct ReactionTests {
  @Test func codesThatEndClientsAreKnown() {
    let ending = ErrorCode.allCases.filter(\.endsClients).map(\.rawValue)
    #expect(ending == [104, 202, 203, 205, 207, 214, 215, 218, 219, 220, 221, 224])
    #expect(ErrorCode(rawValue: 213) == nil)
    #expect(ErrorCode.allCases.filter { !$0.isOfSession }.map(\.rawValue) == Array(100...114))
  }

  @Test(arguments: [
    (ErrorCode.badClientFileIdent, SDKError.syncClientResetRequired, ErrorAction.clientReset), (.badChangeset, .badChangeset, .applicationBug),
    (.compensatingWrite, .syncCompensatingWrite, .warning), (.sessionClosed, .connectionClosed, .transient),
    (.badMessageOrder, .syncProtocolInvariantFailed, .protocolViolation), (.switchToFlexibleSync, .wrongSyncType, .applicationBug),
    (.schemaVersionChanged, .syncSchemaMigrationError, .migrateSchema), (.writeNotAllowed, .syncWriteNotAllowed, .clientReset),
  ])
  func codesHaveTheNamesOfTheSDKsAndTheirActions(_ code: ErrorCode, _ name: SDKError, _ action: ErrorAction) {
    #expect(code.sdkError == name)
    #expect(code.usualAction == action)
  }

  @Test func closeCodesHaveTheirReactions() {
    #expect(ClosingReaction(closeCode: 1000) == ClosingReaction(retry: .notOver))
    for code: UInt16 in [1001, 1002, 1003, 1005, 1007, 1008, 1010, 1012, 1013, 3000, 4000, 4999] {
      let reaction = ClosingReaction(closeCode: code)
      #expect(reaction == ClosingReaction(retry: .afterBackOff, report: .init(.syncProtocolInvariantFailed, isFatal: false)))
    }
    for code: UInt16 in [1006, 4001] { #expect(ClosingReaction(closeCode: code) == ClosingReaction(retry: .afterFetching, fetch: .token)) }
    #expect(ClosingReaction(closeCode: 1009).resets)
    #expect(ClosingReaction(closeCode: 1009).report?.error == .limitExceeded)
    #expect(ClosingReaction(closeCode: 1011).report?.error == .connectionClosed)
    #expect(ClosingReaction(closeCode: 1015).report?.error == .tlsHandshakeFailed)
    #expect(ClosingReaction(closeCode: 4002).logsOut)
    #expect(ClosingReaction(closeCode: 4003).fetch == .locationAndToken)
  }

  @Test(arguments: [true, false]) func statusesHaveTheirReactions(_ isConfirmed: Bool) {
    func reaction(_ status: Int) -> ClosingReaction { ClosingReaction(status: status, routeIsConfirmed: isConfirmed) }
    #expect(reaction(401) == ClosingReaction(retry: .afterFetching, fetch: .token))
    #expect(reaction(403) == ClosingReaction(retry: .never, report: .init(.authError, isFatal: true), logsOut: true))
    for status in [301, 308] { #expect(reaction(status) == ClosingReaction(retry: .afterFetching, fetch: .locationAndToken)) }
    for status in [302, 307, 500, 503] { #expect(reaction(status).retry == .afterBackOff) }
    for status in [400, 404, 426, 200] {
      #expect(reaction(status).retry == (isConfirmed ? .afterBackOff : .afterFetching))
      #expect(reaction(status).fetch == (isConfirmed ? .nothing : .locationAndToken))
    }
  }

  @Test func aPlainEndOfTheTransportIsSilent() {
    #expect(ClosingReaction(.ended, routeIsConfirmed: true) == ClosingReaction(retry: .afterBackOff))
    #expect(ClosingReaction(.tls, routeIsConfirmed: true).report?.error == .tlsHandshakeFailed)
    #expect(ClosingReaction(.unreachable, routeIsConfirmed: false).fetch == .locationAndToken)
    #expect(ClosingReaction(.timedOut, routeIsConfirmed: true).report?.error == .syncConnectTimeout)
  }
}

@Suite struct VersionTests {
  @Test func aClientOffersItsVersionsNewestFirst() {
    #expect(ProtocolVersion.offer(.partition) == "com.mongodb.realm-sync#14, com.mongodb.realm-sync#13, com.mongodb.realm-sync#12")
    #expect(ProtocolVersion.offer(.flexible, 13...14) == "com.mongodb.realm-query-sync#14, com.mongodb.realm-query-sync#13")
  }

  @Test func aServerTakesTheNewestThatItKnows() {
    let offer = (2...14).reversed().map { "com.mongodb.realm-query-sync#\($0)" }.joined(separator: ", ")
    #expect(ProtocolVersion.chosen(fromOffer: offer)?.token == "com.mongodb.realm-query-sync#14")
    #expect(ProtocolVersion.chosen(fromOffer: offer, 12...13)?.token == "com.mongodb.realm-query-sync#13")
    #expect(ProtocolVersion.chosen(fromOffer: "com.mongodb.realm-sync#13,com.mongodb.realm-sync#99") == ProtocolVersion(mode: .partition, number: 13))
  }

  @Test(arguments: [
    "", "chat", "com.mongodb.realm-sync/14", "com.mongodb.realm-sync#11", "com.mongodb.realm-sync#", "com.mongodb.realm-sync#14x",
    "com.mongodb.realm-sync#014", "com.mongodb.realm-sync#+14", "com.mongodb.realm-sync#99999999999999999999",
  ])
  func withoutAVersionThatBothKnowThereIsNone(_ offer: String) {
    #expect(ProtocolVersion.chosen(fromOffer: offer) == nil)
  }

  @Test func aClientTakesOnlyWhatItOffered() {
    #expect(ProtocolVersion.agreed(answer: "com.mongodb.realm-sync#14", .partition)?.number == 14)
    for answer in [nil, "", "com.mongodb.realm-query-sync#14", "com.mongodb.realm-sync#15", "com.mongodb.realm-sync#11"] {
      #expect(ProtocolVersion.agreed(answer: answer, .partition) == nil)
    }
  }

  @Test func theTokenStandsBehindTheRoute() throws {
    let route = try #require(SyncRoute.route(syncRoute: nil, host: "wss://ws.example.org", appIdent: "myapp-abcde"))
    #expect(route == "wss://ws.example.org/api/client/v2.0/app/myapp-abcde/realm-sync")
    #expect(SyncRoute.url(route: route, accessToken: "eyJ.a_b-c+d") == route + "?baas_at=eyJ.a_b-c%2Bd")
    #expect(SyncRoute.route(syncRoute: "ws://h/r", host: "", appIdent: "a") == "ws://h/r")
    for bad in ["ws://h/r?x", "ws://h/r#x", "http://h/r", "h/r"] { #expect(SyncRoute.route(syncRoute: bad, host: "", appIdent: "a") == nil) }
  }

  @Test func aServerFindsTheTokenInTheTarget() throws {
    let parts = try #require(SyncRoute.parts(ofTarget: "/api/client/v2.0/app/a/realm-sync?x=1&baas_at=eyJ%2Bd"))
    #expect(parts.path == "/api/client/v2.0/app/a/realm-sync")
    #expect(parts.token == "eyJ+d")
    #expect(SyncRoute.parts(ofTarget: "/a")?.token == "")
    for bad in ["", "a", "/a#b", "/a?baas_at=%4", "/a?baas_at=%zz", "/a?baas_at=%ff", "/a?baas_at=%+1"] {
      #expect(SyncRoute.parts(ofTarget: bad) == nil)
    }
  }
}
