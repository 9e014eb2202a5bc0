package import RealmQuery
package import RealmStorage

/// What is printed of each object under one name: a property of its own, or of an object that links lead to from it.
package struct PathColumn {
  let name: String
  let property: LinkedProperty
  /// The class that has the property.
  let owner: TableKey

  package init(_ name: String, _ property: LinkedProperty, of owner: TableKey) { (self.name, self.property, self.owner) = (name, property, owner) }
}

/// Reads the values of one such column, object by object.
private struct PathCells {
  private let property: LinkedProperty
  private let table: Table
  /// The class that has the property, with nothing else.
  private let part: TableDescription
  private let printer: ObjectPrinter
  private let plainPrinter: PlainPrinter
  let exporter: Exporter

  /// - Parameter table: of the objects.
  init(_ column: PathColumn, of table: Table, _ file: OpenFile, expansion: Int) throws(StorageError) {
    (property, self.table) = (column.property, table)
    exporter = Exporter(file, digestLimit: nil, to: MemorySink())
    guard let owner = exporter.index.table(column.owner), let position = owner.position(of: property.column.key) else {
      throw .noSuchColumn(table: table.className, name: column.name)
    }
    part = owner.keeping([position])
    printer = ObjectPrinter(exporter, part)
    plainPrinter = PlainPrinter(exporter, expansion: expansion)
  }

  /// Nil where a link on the way is null.
  private func owner(_ key: ObjectKey) throws(StorageError) -> ObjectKey? { try property.owner(table.row(key))?.key }

  /// The JSON that other programs expect.
  func json(_ key: ObjectKey) throws(StorageError) -> [UInt8] {
    guard let owner = try owner(key) else { return Array("null".utf8) }
    return try plainPrinter.object(owner, part).fields.first ?? []
  }

  /// The field of CSV.
  func field(_ key: ObjectKey) throws(StorageError) -> [UInt8] {
    guard let owner = try owner(key) else { return exporter.nullText ?? [] }
    exporter.output.buffer.removeAll(keepingCapacity: true)
    try exporter.writeCell(printer, 0, printer.find(owner))
    return exporter.output.take()
  }

  /// What a table shows.
  func text(_ key: ObjectKey) throws(StorageError) -> String {
    guard let owner = try owner(key) else { return Exporter.cellText(.null, [], Exporter.cellLimit) }
    let plain = try plainPrinter.object(owner, part).fields.first ?? []
    return Exporter.cellText(try printer.value(0, printer.find(owner)), plain, Exporter.cellLimit)
  }
}

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
