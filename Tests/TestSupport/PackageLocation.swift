import Foundation

/// Where the package lies, and what was built of it.
package enum PackageLocation {
  package static let directory =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Where the executables of the package lie: beside the test bundle.
  package static let productDirectory: String = {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let isOurs = executable.pathExtension == "xctest"
    return (isOurs ? executable : URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent().path
  }()
}
