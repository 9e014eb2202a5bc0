import RealmStorage

/// Lines in columns, under their names.
///
/// Widths are those of the first thousand lines and grow with the next ones, so that memory does not grow with the result.
struct AlignedLines {
  private let names: [String]
  private let output: TextOutput
  /// Of the terminal.
  private let totalWidth: Int?
  private var widths: [Int]
  private var pending: [[String]] = []
  private var isBegun = false
  /// How many columns do not fit, even when they are narrow: the last ones are left out.
  private(set) var hiddenCount = 0
  /// No column becomes narrower than that, so that more than the beginnings of words are to be read.
  private static let leastWidth = 8

  /// - Parameter totalWidth: wide columns are narrowed until the lines fit, and columns left out if that is not enough. Nil if it does not matter.
  init(_ names: [String], _ output: TextOutput, totalWidth: Int?) {
    (self.names, self.output, self.totalWidth) = (names, output, totalWidth)
    widths = names.map { DisplayWidth.of($0) }
  }

  mutating func append(_ cells: [String]) throws(StorageError) {
    for (position, cell) in cells.enumerated() { widths[position] = max(widths[position], DisplayWidth.of(cell)) }
    pending.append(cells)
    if pending.count == 1000 { try flush() }
  }

  /// To be called after the last line.
  mutating func finish() throws(StorageError) { if !pending.isEmpty || !isBegun { try flush() } }

  private mutating func flush() throws(StorageError) {
    if let totalWidth {
      if !isBegun { hide(to: totalWidth) }
      narrow(to: totalWidth)
    }
    if !isBegun {
      write(names)
      write(widths.map { String(repeating: "-", count: $0) })
      isBegun = true
    }
    for cells in pending { write(cells) }
    pending.removeAll(keepingCapacity: true)
    try output.flush()
  }

  private func write(_ cells: [String]) {
    var line = cells.indices.dropLast(hiddenCount).map { DisplayWidth.fit(cells[$0], widths[$0]) }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    output.append(line + "\n")
  }

  /// Leaves out columns from the end until the others can be narrowed to fit.
  private mutating func hide(to total: Int) {
    var needed = -2
    let shown = widths.prefix { width in
      needed += min(width, Self.leastWidth) + 2
      return needed <= total
    }
    hiddenCount = widths.count - max(shown.count, 1)
  }

  /// Takes from the widest column until all that are shown fit, two blanks between them.
  private mutating func narrow(to total: Int) {
    let shown = widths.indices.dropLast(hiddenCount)
    while shown.reduce(-2, { $0 + widths[$1] + 2 }) > total, let widest = shown.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.leastWidth
    {
      widths[widest] -= 1
    }
  }
}
