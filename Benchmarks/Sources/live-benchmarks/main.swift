import Foundation
import RealmSwift

// live-benchmarks [--quick] [--only TEXT] [--json]: what it costs to tell an observer of one change, at 100 to 1,000,000 items.

let roundCount = 5

func run() throws {
  let isQuick = CommandLine.arguments.contains("--quick")
  let only = CommandLine.arguments.firstIndex(of: "--only").map { CommandLine.arguments[$0 + 1] }
  let counts = isQuick ? [100, 10_000] : [100, 10_000, 1_000_000]
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("live-benchmarks-\(getpid())", isDirectory: true)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  if !isJSON { printHeading(counts) }
  let stages = try counts.map { try Stage($0, changeCount: 50, in: directory) }
  for row in rows where only.map({ row.name.contains($0) }) ?? true {
    // The clock of a shared processor halves and doubles within seconds: every number of items meets the fast one.
    var times = [Double](repeating: .infinity, count: counts.count)
    for _ in 0..<roundCount { for (index, stage) in stages.enumerated() { times[index] = min(times[index], try row.measure(stage)) } }
    show(row.name, times, counts, bar: row.bar)
  }
  if only == nil {
    show("GRDB ValueObservation, fetchAll", try counts.map { try Peer($0, in: directory).measure(changeCount: $0 > 100_000 ? 5 : 50) }, counts)
  }
}

let isJSON = CommandLine.arguments.contains("--json")

func printHeading(_ counts: [Int]) {
  print("Microseconds of processor time until the observer was told of one change, the commit not counted; least of \(roundCount) medians of 50")
  let heads = counts.map { String(format: "%12d", $0) }.joined()
  print("\("items".padding(toLength: 48, withPad: " ", startingAt: 0))\(heads)")
}

func show(_ name: String, _ times: [Double], _ counts: [Int], bar: Double? = nil) {
  if isJSON { return printJSON(name, times, counts, bar: bar) }
  let figures = times.map { String(format: "%12.1f", $0) }.joined()
  var verdict = ""
  if let bar, let first = times.first, let last = times.last {
    verdict = String(format: "  %.2fx %@", last / first, last <= bar * first ? "met" : "MISSED (\(Int(bar))x)")
  }
  print("\(name.padding(toLength: 48, withPad: " ", startingAt: 0))\(figures)\(verdict)")
}

/// One line for each number of items, in the form of `benchmarks --json`.
func printJSON(_ name: String, _ times: [Double], _ counts: [Int], bar: Double?) {
  let isPeer = name.hasPrefix("GRDB")
  for (time, count) in zip(times, counts) {
    let passes = count == counts.last ? bar.map { "\(time <= $0 * times[0])" } ?? "null" : "null"
    print(
      "{\"workload\":\"\(isPeer ? "whole class, property set" : name)\",\"rows\":\(count),\"unit\":\"µs\",\"processor\":{\"\(isPeer ? "GRDB" : "Regnum")\":\(time)},"
        + "\"bar\":\"\(bar.map { "\(Int($0))x that at \(counts[0])" } ?? "")\",\"passes\":\(passes)}")
  }
}

try run()
