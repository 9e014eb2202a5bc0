import Foundation
import Testing

/// One finished run of an executable of this package.
struct ToolRun {
  let status: Int32
  let output: String
  let errors: String

  /// - Parameter outputPath: where standard output goes, if it is not wanted here.
  init(_ tool: String, _ arguments: [String], outputPath: String? = nil, launcher: [String] = []) throws {
    let directory = try RealmDirectory()
    let (outputFile, errorFile) = (outputPath ?? directory.file("output"), directory.file("errors"))
    if outputPath == nil { _ = FileManager.default.createFile(atPath: outputFile, contents: nil) }
    _ = FileManager.default.createFile(atPath: errorFile, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = launcher + [ChildProcess.productDirectory + "/" + tool] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: outputFile)
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    try process.run()
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    output = outputPath == nil ? String(decoding: try Data(contentsOf: URL(fileURLWithPath: outputFile)), as: UTF8.self) : ""
    errors = String(decoding: try Data(contentsOf: URL(fileURLWithPath: errorFile)), as: UTF8.self)
  }

  static func realm(_ arguments: String...) throws -> ToolRun { try ToolRun("realm", arguments) }

  /// Records an issue unless the run ended like this.
  func expect(status wanted: Int32, output text: String? = nil, errors message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    let isRight = status == wanted && (text == nil || output == text) && (message == nil || errors == message)
    if !isRight { Issue.record("\(self)", sourceLocation: sourceLocation) }
  }

  /// Records an issue unless the tool ended with one line that names the file, contains some words and ends with advice.
  func expectError(_ wanted: Int32, about path: String, _ words: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let isOneLine = errors.split(separator: "\n").count == 1 && errors.hasPrefix("error: \(path): ") && errors.contains(";")
    let isRight = status == wanted && isOneLine && errors.contains(words)
    if !isRight { Issue.record("\(self)", sourceLocation: sourceLocation) }
  }
}
