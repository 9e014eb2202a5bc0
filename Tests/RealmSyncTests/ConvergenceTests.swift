import Randomness
import SyncSimulation
import TestSupport
import Testing

/// Files that change, lose each other and find each other again.
@Suite struct ConvergenceTests {
  private static let count = trials(full: 3_000, tenth: 60)

  @Test func allFilesAreEqualInTheEndAndNothingIsLost() throws {
    var seeds = SeededGenerator(test: 50)
    for _ in 0..<Self.count { try simulate(seeds.next()) }
  }

  @Test func manyClientsComeTogether() throws {
    var seeds = SeededGenerator(test: 51)
    for _ in 0..<trials(full: 100, tenth: 2) {
      var plan = Simulation.Plan()
      (plan.clientCount, plan.eventCount) = (8, 300)
      try simulate(seeds.next(), plan)
    }
  }

  private func simulate(_ seed: UInt64, _ plan: Simulation.Plan = Simulation.Plan()) throws {
    let directory = TestDirectory(inMemory: true)
    try Simulation(seed: seed, directory: directory.path, plan: plan).run()
  }
}
