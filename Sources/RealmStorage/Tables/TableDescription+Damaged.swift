// To which class a link leads stands in two places: with the property that links, and with the column of the target that lists who links to it (F4.2).

extension TableDescription {
  /// The tables of a damaged file, with links that lead where their targets say that they come from.
  package static func completingLinks(_ tables: [TableDescription]) -> [TableDescription] {
    var origins: [Origin: TableKey] = [:]
    for table in tables {
      for column in table.backlinkColumns { origins[Origin(table: column.oppositeTable, column: column.oppositeColumn)] = table.key }
    }
    let links = Set(tables.flatMap { table in table.publicColumns.map { Origin(table: table.key, column: $0.key) } })
    // Of a class that accounts for all that link to it nobody else says so with right.
    let open = tables.filter { $0.backlinkColumns.contains { !links.contains(Origin(table: $0.oppositeTable, column: $0.oppositeColumn)) } }
    let possible = Set(open.map(\.key))
    return tables.map { table in
      var table = table
      var unknown: [Int] = []
      for (position, column) in table.publicColumns.enumerated() where column.type == .link {
        if let target = origins[Origin(table: table.key, column: column.key)] {
          table.columns[position].oppositeTable = target
        } else if !possible.contains(column.oppositeTable) {
          unknown.append(position)
        }
      }
      // Links within the class are named by nobody but the list that is lost: they are those for which it has columns that no other class accounts for.
      if !unknown.isEmpty, unknown.count == table.backlinkColumns.count - table.linksHere(from: tables) {
        for position in unknown { table.columns[position].oppositeTable = table.key }
      }
      return table
    }
  }

  private struct Origin: Hashable {
    let table: TableKey
    let column: ColumnKey
  }

  private var backlinkColumns: ArraySlice<ColumnDescription> { columns[publicColumnCount...] }

  /// How many properties of other classes say that they link to this one.
  private func linksHere(from tables: [TableDescription]) -> Int {
    tables.reduce(0) { count, other in
      other.key == key ? count : count + other.publicColumns.count { $0.type == .link && $0.oppositeTable == key }
    }
  }
}
