import Foundation
import Testing

/// One finished run of a program.
package struct ToolRun: Sendable {
  /// The exit code, or 128 + the signal that ended it.
  package let status: Int32
  package let output: String
  package let errors: String

  /// - Parameters:
  ///   - path: the program; without a slash, it is looked for in `PATH`.
  ///   - outputPath: where standard output goes, if it is not wanted here.
  ///   - environment: variables in addition to ours.
  ///   - limit: seconds after which the program is killed and an error is thrown.
  package init(
    path: String, _ arguments: [String], outputPath: String? = nil, environment: [String: String] = [:], within limit: Int = 600
  ) throws {
    let directory = TestDirectory()
    let (outputFile, errorFile) = (outputPath ?? directory.file("output"), directory.file("errors"))
    let process = try ChildProcess(
      path, arguments, input: .nothing, output: .file(outputFile), errors: .file(errorFile), environment: environment)
    status = try process.waitForEnd(within: limit)
    output = outputPath == nil ? String(decoding: try Data(contentsOf: URL(fileURLWithPath: outputFile)), as: UTF8.self) : ""
    errors = String(decoding: try Data(contentsOf: URL(fileURLWithPath: errorFile)), as: UTF8.self)
  }

  /// An executable of this package.
  /// - Parameter launcher: variables of its environment as `NAME=value`, or a program with its arguments that runs it.
  package init(_ tool: String, _ arguments: [String], outputPath: String? = nil, launcher: [String] = [], within limit: Int = 600) throws {
    let path = PackageLocation.productDirectory + "/" + tool
    if launcher.isEmpty {
      try self.init(path: path, arguments, outputPath: outputPath, within: limit)
    } else {
      try self.init(path: "env", launcher + [path] + arguments, outputPath: outputPath, within: limit)
    }
  }

  package static func realm(_ arguments: String...) throws -> ToolRun { try ToolRun("realm", arguments) }

  /// Records an issue unless the run ended like this.
  package func expect(
    status wanted: Int32, output text: String? = nil, errors message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isRight = status == wanted && (text == nil || output == text) && (message == nil || errors == message)
    if !isRight { Issue.record("\(self)", sourceLocation: sourceLocation) }
  }

  /// Records an issue unless the tool ended with one line that names the file, contains some words and ends with advice.
  package func expectError(_ wanted: Int32, about path: String, _ words: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let isOneLine = errors.split(separator: "\n").count == 1 && errors.hasPrefix("error: \(path): ") && errors.contains(";")
    let isRight = status == wanted && isOneLine && errors.contains(words)
    if !isRight { Issue.record("\(self)", sourceLocation: sourceLocation) }
  }
}
