import RealmQuery
package import RealmStorage

// Chosen objects, in a given order.

extension Exporter {
  /// One object a line, as `writeJSONLines` writes them.
  package func writeJSONLines(table: TableDescription, objects: @escaping ObjectWalk) throws(StorageError) {
    let printer = ObjectPrinter(self, table)
    var start: [UInt8] = Array("{\"table\":".utf8)
    CanonicalJSON.appendString(SchemaNames.repaired(table.name), to: &start)
    start.append(UInt8(ascii: ","))
    try printer.forEachObject(objects) { (key, row) throws(StorageError) in
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
  /// What fits a cell of a table: a UUID does.
  static let cellLimit = 36

  /// - Parameter totalWidth: of the terminal; see ``AlignedLines``.
  /// - Returns: how many columns do not fit, and were left out.
  package func writeAlignedTable(table: TableDescription, objects: @escaping ObjectWalk, totalWidth: Int? = nil) throws(StorageError) -> Int {
    let columns = Array(table.publicColumns)
    let printer = ObjectPrinter(self, table)
    let plainPrinter = PlainPrinter(Exporter(file, digestLimit: nil, to: MemorySink()))
    // Links and collections are shown as plain JSON.
    let needsPlain = columns.contains { $0.isCollection || $0.type == .link || $0.type == .mixed }
    var lines = AlignedLines(columns.map { Exporter.onOneLine(SchemaNames.text($0.name)) }, output, totalWidth: totalWidth)
    try printer.forEachObject(objects) { (key, row) throws(StorageError) in
      let plain = needsPlain ? try plainPrinter.object(key, table).fields : nil
      var cells: [String] = []
      for position in columns.indices {
        cells.append(Exporter.cellText(try printer.value(position, row), plain?[position] ?? [], Exporter.cellLimit))
      }
      try lines.append(cells)
    }
    try lines.finish()
    return lines.hiddenCount
  }

  private static let null = "-"

  /// A text that would look like null has quotes, and one more pair of them if it has some already.
  private static func notNull(_ text: String) -> String {
    // Blanks at the end are not seen, and control characters are shown as such.
    let seen = text.drop { $0 <= " " }.prefix { $0 > " " }
    let quotes = seen.prefix { $0 == "\"" }
    let isLikeNull = seen == quotes + null + quotes && text.allSatisfy { $0 <= " " || $0 == "\"" || $0 == "-" }
    return isLikeNull ? "\"\(text)\"" : text
  }

  static func cellText(_ value: Value?, _ plain: [UInt8], _ limit: Int) -> String {
    let text: String
    switch value {
    case .null: text = null
    case .int(let number): text = String(number)
    case .bool(let flag): text = flag ? "true" : "false"
    case .string(let bytes): text = notNull(SchemaNames.text(bytes))
    case .float(let number): text = NumberText.text(of: number)
    case .double(let number): text = NumberText.text(of: number)
    case .decimal(let number): text = number.text
    case .timestamp(let date): text = DateText.text(of: date)
    case .objectID(let id): text = id.text
    case .uuid(let id): text = id.text
    case .link(let key) where key.isNull: text = null
    case .binary(let bytes): text = Base64.encode(bytes)
    default: text = plain == Array("null".utf8) ? null : SchemaNames.text(plain)
    }
    let line = onOneLine(text)
    return DisplayWidth.of(line) > limit ? DisplayWidth.fit(line, limit) : line
  }

  /// With blanks for what would break the line.
  static func onOneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { line.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar) }
    return String(line)
  }
}
