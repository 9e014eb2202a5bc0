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

  /// A table in columns of equal width: names, then objects. Long texts are cut; collections show their JSON.
  package func writeAlignedTable(table: TableDescription, keys: [ObjectKey], cellLimit: Int = 32) throws(StorageError) {
    let columns = Array(table.publicColumns)
    var rows: [[String]] = [columns.map { SchemaNames.text($0.name) }]
    let printer = ObjectPrinter(self, table)
    try printer.forEachObject(keys) { (_, row) throws(StorageError) in
      var cells: [String] = []
      for position in columns.indices { cells.append(try cellText(printer, position, row, cellLimit)) }
      rows.append(cells)
    }
    let widths = columns.indices.map { position in rows.map { $0[position].count }.max() ?? 0 }
    for (number, row) in rows.enumerated() {
      let cells = row.indices.map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count) }
      output.append(Exporter.trimmed(cells.joined(separator: "  ")) + "\n")
      if number == 0 { output.append(Exporter.trimmed(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")) + "\n") }
      try output.flushIfLong()
    }
    try output.flush()
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  private func cellText(_ printer: ObjectPrinter, _ position: Int, _ row: Int, _ limit: Int) throws(StorageError) -> String {
    let text: String
    switch try printer.value(position, row) {
    case .null: text = "-"
    case .int(let number): text = String(number)
    case .bool(let flag): text = flag ? "true" : "false"
    case .string(let bytes): text = SchemaNames.text(bytes)
    case .float(let number): text = NumberText.text(of: number)
    case .double(let number): text = NumberText.text(of: number)
    case .decimal(let number): text = number.text
    case .timestamp(let date): text = DateText.text(of: date)
    default:
      try output.flush()
      keepsLine = true
      defer { keepsLine = false }
      try printer.writeField(position, row)
      text = SchemaNames.text(output.buffer)
      output.buffer.removeAll(keepingCapacity: true)
    }
    let line = String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) } as [Character])
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}
