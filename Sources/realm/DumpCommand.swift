import ArgumentParser
import RealmInspection
import RealmStorage

struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Print the node tree of a file with the role of every node.",
    discussion: "Offsets are those that it prints behind @. Example: realm dump Dogs.realm --max 4")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.", completion: .realmFile) var file: String
  @Option(help: "Only the tree below the node at this byte offset, decimal or with 0x in front.") var ref: String?
  @Option(name: .customLong("max"), help: "Elements shown of each node.") var previewLimit = 16

  func validate() throws {
    if ref != nil && start == nil { throw ValidationError("--ref needs a number, decimal or hexadecimal with 0x in front.") }
    if previewLimit < 0 { throw ValidationError("--max needs a number from 0 on.") }
  }

  private var start: Ref? {
    guard let ref else { return nil }
    return (ref.hasPrefix("0x") ? UInt64(ref.dropFirst(2), radix: 16) : UInt64(ref)).map { Ref($0) }
  }

  func run() throws {
    try Command.read(file, common, depth: .header) { (opened) throws(StorageError) in
      let dump = Dump(opened, start: start, previewLimit: previewLimit, to: try OutputFile(nil, source: file).sink)
      let result = try dump.write()
      if let start, !dump.isFound { throw .invalidArgument(reason: "no node of the current version begins at \(start)") }
      if !result.isClean && !common.quiet {
        Command.report("\(file): \(NumberText.count(result.violationCount, "violation")); 'realm verify' lists them")
      }
      return true
    }
  }
}
