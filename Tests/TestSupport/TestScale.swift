import Foundation
import Randomness

/// How much tests try that could go on for hours: random models, crashes, killed processes, damaged and recorded files.
package enum TestScale {
  /// What `swift test` tries unless it is told otherwise: other cases in each run.
  case hundredth
  /// `REGNUM_TENTH=1`, as CI does.
  case tenth
  /// `REGNUM_FULL=1`.
  case full

  package static let current: TestScale = {
    let environment = ProcessInfo.processInfo.environment
    return environment["REGNUM_FULL"] == "1" ? .full : environment["REGNUM_TENTH"] == "1" ? .tenth : .hundredth
  }()
}

package let isFullRun = TestScale.current == .full

/// How many times something is tried. A run that tries less than a tenth still tries it.
package func trials(full: Int, tenth: Int) -> Int {
  switch TestScale.current {
  case .full: full
  case .tenth: tenth
  case .hundredth: max(1, tenth / 8)
  }
}

/// All of the cases of a test, which are alike, or every fourth of them, beginning where ``testSeed`` says; one at least.
package func sample<Case>(_ cases: [Case]) -> [Case] {
  guard TestScale.current == .hundredth, !cases.isEmpty else { return cases }
  return stride(from: Int(testSeed % UInt64(min(4, cases.count))), to: cases.count, by: 4).map { cases[$0] }
}

/// `REGNUM_STEP=1`: model tests compare after every operation, for finding the one to blame.
package let stepsSingly = ProcessInfo.processInfo.environment["REGNUM_STEP"] == "1"

/// `REGNUM_KEEP=PATH`: where a copy of a file that was found damaged goes.
package let pathForDamagedFile = ProcessInfo.processInfo.environment["REGNUM_KEEP"]

/// The seed of all random numbers of this run: what `REGNUM_SEED` says, or a new one. Printed when it is first used, so that the log of every
/// failed run has it, also of one that ended with a trap.
package let testSeed: UInt64 = {
  let chosen = ProcessInfo.processInfo.environment["REGNUM_SEED"].flatMap { UInt64($0) }
  let seed = chosen ?? UInt64.random(in: 0 ... .max)
  FileHandle.standardError.write(Data("note: REGNUM_SEED=\(seed) repeats the random numbers of this run\n".utf8))
  return seed
}()

extension SeededGenerator {
  /// Random numbers for a test, which ``testSeed`` repeats.
  /// - Parameter number: tells generators of one test apart, or cases of a test with arguments.
  package init(test number: UInt64 = 0) { self.init(seed: testSeed &+ number) }
}
/// Seconds that a test waits for what has to happen. In a full run others take the processor, and the main actor, for minutes.
package let patience = isFullRun ? 600 : 30
