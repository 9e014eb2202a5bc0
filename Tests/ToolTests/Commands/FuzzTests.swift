import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// A short run of the fuzzer; `regnum-fuzz` alone is the long one.
@Suite(.mustEnd) struct FuzzTests {
  @Test(arguments: [false, true]) func damagedFilesLeadToErrorsOrCorrectAnswers(isEncrypted: Bool) throws {
    let directory = TestDirectory()
    var arguments = ["--seed", "\(testSeed)", "--count", "\(trials(full: 200_000, tenth: 20_000))", "--findings", directory.file("findings")]
    // Reading a damaged page waits a little for a writer that might be at it, so that workers mostly sleep.
    if isEncrypted { arguments += ["--encrypted", "--jobs", "8"] }
    if !isFullRun { arguments += ["--seconds", "\(trials(full: 0, tenth: 15))"] }
    let folders = ["realm-core", "history"] + (Fixture.hasOlderFormats ? ["older"] : [])
    for folder in folders { arguments += ["--dir", Fixture.folder(folder)] }
    let run = try ToolRun("regnum-fuzz", arguments)
    #expect(run.status == 0, "seed \(testSeed)\n\(run.output)\n\(run.errors)")
    print(run.output.split(separator: "\n").last.map(String.init) ?? "")
  }
  /// In as many inputs as fit into the time: there are far more.
  @Test(arguments: [["--messages"], ["--changesets", Fixture.folder("changesets")]])
  func damagedTransferIsRefusedOrComesOutTheSame(_ kind: [String]) throws {
    let time = ["--seconds", "\(trials(full: 120, tenth: 2))", "--count", "1000000000000"]
    let run = try ToolRun("regnum-fuzz", kind + ["--seed", "\(testSeed)"] + time)
    #expect(run.status == 0 && run.output.contains(" tried: "), "seed \(testSeed)\n\(run.output)\n\(run.errors)")
  }

  @Test func whatDamagesNoFilesTakesNoFiles() throws {
    let run = try ToolRun("regnum-fuzz", ["--messages", "--jobs", "4"])
    #expect(run.status == 64 && run.errors.contains("damage no files"), "\(run)")
  }
}
