import Foundation

/// `regnum-test-agent` as a second process, spoken to in lines.
final class AgentProcess: @unchecked Sendable {
  // SAFETY: used by one task at a time; `process` and the pipes are thread-safe.
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init(_ arguments: String...) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("regnum-test-agent")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }
  deinit {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
  }

  var identifier: Int32 { process.processIdentifier }

  func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// The next line of its output; waits for it.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread.append(more)
    }
  }

  /// Ends its input and waits until it is gone.
  func end() -> [String] {
    try? input.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  /// Time on the processor so far, in hundredths of a second.
  func processorTicks() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    let fields = text[text.range(of: ") ", options: .backwards)!.upperBound...].split(separator: " ")
    return Int(fields[11])! + Int(fields[12])!
  }
}
