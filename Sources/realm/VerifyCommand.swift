import ArgumentParser
import RealmInspection
import RealmStorage

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every structural invariant of a file; one violation a line.",
    discussion: "Exit status 1 if anything is wrong. Example: realm verify Dogs.realm")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to check. It is not modified.") var file: String
  @Flag(help: "Also print oddities that the format allows.") var notes = false

  func run() throws {
    try Command.run(file) { () throws(StorageError) in
      let opened = try common.open(file, depth: .header)
      let progress = Progress("verify", isQuiet: common.quiet)
      let result = opened.verify(progress: { done, total in progress.update(done, of: total) })
      progress.finish()
      for violation in result.violations { print(violation) }
      if result.violationCount > result.violations.count {
        print("and \(result.violationCount - result.violations.count) more violations")
      }
      if notes { for note in result.notes { print("note: \(note)") } }
      if !common.quiet {
        Command.report(
          "\(file): format \(opened.format)\(opened.isStreaming ? " (streaming form)" : ""), \(result.tableCount) tables, "
            + "\(result.objectCount) objects, \(result.nodeCount) nodes, \(result.usedByteCount) bytes used, \(result.freeByteCount) free, "
            + "\(result.leakedByteCount) leaked: \(result.isClean ? "no violations" : "\(result.violationCount) violations")")
      }
      return result.isClean
    }
  }
}
