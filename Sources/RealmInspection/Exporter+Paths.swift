package import RealmStorage

extension Exporter {
  private func cells(_ columns: [PathColumn], of table: Table, expansion: Int = 0) throws(StorageError) -> [PathCells] {
    var cells: [PathCells] = []
    for column in columns { cells.append(try PathCells(column, of: table, file, expansion: expansion)) }
    return cells
  }

  /// - Parameters:
  ///   - table: of the objects.
  ///   - totalWidth: of the terminal.
  /// - Returns: how many columns do not fit, and were left out.
  package func writeAlignedTable(
    _ columns: [PathColumn], of table: Table, objects: ObjectWalk, totalWidth: Int?
  ) throws(StorageError) -> Int {
    let cells = try cells(columns, of: table)
    var lines = AlignedLines(columns.map { Exporter.onOneLine($0.name) }, output, totalWidth: totalWidth)
    try objects { (key) throws(StorageError) in
      var texts: [String] = []
      for cell in cells { texts.append(try cell.text(key)) }
      try lines.append(texts)
    }
    try lines.finish()
    return lines.hiddenCount
  }

  package func writeCSV(_ columns: [PathColumn], of table: Table, objects: ObjectWalk) throws(StorageError) {
    let cells = try cells(columns, of: table)
    for cell in cells { cell.exporter.nullText = nullText }
    writeCSVHeader(columns.map { MemberName.of($0.name) })
    try objects { (key) throws(StorageError) in
      for (position, cell) in cells.enumerated() {
        if position > 0 { output.append(",") }
        output.buffer += try cell.field(key)
      }
      output.append("\r\n")
      try output.flushIfLong()
    }
    try output.flush()
  }

  /// - Parameter expansion: so many links behind the properties are followed and written as objects.
  package func writeJSON(
    _ columns: [PathColumn], of table: Table, objects: ObjectWalk, expansion: Int, asLines: Bool
  ) throws(StorageError) {
    let cells = try cells(columns, of: table, expansion: expansion)
    let labels = columns.map { CanonicalJSON.label(MemberName.of($0.name)) }
    var isFirst = true
    if !asLines { output.append("[") }
    try objects { (key) throws(StorageError) in
      if !asLines { output.append(isFirst ? "\n" : ",\n") }
      isFirst = false
      output.append("{")
      for (position, cell) in cells.enumerated() {
        if position > 0 { output.append(",") }
        output.buffer += labels[position]
        output.buffer += try cell.json(key)
      }
      output.append(asLines ? "}\n" : "}")
      try output.flushIfLong()
    }
    if !asLines { output.append(isFirst ? "]\n" : "\n]\n") }
    try output.flush()
  }
}
