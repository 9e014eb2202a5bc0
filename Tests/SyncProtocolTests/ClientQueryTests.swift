import Testing

@testable import SyncProtocol

/// Queries and bootstraps, as the client sees them (P7).
@Suite struct ClientQueryTests {
  private func steady() -> ScriptedClient {
    let client = ScriptedClient(.flexible)
    let progress = HeadProgress(download: VersionCursor(serverVersion: 2), latestServer: SaltedVersion(version: 2, salt: 77))
    client.store = { effect in
      switch effect {
      case .integrate: .integrated(version: 0)
      case .readUpload(let number, _, let through):
        .uploadRead(
          number: number,
          ClientSession.UploadBatch(entries: [], progress: VersionCursor(serverVersion: 2, clientVersion: through ?? 10), lockedServerVersion: 2))
      default: nil
      }
    }
    client.becomeSteady(
      ClientSession.File(
        ident: SaltedIdent(ident: 2, salt: 1011), progress: progress, version: 10, query: ClientMessage.Query(version: 0, text: "{}")))
    return client
  }

  private func pending(_ version: UInt64, _ snapshot: UInt64) -> ClientSession.Event {
    .queryPending(ClientSession.PendingQuery(ClientMessage.Query(version: version, text: "{\"A\":\"(x)\"}"), snapshotVersion: snapshot))
  }

  private func states(_ client: ScriptedClient) -> [ClientSession.QueryState] {
    client.takeWanted().compactMap { if case .queryChanged(_, let state) = $0 { state } else { nil } }
  }

  @Test func aQueryWaitsForWhatWasChangedBeforeIt() {
    let client = steady()
    client.store = { _ in nil }
    client.session(.versionMade(20))
    client.session(pending(1, 15))
    #expect(client.takeSent().isEmpty)
    let entry = ClientMessage.Upload.Entry(cursor: VersionCursor(serverVersion: 2, clientVersion: 12), timestamp: 1, changeset: [1])
    guard case .readUpload(let number, _, _)? = client.takeWanted().last(where: { if case .readUpload = $0 { true } else { false } }) else {
      Issue.record("nothing is read")
      return
    }
    let batch = ClientSession.UploadBatch(entries: [entry], progress: VersionCursor(serverVersion: 2, clientVersion: 13), lockedServerVersion: 2)
    client.session(.uploadRead(number: number, batch))
    #expect(client.takeSent().first?.hasPrefix("upload ") == true)
    // The rest up to the query, and nothing behind it.
    #expect(client.takeWanted() == [.readUpload(number: number + 1, after: 13, through: 15)])
    let rest = ClientSession.UploadBatch(entries: [], progress: VersionCursor(serverVersion: 2, clientVersion: 15), lockedServerVersion: 2)
    client.session(.uploadRead(number: number + 1, rest))
    #expect(client.takeSent() == ["query 1 1 11\n{\"A\":\"(x)\"}", "mark 1 2\n"])
    #expect(client.takeWanted() == [.readUpload(number: number + 2, after: 15, through: nil)])
  }

  @Test func queriesArePipelined() {
    let client = steady()
    client.session(pending(1, 5))
    client.session(pending(2, 6))
    #expect(client.takeSent() == ["query 1 1 11\n{\"A\":\"(x)\"}", "mark 1 2\n", "query 1 2 11\n{\"A\":\"(x)\"}", "mark 1 3\n"])
    // The server may skip to the newest.
    client.receive("download 1 4 0 4 77 0 0 2 1 1 0 12 0\n4 0 0 1 0 0 ")
    client.receive("mark 1 3\n")
    #expect(states(client) == [.bootstrapping, .awaitingMark, .complete])
  }

  @Test func aBootstrapInPartsBeginsOnceAndEndsOnce() {
    let client = steady()
    client.session(pending(1, 5))
    client.receive("download 1 4 0 4 77 0 0 1 0 0 0 0 0\n")
    client.receive("download 1 4 0 4 77 0 0 1 0 0.5 0 12 0\n4 0 0 1 0 0 ")
    #expect(states(client) == [.bootstrapping])
    client.receive("download 1 4 0 4 77 0 0 1 1 1 0 12 0\n4 0 0 1 0 0 ")
    #expect(states(client) == [.awaitingMark])
    client.receive("mark 1 2\n")
    #expect(states(client) == [.complete])
  }

  @Test func partsAreToldApartFromThoseOfABootstrapThatBroke() {
    let client = steady()
    client.session(pending(1, 5))
    func begins() -> [Bool] { client.takeWanted().compactMap { if case .integrate(_, let begins) = $0 { begins } else { nil } } }
    client.receive("download 1 4 0 4 77 0 0 1 0 0 0 0 0\n")
    client.receive("download 1 4 0 4 77 0 0 1 0 0 0 0 0\n")
    #expect(begins() == [true, false])
    client.handle(.failed(.ended))
    client.handle(.timer(.reconnect))
    client.handle(.opened(subprotocol: "com.mongodb.realm-query-sync#14"))
    // It identifies itself with what it has, and asks again.
    #expect(
      client.takeSent().suffix(4).map { $0.prefix { $0 != "\n" } } == ["ident 2 2 1011 2 0 2 77 0 2", "mark 2 2", "query 2 1 11", "mark 2 3"])
    client.receive("download 2 4 0 4 77 0 0 1 1 1 0 12 0\n4 0 0 1 0 0 ")
    #expect(begins() == [true])
  }

  @Test func onlyTheLastBatchMovesTheProgress() {
    let client = steady()
    client.session(pending(1, 5))
    client.receive("download 1 4 0 4 77 0 0 1 0 0 0 0 0\n")
    client.handle(.failed(.ended))
    client.handle(.timer(.reconnect))
    _ = client.takeSent()
    client.handle(.opened(subprotocol: "com.mongodb.realm-query-sync#14"))
    #expect(client.takeSent().contains("ident 2 2 1011 2 0 2 77 0 2\n{}"))
  }

  @Test(arguments: ["download 1 4 0 4 77 0 0 2 1 1 0 12 0\n4 0 0 1 0 0 ", "query_error 226 1 1 2\nx"])
  func anAnswerToAQueryThatWasNeverAskedIsRefused(_ text: String) {
    let client = steady()
    client.session(pending(1, 5))
    client.receive(text)
    #expect(client.takeViolation()?.contains("was the last one") == true)
  }

  @Test func aBootstrapOfAQueryThatWasReplacedIsRefused() {
    let client = steady()
    client.session(pending(1, 5))
    client.receive("download 1 4 0 4 77 0 0 1 1 1 0 12 0\n4 0 0 1 0 0 ")
    client.receive("download 1 5 0 5 77 0 0 0 1 1 0 12 0\n5 0 0 1 0 0 ")
    #expect(client.takeViolation()?.contains("bootstrap of query 0") == true)
  }

  @Test func theServerMayBootstrapTheSameQueryAgain() {
    let client = steady()
    client.receive("download 1 4 0 4 77 0 0 0 1 1 0 12 0\n4 0 0 1 0 0 ")
    #expect(client.takeViolation() == nil)
  }

  @Test func aQueryThatCannotBeAnsweredLeavesTheSessionAlone() {
    let client = steady()
    client.session(pending(1, 5))
    client.receive("query_error 226 3 1 1\nbad")
    #expect(states(client) == [.error("bad")])
    client.session(pending(2, 5))
    #expect(client.takeSent().contains("query 1 2 11\n{\"A\":\"(x)\"}"))
  }

  @Test func aMarkThatCameTooEarlyIsAskedForAgain() {
    let client = steady()
    client.session(pending(1, 5))
    client.receive("mark 1 2\n")
    _ = client.takeSent()
    client.receive("download 1 4 0 4 77 0 0 1 1 1 0 12 0\n4 0 0 1 0 0 ")
    #expect(client.takeSent().contains("mark 1 3\n"))
    client.receive("mark 1 3\n")
    #expect(states(client).last == .complete)
  }

  @Test func aFileThatAwaitsItsMarkAsksForOne() {
    let client = ScriptedClient(.flexible)
    var file = ClientSession.File(ident: SaltedIdent(ident: 2, salt: 5), version: 3, query: ClientMessage.Query(version: 1, text: "{}"))
    file.queryAwaitsMark = true
    client.begin(FlexibleBind().text, file)
    #expect(client.takeSent().last?.hasPrefix("mark 1 ") == true)
    client.receive("mark 1 2\n")
    #expect(states(client) == [.complete])
  }

  @Test func afterTheSentinelOfAMigrationNothingIsSent() {
    let client = steady()
    client.session(.migrationSentinelChanged(1))
    client.session(pending(1, 5))
    #expect(client.takeSent().count == 2)
    client.session(pending(2, 5))
    client.session(.versionMade(30))
    #expect(client.takeSent().isEmpty)
    client.session(.migrationSentinelChanged(nil))
    #expect(!client.takeSent().isEmpty)
  }
}
