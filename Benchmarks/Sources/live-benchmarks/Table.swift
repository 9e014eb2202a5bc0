import Foundation

/// Prints figures, a row for each thing that is measured.
struct Table {
  private let unit: String
  /// Of which each figure is.
  private let counts: [Int]
  private let isJSON = CommandLine.arguments.contains("--json")

  init(_ title: String, _ head: String, _ heads: [String], unit: String, counts: [Int]) {
    (self.unit, self.counts) = (unit, counts)
    if isJSON { return }
    print("\n\(title)\n\(padded(head))\(heads.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }.joined())")
  }

  private func padded(_ text: String) -> String { text.padding(toLength: 48, withPad: " ", startingAt: 0) }

  /// - Parameters:
  ///   - bar: what the last figure may be.
  ///   - mark: the same in words.
  ///   - workload: that of a peer, whose name comes first.
  func show(_ name: String, _ figures: [Double], bar: Double? = nil, _ mark: String? = nil, of workload: String? = nil) {
    let passes = bar.flatMap { bar in figures.last.map { $0 <= bar } }
    show(name, figures, passes: passes, mark, of: workload)
  }

  func show(_ name: String, _ figures: [Double], passes: Bool?, _ mark: String?, of workload: String? = nil) {
    if isJSON { return showJSON(name, figures, passes, mark, of: workload) }
    let verdict = passes.map { $0 ? "  met" : "  MISSED (\(mark ?? ""))" } ?? ""
    print(
      "\(padded(workload.map { "\(name): \($0)" } ?? name))\(figures.map { String(format: unit == "bytes" ? "%12.0f" : "%12.1f", $0) }.joined())\(verdict)"
    )
  }

  /// One line for each figure that has a count, in the form of `benchmarks --json`.
  private func showJSON(_ name: String, _ figures: [Double], _ passes: Bool?, _ mark: String?, of workload: String?) {
    // The same workload in another unit is another row.
    let suffix = ["µs": "", "bytes": ", memory", "ms": ", many at once"][unit] ?? ""
    for (index, (figure, count)) in zip(figures, counts).enumerated() {
      let verdict = index == counts.count - 1 ? passes.map { "\($0)" } ?? "null" : "null"
      print(
        "{\"workload\":\"\(workload ?? name)\(suffix)\",\"rows\":\(count),\"unit\":\"\(unit)\",\"processor\":{\"\(workload == nil ? "Regnum" : name)\":\(figure)},"
          + "\"bar\":\"\(mark ?? "")\",\"passes\":\(verdict)}")
    }
  }
}
