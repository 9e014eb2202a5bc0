import Randomness
import TestSupport
import Testing

@testable import SyncProtocol

@Suite struct DamageTests {
  @Test(arguments: SyncMode.allCases) func anyMessageIsReadAsItWasWritten(_ mode: SyncMode) throws {
    var messages = RandomMessage(random: SeededGenerator(test: mode == .partition ? 3 : 4))
    for _ in 0..<trials(full: 100_000, tenth: 5_000) {
      let client = messages.client(mode)
      #expect(try ClientMessage(parsing: client.encoded, mode: mode) == client)
      let server = messages.server(mode)
      #expect(try ServerMessage(parsing: server.encoded, mode: mode) == server)
    }
  }

  @Test(arguments: SyncMode.allCases) func everySampleIsSound(_ mode: SyncMode) throws {
    for bytes in MessageSamples.client(mode) { #expect(try ClientMessage(parsing: bytes, mode: mode).encoded == bytes) }
    for bytes in MessageSamples.server(mode) { #expect(try ServerMessage(parsing: bytes, mode: mode).encoded == bytes) }
  }

  @Test(arguments: SyncMode.allCases) func everyShorterMessageIsRefused(_ mode: SyncMode) {
    for bytes in MessageSamples.client(mode) {
      for count in bytes.indices {
        #expect(throws: ProtocolError.self) { try ClientMessage(parsing: Array(bytes.prefix(count)), mode: mode) }
      }
    }
    for bytes in MessageSamples.server(mode) {
      for count in bytes.indices {
        #expect(throws: ProtocolError.self) { try ServerMessage(parsing: Array(bytes.prefix(count)), mode: mode) }
      }
    }
  }

  /// Nothing traps, and what passes is what it seems.
  @Test(arguments: SyncMode.allCases) func damagedMessagesDoNoHarm(_ mode: SyncMode) {
    var random = SeededGenerator(test: mode == .partition ? 5 : 6)
    let (client, server) = (MessageSamples.client(mode), MessageSamples.server(mode))
    var trial = MessageTrial(mode: mode)
    for number in 0..<trials(full: 500_000, tenth: 10_000) {
      let isClient = number.isMultiple(of: 2)
      let bytes = random.below(20) == 0 ? (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) } : nil
      let damaged = bytes ?? MessageSamples.damaged(isClient ? client : server, using: &random)
      let problem =
        isClient
        ? trial.problem(withClientMessage: damaged, using: &random) : trial.problem(withServerMessage: damaged, using: &random)
      if let problem { Issue.record("\(Notation.text(damaged)) \(problem)") }
    }
    #expect(trial.refusedCount > 0)
  }

  /// Messages that are sound, in any order, with stores that answer anything.
  @Test(arguments: SyncMode.allCases) func soundMessagesInAnyOrderDoNoHarm(_ mode: SyncMode) {
    var messages = RandomMessage(random: SeededGenerator(test: mode == .partition ? 7 : 8))
    var random = SeededGenerator(test: mode == .partition ? 9 : 10)
    let (client, server) = (MessageSamples.client(mode), MessageSamples.server(mode))
    var trial = MessageTrial(mode: mode)
    for _ in 0..<trials(full: 200_000, tenth: 5_000) {
      let isAny = random.below(3) == 0
      let said = isAny ? messages.client(mode).encoded : client[random.below(client.count)]
      #expect(trial.problem(withClientMessage: said, using: &random) == nil)
      let answered = isAny ? messages.server(mode).encoded : server[random.below(server.count)]
      #expect(trial.problem(withServerMessage: answered, using: &random) == nil)
    }
    #expect(trial.refusedCount == 0)
  }
}
