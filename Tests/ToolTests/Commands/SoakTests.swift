import Foundation
import TestSupport
import Testing

/// A short run of the soak; `regnum-soak` alone is the long one, and `.ci/run` has one under ThreadSanitizer.
@Suite(.mustEnd) struct SoakTests {
  @Test func threadsOfTwoProcessesAreToldWhatIsThere() throws {
    let run = try ToolRun(
      "regnum-soak", ["--seed", "\(testSeed)", "--seconds", "\(isFullRun ? 600 : max(2, trials(full: 600, tenth: 6)))"], within: 1200)
    #expect(run.status == 0, "seed \(testSeed)\n\(run.output)\n\(run.errors)")
    for happened in [
      "synchronous commits", "asynchronous commits", "cancelled writes", "reports", "rounds of observing", "rounds of reading", "killed processes",
    ] {
      #expect(run.output.contains("\n\(happened): "), "\(happened)")
    }
    #expect(run.output.hasSuffix("soak: 0 violations\n"))
  }
}
