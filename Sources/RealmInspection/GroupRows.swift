package import RealmQuery
package import RealmStorage

/// Groups of objects with their aggregates, ready to be written.
package struct GroupRows {
  struct Cell {
    let value: Value
    let json: [UInt8]
  }
  let names: [String]
  let rows: [[Cell]]

  /// - Parameters:
  ///   - names: of the columns: those that make the groups, the count if it is wanted, the aggregates.
  ///   - columns: that make the groups.
  package init(
    _ groups: [ObjectGroup], names: [String], columns: [ColumnDescription], hasCount: Bool, _ exporter: Exporter
  ) throws(StorageError) {
    self.names = names
    let printer = PlainPrinter(Exporter(exporter.file, digestLimit: nil, to: MemorySink()))
    var rows: [[Cell]] = []
    for group in groups {
      var cells: [Cell] = []
      for (value, column) in zip(group.values, columns) { cells.append(Cell(value: value, json: try printer.json(value, column))) }
      if hasCount { cells.append(GroupRows.cell(.int(Int64(group.count)))) }
      cells += group.aggregates.map { GroupRows.cell($0) }
      rows.append(cells)
    }
    self.rows = rows
  }

  private static func cell(_ value: Value) -> Cell {
    var json: [UInt8] = []
    PlainText.append(value, to: &json)
    return Cell(value: value, json: json)
  }
}
