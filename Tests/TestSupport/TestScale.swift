import Foundation
import Randomness

/// `REGNUM_FULL=1`: the long form of tests that try much. Otherwise they try about a tenth.
package let isFullRun = ProcessInfo.processInfo.environment["REGNUM_FULL"] == "1"

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
