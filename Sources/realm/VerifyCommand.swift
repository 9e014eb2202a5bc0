import ArgumentParser
import RealmInspection
import RealmStorage

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every structural invariant of a file; one violation a line.",
    discussion: "Exit status 1 if anything is wrong. Example: realm verify Dogs.realm")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to check. It is not modified.", completion: .realmFile) var file: String
  @Flag(help: "Also print oddities that the format allows.") var notes = false

  @Flag(help: "The result as JSON.") var json = false

  func run() throws {
    let progress = Progress("verify", isQuiet: common.quiet)
    defer { progress.finish() }
    try Command.read(file, common, depth: .header) { (opened) throws(StorageError) in
      let result = opened.verify(progress: { done, total in progress.update(done, of: total) })
      progress.finish()
      if json {
        try Command.answer(text(opened, result) + "\n")
        return result.isClean
      }
      var lines = result.violations.map { "\($0)" }
      if result.violationCount > result.violations.count {
        lines.append("and \(NumberText.count(result.violationCount - result.violations.count, "more violation"))")
      }
      if notes { lines += result.notes.map { "note: \($0)" } }
      if !lines.isEmpty { try Command.answer(lines.joined(separator: "\n") + "\n") }
      if !common.quiet {
        Command.report(
          "\(file): format \(opened.format)\(opened.isStreaming ? " (streaming form)" : ""), \(NumberText.count(result.tableCount, "table")), "
            + "\(NumberText.count(result.objectCount, "object")), \(NumberText.count(result.nodeCount, "node")), \(result.usedByteCount) bytes used, \(result.freeByteCount) free, "
            + "\(result.leakedByteCount) leaked: \(Diagnostics.verdict(result))")
      }
      return result.isClean
    }
  }

  private func text(_ opened: OpenFile, _ result: Verification) -> String {
    func list(_ lines: [String]) -> String { "[" + lines.map { JSONText.string($0) }.joined(separator: ",") + "]" }
    let numbers: [(String, any CustomStringConvertible)] = [
      ("fileFormat", opened.format), ("isStreaming", opened.isStreaming), ("tables", result.tableCount), ("objects", result.objectCount),
      ("nodes", result.nodeCount), ("usedBytes", result.usedByteCount), ("freeBytes", result.freeByteCount),
      ("leakedBytes", result.leakedByteCount), ("violationCount", result.violationCount),
    ]
    let members = numbers.map { "\"\($0)\":\($1)" } + ["\"violations\":" + list(result.violations.map { "\($0)" })]
    return "{" + (members + (notes ? ["\"notes\":" + list(result.notes.map { "\($0)" })] : [])).joined(separator: ",") + "}"
  }
}
