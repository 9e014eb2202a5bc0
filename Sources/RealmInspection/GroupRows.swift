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
  ///   - chosen: of each aggregate that is one of the values of a property, this property; nil for others.
  package init(
    _ groups: [ObjectGroup], names: [String], columns: [ColumnDescription], chosen: [ColumnDescription?], hasCount: Bool, _ exporter: Exporter
  ) throws(StorageError) {
    self.names = names
    let printer = PlainPrinter(Exporter(exporter.file, digestLimit: nil, to: MemorySink()))
    var rows: [[Cell]] = []
    for group in groups {
      var cells: [Cell] = []
      for (value, column) in zip(group.values, columns) { cells.append(Cell(value: value, json: try printer.json(value, column))) }
      if hasCount { cells.append(GroupRows.cell(.int(Int64(group.count)))) }
      for (value, column) in zip(group.aggregates, chosen) {
        // Only a Mixed value says more than its type.
        let json = try column?.type == .mixed ? column.map { column throws(StorageError) in try printer.json(value, column) } : nil
        cells.append(json.map { Cell(value: value, json: $0) } ?? GroupRows.cell(value))
      }
      rows.append(cells)
    }
    self.rows = rows
  }

  /// A computed number as it is shown: which bits a NaN has says nothing of the values that it is of.
  package static func shown(_ computed: Value) -> Value {
    if case .double(let number) = computed, number.isNaN { .double(.nan) } else { computed }
  }

  /// To the engine all lists of Mixed values are one, and so are all dictionaries: a group of them would be called by what one of its objects holds.
  /// - Returns: the first of the columns that has such groups.
  package static func firstOfCollections(_ groups: [ObjectGroup], _ columnCount: Int) -> Int? {
    (0..<columnCount).first { position in
      groups.contains { group in
        switch group.values[position] {
        case .list, .dictionary: true
        default: false
        }
      }
    }
  }

  private static func cell(_ computed: Value) -> Cell {
    let value = shown(computed)
    var json: [UInt8] = []
    PlainText.append(value, to: &json)
    return Cell(value: value, json: json)
  }
}
