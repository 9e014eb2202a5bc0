import Foundation
import TestSupport

/// How often threads of a process give up the processor of their own accord: each time they wake they do so once more.
enum SleepCount {
  /// - Parameter process: its number, or `self` for this one without the calling thread.
  static func of(_ process: String, for time: Duration) throws -> Int {
    let before = try all(process)
    letPass(milliseconds: Int(time / .milliseconds(1)))
    return try all(process).reduce(0) { $0 + max(0, $1.value - (before[$1.key] ?? 0)) }
  }

  /// The least of some periods of two seconds, because a thread may wake to end itself.
  /// - Parameter isEnough: gets how many there were, and the least until now.
  static func least(until isEnough: (Int, Int) -> Bool) throws -> Int {
    var (count, least) = (0, Int.max)
    repeat {
      least = min(least, try of("self", for: .seconds(2)))
      count += 1
    } while !isEnough(count, least)
    return least
  }

  /// By thread.
  private static func all(_ process: String) throws -> [String: Int] {
    let own = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")).lastPathComponent
    var counts: [String: Int] = [:]
    for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") where thread != own {
      // It may have ended meanwhile.
      guard let status = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8) else { continue }
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      counts[thread] = line.flatMap { Int($0.split(separator: "\t")[1]) }
    }
    return counts
  }
}
