package import RealmStorage

// Groups of objects with their aggregates.

extension Exporter {
  /// - Returns: how many columns do not fit, and were left out.
  package func writeAlignedTable(_ groups: GroupRows, totalWidth: Int?) throws(StorageError) -> Int {
    var lines = AlignedLines(groups.names.map { Exporter.onOneLine($0) }, output, totalWidth: totalWidth)
    for row in groups.rows { try lines.append(row.map { Exporter.cellText($0.value, $0.json, Exporter.cellLimit) }) }
    try lines.finish()
    return lines.hiddenCount
  }

  package func writeJSON(_ groups: GroupRows, asLines: Bool) throws(StorageError) {
    let labels = groups.names.map { CanonicalJSON.label($0) }
    if !asLines { output.append("[") }
    for (index, row) in groups.rows.enumerated() {
      if !asLines { output.append(index == 0 ? "\n" : ",\n") }
      output.append("{")
      for (position, cell) in row.enumerated() {
        if position > 0 { output.append(",") }
        output.buffer += labels[position]
        output.buffer += cell.json
      }
      output.append(asLines ? "}\n" : "}")
      try output.flushIfLong()
    }
    if !asLines { output.append(groups.rows.isEmpty ? "]\n" : "\n]\n") }
    try output.flush()
  }
}
