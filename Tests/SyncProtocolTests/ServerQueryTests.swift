import Testing

@testable import SyncProtocol

/// Queries and bootstraps, as the server sends them (P7.2).
@Suite struct ServerQueryTests {
  private func cursor(_ server: UInt64, _ client: UInt64 = 0) -> VersionCursor { VersionCursor(serverVersion: server, clientVersion: client) }

  private func batch(_ version: UInt64, isLast: Bool, _ estimate: ProgressEstimate = .everything, entries: Int = 0) -> ServerSession.Event {
    let progress = HeadProgress(download: cursor(version), latestServer: SaltedVersion(version: version, salt: 77))
    let entry = ServerMessage.Download.Entry(cursor: cursor(version), timestamp: 0, origin: 1, changeset: [1])
    return .batchRead(
      ServerSession.Batch(progress: progress, entries: Array(repeating: entry, count: entries), estimate: estimate, isLast: isLast))
  }

  private let query = ClientMessage.Query(version: 1, text: "{\"A\":\"(x)\"}")

  private func ask(_ server: ScriptedServer, _ version: Int = 1) { server.receive("query 1 \(version) 11\n{\"A\":\"(x)\"}") }

  private func wanted(_ version: UInt64, after: VersionCursor) -> ServerSession.Effect {
    .bootstrap(ClientMessage.Query(version: version, text: "{\"A\":\"(x)\"}"), after: after)
  }

  @Test func theLastBatchOfABootstrapIsNeverEmpty() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    ask(server)
    server.session(batch(6, isLast: true))
    #expect(server.takeSent() == ["download 1 6 0 6 77 0 0 1 1 1 0 12 0\n6 0 0 1 0 0 "])
  }

  @Test func aBootstrapInPartsIsReadPartByPart() throws {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    ask(server)
    #expect(server.takeWanted() == [wanted(1, after: cursor(5))])
    server.session(batch(6, isLast: false, ProgressEstimate(1, of: 3)))
    #expect(server.takeSent() == ["download 1 6 0 6 77 0 0 1 0 0.33 0 0 0\n"])
    #expect(server.takeWanted() == [.continueBootstrap(queryVersion: 1)])
    // Nothing else comes between.
    server.session(.headMoved(9))
    server.receive("mark 1 1\n")
    server.session(.head(6, forMark: 1))
    #expect(server.takeSent().isEmpty)
    server.handle(.congestion(true))
    server.session(batch(6, isLast: false, ProgressEstimate(2, of: 3)))
    #expect(server.takeWanted() == [.readHead(forMark: 1)])
    server.handle(.congestion(false))
    #expect(server.takeWanted() == [.continueBootstrap(queryVersion: 1)])
    server.session(batch(6, isLast: true, entries: 1))
    #expect(server.takeSent().map { $0.prefix(12) } == ["download 1 6", "download 1 6", "mark 1 1\n"])
    #expect(server.takeWanted() == [.pull(after: cursor(6))])
  }

  @Test func aBootstrapWaitsForWhatWasUploadedBefore() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    server.receive("upload 1 0 10 0 4 0 0\n2 0 0 0 0 ")
    ask(server)
    #expect(server.takeWanted().count == 1)
    server.session(.integrated(cursor(0, 4), rejection: nil))
    #expect(server.takeWanted() == [wanted(1, after: cursor(5))])
  }

  @Test func aQueryThatWasNotBegunIsSkippedForANewerOne() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    server.receive("upload 1 0 10 0 4 0 0\n2 0 0 0 0 ")
    _ = server.takeWanted()
    ask(server)
    ask(server, 2)
    server.session(.integrated(cursor(0, 4), rejection: nil))
    #expect(server.takeWanted() == [wanted(2, after: cursor(5))])
    ask(server, 2)
    #expect(server.takeError()?.code == 109)
  }

  @Test func aQueryThatWasBegunIsFinished() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    ask(server)
    ask(server, 2)
    #expect(server.takeWanted() == [wanted(1, after: cursor(5))])
    server.session(batch(6, isLast: true, entries: 1))
    #expect(server.takeWanted() == [wanted(2, after: cursor(6))])
  }

  @Test(arguments: ["[]", "{\"A\":1}", "{"]) func aQueryThatIsNoneIsRefusedAndTheSessionGoesOn(_ text: String) {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    server.receive("query 1 1 \(text.utf8.count)\n\(text)")
    #expect(server.takeSent().first?.hasPrefix("query_error 226 ") == true)
    #expect(!server.isClosed)
    ask(server, 2)
    #expect(server.takeWanted() == [wanted(2, after: cursor(5))])
  }

  @Test func aQueryThatCannotBeAnsweredIsRefusedAndTheSessionGoesOn() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    ask(server)
    server.session(.queryRejected(.badQuery, "not queryable"))
    #expect(server.takeSent() == ["query_error 226 13 1 1\nnot queryable"])
    server.session(.headMoved(9))
    server.session(.pulled(server.pulled(9)))
    // Downloads still belong to the query before.
    #expect(server.takeSent() == ["download 1 9 0 9 77 0 0 0 2 1 0 0 0\n"])
  }

  @Test(arguments: [(true, 14), (false, 14), (false, 13)]) func aKnownViewGoesOnAndAnotherIsSentAnew(_ isReproducible: Bool, _ version: Int) {
    let server = ScriptedServer(.flexible, version: version)
    server.receive("bind 1 37 0 0 0\n{\"schemaVersion\":0,\"sessionReason\":0}")
    server.session(.opened)
    server.receive("ident 1 2 1011 5 0 5 77 1 11\n{\"A\":\"(x)\"}")
    server.session(.fileLoaded(ClientFileRecord(salt: 1011), current: SaltedVersion(version: 5, salt: 77)))
    #expect(server.takeWanted().last == .openView(query, after: cursor(5)))
    server.session(.viewOpened(isReproducible: isReproducible))
    if isReproducible {
      #expect(server.takeWanted() == [.pull(after: cursor(5))])
    } else if version == 14 {
      #expect(server.takeWanted() == [wanted(1, after: cursor(5))])
      server.session(batch(6, isLast: true))
      #expect(server.takeSent().count == 1)
      #expect(server.takeWanted().isEmpty)
    } else {
      #expect(server.takeError()?.code == 228)
    }
  }

  @Test func changedRightsLeadToABootstrapOfTheSameQuery() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady(query: " 1 11", queryBody: "{\"A\":\"(x)\"}")
    server.session(.viewChanged)
    #expect(server.takeWanted() == [wanted(1, after: cursor(5))])
    // Once more, while it is being sent.
    server.session(.viewChanged)
    server.session(batch(6, isLast: true))
    #expect(server.takeWanted() == [wanted(1, after: cursor(6))])
    let older = ScriptedServer(.flexible, version: 13)
    older.becomeSteady(query: " 1 11", queryBody: "{\"A\":\"(x)\"}")
    older.session(.viewChanged)
    #expect(older.takeError()?.code == 228)
  }

  @Test func changedRightsDuringABootstrapRepeatThatOne() {
    let server = ScriptedServer(.flexible)
    server.becomeSteady()
    ask(server)
    _ = server.takeWanted()
    server.session(.viewChanged)
    server.session(batch(6, isLast: true))
    #expect(server.takeWanted() == [wanted(1, after: cursor(6))])
  }

  @Test func aBindThatIsNotFlexibleEndsTheConnection() {
    let server = ScriptedServer(.flexible)
    server.receive("bind 1 8 0 0 0\n\"public\"")
    #expect(server.takeError()?.code == 103)
    #expect(server.isClosed)
  }
}
