import Dispatch
import Foundation
import Randomness
import RealmStorage

/// Processes that write until they are killed, one after the other, at any moment: the commits that they were told of stay, and everybody else goes on.
final class Victims: Sendable {
  private let committed = Locked<[Int: Int]>([:])
  private let end = DispatchGroup()
  /// Of each process.
  static let writerCount = 2

  /// - Parameter seconds: how long new ones are started.
  init(_ file: URL, _ seconds: Double, seed: UInt64, _ ledger: Ledger) {
    let until = Date(timeIntervalSinceNow: seconds)
    end.enter()
    Thread.detachNewThread { [self] in
      var random = SeededGenerator(seed: seed &+ 2)
      var first = 2001
      while Date() < until {
        _ = ledger.attempt("killing") {
          let told = try Self.startAndKill(file, first, after: Double(1 + random.below(100)) / 100, seed, ledger)
          committed.withLock { $0.merge(told) { $1 } }
        }
        ledger.count("killed processes")
        first += Self.writerCount
      }
      end.leave()
    }
  }

  /// - Returns: by writer, how many commits it was told of. Each may have made one more.
  func finish() async -> [Int: Int] {
    await withCheckedContinuation { continuation in end.notify(queue: .global()) { continuation.resume() } }
    return committed.withLock { $0 }
  }

  private static func startAndKill(_ file: URL, _ first: Int, after seconds: Double, _ seed: UInt64, _ ledger: Ledger) throws -> [Int: Int] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    // Ends by itself if nobody is left to kill it.
    process.arguments = ["--victim", file.path, "--first", "\(first)", "--seconds", "60", "--seed", "\(seed)"]
    process.standardOutput = output
    try process.run()
    Thread.sleep(forTimeInterval: seconds)
    if !process.isRunning { ledger.violation("a process ended before it was killed") }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    var told: [Int: Int] = [:]
    for line in String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      if numbers.count == 2 { told[numbers[0]] = numbers[1] }
    }
    return told
  }

  /// What such a process does.
  static func write(_ path: String, first: Int, seconds: Double, seed: UInt64) {
    let ledger = Ledger()
    let hands = Hands(configuration: Crew.configuration(URL(fileURLWithPath: path)), ledger: ledger, tellsOfCommits: true)
    let until = Date(timeIntervalSinceNow: seconds)
    for writer in 0..<writerCount {
      Thread.detachNewThread { _ = hands.write(Editor(first + writer, seed: seed), until: until) }
    }
    while Date() < until, ledger.violationCount == 0 { Thread.sleep(forTimeInterval: 0.01) }
  }
}
