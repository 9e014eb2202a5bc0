import RealmStorage

/// Finds a class's properties by name, one after the other, in time that does not grow with their number.
///
/// Objects and schemas mostly name them in the order of the class, with gaps: then a few comparisons are enough.
struct ColumnFinder {
  private static let reach = 8
  private let columns: [ColumnDescription]
  /// Behind the one found last.
  private var next = 0
  /// Made when a name lies out of reach.
  private var positions: [[UInt8]: Int] = [:]

  init(_ table: Table) { columns = table.publicColumns }

  mutating func column(_ name: String) -> ColumnDescription? {
    guard let position = near(name) ?? far(name) else { return nil }
    next = position + 1
    return columns[position]
  }

  private func near(_ name: String) -> Int? {
    columns[next..<min(next + Self.reach, columns.count)].firstIndex { $0.name.elementsEqual(name.utf8) }
  }

  private mutating func far(_ name: String) -> Int? {
    if columns.count <= Self.reach { return columns.firstIndex { $0.name.elementsEqual(name.utf8) } }
    if positions.isEmpty { positions = Dictionary(columns.indices.map { (columns[$0].name, $0) }) { first, _ in first } }
    return positions[Array(name.utf8)]
  }
}
