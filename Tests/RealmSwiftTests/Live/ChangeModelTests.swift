import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What observers are told of random writes. `REGNUM_SEED` repeats a run.
@Suite(.mustEnd) struct ChangeModelTests {
  private let directory = TestDirectory(inMemory: true)

  /// Small classes are asked anew, large ones are kept up to date object by object.
  @Test(arguments: [(1, 12), (2, 24), (3, 24), (4, 60)] as [(UInt64, Int)])
  func reportsSayWhatWasWritten(_ number: UInt64, _ mostItems: Int) throws {
    IncrementalResults.leastCount.store(16, ordering: .relaxed)
    IncrementalResults.keysPerPlace.store(2, ordering: .relaxed)
    IncrementalResults.keysPerScan.store(4, ordering: .relaxed)
    let seed = testSeed &+ number
    let observing = DispatchQueue(label: "observing")
    try observing.sync {
      let model = try ChangeModel(directory.configuration([LiveItem.self, LivePart.self]), observing: observing, seed: seed, mostItems: mostItems)
      while model.transactionCount < trials(full: 25_000, tenth: 100) { if try !model.step() { break } }
      model.finish()
      if let failure = model.failure { Issue.record("seed \(seed), at most \(mostItems) objects, \(failure)") }
      let silent = model.reportCounts.filter { $0.value == 0 }.keys
      #expect(!isFullRun || silent.isEmpty, "nothing was ever reported to \(silent)")
      #expect(model.reportCounts.values.reduce(0, +) > trials(full: 100, tenth: 100))
    }
  }
}
