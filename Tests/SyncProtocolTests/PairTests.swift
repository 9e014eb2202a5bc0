import Randomness
import TestSupport
import Testing

@testable import SyncProtocol

@Suite struct PairTests {
  /// Names are durable before they are sent, changes arrive once and in order, waits end when everything is there, and nobody ever finds fault with the
  /// other.
  @Test(arguments: SyncMode.allCases) func honestPeersNeverFindFaultWithEachOther(_ mode: SyncMode) throws {
    var random = SeededGenerator(test: mode == .partition ? 1 : 2)
    for round in 0..<trials(full: 2000, tenth: 40) {
      let seed = random.next()
      let simulation = PairSimulation(seed: seed, mode: mode)
      do { try simulation.run() } catch {
        Issue.record("round \(round), seed \(seed): \(error)")
        return
      }
    }
  }
}
