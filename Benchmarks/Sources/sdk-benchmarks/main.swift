import Foundation
import Glibc
import RealmSwift

/// Processor nanoseconds of one call of `body`.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}

/// The median of several repetitions, per operation.
func median(_ repetitions: Int, _ operations: Int, _ body: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<repetitions { times.append(try processorTime(body) / Double(operations)) }
  return times.sorted()[repetitions / 2]
}

// SAFETY: the benchmarks run on one thread.
nonisolated(unsafe) var sink = 0
@inline(never) func consume(_ value: Int) { sink &+= value }

struct Line {
  let name: String
  let ours: Double
  let peer: Double?
  let bar: String
  let isMet: Bool

  /// In the form of `benchmarks --json`.
  func json(rows: Int) -> String {
    let theirs = peer.map { ",\"GRDB\":\($0)" } ?? ""
    return
      "{\"workload\":\"\(name)\",\"rows\":\(rows),\"unit\":\"ns/op\",\"processor\":{\"Regnum\":\(ours)\(theirs)},\"bar\":\"\(bar)\",\"passes\":\(isMet)}"
  }
}

func run() throws {
  let rows = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("sdk-benchmarks-\(getpid())", isDirectory: true)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  let arguments = CommandLine.arguments
  if let option = arguments.firstIndex(of: "--profile"), option + 1 < arguments.count {
    return try profile(arguments[option + 1], rows: rows, in: directory)
  }
  let stores = try BothStores(rows: rows, in: directory)
  let lines = [try stores.insert()] + stores.readProperties() + [try stores.iterate(), try stores.lookUp()]
  if arguments.contains("--json") { return lines.forEach { print($0.json(rows: rows)) } }
  print("\(rows) rows; nanoseconds of processor time per operation")
  for line in lines {
    let peer = line.peer.map { String(format: "%10.1f %6.1fx", $0, $0 / line.ours) } ?? "                  "
    print(String(format: "%10.1f", line.ours), peer, line.isMet ? "met   " : "MISSED", line.bar, " ", line.name)
  }
}

if CommandLine.arguments.dropFirst().first == "counts" {
  try runCounts(rows: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000_000)
} else {
  try run()
}
