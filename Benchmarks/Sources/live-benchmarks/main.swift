import Foundation
import RealmSwift

// live-benchmarks [--quick] [--only TEXT] [--json]: what it costs to tell an observer of changes, at 100 to 1,000,000 items. --quick is only the first
// table, up to 10,000 items, for one observer.

let roundCount = 5
let changeCount = 50
/// Of the items that are changed at once.
let shares = [0.001, 0.01, 0.1, 1]
/// Telling of many changes may take twice as long as evaluating anew, or so much longer for each change: finding out what it was, and naming its
/// position. One that comes alone takes ten times as much.
let microsecondsPerChange = 2.5

struct Run {
  private let counts: [Int]
  private let stages: [Stage]
  private let peers: [Peer]
  private let chosen: [Row]
  private let isWhole: Bool

  init(isQuick: Bool, only: String?, in directory: URL) throws {
    counts = isQuick ? [100, 10_000] : [100, 10_000, 1_000_000]
    isWhole = only == nil
    chosen = rows.filter { row in only.map { row.name.contains($0) } ?? (!isQuick || row.reports <= 1) }
    stages = try counts.map { try Stage($0, in: directory) }
    peers = try only == nil ? counts.map { try Peer($0, in: directory) } : []
  }

  func single() throws {
    let table = Table(
      "Microseconds of processor time until the observer was told of one change, the commit not counted; least of \(roundCount) medians of \(changeCount)",
      "items", counts.map(String.init), unit: "µs", counts: counts)
    for row in chosen {
      // The clock of a shared processor halves and doubles within seconds: every number of items meets the fast one.
      var times = [Double](repeating: .infinity, count: counts.count)
      for _ in 0..<roundCount {
        for (index, stage) in stages.enumerated() {
          times[index] = min(times[index], try stage.measure(row, steps: changeCount, processorTime).median)
        }
      }
      table.show(row.name, times, bar: row.bar.map { $0 * times[0] }, row.bar.map { "\(Int($0))x that at \(counts[0])" })
    }
    if isWhole {
      table.show("GRDB", try peers.map { try $0.measure(steps: $0.count > 100_000 ? 5 : changeCount, processorTime).median }, of: chosen[0].name)
    }
  }

  func memory() throws {
    let table = Table(
      "Bytes of the heap that telling of one change takes at most, of \(changeCount) changes", "items", counts.map(String.init), unit: "bytes",
      counts: counts)
    for row in chosen { table.show(row.name, try stages.map { try $0.measure(row, steps: changeCount, peakMemory).max() ?? 0 }) }
    if isWhole { table.show("GRDB", try peers.map { try $0.measure(steps: 5, peakMemory).max() ?? 0 }, of: chosen[0].name) }
  }

  /// Telling of many changes beside what an observer has to do who only evaluates anew.
  func shared() throws {
    guard let stage = stages.last else { return }
    let table = Table(
      "Milliseconds to tell of many changes at once among \(stage.count) items, the commit not counted, and of evaluating anew; the least of some",
      "items changed", shares.map { "\(Int($0 * Double(stage.count)))" } + ["anew"], unit: "ms",
      counts: shares.map { Int($0 * Double(stage.count)) })
    for row in chosen where row.reports == 1 {
      var anew = Double.infinity
      let times = try shares.map { share in
        try (0..<3).reduce(Double.infinity) { least, round in
          anew = min(anew, try stage.measureAnew(row, processorTime))
          return min(least, try stage.measure(row, steps: 2, first: round * 2 * stage.count, share: share, processorTime).min() ?? least)
        }
      }
      let passes = zip(times, shares).allSatisfy { time, share in
        time <= max(2 * anew, anew + microsecondsPerChange * share * Double(stage.count))
      }
      table.show(
        row.name, times.map { $0 / 1000 } + [anew / 1000], passes: passes,
        "twice evaluating anew, or \(microsecondsPerChange) µs a change more")
    }
    if isWhole, let peer = peers.last {
      table.show("GRDB", [try peer.measure(steps: 3, processorTime).min() ?? 0].map { $0 / 1000 }, of: chosen[0].name)
    }
  }
}

let arguments = CommandLine.arguments
let directory = FileManager.default.temporaryDirectory.appendingPathComponent("live-benchmarks-\(getpid())", isDirectory: true)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: directory) }
let isQuick = arguments.contains("--quick")
let run = try Run(isQuick: isQuick, only: arguments.firstIndex(of: "--only").map { arguments[$0 + 1] }, in: directory)
try run.single()
if !isQuick {
  try run.memory()
  try run.shared()
}
