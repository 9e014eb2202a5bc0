import Foundation
import Randomness
import Testing

@testable import RealmStorage

/// A short run of the fuzzer; `regnum-fuzz` alone is the long one.
@Suite struct FuzzTests {
  @Test(arguments: [false, true]) func damagedFilesLeadToErrorsOrCorrectAnswers(isEncrypted: Bool) throws {
    let directory = try RealmDirectory()
    let seed = isFullRun ? drawSeed() : 1
    var arguments = ["--seed", "\(seed)", "--count", isFullRun ? "200000" : "20000", "--findings", directory.file("findings")]
    // Reading a damaged page waits a little for a writer that might be at it, so that workers mostly sleep.
    if isEncrypted { arguments += ["--encrypted", "--jobs", "8"] }
    if !isFullRun { arguments += ["--seconds", "15"] }
    if let shared = Shared.directory {
      for name in ["realm-core", "older", "history"] { arguments += ["--dir", shared + "/fixtures/" + name] }
    }
    let run = try ToolRun("regnum-fuzz", arguments)
    #expect(run.status == 0, "seed \(seed)\n\(run.output)\n\(run.errors)")
    print(run.output.split(separator: "\n").last.map(String.init) ?? "")
  }
}
