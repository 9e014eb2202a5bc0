import Dispatch
import TestSupport
import Testing

@testable import RealmSwift

/// Observers that do something while they are told. `REGNUM_SEED` repeats a run.
@Suite(.mustEnd) struct BusyObserversTests {
  private let directory = TestDirectory(inMemory: true)

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func whatIsToldFitsWhatIsThereWhateverBlocksDo(_ number: UInt64) throws {
    let seed = testSeed &+ number
    let observing = DispatchQueue(label: "observing")
    try observing.sync {
      let model = try BusyObservers(directory.configuration([BusyItem.self]), observing: observing, seed: seed)
      defer { model.finish() }
      for step in 0..<trials(full: 5_000, tenth: 50) {
        try model.step()
        guard let failure = model.failure else { continue }
        return _ = Issue.record("seed \(seed), step \(step): \(failure)")
      }
      let deeds = ["write", "end", "end of another", "beginning", "beginning in a write", "left out"]
      #expect(!isFullRun || deeds.allSatisfy { model.deedCounts[$0, default: 0] > 0 }, "\(model.deedCounts)")
    }
  }
}
