import ArgumentParser
import Foundation

/// Counts what fixed workloads cost, in numbers that other work on the machine does not change. `counts.py` runs it.
struct CountBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count-benchmarks", abstract: "Count barriers, calls of the system, bytes written and allocations of fixed workloads.",
    discussion: "Prints JSON. `counts.py` adds the instructions, as valgrind counts them, and compares with what is expected.")

  @Option(help: "Only workloads whose name contains this text.") var only: String?

  func run() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("count-benchmarks-\(getpid())", isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var counts: [Counts] = []
    for workload in Workload.all where only.map(workload.name.contains) ?? true { counts.append(try workload.counts(in: directory)) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(counts), as: UTF8.self))
  }
}

CountBenchmarks.main()
