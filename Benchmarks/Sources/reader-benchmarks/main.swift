import EngineWorkloads
import Foundation

// What a writer costs the readers beside it, and what memory a scan of a large file takes.
//
//     reader-benchmarks [--json] [--rows N] [--large N]

let arguments = CommandLine.arguments
func option(_ name: String, _ usual: Int) -> Int { arguments.firstIndex(of: name).flatMap { Int(arguments[$0 + 1]) } ?? usual }
let isJSON = arguments.contains("--json")
let (rows, large) = (option("--rows", 1_000_000), option("--large", 20_000_000))
let directory = FileManager.default.temporaryDirectory.appendingPathComponent("reader-benchmarks-\(getpid())", isDirectory: true)

/// In the form of `benchmarks --json`, or as a line of a table.
func show(_ name: String, _ count: Int, _ unit: String, _ value: Double, bar: String, isMet: Bool) {
  if isJSON {
    print(
      "{\"workload\":\"\(name)\",\"rows\":\(count),\"unit\":\"\(unit)\",\"processor\":{\"Regnum\":\(value)},\"bar\":\"\(bar)\",\"passes\":\(isMet)}")
  } else {
    print(
      String(
        format: "%@%12d%10.2f %@  %@ (%@)", name.padding(toLength: 40, withPad: " ", startingAt: 0), count, value, unit, isMet ? "met" : "MISSED", bar
      ))
  }
}

/// Readers alone and beside a writer, in turn: a clock that changes meets both.
func measureReaders() throws {
  let path = directory.appendingPathComponent("shared.realm").path
  let store = try EngineStore(path: path)
  try store.insert(People(count: rows, seed: 7))
  for count in [1, 2, 4] {
    var (alone, beside) = (Double.infinity, Double.infinity)
    for _ in 0..<5 {
      alone = min(alone, Readers.medianTime(path, count, rows))
      let writer = Writer(path, rows)
      beside = min(beside, Readers.medianTime(path, count, rows))
      writer.end()
    }
    show("scan, \(count) readers", rows, "ns/row", alone, bar: "", isMet: true)
    show("scan, \(count) readers beside a writer", rows, "ns/row", beside, bar: "0.9 of the speed", isMet: alone >= 0.9 * beside)
  }
  store.close()
}

/// Memory that is the process's own, in megabytes of 2^20 bytes; pages of the file are the system's.
func ownMemory() -> Double {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return line.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1024 } ?? .nan
}

func measureMemory() throws {
  let path = directory.appendingPathComponent("large.realm").path
  // In parts: what is being written is kept in memory until its commit.
  let store = try EngineStore(path: path)
  for part in 0..<max(1, large / 1_000_000) { try store.insert(People(count: min(large, 1_000_000), seed: 7, firstKey: part * 1_000_000)) }
  store.close()
  let size = ((try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0) >> 20
  let reader = try EngineStore(path: path)
  let before = ownMemory()
  _ = try reader.sumOfEverything()
  let growth = ownMemory() - before
  show("memory of a scan of \(size) MB", large, "MB", growth, bar: "8 MB", isMet: growth <= 8)
  reader.close()
}

try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: directory) }
try measureReaders()
try measureMemory()
