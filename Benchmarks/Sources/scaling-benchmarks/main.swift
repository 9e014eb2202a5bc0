import ArgumentParser
import Foundation
import RealmSwift

/// Finds operations that take more time for each element the more elements there are.
struct ScalingBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scaling-benchmarks",
    abstract: "Prints the processor time per element of each operation of the SDK, and how many times as much it is with more elements.",
    discussion: "Ends with 1 when one takes more than the limit says, which means that its time grows faster than the number of elements.")

  @Option(help: "Numbers of elements.") var elements = [1000, 16_000]
  @Option(help: "How many times each operation is measured; the least time counts.") var rounds = 3
  @Option(help: "Only operations whose name has this text.") var only: String?
  @Option(help: "How many times as long an element may take among most as among fewest.") var limit = 3.0

  func run() throws {
    let operations = (collectionOperations + objectOperations + queryOperations + liveOperations).filter { only.map($0.name.contains) ?? true }
    let heads = elements.map { "\($0)" } + ["times"]
    print("\("ns an element, of so many".padding(toLength: 60, withPad: " ", startingAt: 0))\(heads.map(Self.column).joined())")
    var grown: [String] = []
    for operation in operations {
      let times = try elements.map { count in try least(operation, count) }
      let growth = (times.last ?? 0) / (times.first ?? 1)
      let figures = times.map { String(format: "%.0f", $0) } + [String(format: "%.1f", growth)]
      let mark = growth > limit ? "  GROWS" : ""
      print("\(operation.name.padding(toLength: 60, withPad: " ", startingAt: 0))\(figures.map(Self.column).joined())\(mark)")
      fflush(nil)
      if growth > limit { grown.append(operation.name) }
    }
    print("\(operations.count) operations, \(grown.count) take more than \(limit) times as long an element")
    if !grown.isEmpty { throw ExitCode.failure }
  }

  private static func column(_ text: String) -> String { String(repeating: " ", count: max(1, 12 - text.count)) + text }

  private func least(_ operation: Operation, _ count: Int) throws -> Double {
    var least = Double.infinity
    for _ in 0..<rounds {
      try autoreleasepool {
        let body = try operation.prepare(Stage(count))
        let start = clock()
        try body()
        least = min(least, Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e9 / Double(count))
      }
      // What takes that long does not have to be measured again.
      if least * Double(count) > 1e9 { break }
    }
    return least
  }
}

ScalingBenchmarks.main()
