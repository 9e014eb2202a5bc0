import RealmQuery
package import RealmStorage

// Chosen objects, in a given order.

extension Exporter {
  /// One object a line, as `writeJSONLines` writes them.
  package func writeJSONLines(table: TableDescription, keys: [ObjectKey]) throws(StorageError) {
    let printer = ObjectPrinter(self, table)
    var start: [UInt8] = Array("{\"table\":".utf8)
    CanonicalJSON.appendString(SchemaNames.repaired(table.name), to: &start)
    start.append(UInt8(ascii: ","))
    try printer.forEachObject(keys) { (key, row) throws(StorageError) in
      output.buffer.append(contentsOf: start)
      try printer.writeFields(key, row)
      output.append("\n")
      try output.flushIfLong()
    }
    try output.flush()
  }

  /// A table in columns: names, then objects. Long texts are cut; collections show their JSON.
  ///
  /// Widths are those of the first thousand objects and grow with the next ones, so that memory does not grow with the result.
  /// - Parameter totalWidth: of the terminal; wide columns are narrowed until the lines fit. Nil if it does not matter.
  package func writeAlignedTable(
    table: TableDescription, keys: [ObjectKey], cellLimit: Int = 32, totalWidth: Int? = nil
  ) throws(StorageError) {
    let columns = Array(table.publicColumns)
    let names = columns.map { SchemaNames.text($0.name) }
    let printer = ObjectPrinter(self, table)
    let plainPrinter = PlainPrinter(Exporter(file, digestLimit: nil, to: MemorySink()))
    var widths: [Int] = names.map { DisplayWidth.of($0) }
    func writeLine(_ cells: [String]) {
      let line = cells.indices.map { DisplayWidth.fit(cells[$0], widths[$0]) }.joined(separator: "  ")
      output.append(Exporter.trimmed(line) + "\n")
    }
    var start = 0
    repeat {
      let end = min(start + 1000, keys.count)
      var rows: [[String]] = []
      try printer.forEachObject(Array(keys[start..<end])) { (key, row) throws(StorageError) in
        var cells: [String] = []
        // Links and collections are shown as plain JSON.
        let plain = columns.contains { $0.isCollection || $0.type == .link || $0.type == .mixed } ? try plainPrinter.object(key, table).fields : nil
        for position in columns.indices {
          cells.append(Exporter.cellText(try printer.value(position, row), plain?[position] ?? [], cellLimit))
        }
        for (position, cell) in cells.enumerated() { widths[position] = max(widths[position], DisplayWidth.of(cell)) }
        rows.append(cells)
      }
      if let totalWidth { Exporter.narrow(&widths, to: totalWidth) }
      if start == 0 {
        writeLine(names)
        writeLine(widths.map { String(repeating: "-", count: $0) })
      }
      for row in rows { writeLine(row) }
      try output.flush()
      start = end
    } while start < keys.count
  }

  /// Takes from the widest column until all fit, two blanks between them; none becomes narrower than four.
  private static func narrow(_ widths: inout [Int], to total: Int) {
    while widths.reduce(-2, { $0 + $1 + 2 }) > total, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4 {
      widths[widest] -= 1
    }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func cellText(_ value: Value?, _ plain: [UInt8], _ limit: Int) -> String {
    let text: String
    switch value {
    case .null: text = "-"
    case .int(let number): text = String(number)
    case .bool(let flag): text = flag ? "true" : "false"
    case .string(let bytes): text = SchemaNames.text(bytes)
    case .float(let number): text = NumberText.text(of: number)
    case .double(let number): text = NumberText.text(of: number)
    case .decimal(let number): text = number.text
    case .timestamp(let date): text = DateText.text(of: date)
    case .objectID(let id): text = id.text
    case .uuid(let id): text = id.text
    case .link(let key) where key.isNull: text = "-"
    case .binary(let bytes): text = Base64.encode(bytes)
    default: text = plain == Array("null".utf8) ? "-" : SchemaNames.text(plain)
    }
    let line = String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) } as [Character])
    return DisplayWidth.of(line) > limit ? DisplayWidth.fit(line, limit) : line
  }
}
