import Foundation

/// The second process.
struct Partner {
  private let process = Process()
  private let output = Pipe()

  init(_ file: URL, _ soak: Soak) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--partner", file.path, "--seconds", "\(soak.seconds)", "--threads", "\(soak.threads)", "--seed", "\(soak.seed)"]
    process.standardOutput = output
    try process.run()
  }

  /// Waits for its end.
  /// - Returns: by writer, how many transactions it has committed.
  func finish(_ ledger: Ledger) throws -> [Int: Int] {
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus != 0 || process.terminationReason != .exit {
      ledger.violation("the other process ended with \(process.terminationStatus)")
    }
    var committed: [Int: Int] = [:]
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      if numbers.count == 2 { committed[numbers[0]] = numbers[1] }
    }
    return committed
  }
}
