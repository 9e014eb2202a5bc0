import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// A short run of the fuzzer; `regnum-fuzz` alone is the long one.
@Suite(.mustEnd) struct FuzzTests {
  @Test(arguments: [false, true]) func damagedFilesLeadToErrorsOrCorrectAnswers(isEncrypted: Bool) throws {
    let directory = TestDirectory()
    var arguments = ["--seed", "\(testSeed)", "--count", isFullRun ? "200000" : "20000", "--findings", directory.file("findings")]
    // Reading a damaged page waits a little for a writer that might be at it, so that workers mostly sleep.
    if isEncrypted { arguments += ["--encrypted", "--jobs", "8"] }
    if !isFullRun { arguments += ["--seconds", "15"] }
    let folders = ["realm-core", "history"] + (Fixture.hasOlderFormats ? ["older"] : [])
    for folder in folders { arguments += ["--dir", Fixture.folder(folder)] }
    let run = try ToolRun("regnum-fuzz", arguments)
    #expect(run.status == 0, "seed \(testSeed)\n\(run.output)\n\(run.errors)")
    print(run.output.split(separator: "\n").last.map(String.init) ?? "")
  }
}
