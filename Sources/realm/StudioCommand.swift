import ArgumentParser
import Foundation
import RealmInspection

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Becomes `realm-studio`, which is a program of its own so that nobody else needs a web server.
struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio", abstract: "Show a file in the browser: objects, queries, live changes, editing, where the bytes are.",
    discussion: """
      Runs realm-studio, which is looked for beside this program and then in PATH; 'realm studio --help' prints its options.
      Example: realm studio Dogs.realm --read-only
      """)

  @Argument(parsing: .captureForPassthrough, help: "The file, and options of realm-studio.", completion: .realmFile) var arguments: [String] = []

  func run() throws {
    guard let program = StudioCommand.program() else {
      Command.report(
        "error: realm-studio is not installed; build it with 'swift build -c release --package-path Studio' and put .build/release/realm-studio beside realm"
      )
      throw ExitCode(Diagnostics.Status.usage)
    }
    let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    _ = unsafe execv(program, words)
    Command.report("error: \(program): cannot be run (\(unsafe String(cString: strerror(errno))))")
    throw ExitCode(Diagnostics.Status.usage)
  }

  private static func program() -> String? {
    var folders: [String] = []
    if let own = Bundle.main.executableURL { folders.append(own.resolvingSymlinksInPath().deletingLastPathComponent().path) }
    folders += (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.lazy.map { $0 + "/realm-studio" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
